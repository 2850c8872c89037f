"""The child process that holds the worlds: `galaxyd worlds`. It ends when its standard input does, so it cannot outlive this
process, however that ends."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import shutil
import subprocess
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from ..errors import GalaxydError

COMMAND_VARIABLE = "GALAXYD_COMMAND"
"""The command line that runs galaxyd, if the `command` argument does not say it."""

END_SECONDS_MAX = 10.0
"""A process that has not ended this long after its standard input is killed."""


@dataclass(frozen=True, slots=True)
class HostedWorld:
    """A world of a host."""

    number: int
    address: str
    port: int


class Host:
    """A process that holds worlds in its memory. Safe to use from several threads.

    Environments share one if they are given the same: their worlds share its memory and its processor core.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        """Starts the process.

        `command` runs galaxyd, such as ["node", "dist/cli/main.js"]. By default it is GALAXYD_COMMAND of the environment, the repository
        that this file is in, or `galaxyd`, whichever is found first. Raises GalaxydError `host_failed`.
        """
        if isinstance(command, str):
            raise TypeError("command is a list of words, such as ['node', 'dist/cli/main.js']")
        self._words = words = [*(default_command() if command is None else command), "worlds"]
        self.admin_key = secrets.token_urlsafe(24)
        """Opens the paths below /api/admin of its worlds."""
        self._lock = threading.Lock()
        self._last_id = 0
        self._users = 1
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=_environment(self.admin_key),
            )
        except OSError as error:
            raise GalaxydError("host_failed", 0, f"cannot run {shlex.join(words)}: {error}") from error
        self._end = weakref.finalize(self, _end, self._process)

    @property
    def process_id(self) -> int:
        """Id of the process that this object started."""
        return self._process.pid

    @property
    def is_open(self) -> bool:
        """False after close()."""
        return self._end.alive

    def open(self, **settings: Any) -> HostedWorld:
        """Makes a new world; settings that are None are left to the server."""
        return self._served({"action": "open", **{key: value for key, value in settings.items() if value is not None}})

    def fork(self, number: int) -> HostedWorld:
        """Makes a new world with the present state of another one."""
        return self._served({"action": "fork", "world": number})

    def close_world(self, number: int) -> None:
        """Ends a world."""
        self._answer({"action": "close", "world": number})

    def close(self) -> None:
        """Ends the process and all of its worlds."""
        self._end()

    def share(self) -> None:
        """Adds a user, each of which calls release()."""
        with self._lock:
            self._users += 1

    def release(self) -> None:
        """Ends the process if this was the last user."""
        with self._lock:
            self._users -= 1
            is_last = self._users == 0
        if is_last:
            self.close()

    def __enter__(self) -> Host:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _served(self, order: dict[str, Any]) -> HostedWorld:
        answer = self._answer(order)
        url = urlsplit(answer["url"])
        return HostedWorld(answer["world"], url.hostname or "", url.port or 0)

    def _answer(self, order: dict[str, Any]) -> dict[str, Any]:
        """Carries out an order. Raises GalaxydError `host_failed`, also if the host refuses it."""
        with self._lock:
            if not self.is_open:
                raise GalaxydError("host_failed", 0, "this host is closed")
            self._last_id += 1
            assert self._process.stdin is not None and self._process.stdout is not None
            try:
                self._process.stdin.write(json.dumps({"id": self._last_id, **order}).encode() + b"\n")
                self._process.stdin.flush()
                line = self._process.stdout.readline()
            except OSError:
                line = b""
        if not line.endswith(b"\n"):
            self.close()
            raise GalaxydError(
                "host_failed",
                0,
                f"{shlex.join(self._words)} has ended with code {self._process.returncode}; what it wrote to standard "
                "error says why",
            )
        try:
            answer = json.loads(line)
        except ValueError as error:
            raise GalaxydError("host_failed", 0, f"this is not galaxyd: it answered {line[:200]!r}") from error
        if "error" in answer:
            raise GalaxydError("host_failed", 0, str(answer["error"]))
        return dict(answer)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Closes the pipes, which ends the process, and waits for it. Runs at the end of the interpreter, too."""
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        try:
            pipe.close()
        except OSError:
            pass
    try:
        process.wait(END_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _environment(admin_key: str) -> dict[str, str]:
    """Other variables of galaxyd are meant for other servers of the same shell."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GALAXYD_")}
    return {**kept, "GALAXYD_ADMIN_KEY": admin_key}


def default_command() -> list[str]:
    """The command line that runs galaxyd here; see Host."""
    if given := os.environ.get(COMMAND_VARIABLE):
        return shlex.split(given)
    for folder in Path(__file__).resolve().parents:
        program = folder / "dist" / "cli" / "main.js"
        if program.is_file() and (node := shutil.which("node")):
            return [node, str(program)]
    if installed := shutil.which("galaxyd"):
        return [installed]
    raise GalaxydError(
        "host_failed", 0, f"there is no galaxyd: set {COMMAND_VARIABLE}, or pass command=['node', '…/dist/cli/main.js']"
    )
