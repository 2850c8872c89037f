"""The framing of HTTP/1.1 replies, over a network that brings bytes as they are; and a server that keeps a call waiting."""

from __future__ import annotations

import socket
import threading
import time
import unittest
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from typing import Any

from galaxyd.calls import Call, HttpRequest, HttpResponse
from galaxyd.connections import Connection
from galaxyd.errors import GalaxydError
from galaxyd.networks import Channel, Origin, finished

from .sides import AsyncSide, BlockingSide, Side

REQUEST = HttpRequest("GET", "/api/status", {}, None, 5)
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\ntrailer: 1\r\n\r\n"


class Recorded:
    """A network whose one channel brings a reply byte by byte, a long one in larger parts, and then ends."""

    def __init__(self, reply: bytes) -> None:
        self.left = reply
        self.part_bytes = 1 + len(reply) // 1_000

    async def connect(self, origin: Origin, ends_at: float) -> Channel:
        return self

    async def sleep(self, seconds: float) -> None:
        """Nothing waits here."""

    def turns(self, count: int) -> AbstractAsyncContextManager[Any]:
        return nullcontext()

    async def send(self, data: bytes, ends_at: float) -> None:
        """Whatever is asked, the reply is the same."""

    async def receive(self, ends_at: float) -> bytes:
        part, self.left = self.left[: self.part_bytes], self.left[self.part_bytes :]
        return part

    def close(self) -> None:
        """Nothing is open."""


class ConnectionTests(unittest.TestCase):
    """One reply each."""

    def exchange(self, reply: bytes) -> tuple[HttpResponse, bool]:
        """The reply, and whether its connection serves a further request."""
        connection = Connection(Recorded(reply), Origin("127.0.0.1", 80, "", None))
        return finished(connection.exchange(REQUEST)), connection.is_reusable

    def test_a_body_with_a_length(self) -> None:
        response, is_reusable = self.exchange(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-A: b\r\n\r\nabc")
        self.assertEqual((response.status, response.headers["x-a"], response.body), (200, "b", b"abc"))
        self.assertTrue(is_reusable)

    def test_a_body_in_chunks(self) -> None:
        response, is_reusable = self.exchange(CHUNKED)
        self.assertEqual((response.body, is_reusable), (b"abcdefg", True))

    def test_a_body_that_ends_with_the_connection(self) -> None:
        response, is_reusable = self.exchange(b"HTTP/1.1 200 OK\r\n\r\nabc")
        self.assertEqual((response.body, is_reusable), (b"abc", False))

    def test_an_interim_reply_is_passed_over(self) -> None:
        response, _ = self.exchange(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n")
        self.assertEqual((response.status, response.body), (304, b""))

    def test_a_server_can_ask_for_another_connection(self) -> None:
        _, is_reusable = self.exchange(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        self.assertFalse(is_reusable)

    def test_a_length_below_zero_is_refused_before_anything_is_read(self) -> None:
        for head in (b"content-length: -5\r\n\r\n", b"transfer-encoding: chunked\r\n\r\n-5\r\n"):
            with self.subTest(head), self.assertRaisesRegex(GalaxydError, "no possible length"):
                self.exchange(b"HTTP/1.1 200 OK\r\n" + head + b"abc")

    def test_half_a_reply_is_none(self) -> None:
        for part in (
            b"",
            b"HTTP/1.1 200",
            b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc",
            b"HTTP/1.1 200 OK\r\ncontent-length: nine\r\n\r\nabc",
            CHUNKED[:-2],
            b"SSH-2.0\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000,
        ):
            with self.subTest(part[:60]), self.assertRaises(ConnectionError):
                self.exchange(part)


class Trickles:
    """The tests on either client."""

    class OfClient(unittest.TestCase):
        """Runs in the two classes below."""

        side_class: type[Any]

        def test_a_reply_that_never_ends_does_not_outlast_the_deadline(self) -> None:
            ended = threading.Event()

            def trickle(server: socket.socket) -> None:
                connection, _ = server.accept()
                with connection, suppress(OSError):
                    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                    while not ended.wait(0.02):
                        connection.sendall(b" ")

            with socket.create_server(("127.0.0.1", 0)) as server:
                thread = threading.Thread(target=trickle, args=(server,))
                thread.start()
                side: Side = self.side_class(f"http://127.0.0.1:{server.getsockname()[1]}")
                # Ends the call if nothing else does, and then it was too long.
                alarm = threading.Timer(20, ended.set)
                alarm.start()
                began = time.monotonic()
                with self.assertRaises(GalaxydError) as caught:
                    side.send(Call("GET", "/api/status"), deadline_seconds=0.2)
                self.assertLess(time.monotonic() - began, 15)
                self.assertEqual(caught.exception.code, "no_reply")
                alarm.cancel()
                ended.set()
                side.close()
                thread.join()


class ClientTrickles(Trickles.OfClient):
    """The client for threads."""

    side_class = BlockingSide


class AsyncClientTrickles(Trickles.OfClient):
    """The client for asyncio."""

    side_class = AsyncSide
