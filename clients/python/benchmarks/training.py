"""Measures the environment for training: steps a second, memory per world, and what a fork takes. It starts its own servers.

    PYTHONPATH=src python3 benchmarks/training.py [--worlds 1,64] [--agents 8] [--seconds 10] [--forks 200] [--json]

Agents act at random, as their masks allow. The first steps are not counted. Processor time is that of this process and of the
servers; on two cores, a wall time far above the larger of them says that something else was running.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import time
from pathlib import Path
from typing import Any

from galaxyd.training import Environment, VectorEnvironment, make_many

WARM_UP_STEPS = 20
DAYS = 3.0


def main() -> None:
    """Measures and prints."""
    arguments = read_arguments()
    rows = [measure_steps(worlds, arguments) for worlds in arguments.worlds]
    forks = measure_forks(arguments)
    if arguments.json:
        print(json.dumps({"cores": os.cpu_count(), "steps": rows, "forks": forks}))
        return
    for row in rows:
        each = "" if row["worldMiB"] is None else f", at most {row['worldMiB']:.1f} MiB for each further world"
        print(
            f"{row['worlds']:3} worlds of {row['agents']} agents: {row['worldStepsPerSecond']:,.0f} world steps/s, "
            f"{row['agentStepsPerSecond']:,.0f} agent steps/s; processor time for a world step {row['pythonMs']:.2f} ms here and "
            f"{row['serverMs']:.2f} ms in the server; server memory {row['serverMiB']:.0f} MiB{each}"
        )
    print(f"fork: median {forks['medianMs']:.1f} ms, p95 {forks['p95Ms']:.1f} ms; with a first step {forks['stepMedianMs']:.1f} ms")


def measure_steps(worlds: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Steps all worlds for some seconds."""
    draws = random.Random(1)
    with make_many(worlds, processes=1, agents=arguments.agents, days=DAYS) as many:
        many.environments[0].reset(1)
        alone = memory_bytes(many)
        infos = [info for _, info in many.reset(1)]
        for _ in range(WARM_UP_STEPS):
            infos = step(many, infos, draws)
        began, python, server = time.perf_counter(), time.process_time(), server_seconds(many)
        count = 0
        while (seconds := time.perf_counter() - began) < arguments.seconds:
            infos = step(many, infos, draws)
            count += worlds
        python, server = time.process_time() - python, server_seconds(many) - server
        memory = memory_bytes(many)
    return {
        "worlds": worlds,
        "agents": arguments.agents,
        "worldStepsPerSecond": count / seconds,
        "agentStepsPerSecond": count / seconds * arguments.agents,
        "pythonMs": python / count * 1000,
        "serverMs": server / count * 1000,
        "serverMiB": memory / 2**20,
        # The program itself is most of the memory of a process with one world, and grows as it is compiled.
        "worldMiB": None if worlds == 1 else (memory - alone) / (worlds - 1) / 2**20,
    }


def step(many: VectorEnvironment, infos: list[Any], draws: random.Random) -> list[Any]:
    """One step of each world; an episode that is over is followed by the next."""
    actions = [
        {
            agent: draws.choice([number for number, is_open in enumerate(info[agent]["action_mask"]) if is_open])
            for agent in one.agents
        }
        for one, info in zip(many, infos, strict=True)
    ]
    after = []
    for one, steps in zip(many, many.step(actions), strict=True):
        assert steps is not None
        after.append(steps[4] if one.agents else one.reset()[1])
    return after


def measure_forks(arguments: argparse.Namespace) -> dict[str, float]:
    """Forks a world that has been played for a day; also with a step of the fork, which opens a connection."""
    draws = random.Random(1)
    with Environment(arguments.agents, days=DAYS) as environment:
        infos = environment.reset(1)[1]
        many = VectorEnvironment([environment])
        for _ in range(144):
            [infos] = step(many, [infos], draws)
        forks, steps = [], []
        for _ in range(arguments.forks):
            began = time.perf_counter()
            with environment.fork() as fork:
                forks.append(time.perf_counter() - began)
                fork.step(dict.fromkeys(fork.agents, 0))
                steps.append(time.perf_counter() - began)
    return {
        "medianMs": statistics.median(forks) * 1000,
        "p95Ms": statistics.quantiles(forks, n=20)[-1] * 1000,
        "stepMedianMs": statistics.median(steps) * 1000,
    }


def server_seconds(many: VectorEnvironment) -> float:
    """Processor time of the servers; not a number where there is no /proc."""
    try:
        texts = [Path(f"/proc/{process_id}/stat").read_text() for process_id in process_ids(many)]
    except FileNotFoundError:
        return float("nan")
    ticks = sum(sum(map(int, text.rpartition(")")[2].split()[11:13])) for text in texts)
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_bytes(many: VectorEnvironment) -> float:
    """Resident memory of the servers; not a number where there is no /proc."""
    try:
        texts = [Path(f"/proc/{process_id}/statm").read_text() for process_id in process_ids(many)]
    except FileNotFoundError:
        return float("nan")
    return sum(int(text.split()[1]) for text in texts) * os.sysconf("SC_PAGESIZE")


def process_ids(many: VectorEnvironment) -> set[int]:
    """Ids of the processes of the servers."""
    return {one.host.process_id for one in many}


def read_arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Measures the environment for training.")
    parser.add_argument("--worlds", type=lambda text: [int(part) for part in text.split(",")], default=[1, 64])
    parser.add_argument("--agents", type=int, default=8, help="agents of each world; 8 by default")
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement; 10 by default")
    parser.add_argument("--forks", type=int, default=200, help="forks that are measured; 200 by default")
    parser.add_argument("--json", action="store_true", help="prints JSON, for programs")
    return parser.parse_args()


if __name__ == "__main__":
    main()
