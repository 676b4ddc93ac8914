"""How gunicorn serves the pages; nothing here waits for an insight, so requests are short."""  # noqa: N999

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from coach import env, starting

with starting.in_a_sentence():
    bind = env.address("COACH_BIND", "127.0.0.1:8000")
    workers = env.whole("COACH_WEB_WORKERS", 2, least=1)
    threads = env.whole("COACH_WEB_THREADS", 4, least=1)
    accesslog_is_on = env.switch("COACH_ACCESS_LOG", default=False)
worker_class = "gthread"

timeout = 120  # an import of many files is read from the network first
graceful_timeout = 30  # on reload and stop, requests under way may end
keepalive = 5
max_requests = 5000  # a slow leak in a library ends here
max_requests_jitter = 500

worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
control_socket_disable = True  # it would write to the home directory
accesslog = "-" if accesslog_is_on else None
