"""Whether the web server on this host answers `/healthz`: for a container's health check, and for a look by hand."""

import sys
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from coach import env, starting


def main() -> None:
    with starting.in_a_sentence():
        host, _, port = env.address("COACH_BIND", "127.0.0.1:8000").rpartition(":")
    host = "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104  (compared, not bound)
    name = env.text("COACH_HOSTS", "localhost").split(",")[0].strip().replace("*", "").lstrip(".") or "localhost"
    asked = urllib.request.Request(
        f"http://{host}:{port}/healthz", headers={"Host": name, "X-Forwarded-Proto": "https"}
    )
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        direct.open(asked, timeout=10).close()
    except OSError as error:  # URLError is one
        sys.exit(f"Coach does not answer at {host}:{port}: {error}")


if __name__ == "__main__":
    main()
