"""The environment for training, against worlds that it starts by itself."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from galaxyd import Client, GalaxydError, call_of, parse_instant
from galaxyd.operations import get_options, grant_resources, make_offer, propose_pact, take_offer
from galaxyd.training import Discrete, Environment, Host, VectorEnvironment, log_points_gained, make_many
from galaxyd.training.hosts import COMMAND_VARIABLE, default_command

DAYS = 0.5
RULES = "standard-1"
"""Tests rely on its numbers."""
ONE_WORLD = "from galaxyd.training import *; e = Environment(1); e.reset(); print(e.host.process_id, flush=True)"
"""A program that starts a server, and prints its process id."""
RICHES = {"iron": 200_000, "silver": 200_000, "ember": 50_000, "h2": 50_000, "energy": 20_000}


class Shared:
    """Tests share one process: a start takes longer than most of them."""

    host: Host


def setUpModule() -> None:  # noqa: N802
    """Starts it."""
    Shared.host = Host()
    unittest.addModuleCleanup(Shared.host.close)


class Training(unittest.TestCase):
    """Makes environments."""

    @property
    def host(self) -> Host:
        """The shared one."""
        return Shared.host

    def environment(self, agents: int = 2, **options: Any) -> Environment:
        """An environment that is closed after the test."""
        environment = Environment(agents, **{"host": self.host, "days": DAYS, "as_arrays": False, "rules": RULES, **options})
        self.addCleanup(environment.close)
        return environment

    def client(self, environment: Environment) -> Client:
        """An ordinary client of the world of an environment, with the operator's key."""
        world = environment.world
        client = Client(f"http://{world.address}:{world.port}", environment.host.admin_key)
        self.addCleanup(client.close)
        return client


def choices(environment: Environment, infos: Any, draws: random.Random) -> dict[str, int]:
    """A random possible action for each agent."""
    return {agent: draws.choice(possible(infos[agent])) for agent in environment.agents}


def possible(info: Any) -> list[int]:
    """The actions that a mask leaves."""
    return [number for number, is_open in enumerate(info["action_mask"]) if is_open]


def episode(environment: Environment, seed: int, draws: random.Random) -> Iterator[Any]:
    """Plays at random to the end; yields the observations, rewards and hash of each step."""
    observations, infos = environment.reset(seed)
    yield observations, infos, environment.state_hash()
    while environment.agents:
        observations, rewards, _, _, infos = environment.step(choices(environment, infos, draws))
        yield observations, rewards, infos
    yield environment.state_hash()


class RulesOfPettingZoo(Training):
    """What PettingZoo's parallel_api_test asks for, and a little more."""

    def test_an_episode_has_the_shape_of_the_parallel_api(self) -> None:
        environment = self.environment(3)
        self.assertEqual(environment.agents, [])
        self.assertEqual((environment.num_agents, environment.max_num_agents), (0, 3))
        for agent in environment.possible_agents:
            self.assertIs(environment.action_space(agent), environment.action_space(agent))
            self.assertIs(environment.observation_space(agent), environment.observation_space(agent))
        for options in (None, {"options": 1}):
            observations, infos = environment.reset(seed=4, options=options)
            self.assertEqual(environment.agents, environment.possible_agents)
            steps = 0
            while environment.agents:
                live = set(environment.agents)
                actions = {agent: environment.action_space(agent).sample(infos[agent]["action_mask"]) for agent in live}
                observations, rewards, terminations, truncations, infos = environment.step(actions)
                steps += 1
                for each in (observations, rewards, terminations, truncations, infos):
                    self.assertEqual(set(each), live)
                for agent in live:
                    self.assertTrue(environment.observation_space(agent).contains(observations[agent]))
                    self.assertEqual(len(infos[agent]["action_mask"]), environment.action_space(agent).n)
                self.assertEqual(any(terminations.values()), False)
                self.assertEqual(set(truncations.values()), {environment.agents == []})
            self.assertEqual(steps, DAYS * 144)
        self.assertEqual(len(environment.state()), sum(map(len, observations.values())))
        self.assertIs(environment.unwrapped, environment)

    def test_it_passes_the_test_of_pettingzoo_itself(self) -> None:
        for package in ("pettingzoo", "gymnasium"):
            if importlib.util.find_spec(package) is None:
                self.skipTest(f"{package} is not installed")
        from pettingzoo.test import parallel_api_test, parallel_seed_test  # type: ignore

        parallel_api_test(self.environment(3, as_arrays=None), num_cycles=100)
        parallel_seed_test(lambda: self.environment(2, as_arrays=None), num_cycles=20)

    def test_what_has_ended_must_be_reset(self) -> None:
        environment = self.environment()
        with self.assertRaisesRegex(RuntimeError, r"call reset\(\)"):
            environment.step({})
        list(episode(environment, 1, random.Random(1)))
        with self.assertRaisesRegex(RuntimeError, "the episode is over"):
            environment.step({})


class Determinism(Training):
    """Same seed, same actions, same world."""

    def test_the_same_seed_and_actions_give_the_same_episode(self) -> None:
        one, other, different = self.environment(), self.environment(), self.environment()
        first = list(episode(one, 5, random.Random(9)))
        self.assertEqual(list(episode(other, 5, random.Random(9))), first)
        self.assertNotEqual(list(episode(different, 6, random.Random(9)))[-1], first[-1])
        self.assertTrue(
            any(reward != 0 for _, rewards, _ in first[1:-1] for reward in rewards.values()), "it is an episode of something"
        )

    def test_seeds_follow_from_the_last_one_that_was_given(self) -> None:
        one, other = self.environment(), self.environment()
        for environment in (one, other):
            environment.reset(seed=3)
            environment.reset()
        self.assertEqual(one.state_hash(), other.state_hash())
        other.reset()
        self.assertNotEqual(one.state_hash(), other.state_hash())

    def test_rewards_are_what_the_function_says(self) -> None:
        environment = self.environment(reward=log_points_gained)
        _, infos = environment.reset(seed=5)
        before = {agent: info["points"] for agent, info in infos.items()}
        sums = dict.fromkeys(before, 0.0)
        for _, rewards, infos in list(episode(environment, 5, random.Random(9)))[1:-1]:  # noqa: B007
            for agent, reward in rewards.items():
                sums[agent] += reward
        for agent, info in infos.items():
            self.assertAlmostEqual(sums[agent], math.log1p(info["points"]) - math.log1p(before[agent]))


class Acting(Training):
    """Masks are exact, and what they exclude does nothing."""

    def assert_mask_is_that_of_the_options(self, environment: Environment, infos: Any) -> None:
        """Options of the server, as far as it lists them, against the mask."""
        client = self.client(environment)
        for agent, info in infos.items():
            planets = environment.views[agent].state["planets"]
            masked = {action: bool(info["action_mask"][number]) for number, action in enumerate(environment.actions)}
            expected = dict.fromkeys(
                (action for action in masked if action.kind in ("build", "ships", "research") and action.count <= 1), False
            )
            for position, planet in enumerate(planets[:3]):
                reply = client.send(get_options(planet["id"]))
                for option in reply.body["options"]:
                    if option["action"] == "second_starter":
                        continue
                    is_open = "reason" not in option and option["affordableAt"] is not None
                    is_open = is_open and parse_instant(option["affordableAt"] or "") <= reply.world_time
                    [key] = [action for action in expected if action.type in option.values() and action.planet in (None, position)]
                    expected[key] = is_open
            self.assertEqual({action: masked[action] for action in expected}, expected)

    def play_rich(self, environment: Environment, seed: int, steps: int) -> set[str]:
        """Plays with granted riches, and checks that nothing that the mask allows is refused. Returns what was done."""
        draws = random.Random(seed)
        _, infos = environment.reset(seed)
        client = self.client(environment)
        for view in environment.views.values():
            client.call(grant_resources(view.home.planet_id, **RICHES))
        kinds = set()
        for step in range(steps):
            if step % 20 == 0 and step > 0:
                self.assert_mask_is_that_of_the_options(environment, infos)
            actions = {}
            for agent in environment.agents:
                # Each kind as often as any other, since there are far more buildings than flights.
                by_kind: dict[str, list[int]] = {}
                for number in possible(infos[agent]):
                    by_kind.setdefault(environment.actions[number].kind, []).append(number)
                kind = draws.choice(sorted(by_kind))
                actions[agent] = draws.choice(by_kind[kind])
                kinds.add(kind)
            *_, infos = environment.step(actions)
            for agent, info in infos.items():
                self.assertIsNone(info["refusal"], f"step {step}: {agent} did {environment.actions[actions[agent]].name}")
        return kinds

    def test_what_the_mask_allows_is_accepted(self) -> None:
        environment = self.environment(days=10, systems_per_galaxy=2, step_seconds=300)
        kinds = self.play_rich(environment, 8, 200)
        self.assertEqual(kinds, {action.kind for action in environment.actions}, "everything was done")

    def test_contested_space_has_actions_and_features(self) -> None:
        environment = self.environment(rules="standard-2", days=10, systems_per_galaxy=2, step_seconds=1_800)
        kinds = self.play_rich(environment, 5, 260)
        self.assertTrue({"harvest", "support", "attack"} <= kinds, sorted(kinds))
        names = {feature.name for feature in environment.features}
        self.assertTrue({"field of the home system: iron", "planet 0: richness of h2"} <= names)
        self.assertNotIn("harvest", {action.kind for action in self.environment().actions}, "standard-1 has no fields")

    def test_pacts_offers_and_shocks_have_features_and_actions(self) -> None:
        environment = self.environment(rules="standard-2", days=4, step_seconds=3_600)
        observations, infos = environment.reset(6)
        client = self.client(environment)
        one, other = (environment.views[agent] for agent in environment.agents)

        def seen(agent: str, name: str) -> float:
            [at] = [number for number, feature in enumerate(environment.features) if feature.name == name]
            return float(observations[agent][at])

        def number(name: str) -> int:
            [at] = [number for number, action in enumerate(environment.actions) if action.name == name]
            return at

        def step(**actions: int) -> None:
            nonlocal observations, infos
            observations, *_, infos = environment.step({**dict.fromkeys(environment.agents, 0), **actions})
            self.assertEqual([infos[agent]["refusal"] for agent in infos], [None, None])

        propose, accept = number("propose shared_sight neighbour 0"), number("accept shared_sight")
        self.assertEqual((infos["agent_0"]["action_mask"][propose], infos["agent_1"]["action_mask"][accept]), (1, 0))
        step(agent_0=propose)
        self.assertEqual(seen("agent_1", "pacts of shared_sight: proposed to the agent"), 0.1)
        self.assertEqual(seen("agent_0", "pacts of shared_sight: proposed by the agent"), 0.1)
        self.assertEqual((infos["agent_0"]["action_mask"][propose], infos["agent_1"]["action_mask"][accept]), (0, 1))
        step(agent_1=accept)
        for agent in environment.agents:
            self.assertEqual(seen(agent, "pacts of shared_sight: in force"), 0.1)
        call = propose_pact(
            player_id=other.state["id"], partner_id=one.state["id"], kind="non_aggression", duration_seconds=90_000
        )
        client.call(call)
        step()
        step(agent_0=number("decline non_aggression"))
        self.assertEqual(seen("agent_0", "pacts of non_aggression: proposed to the agent"), 0)

        for view in (one, other):
            client.call(grant_resources(view.home.planet_id, **RICHES))
        offer = client.call(
            make_offer(
                player_id=one.state["id"],
                planet_id=one.home.planet_id,
                give={"resource": "iron", "units": 200},
                want={"resource": "silver", "units": 100},
                h2_max=5_000,
                to_player_id=other.state["id"],
            )
        )
        step()
        self.assertEqual((seen("agent_0", "offers of the agent"), seen("agent_1", "offers to the agent")), (0.1, 0.1))
        self.assertEqual(seen("agent_0", "last price of iron in silver"), 0)
        client.call(take_offer(offer["id"], player_id=other.state["id"], planet_id=other.home.planet_id))
        environment._step_seconds = 1  # The goods are still under way then.
        step()
        for agent in environment.agents:
            self.assertAlmostEqual(seen(agent, "last price of iron in silver"), math.log1p(0.5) / 10)
        self.assertAlmostEqual(seen("agent_1", "goods under way: iron"), math.log1p(200) / 10)

        environment._step_seconds = 3_600
        left = [feature.name for feature in environment.features if feature.name.startswith("shock ") and "over" in feature.name]
        self.assertEqual(len(left), 4)
        while environment.agents and not any(seen("agent_0", name) > 0 for name in left):
            step()
        self.assertTrue(any(seen("agent_0", name) > 0 for name in left), "a shock was announced in the galaxy")
        plain = self.environment()
        words = ("shock", "pact", "offer", "price", "goods")
        self.assertEqual([one.name for one in plain.features if one.name.startswith(words)], [])
        self.assertFalse({"accept", "decline", "propose"} & {action.kind for action in plain.actions})

    def test_other_rules_work_alike(self) -> None:
        shown = subprocess.run([*default_command(), "rules", "show", "standard-1", "--json"], capture_output=True, check=True)
        text = shown.stdout.decode()
        for name in ("iron_mine", "shipyard", "scout", "colony_ship", "drive_ion"):
            text = re.sub(f'"{name}"(?! *:)', f'"{name}_of_ours"', text)
        rules = json.loads(text)
        rules["ships"].append({**rules["ships"][0], "type": "probe"})
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({**rules, "name": "ours"}, file)
            file.flush()
            environment = self.environment(rules=file.name, systems_per_galaxy=2, speed=20)
            self.play_rich(environment, 8, 45)
        self.assertIn("planet 0: ships 10 probe", [action.name for action in environment.actions])
        self.assertIn("planet 0: shipyard_of_ours", [feature.name for feature in environment.features])

    def test_what_the_mask_excludes_does_nothing_and_is_told(self) -> None:
        environment, idle = self.environment(), self.environment()
        _, infos = environment.reset(seed=2)
        idle.reset(seed=2)
        excluded = infos["agent_0"]["action_mask"].index(0)
        *_, infos = environment.step({"agent_0": excluded, "agent_1": 0})
        self.assertEqual([infos[agent]["refusal"] for agent in environment.agents], ["masked", None])
        idle.step({"agent_0": 0, "agent_1": 0})
        self.assertEqual(environment.state_hash(), idle.state_hash())

    def test_what_the_server_refuses_is_told(self) -> None:
        environment = self.environment()
        _, infos = environment.reset(seed=2)
        [number] = [number for number, action in enumerate(environment.actions) if action.name == "planet 0: build iron_mine"]
        # Somebody else plays for the agent in the meantime.
        client = self.client(environment)
        planet_id = environment.views["agent_0"].home.planet_id
        option = next(one for one in client.call(get_options(planet_id))["options"] if one["action"] == "upgrade")
        client.call(call_of(option["request"]))
        *_, infos = environment.step({"agent_0": number, "agent_1": 0})
        self.assertEqual(infos["agent_0"]["refusal"], "upgrade_in_progress")

    def test_a_step_can_end_at_an_event(self) -> None:
        environment = self.environment(until_event=True)
        environment.reset(seed=2)
        [number] = [number for number, action in enumerate(environment.actions) if action.name == "planet 0: build iron_mine"]
        began = environment.now
        environment.step({"agent_0": number, "agent_1": 0})
        self.assertEqual((environment.now - began).total_seconds(), 240)
        environment.step({"agent_0": 0, "agent_1": 0})
        self.assertEqual((environment.now - began).total_seconds(), 840, "without an event it is a whole step")


class Forks(Training):
    """A fork is the same world with its own future."""

    def test_a_fork_is_equal_and_independent(self) -> None:
        environment, draws = self.environment(), random.Random(4)
        _, infos = environment.reset(seed=6)
        for _ in range(20):
            *_, infos = environment.step(choices(environment, infos, draws))
        before, state = environment.state_hash(), environment.state()
        with environment.fork() as fork:
            self.assertEqual((fork.state_hash(), fork.state()), (before, state))
            actions = {agent: possible(info)[-1] for agent, info in infos.items()}
            self.assertNotEqual(set(actions.values()), {0}, "something is done")
            first = fork.step(actions)
            self.assertNotEqual(fork.state_hash(), before)
            self.assertEqual(environment.state_hash(), before, "the other world stands still")
            self.assertEqual(environment.step(actions), first, "the same actions lead to the same")
            self.assertEqual(environment.state_hash(), fork.state_hash())
            fork.reset(seed=1)
            self.assertNotEqual(environment.state_hash(), fork.state_hash())
        environment.step(dict.fromkeys(environment.agents, 0))

    def test_a_snapshot_can_be_restored_again_and_again(self) -> None:
        environment = self.environment()
        environment.reset(seed=6)
        space = environment.action_space("agent_0")
        with environment.snapshot() as snapshot:
            before = environment.state_hash()
            for _ in range(3):
                environment.step(dict.fromkeys(environment.agents, 1))
                self.assertNotEqual(environment.state_hash(), before)
                environment.restore(snapshot)
                self.assertEqual(environment.state_hash(), before)
        self.assertIs(environment.action_space("agent_0"), space)

    def test_the_process_ends_with_the_last_of_the_forks(self) -> None:
        environment = Environment(1, rules=RULES, as_arrays=False)
        environment.reset(seed=1)
        host = environment.host
        fork = environment.fork()
        with environment.snapshot() as snapshot:
            environment.restore(snapshot)
        environment.close()
        environment.close()
        fork.step({"agent_0": 0})
        self.assertTrue(host.is_open)
        fork.close()
        self.assertFalse(host.is_open)
        self.assertFalse(exists(host.process_id))

    def test_a_world_that_is_gone_is_told(self) -> None:
        environment = self.environment()
        environment.reset(seed=1)
        self.host.close_world(environment.world.number)
        with self.assertRaisesRegex(GalaxydError, "does not answer|is stopping"):
            environment.step(dict.fromkeys(environment.agents, 0))


class Many(Training):
    """Many worlds side by side are what they are alone."""

    def test_many_worlds_are_what_each_is_alone(self) -> None:
        with make_many(3, processes=1, agents=2, days=DAYS, rules=RULES, as_arrays=False) as many:
            draws = [random.Random(seed) for seed in (1, 2, 3)]
            infos = [info for _, info in many.reset(seeds=7)]
            for _ in range(10):
                steps = many.step([choices(one, info, draw) for one, info, draw in zip(many, infos, draws, strict=True)])
                infos = [step[4] for step in steps if step is not None]
            for number, one in enumerate(many):
                alone = self.environment()
                _, info = alone.reset(seed=7 + number)
                draw = random.Random(number + 1)
                for _ in range(10):
                    *_, info = alone.step(choices(alone, info, draw))
                self.assertEqual(alone.state_hash(), one.state_hash())
            self.assertEqual(many.step([None, None, dict.fromkeys(many.environments[2].agents, 0)])[:2], [None, None])
            with self.assertRaisesRegex(ValueError, "one dictionary of actions for each of 3 environments, not 1"):
                many.step([{}])
            with self.assertRaisesRegex(ValueError, "there is no action of agent_0"):
                many.step([dict.fromkeys(many.environments[0].agents, 0), {}, None])
            many.step([dict.fromkeys(one.agents, 0) for one in many])
        with self.assertRaisesRegex(RuntimeError, "this environment is closed"):
            many.step([{}, {}, {}])

    def test_bad_counts(self) -> None:
        with self.assertRaisesRegex(ValueError, "must be at least 1"):
            make_many(0)
        with self.assertRaisesRegex(ValueError, "makes its own hosts"):
            make_many(1, host=self.host)
        with self.assertRaisesRegex(ValueError, "at least one environment"):
            VectorEnvironment([])


class Processes(Training):
    """The server starts by itself, and never stays."""

    def test_the_server_ends_with_a_killed_program(self) -> None:
        program = f"{ONE_WORLD}; import time; time.sleep(60)"
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            server = int(child.stdout.readline())
            self.assertTrue(exists(server))
            child.send_signal(signal.SIGKILL)
        ends_at = time.monotonic() + 20
        while exists(server) and time.monotonic() < ends_at:
            time.sleep(0.02)
        self.assertFalse(exists(server))

    def test_a_program_that_closes_nothing_leaves_nothing(self) -> None:
        done = subprocess.run([sys.executable, "-c", ONE_WORLD], capture_output=True, check=True)
        self.assertFalse(exists(int(done.stdout)))
        self.assertEqual(done.stderr, b"")

    def test_a_server_that_cannot_start_is_told(self) -> None:
        for command, words in (
            (["/no/such/program"], "cannot run /no/such/program worlds"),
            ([sys.executable, "-c", "import sys; sys.exit(7)"], "has ended with code 7"),
            ([sys.executable, "-c", "print('hello'); input()"], "this is not galaxyd"),
        ):
            with self.assertRaisesRegex(GalaxydError, words) as caught:
                Environment(1, command=command).reset()
            self.assertEqual(caught.exception.code, "host_failed")
        with self.assertRaisesRegex(TypeError, "a list of words"):
            Host("node dist/cli/main.js")
        with mock.patch.dict(os.environ, {COMMAND_VARIABLE: "run 'my galaxyd'"}):
            self.assertEqual(default_command(), ["run", "my galaxyd"])


class Arguments(Training):
    """Each bad argument gets a sentence."""

    def test_bad_arguments(self) -> None:
        for options, words in (
            ({"agents": 0}, "agents must be from 1 to 100"),
            ({"days": 0}, "days must be positive"),
            ({"step_seconds": 0.5}, "a whole number from 1"),
            ({"planets_max": 0}, "at least 1"),
            ({"ship_counts": ()}, "at least 1"),
            ({"render_mode": "human"}, "None or 'ansi'"),
            ({"host": self.host, "command": ["x"]}, "not both"),
        ):
            with self.assertRaisesRegex(ValueError, words):
                Environment(**options)
        for options, words in (({"rules": "no-such-rules"}, "no-such-rules"), ({"speed": -1}, "/speed must be")):
            with self.assertRaisesRegex(GalaxydError, words):
                self.environment(**options).reset()
        environment = self.environment()
        with self.assertRaisesRegex(ValueError, "a seed is a whole number"):
            environment.reset(seed=-1)
        environment.reset(seed=1)
        with self.assertRaisesRegex(ValueError, "there is no agent 'ada'"):
            environment.action_space("ada")
        before = environment.state_hash()
        for actions, words in (
            ({"agent_0": 0}, "there is no action of agent_1"),
            ({"agent_0": 0, "agent_1": 10**6}, r"agent_1 is 1000000; actions are from 0 to \d+"),
            ({"agent_0": 0, "agent_1": -1}, "agent_1 is -1"),
            ({"agent_0": 0, "agent_1": "up"}, "'up' and not a whole number"),
            ({"agent_0": 0, "agent_1": 0, "agent_9": 0}, "there is no agent 'agent_9'"),
        ):
            with self.assertRaisesRegex(ValueError, words):
                environment.step(actions)
        self.assertEqual(environment.state_hash(), before)

    def test_without_numpy_and_gymnasium_values_are_lists(self) -> None:
        environment = self.environment()
        observations, infos = environment.reset(seed=1)
        self.assertIsInstance(observations["agent_0"], list)
        space = environment.action_space("agent_0")
        self.assertIsInstance(space, Discrete)
        space.seed(3)
        samples = [space.sample(infos["agent_0"]["action_mask"]) for _ in range(20)]
        self.assertTrue(set(samples) <= set(possible(infos["agent_0"])))
        self.assertFalse(space.contains(space.n))
        self.assertFalse(environment.observation_space("agent_0").contains([0.0]))
        self.assertIsNone(environment.render())

    def test_it_renders_the_ranking(self) -> None:
        environment = self.environment(render_mode="ansi")
        environment.reset(seed=1)
        self.assertRegex(environment.render() or "", r"seed 1, 2000-01-01T00:00:00.000Z\n +1 agent_\d +402 points")


def exists(process_id: int) -> bool:
    """Whether a process runs. One that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text().split(")")[-1].split()[0] != "Z"
    except FileNotFoundError:
        pass
    if Path("/proc/self/stat").exists():
        return False
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True
