"""Trains a policy with the cross-entropy method, using only the standard library, and compares it with random play.

    PYTHONPATH=src python3 examples/train.py [--generations 12] [--seconds 180] [--seed 1]

The policy is linear and tiny: it gives each possible action a score made of what the action is (which building, which ship, which
research, ...) and of a few features, and takes one with the probability that its score gives it (softmax). Each generation draws
candidates around the present mean, plays one episode with each, all worlds side by side, keeps the best quarter, and moves the
mean there. Seeds of training and of the comparison are different.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Sequence
from typing import Any

from galaxyd.training import Environment, VectorEnvironment, make_many

CANDIDATES = 16
ELITE = 4
AGENTS = 4
DAYS = 1.0
SPREAD = 1.5
"""Standard deviation of the first candidates."""
TEST_SEED = 1_000_000
"""Seed of the first world of the comparison; training never reaches it."""

Weights = list[float]


class Policy:
    """Scores actions: a weight for each kind and type of action, and one for each of them times the time of the episode."""

    def __init__(self, environment: Environment) -> None:
        names = sorted({(action.kind, action.type or "", action.count) for action in environment.actions})
        columns = {name: column for column, name in enumerate(names)}
        self.columns = [columns[(action.kind, action.type or "", action.count)] for action in environment.actions]
        self.weight_count = 2 * len(names)

    def choose(self, weights: Weights, observation: Any, mask: Any, draws: random.Random) -> int:
        """One of the possible actions."""
        day = 10 * float(observation[0])
        open_actions = [number for number, is_open in enumerate(mask) if is_open]
        scores = [weights[2 * self.columns[number]] + day * weights[2 * self.columns[number] + 1] for number in open_actions]
        highest = max(scores)
        return draws.choices(open_actions, [math.exp(score - highest) for score in scores])[0]


def play(many: VectorEnvironment, policy: Policy, candidates: Sequence[Weights], seed: int, draws: random.Random) -> list[float]:
    """One episode in each world, all of whose agents follow the candidate of the world. Returns the mean points at the end."""
    # All candidates play the same world, so that luck decides less.
    begun = many.reset(seeds=[seed] * len(many))
    looks = [(observations, infos) for observations, infos in begun]
    while many.environments[0].agents:
        actions = [
            {agent: policy.choose(weights, observations[agent], infos[agent]["action_mask"], draws) for agent in one.agents}
            for one, weights, (observations, infos) in zip(many, candidates, looks, strict=True)
        ]
        looks = [(step[0], step[4]) for step in many.step(actions) if step is not None]
    return [statistics.mean(info["points"] for info in infos.values()) for _, infos in looks]


def train(many: VectorEnvironment, policy: Policy, arguments: argparse.Namespace, draws: random.Random) -> Weights:
    """The cross-entropy method. Returns the mean of the last elite."""
    mean, spread = [0.0] * policy.weight_count, [SPREAD] * policy.weight_count
    ends_at = time.monotonic() + arguments.seconds
    for generation in range(arguments.generations):
        candidates = [[draws.gauss(m, s) for m, s in zip(mean, spread, strict=True)] for _ in range(CANDIDATES)]
        points = play(many, policy, candidates, arguments.seed * 1000 + generation, draws)
        best = sorted(range(CANDIDATES), key=lambda number: -points[number])[:ELITE]
        columns = list(zip(*(candidates[number] for number in best), strict=True))
        mean = [statistics.fmean(column) for column in columns]
        # A little is added, so that the search does not end too early.
        spread = [statistics.pstdev(column) + 0.1 for column in columns]
        print(f"generation {generation + 1:2}: mean {statistics.fmean(points):,.0f} points, best {max(points):,.0f}", flush=True)
        if time.monotonic() > ends_at:
            break
    return mean


def main() -> None:
    """Trains and compares."""
    arguments = read_arguments()
    draws = random.Random(arguments.seed)
    with make_many(CANDIDATES, agents=AGENTS, days=DAYS, as_arrays=False) as many:
        policy = Policy(many.environments[0])
        weights = train(many, policy, arguments, draws)
        at_random = [0.0] * policy.weight_count
        results: dict[str, list[float]] = {"random": [], "trained": []}
        half = CANDIDATES // 2
        for round_number in range(arguments.rounds):
            points = play(many, policy, [at_random] * half + [weights] * half, TEST_SEED + round_number, draws)
            results["random"] += points[:half]
            results["trained"] += points[half:]
    for name, points in results.items():
        error = statistics.stdev(points) / math.sqrt(len(points))
        print(f"{name:8} {statistics.fmean(points):,.0f} points, ± {1.96 * error:,.0f} (95 %), {len(points)} episodes")


def read_arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Trains a small policy, and compares it with random play.")
    parser.add_argument("--generations", type=int, default=12, help="12 by default")
    parser.add_argument("--seconds", type=float, default=180, help="training ends after the generation in which they pass")
    parser.add_argument("--rounds", type=int, default=3, help="worlds of the comparison; 3 by default")
    parser.add_argument("--seed", type=int, default=1, help="seed of all random choices")
    return parser.parse_args()


if __name__ == "__main__":
    main()
