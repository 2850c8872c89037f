"""Two proxies in front of a world that fail: one on command, so that tests decide which reply is lost, and one at random bytes."""

from __future__ import annotations

import http.client
import json
import random
import select
import socket
import struct
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit


class CutAfter:
    """The world handles the request; its reply is lost."""


class CutBefore:
    """The connection ends before the world gets the request."""


class HangUp:
    """The reply arrives; then the connection is closed without a word, as after ten seconds of silence."""


@dataclass
class Refuse:
    """The proxy answers itself."""

    status: int
    problem: Mapping[str, Any] | None
    headers: Mapping[str, str] = field(default_factory=dict)


Fault = CutAfter | CutBefore | HangUp | Refuse


class FaultyProxy:
    """Serves on a port of its own. Each request takes the next fault of the list, and none when the list is empty."""

    def __init__(self, upstream: str) -> None:
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, str, Mapping[str, str]]] = []
        """Method, path and headers of each request that arrived."""
        self.connections = 0
        parts = urlsplit(upstream)
        self.upstream = (parts.hostname or "", parts.port or 80)
        proxy = self

        class Handler(_Handler):
            """A handler that knows its proxy."""

            def __init__(self, *arguments: Any) -> None:
                self.proxy = proxy
                super().__init__(*arguments)

        self._server = _Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        """Where it serves."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stops listening."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients of these tests hang up, too."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A small reply must not wait for the acknowledgement of its head.
    disable_nagle_algorithm = True
    proxy: FaultyProxy

    def setup(self) -> None:
        super().setup()
        self.proxy.connections += 1

    def do_GET(self) -> None:
        self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    def do_PUT(self) -> None:
        self._pass_on()

    def log_message(self, format: str, *arguments: object) -> None:
        """Prints nothing."""

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.proxy.requests.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}))
        fault = self.proxy.faults.pop(0) if self.proxy.faults else None
        if isinstance(fault, CutBefore):
            self.close_connection = True
            return
        if isinstance(fault, Refuse):
            text = b"<h1>no</h1>" if fault.problem is None else json.dumps(fault.problem).encode()
            kind = "text/html" if fault.problem is None else "application/problem+json"
            self._answer(fault.status, {"content-type": kind, **fault.headers}, text)
            return
        status, headers, reply = self._ask_world(body)
        self.close_connection = isinstance(fault, CutAfter | HangUp)
        if not isinstance(fault, CutAfter):
            self._answer(status, headers, reply)

    def _ask_world(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        world = http.client.HTTPConnection(*self.proxy.upstream, timeout=30)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
        world.request(self.command, self.path, body or None, headers)
        response = world.getresponse()
        reply = response.read()
        world.close()
        kept = {k: v for k, v in response.getheaders() if k.lower() not in ("connection", "content-length", "date")}
        return response.status, kept, reply

    def _answer(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


PART_BYTES = 64
"""Bytes that are passed on at a time: cuts fall into the middle of what the server wrote at once."""


class CuttingProxy:
    """Each connection lets some hundreds of bytes pass from the world, and is then reset or closed."""

    def __init__(self, upstream: str, seed: int, bytes_max: int) -> None:
        parts = urlsplit(upstream)
        self._upstream = (parts.hostname or "", parts.port or 80)
        self._random = random.Random(seed)
        self._bytes_max = bytes_max
        self.connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def close(self) -> None:
        """Stops listening; open connections end with their streams."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            budget, is_reset = self._random.randrange(1, self._bytes_max), self._random.random() < 0.5
            threading.Thread(target=self._serve, args=(client, budget, is_reset), daemon=True).start()

    def _serve(self, client: socket.socket, budget: int, is_reset: bool) -> None:
        with client, socket.create_connection(self._upstream) as world:
            try:
                while budget > 0:
                    readable, _, _ = select.select([client, world], [], [])
                    if client in readable:
                        part = client.recv(PART_BYTES)
                        world.sendall(part)
                    else:
                        part = world.recv(min(budget, PART_BYTES))
                        client.sendall(part)
                        budget -= len(part)
                    if part == b"":
                        return
            except OSError:
                # One side has hung up.
                return
            if is_reset:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
