"""Spaces of actions and observations: those of gymnasium if it is installed, else plain ones with the same members. Numbers are
arrays of numpy if it is installed, else lists."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


def _installed(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None


@dataclass(frozen=True, slots=True)
class Discrete:
    """One whole number from 0 to n - 1."""

    n: int
    _random: random.Random = field(default_factory=random.Random, repr=False, compare=False)

    @property
    def shape(self) -> tuple[()]:
        """The same as in gymnasium."""
        return ()

    def seed(self, seed: int | None = None) -> None:
        """Makes the samples that follow repeatable."""
        self._random.seed(seed)

    def sample(self, mask: Sequence[int] | None = None) -> int:
        """A random member; with a mask, one of those whose entry is not 0, or 0 if there is none."""
        members = range(self.n) if mask is None else [index for index, is_open in enumerate(mask) if is_open]
        return self._random.choice(members) if members else 0

    def contains(self, value: object) -> bool:
        """Whether it is a member."""
        return isinstance(value, int) and 0 <= value < self.n


@dataclass(frozen=True, slots=True)
class Box:
    """Numbers of a fixed count between two bounds."""

    low: float
    high: float
    shape: tuple[int, ...]

    def contains(self, value: Any) -> bool:
        """Whether it is a member."""
        return len(value) == self.shape[0] and all(self.low <= number <= self.high for number in value)


class Numbers:
    """Makes the spaces and the values in them.

    `as_arrays` says whether values are arrays of numpy; None: if it is installed. Spaces of gymnasium need arrays.
    """

    def __init__(self, as_arrays: bool | None = None) -> None:
        self._numpy = _installed("numpy") if as_arrays is not False else None
        if as_arrays and self._numpy is None:
            raise ValueError("as_arrays=True needs numpy, which is not installed")
        self._spaces = None if self._numpy is None else _installed("gymnasium.spaces")

    def discrete(self, n: int) -> Any:
        """The space of n actions."""
        return Discrete(n) if self._spaces is None else self._spaces.Discrete(n)

    def box(self, low: float, high: float, length: int) -> Any:
        """The space of vectors of a length."""
        if self._spaces is None or self._numpy is None:
            return Box(low, high, (length,))
        return self._spaces.Box(low, high, (length,), self._numpy.float32)

    def vector(self, values: list[float]) -> Any:
        """An observation."""
        return values if self._numpy is None else self._numpy.array(values, self._numpy.float32)

    def mask(self, values: list[int]) -> Any:
        """An action mask."""
        return values if self._numpy is None else self._numpy.array(values, self._numpy.int8)
