"""How gunicorn serves the pages; nothing here waits for an insight, so requests are short."""  # noqa: N999

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def forget() -> None:
    """This process outlives a reload, and those that serve are forked from it: it must hold nothing of older code."""
    for name in list(sys.modules):
        if name.partition(".")[0] in ("coach", "django"):
            del sys.modules[name]


forget()
from django.core.exceptions import ImproperlyConfigured  # noqa: E402

from coach import env  # noqa: E402

try:
    bind = env.address("COACH_BIND", "127.0.0.1:8000")
    workers = env.whole("COACH_WEB_WORKERS", 2, least=1)
    threads = env.whole("COACH_WEB_THREADS", 4, least=1)
    accesslog = "-" if env.switch("COACH_ACCESS_LOG", default=False) else None
except ImproperlyConfigured as error:
    sys.exit(str(error))
finally:
    del env, ImproperlyConfigured
    forget()

worker_class = "gthread"

timeout = 120  # an import of many files is read from the network first
graceful_timeout = 30  # on reload and stop, requests under way may end
keepalive = 5
max_requests = 5000  # a slow leak in a library ends here
max_requests_jitter = 500

worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
control_socket_disable = True  # it would write to the home directory
