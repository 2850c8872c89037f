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
        self._is_chunked = False
        self._is_first_chunk = True
        self._left: int | None = 0
        """Bytes of the body, or of its present chunk, that are not read; None if the body ends with the connection."""

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
        status, headers = await self.begin(request)
        return HttpResponse(status, headers, await self.read_body())

    async def begin(self, request: HttpRequest) -> tuple[int, dict[str, str]]:
        """Sends a request and reads status and headers of its reply. Raises what exchange() raises."""
        self._writer.write(self._head(request) + (request.body or b""))
        await self._writer.drain()
        status, headers, is_closing = await self._read_head()
        while 100 <= status < 200:
            status, headers, is_closing = await self._read_head()
        self._is_first_chunk = True
        self._is_chunked = headers.get("transfer-encoding", "").lower() == "chunked" and status not in (204, 304)
        if self._is_chunked or status in (204, 304):
            self._left = 0
        elif "content-length" in headers:
            self._left = _bounded(int(headers["content-length"]))
        else:
            self._left = None
            is_closing = True
        self.is_reusable = not is_closing
        return status, headers

    async def read_body(self) -> bytes:
        """Reads the body to its end. Raises what exchange() raises."""
        body = bytearray()
        while part := await self.read_part():
            body += part
            _bounded(len(body))
        return bytes(body)

    async def read_part(self) -> bytes:
        """Reads what there is of the body, at least a byte; b"" at its end. Raises what exchange() raises."""
        if self._is_chunked and self._left == 0:
            self._left = await self._read_chunk_size()
        if self._left == 0:
            return b""
        part = await self._reader.read(min(self._left or HEAD_BYTES_MAX, HEAD_BYTES_MAX))
        if self._left is not None:
            if part == b"":
                raise EOFError(f"the connection ended {self._left} bytes too early")
            self._left -= len(part)
        return part

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

    async def _read_chunk_size(self) -> int:
        """The size of the next chunk; 0 for the last one, which is then read to its end."""
        line = await self._reader.readuntil(b"\r\n")
        if not self._is_first_chunk:
            # The end of the chunk before. Some servers send it only with the next chunk.
            line = await self._reader.readuntil(b"\r\n")
        self._is_first_chunk = False
        size = _bounded(int(line.split(b";", 1)[0], 16))
        if size == 0:
            while await self._reader.readuntil(b"\r\n") != b"\r\n":
                pass
        return size


def _bounded(size: int) -> int:
    if not 0 <= size <= BODY_BYTES_MAX:
        raise GalaxydError("not_galaxyd", 0, f"the reply has no possible length, or more than {BODY_BYTES_MAX} bytes")
    return size
