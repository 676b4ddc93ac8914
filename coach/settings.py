"""Every setting of Coach, read once from the environment; deploy/env.example lists the variables."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

from coach import database as address
from coach import env, revision

ROOT = Path(__file__).resolve().parent.parent
VAR = Path(env.text("COACH_VAR", str(ROOT / "var")))
DATA = Path(env.text("COACH_DATA", str(VAR / "data")))  # the files athletes hand in

DEBUG = env.switch("COACH_DEBUG", default=False)
HTTPS = env.switch("COACH_HTTPS", default=False)


def secret_key() -> str:
    """Take COACH_SECRET_KEY, or the key that deploy/try made for this folder; there is no default."""
    key = env.text("COACH_SECRET_KEY")
    kept = VAR / "secret-key"
    if not key and kept.exists():
        key = kept.read_text(encoding="utf-8").strip()
    if not key:
        raise ImproperlyConfigured(
            "COACH_SECRET_KEY is not set: give 50 random characters, or run `sh deploy/try`, which makes a key."
        )
    return key


def database() -> dict[str, Any]:
    """Take DATABASE_URL, or the address of the embedded server that the deploy scripts started."""
    url = env.text("DATABASE_URL")
    kept = VAR / "database-url"
    if not url and kept.exists():
        url = kept.read_text(encoding="utf-8").strip()
    if not url:
        raise ImproperlyConfigured(
            "DATABASE_URL is not set and no embedded database runs: set it to postgresql://…, or run `sh deploy/try`."
        )
    parts = address.parts(url)
    known = {"dbname", "user", "password", "host", "port"}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.get("dbname") or "coach",
        "USER": parts.get("user") or "",
        "PASSWORD": parts.get("password") or "",
        "HOST": parts.get("host") or "",
        "PORT": str(parts.get("port") or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        # Behind PgBouncer in transaction mode a server-side cursor would be lost between two statements.
        "DISABLE_SERVER_SIDE_CURSORS": True,
        "OPTIONS": {
            "keepalives": 1,
            "keepalives_idle": 30,
            "keepalives_interval": 10,
            "keepalives_count": 3,
            "connect_timeout": 10,
            **{key: value for key, value in parts.items() if key not in known},
        },
    }


SECRET_KEY = secret_key()
DATABASES = {"default": database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

ALLOWED_HOSTS = env.hosts("COACH_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = env.origins("COACH_ORIGINS")
CSRF_FAILURE_VIEW = "coach.views.faults.not_sent"

INSTALLED_APPS = [
    "coach",
    "jobs",
    "django_q",
    "django_htmx",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "coach.staff_app.StaffApp",  # Django's admin, with the sign-in page of the site
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "coach.middleware.with_request_id",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "coach.middleware.with_further_headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "coach.middleware.without_nul",
    "coach.middleware.with_whole_body",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "coach.middleware.sliding_session",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "coach.urls"
WSGI_APPLICATION = "coach.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "coach.signing_in.WithAthlete"]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
PASSWORD_RESET_TIMEOUT = int(timedelta(days=1).total_seconds())

# Wrong passwords count for a name at an address, and for an address: nobody can lock another out of an account.
AXES_HANDLER = "coach.throttle.Throttle"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # the page says when to try again, and keeps its word
AXES_CLIENT_IP_CALLABLE = "coach.addresses.client"
AXES_LOCKOUT_CALLABLE = "coach.views.doors.locked"
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
# How many proxies stand in front and write X-Forwarded-For; 0 believes nothing but the connection.
PROXIES = env.whole("COACH_PROXIES", 0)

# A second step at the sign-in of staff: offered, demanded, or not there.
STAFF_TOTP = env.choice("COACH_STAFF_TOTP", "optional", among=("off", "optional", "required"))
OTP_TOTP_ISSUER = "Coach"
SIGN_UP = env.switch("COACH_SIGN_UP", default=False)  # without it, athletes come by an invitation of the staff

# Mail: for new passwords, and for the address of somebody who signs up. Without a host no mail is sent.
MAIL_TLS = env.choice("COACH_MAIL_TLS", "starttls", among=("starttls", "tls", "none"))
MAIL = env.text("COACH_MAIL_HOST") != ""
MAILERS: dict[str, Any] = {}
SILENCED_SYSTEM_CHECKS = [] if MAIL else ["mail.W001"]  # no mail is a way to run Coach, and its pages say so
if MAIL:
    MAILERS["default"] = {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": env.text("COACH_MAIL_HOST"),
            "port": env.whole("COACH_MAIL_PORT", 587, least=1, most=65535),
            "username": env.text("COACH_MAIL_USER"),
            "password": env.text("COACH_MAIL_PASSWORD"),
            "use_tls": MAIL_TLS == "starttls",
            "use_ssl": MAIL_TLS == "tls",
            "timeout": 30,
        },
    }
DEFAULT_FROM_EMAIL = env.text("COACH_MAIL_FROM") or "coach@localhost"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("COACH_STATIC", str(VAR / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": DATA}},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_MANIFEST_STRICT = False

# Security. What needs TLS is switched by COACH_HTTPS; the rest is always on.
SECURE_CSP = {
    "default-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
    "form-action": [CSP.SELF],
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
if env.switch("COACH_BEHIND_PROXY", default=HTTPS):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
if HTTPS:  # a browser takes such a name from this very host only, and over TLS only
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
# A session ends this long after the last page that somebody opened; a poll moves no end.
TEN_YEARS_HOURS = 87_600  # a time beyond what a calendar holds fails at the sign-in
SESSION_COOKIE_AGE = 3600 * env.whole("COACH_SESSION_HOURS", 336, least=1, most=TEN_YEARS_HOURS)
STAFF_SESSION_AGE = 3600 * env.whole("COACH_STAFF_SESSION_HOURS", 12, least=1, most=TEN_YEARS_HOURS)
SESSION_SAVE_EVERY_REQUEST = False
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Uploads: what one recording, one archive or health export, and one import may weigh.
UPLOAD_FILE_BYTES = env.whole("COACH_UPLOAD_FILE_MB", 100, least=1) * 1024 * 1024
UPLOAD_ARCHIVE_BYTES = env.whole("COACH_UPLOAD_ARCHIVE_MB", 4096, least=1) * 1024 * 1024
UPLOAD_PIECE_BYTES = 2 * 1024 * 1024  # what a browser sends at once, and the most that a lost connection costs
UPLOAD_FILES = env.whole("COACH_UPLOAD_FILES", 500, least=1)
DATA_UPLOAD_MAX_NUMBER_FILES = UPLOAD_FILES
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
METRICS_TOKEN = env.text("COACH_METRICS_TOKEN")  # a monitor shows it; without one there is no /metrics
WATCH = Path(env.text("COACH_WATCH")) if env.text("COACH_WATCH") else None  # holds a folder for each athlete

# The writing service. Without a URL the built-in narrator writes.
ALLOWED = tuple(env.words("COACH_GATEWAY_ALLOWED"))
GATEWAY: dict[str, Any] = {
    "url": env.text("COACH_GATEWAY_URL"),
    "key": env.text("COACH_GATEWAY_KEY"),
    "model": env.text("COACH_GATEWAY_MODEL", "default"),
    "idle_seconds": env.number("COACH_GATEWAY_IDLE_SECONDS", 1100, least=1),
    "max_tokens": env.whole("COACH_GATEWAY_MAX_TOKENS", 4000, least=1),
    "most_tokens": env.whole("COACH_GATEWAY_MOST_TOKENS", 0),
    "temperature": env.optional("COACH_GATEWAY_TEMPERATURE", 0.4),
    "headers": env.mapping("COACH_GATEWAY_HEADERS"),
    "body": env.mapping("COACH_GATEWAY_BODY"),
    "proxy": env.text("COACH_GATEWAY_PROXY"),
    "allowed": ALLOWED,
}

# Services that stand in for it while it is down, by the name of their pool, in the order in which they are tried.
SPARES: dict[str, dict[str, Any]] = {
    "spare": {
        "url": env.text("COACH_SPARE_URL"),
        "key": env.text("COACH_SPARE_KEY"),
        "model": env.text("COACH_SPARE_MODEL", "default"),
        "idle_seconds": env.number("COACH_SPARE_IDLE_SECONDS", 1100, least=1),
        "max_tokens": env.whole("COACH_SPARE_MAX_TOKENS", 4000, least=1),
        "most_tokens": env.whole("COACH_SPARE_MOST_TOKENS", 0),
        "temperature": env.optional("COACH_SPARE_TEMPERATURE", 0.4),
        "headers": env.mapping("COACH_SPARE_HEADERS"),
        "body": env.mapping("COACH_SPARE_BODY"),
        "proxy": env.text("COACH_SPARE_PROXY"),
        "allowed": ALLOWED,
    },
}

# What one athlete may ask of it in a day; staff can give each athlete another limit in the admin.
BUDGET = {
    "calls": env.whole("COACH_CALLS_A_DAY", 200, least=0),
    "tokens": env.whole("COACH_TOKENS_A_DAY", 1_000_000, least=0),
}

JOBS: dict[str, Any] = {
    "ENABLED": env.switch("AI_JOBS", default=True),
    "REVISION": revision.of(ROOT, told=env.text("COACH_REVISION")),
    "POLL_SECONDS": env.number("AI_JOB_POLL_SECONDS", 2, least=0.1),
    "MAX_ATTEMPTS": env.whole("AI_JOB_MAX_ATTEMPTS", 3, least=1),
    "COOLDOWN_SECONDS": env.number("AI_JOB_RETRY_AFTER", 1800),
    "CLAIM_TIMEOUT_SECONDS": env.number("AI_JOB_CLAIM_TIMEOUT", 1200, least=1),
    "HEARTBEAT_SECONDS": env.number("JOBS_HEARTBEAT_SECONDS", 10, least=0.1),
    "SELF_KILL_SECONDS": env.number("JOBS_SELF_KILL_SECONDS", 35, least=0.3),
    "RESCUE_SECONDS": env.number("JOBS_RESCUE_SECONDS", 45, least=0.5),
    "STOP_GRACE_SECONDS": env.number("JOBS_STOP_GRACE_SECONDS", 10),
    "DRAIN_GRACE_SECONDS": env.number("JOBS_DRAIN_GRACE_SECONDS", 30),
    "DOWN_SECONDS": env.number("JOBS_DOWN_SECONDS", 30, least=0.1),
    "POOLS": {
        # Each seat more may take the shared box down for its other projects: the gateway has four threads for all.
        "gateway": {
            "capacity": env.whole("AI_JOB_CONCURRENCY", 1, least=0),
            "gap": env.number("AI_JOB_GAP_SECONDS", 20),
        },
        **{
            name: {
                "capacity": env.whole("COACH_SPARE_SEATS", 1, least=0),
                "gap": env.number("COACH_SPARE_GAP_SECONDS", 20),
            }
            for name, spare in SPARES.items()
            if spare["url"]
        },
    },
    "SPARE_AFTER_SECONDS": env.number("COACH_SPARE_AFTER_SECONDS", 600),
}

# django-q2 only keeps time: its schedules call functions that enqueue.
Q_CLUSTER = {
    "name": "coach-clock",
    "orm": "default",
    "workers": 1,
    "poll": 1,
    "timeout": 60,
    "retry": 120,
    "max_attempts": 1,
    "save_limit": 100,
    "catch_up": False,
    "label": "Clock",
    # Cron is read in UTC: where summer time ends, django-q2 would look in vain for the next of two equal half hours,
    # at full speed and with its schedules locked, until they are over.
    "time_zone": "UTC",
}

LOG_LEVEL = env.choice("COACH_LOG_LEVEL", "INFO", among=("debug", "info", "warning", "error", "critical")).upper()
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request": {"()": "coach.logs.WithRequest"}, "job": {"()": "jobs.events.WithJob"}},
    "formatters": {"text": {"()": "coach.logs.Text"}, "json": {"()": "coach.logs.Json"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "json" if env.switch("COACH_LOG_JSON", default=False) else "text",
            "filters": ["request", "job"],
        },
    },
    # Whoever asks with a foreign Host gets 400; a traceback in the log for each would be his to write.
    "loggers": {
        "django.security.DisallowedHost": {"handlers": [], "propagate": False},
        # Its lines hold what strangers typed as a name, which is a password now and then.
        "axes": {"handlers": [], "propagate": False},
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
}
