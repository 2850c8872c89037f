"""Many environments that are stepped together. All requests of a stage are sent before the first reply is read, so the server
works on some worlds while this process reads the replies of others: threads would add nothing but their cost."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, TypeVar

from .environment import Actions, Environment, Infos, Observations, Steps
from .exchanges import Exchange, Request, Wire
from .hosts import Host

Result = TypeVar("Result")


class VectorEnvironment:
    """Some environments, by position. They may be forks of one another."""

    def __init__(self, environments: Sequence[Environment], hosts: Sequence[Host] = ()) -> None:
        """`hosts` are closed with it."""
        if not environments:
            raise ValueError("there must be at least one environment")
        self.environments = list(environments)
        self._hosts = list(hosts)

    def __len__(self) -> int:
        return len(self.environments)

    def __iter__(self) -> Iterator[Environment]:
        return iter(self.environments)

    def __enter__(self) -> VectorEnvironment:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def reset(self, seeds: Sequence[int | None] | int | None = None) -> list[tuple[Observations, Infos]]:
        """Begins an episode in each environment.

        One seed for each; or one number, and the environments get it and those that follow; or None. Returns what reset() of each
        returns.
        """
        if seeds is None or isinstance(seeds, int):
            first = seeds
            seeds = [None if first is None else first + position for position in range(len(self))]
        self._require_one_each(seeds, "seed")
        return _run([one.resetting(seed) for one, seed in zip(self.environments, seeds, strict=True)])

    def step(self, actions: Sequence[Actions | None]) -> list[Steps | None]:
        """Steps each environment with its actions. One that has None, because its episode is over, is left out, and its result is
        None."""
        self._require_one_each(actions, "dictionary of actions")
        chosen = [(one, each) for one, each in zip(self.environments, actions, strict=True) if each is not None]
        results = iter(_run([(one.wire, one.stepping(each)) for one, each in chosen]))
        return [None if each is None else next(results) for each in actions]

    def close(self) -> None:
        """Closes all environments, and the hosts that were made for them."""
        for host in self._hosts:
            host.close()
        for environment in self.environments:
            environment.close()

    def _require_one_each(self, values: Sequence[Any], what: str) -> None:
        if len(values) != len(self):
            raise ValueError(f"there must be one {what} for each of {len(self)} environments, not {len(values)}")


def make_many(
    count: int, *, processes: int | None = None, command: Sequence[str] | None = None, **settings: Any
) -> VectorEnvironment:
    """Makes environments with the same settings, see Environment.

    `processes`: how many processes hold their worlds, in turn; by default one for each processor core but one, and at most one for
    each environment.
    """
    if count < 1 or (processes is not None and processes < 1):
        raise ValueError(f"count and processes must be at least 1, not {count} and {processes}")
    if "host" in settings:
        raise ValueError("make_many makes its own hosts; put environments with a host into a VectorEnvironment")
    cores = max(1, (os.cpu_count() or 1) - 1)
    hosts: list[Host] = []
    try:
        for _ in range(min(count, processes or cores)):
            hosts.append(Host(command))
        environments = [Environment(host=hosts[number % len(hosts)], **settings) for number in range(count)]
    except BaseException:
        for host in hosts:
            host.close()
        raise
    return VectorEnvironment(environments, hosts)


def _run(exchanges: Sequence[tuple[Wire, Exchange[Result]]]) -> list[Result]:
    """Runs exchanges side by side, each on its connection: first what each of them sends next, then the replies."""
    results: dict[int, Result] = {}
    waiting: list[int] = []

    def proceed(position: int, reply: Any) -> None:
        wire, exchange = exchanges[position]
        try:
            request: Request = exchange.send(reply)
        except StopIteration as end:
            results[position] = end.value
        else:
            wire.send(request)
            waiting.append(position)

    try:
        for position in range(len(exchanges)):
            proceed(position, None)
        while waiting:
            stage, waiting = waiting, []
            for position in stage:
                proceed(position, exchanges[position][0].receive())
    except BaseException:
        # Replies that are still to come belong to no request of a later step.
        for wire, _ in exchanges:
            wire.close()
        raise
    return [results[position] for position in range(len(exchanges))]
