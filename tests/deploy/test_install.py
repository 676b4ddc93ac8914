"""The run-book's way onto a plain host, walked: install, three units, nginx in front, a reload that loses no request.

systemd itself is not here. Each unit's own command runs as a user without rights, in a file system where only what the
unit names can be written, with the environment of its file, and says over the notify socket that it is ready.
"""

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests
import trustme

from tests.processes import ROOT, until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.full,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a service a user and a file system of its own"),
]
HOST = "coach.example.org"
# The root is read-only, homes are closed, /tmp is empty, but for the installation and Python; one folder is writable.
SANDBOX = """
set -eu
mount --make-rprivate /
mount --bind "$HOME_OF_PYTHON" /mnt
mount -t tmpfs -o mode=755 none /root
mkdir -p "$HOME_OF_PYTHON"
mount --bind /mnt "$HOME_OF_PYTHON"
umount /mnt
mount --bind "$HOME_OF_COACH" /mnt
mount -t tmpfs none /tmp
mkdir -p "$HOME_OF_COACH"
mount --bind /mnt "$HOME_OF_COACH"
mount -o remount,bind,ro "$HOME_OF_COACH"
mount --bind /mnt/srv "$HOME_OF_COACH/srv"
umount /mnt
mount -o remount,bind,ro /
exec setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs --bounding-set=-all -- "$@"
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Site:
    """An installation under a folder that stands for /."""

    home: Path
    web: int
    environment: dict[str, str]

    @property
    def code(self) -> Path:
        return self.home / "opt"

    def moved(self, text: str) -> str:
        return text.replace("/opt/coach", str(self.code)).replace("/srv/coach", str(self.home / "srv"))

    def sandboxed(self, words: list[str], **more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", SANDBOX, "sandbox", *words],
            cwd=self.code,
            env={
                "PATH": os.environ["PATH"],
                "HOME": "/nonexistent",
                "HOME_OF_COACH": str(self.home),
                "HOME_OF_PYTHON": sys.base_prefix,
                **self.environment,
                **more,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def coach(self, *words: str) -> str:
        done = self.sandboxed([str(self.code / ".venv/bin/python"), "manage.py", *words])
        said, _ = done.communicate(timeout=120)
        assert done.returncode == 0, said
        return said


def settings_of(example: str) -> dict[str, str]:
    """Read an EnvironmentFile as systemd does."""
    lines = (line for line in example.splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory, elsewhere: str) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("host")
    for folder in (home, *home.parents):
        if folder.stat().st_uid == 0 and folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(0o755)
    subprocess.run(["git", "clone", "--quiet", ROOT, home / "opt"], check=True)
    install = re.search(r"## Install\n.*?```sh\n(.*?)```", (home / "opt/deploy/README.md").read_text(), re.DOTALL)
    assert install is not None
    assert "sh /opt/coach/deploy/prepare" in install[1]
    subprocess.run(["sh", home / "opt/deploy/prepare"], check=True, capture_output=True)
    (home / "srv").mkdir(mode=0o700)
    shutil.chown(home / "srv", "nobody", "nogroup")
    made = Site(home, free_port(), {})
    example = settings_of(made.moved((home / "opt/deploy/env.example").read_text()))
    assert {name for name, value in example.items() if not value} == {"COACH_SECRET_KEY"}
    key = subprocess.run(
        shlex.split(re.search(r"^(python3 -c .*?)  +#", install[1], re.MULTILINE)[1]),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    filled = {"COACH_SECRET_KEY": key, "DATABASE_URL": elsewhere, "COACH_BIND": f"127.0.0.1:{made.web}"}
    yield Site(home, made.web, {**example, **filled, "COACH_METRICS_TOKEN": "a token for the monitor"})
    shutil.rmtree(home)


class Unit:
    """A unit's command, as systemd would run it."""

    def __init__(self, site: Site, name: str) -> None:
        text = site.moved((site.code / "deploy/systemd" / f"coach-{name}.service").read_text())
        assert f"ReadWritePaths={site.home / 'srv'}\n" in text
        self.name = name
        self.reload = re.findall(r"^ExecReload=(.*)$", text, re.MULTILINE)
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        address = f"\0coach-test-{os.getpid()}-{name}"
        self.listening.bind(address)
        self.listening.settimeout(60)
        words = shlex.split(re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)[1])
        notify = {"NOTIFY_SOCKET": f"@{address[1:]}"} if "\nType=notify\n" in text else {}
        self.process = site.sandboxed(words, **notify)
        self.lines: list[str] = []
        self.reading = threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True)
        self.reading.start()
        if notify:
            self.await_state("READY=1")
            if "\nWatchdogSec=" in text:
                self.await_state("WATCHDOG=1")

    @property
    def log(self) -> str:
        return "".join(self.lines)

    def await_state(self, state: str) -> None:
        try:
            while state not in self.listening.recv(1000).decode().splitlines():
                pass
        except TimeoutError:
            pytest.fail(f"{self.name} never said {state}: {self.log}")

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(90)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            pytest.fail(f"{self.name} does not end: {self.log}")
        finally:
            self.listening.close()
        self.reading.join(20)
        self.process.stdout.close()
        return code


@pytest.fixture
def started(site: Site) -> Iterator[dict[str, Unit]]:
    said = site.coach("migrate")
    assert "Applying jobs." in said
    site.coach("collectstatic", "--noinput")
    assert "no issues" in site.coach("check", "--deploy", "--fail-level", "WARNING")
    units: dict[str, Unit] = {}
    try:
        for name in ("web", "worker", "clock"):
            units[name] = Unit(site, name)
        yield units
    finally:
        codes = {name: unit.stop() for name, unit in reversed(units.items())}
        assert set(codes.values()) <= {0}, codes


class Front:
    """nginx with the file of this repository; its two ports are free ones, its certificate is made for the test."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.http, self.https = free_port(), free_port()
        authority = trustme.CA()
        authority.cert_pem.write_to_path(folder / "ca.pem")
        leaf = authority.issue_cert(HOST)
        leaf.private_key_pem.write_to_path(folder / "privkey.pem")
        for number, pem in enumerate(leaf.cert_chain_pems):
            pem.write_to_path(folder / "fullchain.pem", append=number > 0)
        text = (ROOT / "deploy/nginx.conf").read_text()
        for was, now in {
            "listen 80;": f"listen 127.0.0.1:{self.http};",
            "listen 443 ssl;": f"listen 127.0.0.1:{self.https} ssl;",
            "    listen [::]:80;\n": "",
            "    listen [::]:443 ssl;\n": "",
            "/etc/nginx/tls": str(folder),
            "http://web:8000": f"http://127.0.0.1:{site.web}",
        }.items():
            assert was in text, was
            text = text.replace(was, now)
        known = subprocess.run(["nginx", "-v"], capture_output=True, text=True, check=True).stderr
        if tuple(map(int, re.search(r"/(\d+)\.(\d+)", known).groups())) < (1, 25):
            text = text.replace("    http2 on;\n", "")  # older ones have another word for it
        (folder / "site.conf").write_text(text)
        places = "".join(
            f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"daemon off;\nuser root;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{places}include {folder}/site.conf;\n}}\n"
        )
        self.folder = folder
        self.sessions: list[requests.Session] = []
        self.process = subprocess.Popen(["nginx", "-e", "stderr", "-c", folder / "nginx.conf"])
        until(lambda: self.process.poll() is not None or (folder / "pid").exists(), what="nginx starts")

    def session(self) -> requests.Session:
        session = requests.Session()
        session.trust_env = False
        session.verify = str(self.folder / "ca.pem")
        session.get_adapter("https://").init_poolmanager(
            4, 4, server_hostname=HOST, assert_hostname=HOST, ca_certs=str(self.folder / "ca.pem")
        )
        session.headers["Host"] = HOST
        self.sessions.append(session)
        return session

    def end(self) -> None:
        for session in self.sessions:
            session.close()
        self.process.terminate()
        self.process.wait(20)

    def url(self, path: str) -> str:
        return f"https://127.0.0.1:{self.https}{path}"


@pytest.fixture
def front(site: Site, started: dict[str, Unit], tmp_path: Path) -> Iterator[Front]:
    if not shutil.which("nginx"):
        pytest.fail("nginx is missing: run `sh deploy/package nginx-light nginx`.")
    tmp_path.chmod(0o755)
    made = Front(site, tmp_path)
    yield made
    made.end()


def test_a_plain_host_serves_over_tls_and_a_reload_loses_no_request(site, started, front):
    session = front.session()
    plain = session.get(f"http://127.0.0.1:{front.http}/today/", allow_redirects=False)
    assert (plain.status_code, plain.headers["Location"]) == (301, f"https://{HOST}/today/")
    door = session.get(front.url("/login/"))
    assert door.status_code == 200
    assert "max-age=" in door.headers["Strict-Transport-Security"]
    assert "default-src 'self';" in door.headers["Content-Security-Policy"]
    assert door.headers["X-Request-ID"]
    cookies = door.headers["Set-Cookie"].lower()
    assert "secure" in cookies
    style = re.search(r'href="(/static/[^"]+\.css)"', door.text)
    assert style is not None
    assert session.get(front.url(style[1])).status_code == 200
    foreign = session.get(front.url("/login/"), headers={"Host": "evil.example"})
    assert foreign.status_code == 400
    # What is large is passed on, and refused by Coach for its token, not by nginx for its size.
    large = session.post(front.url("/api/import/"), data=b"\0" * 60_000_000, headers={"Authorization": "Bearer no"})
    assert (large.status_code, large.headers["Content-Type"]) == (401, "application/json")
    ready = session.get(front.url("/readyz"))
    assert (ready.status_code, ready.text.strip()) == (200, "ok")
    site.coach("jobs", "alive")
    subprocess.run(
        [site.code / ".venv/bin/python", "deploy/answers.py"], cwd=site.code, env=site.environment, check=True
    )

    # An upgrade: new code, then a reload, while people go on reading.
    robots = site.code / "coach/wsgi.py"
    asked, ends = [], threading.Event()

    def read() -> None:
        reader = front.session()
        while not ends.is_set():
            asked.append(reader.get(front.url("/login/"), timeout=30).status_code)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    until(lambda: len(asked) > 20, what="pages are read")
    robots.write_text(robots.read_text() + '\nprint("The new code is here.", flush=True)\n')
    web = started["web"]
    *before, hang_up = web.reload
    for command in before:
        said, _ = (checking := site.sandboxed(shlex.split(command))).communicate(timeout=60)
        assert checking.returncode == 0, said
    subprocess.run(shlex.split(hang_up.replace("$MAINPID", str(web.process.pid))), check=True)
    until(lambda: web.log.count("The new code is here.") >= 2, seconds=60, what="new processes serve")
    seen = len(asked)
    until(lambda: len(asked) > seen + 20, seconds=60, what="pages are read from the new code")
    ends.set()
    for reader in readers:
        reader.join(60)
    assert set(asked) == {200}


def test_a_service_writes_where_its_unit_says_and_nowhere_else(site):
    python = str(site.code / ".venv/bin/python")
    attempt = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text('x')"
    for place, allowed in {
        site.home / "srv/there": True,
        site.code / "coach/there": False,
        Path("/var/tmp/coach-there"): False,
    }.items():
        done = site.sandboxed([python, "-c", attempt, str(place)])
        said, _ = done.communicate(timeout=60)
        assert (done.returncode == 0) is allowed, said
