"""What gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

from coach import starting
from coach.bodies import whole

CANNOT_START = 3  # gunicorn gives up at this code; at any other it would start the same process again and again

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coach.settings")
with starting.in_a_sentence(code=CANNOT_START):
    application = whole(get_wsgi_application())
