"""Runs the trial gateway: in a thread of a test, or as a process of its own."""

import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from coach.trial.log import Call, Log, now
from coach.trial.permits import Closing, Neighbours, Permits
from coach.trial.profiles import PROFILES
from coach.trial.script import BadScript, Script, Turn, turn
from coach.trial.turns import MEETINGS
from coach.trial.weather import Weather, crowd
from coach.trial.web import Handler

HOST = "127.0.0.1"


class Listener(ThreadingHTTPServer):
    """The listening socket, and the threads that serve what came through it."""

    request_queue_size = 128

    def __init__(self, address: tuple[str, int], gateway: "TrialGateway") -> None:
        self.gateway = gateway
        super().__init__(address, Handler)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        with self.gateway.connections.serving(request):
            super().process_request_thread(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that went away is what this server is for."""


class Connections:
    """The connections being served, so that stopping can end them and wait for their threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._serving: dict[threading.Thread, socket.socket] = {}

    @contextmanager
    def serving(self, connection: socket.socket) -> Iterator[None]:
        with self._lock:
            self._serving[threading.current_thread()] = connection
        try:
            yield
        finally:
            with self._lock:
                del self._serving[threading.current_thread()]

    def end(self) -> None:
        with self._lock:
            serving = dict(self._serving)
        for connection in serving.values():
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in serving:
            if thread is not threading.current_thread():
                thread.join(timeout=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """How many neighbours share the permits, and how long each holds one and rests."""

    count: int = 0
    hold_s: float = 10.0
    rest_s: float = 10.0


class TrialGateway:
    """An OpenAI-compatible server with shared permits, delays, scripted faults and a log.

    In a test: `with TrialGateway(delay_s=0.2) as gateway:`, then `gateway.url`, `gateway.script([...])`,
    `gateway.log()` and `gateway.stats()`.
    """

    def __init__(
        self,
        *,
        delay_s: float = 0.0,  # from the permit to the first token
        pace_s: float = 0.0,  # a token
        permits: int = 4,
        seed: int = 1,
        key: str = "",  # when given, calls without it are turned away
        port: int = 0,
        log_path: Path | None = None,
        neighbourhood: Neighbourhood | None = None,
        profile: str = "",  # a name in coach.trial.profiles: what calls meet that no script is for
        scale: float = 1.0,  # real seconds that a second of the profile lasts
        tell: Callable[[str], None] = lambda said: None,
    ) -> None:
        self.delay_s, self.pace_s, self.seed, self.key = delay_s, pace_s, seed, key
        self.permits = Permits(permits)
        self.calls = Log(log_path)
        self.turns = Script()
        self.clock = now
        self.connections = Connections()
        self._neighbourhood = neighbourhood or Neighbourhood()
        self.neighbours = Neighbours(
            self.permits, hold_s=self._neighbourhood.hold_s, rest_s=self._neighbourhood.rest_s, seed=seed
        )
        self.weather = (
            Weather(PROFILES[profile], seed=seed, scale=scale, clock=self.clock, tell=tell) if profile else None
        )
        self._address = (HOST, port)
        self._listener: Listener | None = None
        self._threads: list[threading.Thread] = []
        self._lock = threading.RLock()
        self._closed = False

    def __enter__(self) -> Self:
        self.open_listener()
        self.neighbours.start(self._neighbourhood.count)
        if self.weather:
            self._begin(self.weather)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        host, port = self._address
        return f"http://{host}:{port}/v1"

    def script(self, turns: Iterable[Mapping[str, Any] | Turn | str]) -> None:
        """Say what the next calls meet, in order; see coach.trial.script.Turn."""
        read = [turn(wish) for wish in turns]
        unknown = sorted({each.do for each in read} - set(MEETINGS) - {"refuse"})
        if unknown:
            raise BadScript(f"Unknown turns: {', '.join(unknown)}. Known are: {', '.join(sorted(MEETINGS))}, refuse.")
        self.turns.add(read)
        self.play_refusal()

    def log(self) -> list[dict[str, Any]]:
        return self.calls.entries()

    def stats(self) -> dict[str, Any]:
        return {
            **self.calls.stats(),
            "permits": self.permits.count,
            "permits_taken": self.permits.taken,
            "neighbours": self.neighbours.stats(),
            "turns_left": len(self.turns),
        }

    def weather_of(self, call: Call) -> Turn:
        """Return what a call meets that no script is for."""
        if self.weather is None:
            return Turn()
        met, call.outage = self.weather.turn(number=call.id, job=call.job)
        return met

    def _begin(self, weather: Weather) -> None:
        profile = weather.profile
        if profile.phases and profile.phases[0].refuses:
            self.script([Turn(do="refuse", seconds=profile.phases[0].seconds * weather.scale)])
        if profile.crowded:
            scale, seed = weather.scale, weather.seed
            self._spawn(lambda: crowd(self.neighbours, self.permits, share=profile.crowded, seed=seed, scale=scale))

    def open_listener(self) -> None:
        with self._lock:
            if self._listener or self._closed:
                return
            listener = self._listener = Listener(self._address, self)
            self._address = (HOST, listener.server_address[1])
            self._spawn(lambda: listener.serve_forever(poll_interval=0.02))

    def close_listener(self) -> None:
        """Refuse connections from now on; calls that run go on."""
        with self._lock:
            listener, self._listener = self._listener, None
        if listener:
            listener.shutdown()
            listener.socket.close()

    def play_refusal(self) -> None:
        """Close the listener for a while when the script says so."""
        refusal = self.turns.take_refusal()
        if refusal:
            self.close_listener()
            self._spawn(lambda: self._reopen(refusal.seconds))

    def stop(self) -> None:
        """End everything that runs; nothing of it stays behind."""
        with self._lock:
            self._closed = True
        self.close_listener()
        self.permits.close()
        self.connections.end()
        self.neighbours.join()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=5)

    def _reopen(self, seconds: float) -> None:
        with suppress(Closing):
            self.permits.pause(seconds)
            self.open_listener()
            self.play_refusal()

    def _spawn(self, work: Any) -> None:
        thread = threading.Thread(target=work, name="trial-gateway", daemon=True)
        self._threads.append(thread)
        thread.start()
