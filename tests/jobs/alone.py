"""A project that has the queue and nothing of Coach."""

import os

from psycopg.conninfo import conninfo_to_dict

held = conninfo_to_dict(os.environ["DATABASE_URL"])
SECRET_KEY = "only for a test"
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "jobs",
    "django.contrib.postgres",
    "tests.kinds",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
ROOT_URLCONF = "tests.jobs.alone_urls"
STATIC_URL = "static/"
ALLOWED_HOSTS = ["testserver"]
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": held["dbname"],
        "USER": held.get("user", ""),
        "PASSWORD": held.get("password", ""),
        "HOST": held.get("host", ""),
        "PORT": held.get("port", ""),
    }
}
JOBS = {
    "POOLS": {
        "gateway": {"capacity": 2, "gap": 0, "reserve": ["1 from 00:00 until 00:01 UTC"]},
        "wide": {"capacity": 1, "gap": 0},
    }
}
