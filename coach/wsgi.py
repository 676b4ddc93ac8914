"""What gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

from coach.bodies import whole

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")
application = whole(get_wsgi_application())
