"""The framing of HTTP/1.1 replies over asyncio streams: a server of this test sends bytes as they are."""

from __future__ import annotations

import asyncio
import socket
import threading
import unittest

from galaxyd import Client, Patience
from galaxyd.calls import Call, HttpRequest, HttpResponse
from galaxyd.connections import origin_of
from galaxyd.errors import GalaxydError
from galaxyd.http_stream import HttpStream

REQUEST = HttpRequest("GET", "/api/status", {}, None, 5)
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\ntrailer: 1\r\n\r\n"


class HttpStreamTests(unittest.IsolatedAsyncioTestCase):
    """One reply each."""

    async def exchange(self, reply: bytes) -> tuple[HttpResponse, bool]:
        """Sends a request to a server that answers with these bytes, one by one, and hangs up."""

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            for byte in reply:
                writer.write(bytes([byte]))
                await writer.drain()
            writer.close()

        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            stream = await HttpStream.open(origin_of(f"http://127.0.0.1:{port}", None))
            try:
                return await stream.exchange(REQUEST), stream.is_reusable
            finally:
                stream.close()

    async def test_a_body_with_a_length(self) -> None:
        response, is_reusable = await self.exchange(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-A: b\r\n\r\nabc")
        self.assertEqual((response.status, response.headers["x-a"], response.body), (200, "b", b"abc"))
        self.assertTrue(is_reusable)

    async def test_a_body_in_chunks(self) -> None:
        response, is_reusable = await self.exchange(CHUNKED)
        self.assertEqual((response.body, is_reusable), (b"abcdefg", True))

    async def test_a_body_that_ends_with_the_connection(self) -> None:
        response, is_reusable = await self.exchange(b"HTTP/1.1 200 OK\r\n\r\nabc")
        self.assertEqual((response.body, is_reusable), (b"abc", False))

    async def test_an_interim_reply_is_passed_over(self) -> None:
        response, _ = await self.exchange(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n")
        self.assertEqual((response.status, response.body), (304, b""))

    async def test_a_server_can_ask_for_another_connection(self) -> None:
        _, is_reusable = await self.exchange(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        self.assertFalse(is_reusable)

    async def test_a_length_below_zero_is_refused_before_anything_is_read(self) -> None:
        for head in (b"content-length: -5\r\n\r\n", b"transfer-encoding: chunked\r\n\r\n-5\r\n"):
            with self.subTest(head), self.assertRaisesRegex(GalaxydError, "no possible length"):
                await self.exchange(b"HTTP/1.1 200 OK\r\n" + head + b"abc")

    async def test_half_a_reply_is_none(self) -> None:
        for part in (
            b"",
            b"HTTP/1.1 200",
            b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc",
            CHUNKED[:-2],
            b"SSH-2.0\r\n\r\n",
        ):
            with self.subTest(part), self.assertRaises(Exception) as caught:
                await self.exchange(part)
            self.assertNotIsInstance(caught.exception, AssertionError)


class ClientTests(unittest.TestCase):
    """The same for the client that blocks, whose framing is that of http.client."""

    def test_a_chunk_of_a_length_below_zero_is_no_reply(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:

            def serve() -> None:
                connection, _ = server.accept()
                connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-5\r\nabc")
                connection.close()

            thread = threading.Thread(target=serve)
            thread.start()
            url = f"http://127.0.0.1:{server.getsockname()[1]}"
            with Client(url, patience=Patience(attempts_max=1)) as client:
                with self.assertRaises(GalaxydError) as caught:
                    client.call(Call("GET", "/api/status"))
            thread.join()
        self.assertEqual(caught.exception.code, "no_reply")
