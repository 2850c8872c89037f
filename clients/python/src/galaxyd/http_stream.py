"""HTTP/1.1 over an asyncio stream, as far as a client of one server needs it: one request, one reply, keep-alive. Heads
are parsed by http.client, which the other client uses as a whole."""

from __future__ import annotations

import asyncio
import http.client
import io

from .calls import HttpRequest, HttpResponse
from .connections import BODY_BYTES_MAX, Origin
from .errors import GalaxydError

HEAD_BYTES_MAX = 64 * 1024


class HttpStream:
    """One connection."""

    def __init__(self, origin: Origin, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._origin = origin
        self._reader = reader
        self._writer = writer
        self.is_reusable = True
        """False once the server has said that it closes the connection after its reply."""

    @staticmethod
    async def open(origin: Origin) -> HttpStream:
        """Connects. Raises OSError."""
        reader, writer = await asyncio.open_connection(origin.host, origin.port, ssl=origin.tls, limit=HEAD_BYTES_MAX)
        return HttpStream(origin, reader, writer)

    def close(self) -> None:
        """Closes the connection without waiting."""
        self._writer.close()

    async def exchange(self, request: HttpRequest) -> HttpResponse:
        """Sends a request and reads its reply.

        Raises OSError, EOFError, ValueError or http.client.HTTPException if there is no complete reply.
        """
        self._writer.write(self._head(request) + (request.body or b""))
        await self._writer.drain()
        status, headers, is_closing = await self._read_head()
        while 100 <= status < 200:
            status, headers, is_closing = await self._read_head()
        if status in (204, 304):
            body = b""
        elif headers.get("transfer-encoding", "").lower() == "chunked":
            body = await self._read_chunks()
        elif "content-length" in headers:
            body = await self._reader.readexactly(_bounded(int(headers["content-length"])))
        else:
            body = await self._read_to_end()
            is_closing = True
        self.is_reusable = not is_closing
        return HttpResponse(status, headers, body)

    def _head(self, request: HttpRequest) -> bytes:
        lines = [f"{request.method} {self._origin.prefix}{request.path} HTTP/1.1", f"host: {self._origin.host_header}"]
        if request.body is not None:
            lines.append(f"content-length: {len(request.body)}")
        lines.extend(f"{name}: {value}" for name, value in request.headers.items())
        if any("\r" in line or "\n" in line for line in lines):
            raise GalaxydError("no_reply", 0, "a header holds a line break")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    async def _read_head(self) -> tuple[int, dict[str, str], bool]:
        head = await self._reader.readuntil(b"\r\n\r\n")
        status_line, _, fields = head.partition(b"\r\n")
        words = status_line.split(b" ", 2)
        if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or not words[1].isdigit():
            raise http.client.BadStatusLine(repr(status_line[:100]))
        parsed = http.client.parse_headers(io.BytesIO(fields))
        headers = {name.lower(): value for name, value in parsed.items()}
        is_closing = words[0] != b"HTTP/1.1" or headers.get("connection", "").lower() == "close"
        return int(words[1]), headers, is_closing

    async def _read_chunks(self) -> bytes:
        body = bytearray()
        while True:
            line = await self._reader.readuntil(b"\r\n")
            size = int(line.split(b";", 1)[0], 16)
            if size == 0:
                break
            _bounded(len(body) + size)
            body += await self._reader.readexactly(size)
            await self._reader.readexactly(2)
        while await self._reader.readuntil(b"\r\n") != b"\r\n":
            pass
        return bytes(body)

    async def _read_to_end(self) -> bytes:
        body = bytearray()
        while part := await self._reader.read(HEAD_BYTES_MAX):
            body += part
            _bounded(len(body))
        return bytes(body)


def _bounded(size: int) -> int:
    if size > BODY_BYTES_MAX:
        raise GalaxydError("not_galaxyd", 0, "the reply is too long")
    return size
