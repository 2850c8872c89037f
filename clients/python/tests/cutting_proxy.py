"""A proxy in front of a world that breaks connections after a random number of bytes of the reply."""

from __future__ import annotations

import random
import select
import socket
import struct
import threading
from urllib.parse import urlsplit

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
