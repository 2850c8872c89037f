"""The environment: one world, its agents, and the steps of an episode. It decides what the server is asked; exchanges.py asks."""

from __future__ import annotations

import copy
import operator
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, ClassVar, cast

from ..errors import GalaxydError, problem_error
from ..instants import format_instant, parse_instant
from ..shapes import Fields, Leaderboard, Player, SystemView
from .actions import Action, ActionTable
from .dealings import DealingReads
from .exchanges import Exchange, Request, Wire, batch_request, encoded
from .features import VALUE_MAX, Feature, FeatureTable
from .hosts import Host, HostedWorld
from .rules import Place, Rules, place_of
from .spaces import Numbers
from .views import Home, HomeField, Reward, Situation, View, nearest, points_gained

AGENTS_MAX = 100
"""The leaderboard shows the points of that many players."""
SEED_MAX = 2**53 - 1

Observations = dict[str, Any]
Infos = dict[str, dict[str, Any]]
Steps = tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]
Actions = Mapping[str, Any]

_SECONDS_PER_DAY = 86_400


class Layout:
    """What the rules of the world fix: lists of features and actions, and the spaces made of them. Shared by all environments with
    the same settings."""

    def __init__(self, rules: Rules, numbers: Numbers, planets_max: int, neighbours_max: int, ship_counts: Sequence[int]) -> None:
        self.rules = rules
        self.numbers = numbers
        self.features = FeatureTable(rules, planets_max, neighbours_max)
        self.actions = ActionTable(rules, planets_max, neighbours_max, ship_counts)
        self.observation_length = len(self.features.features)
        self.action_count = len(self.actions.actions)


class Environment:
    """A world with some agents, in the shape of PettingZoo's ParallelEnv. Not safe to use from several threads.

    A step sends one command per agent, lets world time pass, and reads what has become of it.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "galaxyd_v0", "render_modes": ["ansi"], "is_parallelizable": True}

    def __init__(
        self,
        agents: int = 2,
        *,
        days: float = 2.0,
        step_seconds: int = 600,
        until_event: bool = False,
        reward: Reward = points_gained,
        planets_max: int = 3,
        neighbours_max: int = 3,
        ship_counts: Sequence[int] = (1, 10),
        rules: str | None = None,
        speed: float | None = None,
        systems_per_galaxy: int | None = None,
        render_mode: str | None = None,
        as_arrays: bool | None = None,
        host: Host | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        """Starts nothing yet.

        `agents`: 1 to 100. `days`: world days of an episode; then all agents are truncated. `step_seconds`: world seconds of a
        step. `until_event`: a step ends at the next timer of the world, if that is sooner. `reward` gets an agent's views before
        and after a step. `planets_max`, `neighbours_max`: how many planets and other agents an agent sees. `ship_counts`:
        sizes of orders for ships. `rules`, `speed`, `systems_per_galaxy`: as for `galaxyd serve`. `render_mode`: None or "ansi".
        `as_arrays`: whether values are arrays of numpy; by default if it is installed. `host`: the process that holds the world; by
        default one of its own, which `command` runs; see Host.
        """
        if not 1 <= agents <= AGENTS_MAX:
            raise ValueError(f"agents must be from 1 to {AGENTS_MAX}, not {agents}")
        if not days > 0 or step_seconds < 1 or int(step_seconds) != step_seconds:
            raise ValueError(f"days must be positive and step_seconds a whole number from 1, not {days} and {step_seconds}")
        if planets_max < 1 or neighbours_max < 0 or not ship_counts or min(ship_counts) < 1:
            raise ValueError("planets_max and each of ship_counts must be at least 1, and neighbours_max at least 0")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        if host is not None and command is not None:
            raise ValueError("give a host or a command, not both")
        self.possible_agents = [f"agent_{number}" for number in range(agents)]
        self.agents: list[str] = []
        """The agents that take part in the episode; empty before reset() and after the end."""
        self.render_mode = render_mode
        self.reward = reward
        self._episode = timedelta(days=days)
        self._step_seconds = int(step_seconds)
        self._until_event = until_event
        self._limits = (planets_max, neighbours_max, tuple(ship_counts))
        self._settings = {"rules": rules, "speed": speed, "systemsPerGalaxy": systems_per_galaxy}
        self._numbers = Numbers(as_arrays)
        self._host = host
        self._owns_host = host is None
        self._command = command
        self._random = random.Random()
        self._layout: Layout | None = None
        self._observation_spaces: dict[str, Any] = {}
        self._action_spaces: dict[str, Any] = {}
        self._world: HostedWorld | None = None
        self._wire: Wire | None = None
        self._seed = 0
        self._read_request = Request("POST", "/api/batch")
        self._dealing_reads: DealingReads
        self._began_at = self._now = datetime.min
        self._views: dict[str, View] = {}
        self._neighbours: dict[str, list[str]] = {}
        self._free: dict[str, list[tuple[str, Place]]] = {}
        self._places: dict[str, dict[str, Place]] = {}
        self._fields: dict[str, Fields] = {}
        self._situations: dict[str, Situation] = {}
        self._masks: dict[str, list[int]] = {}
        self._is_closed = False

    def __enter__(self) -> Environment:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Environment(agents={len(self.possible_agents)}, seed={self._seed}, world={self._world})"

    # What PettingZoo asks for.

    @property
    def num_agents(self) -> int:
        """The number of agents that take part now."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """The number of agents that can take part."""
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> Environment:
        """This environment: nothing is wrapped around it."""
        return self

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations; the same object each time. A Box of gymnasium, or one of this package."""
        return self._space(
            self._observation_spaces, agent, lambda layout: layout.numbers.box(0.0, VALUE_MAX, layout.observation_length)
        )

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions; the same object each time. A Discrete of gymnasium, or one of this package."""
        return self._space(self._action_spaces, agent, lambda layout: layout.numbers.discrete(layout.action_count))

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Observations, Infos]:
        """Begins an episode in a new world.

        The same seed gives the same world; without one, the seeds of the worlds follow from the last one that was given. Options
        are accepted, as PettingZoo wants it, and have no effect.
        """
        wire, exchange = self.resetting(seed)
        return wire.run(exchange)

    def step(self, actions: Actions) -> Steps:
        """Carries out an action of each agent, in the order of `agents`, and lets world time pass.

        An action that the mask excludes, or that the server refuses, does nothing: `infos[agent]["refusal"]` says why. Raises
        ValueError for a number that is not an action, and if an action is missing; nothing has happened then.
        """
        return self.wire.run(self.stepping(actions))

    def state(self) -> Any:
        """The observations of all agents, one after the other, as one vector."""
        features = self._known_layout().features
        values = [value for agent in self.possible_agents for value in features.values(self._situations[agent])]
        return self._numbers.vector(values)

    def render(self) -> str | None:
        """The ranking as text, if render_mode is "ansi"."""
        if self.render_mode is None:
            return None
        ranked = sorted(self._views, key=lambda agent: self._views[agent].rank)
        rows = [f"{view.rank:3} {agent:10} {view.points:12} points" for agent in ranked if (view := self._views[agent])]
        return "\n".join([f"seed {self._seed}, {format_instant(self.now)}", *rows])

    def close(self) -> None:
        """Ends the world, and the process if it is the environment's own and no fork uses it any more. Safe to call again."""
        if self._is_closed:
            return
        self._is_closed = True
        self.agents = []
        self._leave_world()
        if self._owns_host and self._host is not None:
            self._host.release()

    # What PettingZoo does not know.

    @property
    def features(self) -> list[Feature]:
        """The components of an observation, with their units."""
        return self._known_layout().features.features

    @property
    def actions(self) -> list[Action]:
        """The actions by their numbers."""
        return self._known_layout().actions.actions

    @property
    def views(self) -> Mapping[str, View]:
        """What each agent knows, as the server said it."""
        return self._views

    @property
    def now(self) -> datetime:
        """World time."""
        return self._now

    @property
    def host(self) -> Host:
        """The process that holds the world."""
        if self._is_closed:
            raise GalaxydError("host_failed", 0, "this environment is closed")
        if self._host is None:
            self._host = Host(self._command)
        return self._host

    def state_hash(self) -> str:
        """The hash of the whole world: equal worlds have equal hashes."""
        return str(self._ask(Request("GET", "/api/admin/state-hash"))["hash"])

    def fork(self) -> Environment:
        """A new environment whose world is as this one's is now, and goes its own way from then on. It shares the process."""
        other = copy.copy(self)
        other._random = copy.copy(self._random)
        other._free = {agent: list(free) for agent, free in self._free.items()}
        other.agents = list(self.agents)
        # Samples of one environment must not move those of another.
        other._action_spaces, other._observation_spaces = {}, {}
        other._world, other._wire = self.host.fork(self.world.number), None
        if self._owns_host:
            self.host.share()
        return other

    def snapshot(self) -> Snapshot:
        """Keeps the world as it is now, for restore(). It takes memory until it is closed."""
        return Snapshot(self.fork())

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back, or forward, to a snapshot of this environment or of a fork of it. The snapshot stays as it is."""
        if snapshot.kept.host is not self.host:
            raise ValueError("the snapshot was made by an environment with another host")
        other = snapshot.kept.fork()
        self._leave_world()
        spaces = {name: getattr(self, name) for name in ("_action_spaces", "_observation_spaces")}
        self.__dict__.update({**other.__dict__, **spaces})
        if self._owns_host:
            self.host.release()

    def stepping(self, actions: Actions) -> Exchange[Steps]:
        """step() as an exchange, for programs that drive many environments; see VectorEnvironment."""
        chosen = self._checked(actions)
        refusals: dict[str, str] = {}
        senders, operations = [], []
        table = self._required_layout().actions
        for agent, number in chosen.items():
            if not self._masks[agent][number]:
                refusals[agent] = "masked"
            elif (operation := table.operation(table.actions[number], self._situations[agent])) is not None:
                senders.append(agent)
                operations.append(operation)
        if operations:
            results = (yield batch_request(operations, is_minimal=True))["results"]
            for agent, result, operation in zip(senders, results, operations, strict=True):
                if "code" in result:
                    refusals[agent] = result["code"]
                self._forget_target(agent, operation)
        yield from self._advancing()
        before = self._views
        yield from self._reading()
        return self._outcome(before, refusals)

    def resetting(self, seed: int | None = None) -> tuple[Wire, Exchange[tuple[Observations, Infos]]]:
        """reset() as an exchange, and the connection to run it on."""
        if seed is not None:
            self._random.seed(_seed(seed))
        host = self.host
        self._seed = self._random.randint(0, SEED_MAX) if seed is None else _seed(seed)
        self._leave_world()
        self.agents = []
        self._world = host.open(seed=self._seed, **self._settings)
        return self.wire, self._populating()

    @property
    def wire(self) -> Wire:
        """The connection to its world, for programs that drive stepping(). Raises RuntimeError without a world."""
        if self._wire is None:
            self._wire = Wire(self.world, self.host.admin_key)
        return self._wire

    @property
    def world(self) -> HostedWorld:
        """Where the world is served, for other clients. Raises RuntimeError without a world."""
        if self._world is None:
            raise RuntimeError("this environment is closed" if self._is_closed else "call reset() first")
        return self._world

    # The parts of an episode.

    def _populating(self) -> Exchange[tuple[Observations, Infos]]:
        """Creates the players of a new world and looks at it."""
        order = {"count": len(self.possible_agents), "namePrefix": "agent"}
        created = (yield Request("POST", "/api/admin/players", encoded(order)))["players"]
        if self._layout is None:
            self._layout = self._layout_of((yield Request("GET", "/api/catalog")))
        reads = [f"/api/game/state/{player['id']}" for player in created]
        if "harvest" in self._layout.rules.missions:
            fields = [f"/api/game/fields/{player['planetId']}?limit=1" for player in created]
        else:
            fields = []
        self._dealing_reads = DealingReads(self._layout.rules, [player["id"] for player in created])
        paths = [*reads, "/api/leaderboard", *self._dealing_reads.paths, *fields]
        self._read_request = batch_request([_get(path) for path in paths])
        self._began_at = self._now = parse_instant((yield Request("GET", "/api/status"))["worldTime"])
        self._views = {}
        yield from self._reading()
        yield from self._exploring()
        self.agents = list(self.possible_agents)
        self._look()
        return self._observations(), self._infos({})

    def _exploring(self) -> Exchange[None]:
        """Finds the neighbours of each agent, and the free planets of its home system."""
        rules, neighbours_max = self._required_layout().rules, self._limits[1]
        agents = self.possible_agents
        self._neighbours = {agent: nearest(rules, agent, self._views, neighbours_max) for agent in agents}
        homes = {agent: self._views[agent].home for agent in agents}
        reads = [_get(f"/api/game/galaxy/{home.place.galaxy}/system/{home.place.system}") for home in homes.values()]
        systems: list[SystemView] = _bodies((yield batch_request(reads)))
        self._places = {agent: _places(system, homes[agent]) for agent, system in zip(agents, systems, strict=True)}
        self._free = {agent: _free_planets(system, homes[agent]) for agent, system in zip(agents, systems, strict=True)}

    def _advancing(self) -> Exchange[None]:
        """Lets world time pass: a step, or less if the episode ends before or something happens."""
        target = min(self._now + timedelta(seconds=self._step_seconds), self._began_at + self._episode)
        if self._until_event:
            timer = (yield Request("GET", "/api/status"))["nextTimerAt"]
            if timer is not None:
                target = min(target, max(self._now, parse_instant(timer)))
        moved = yield Request("POST", "/api/admin/clock/advance", encoded({"to": format_instant(target)}))
        self._now = parse_instant(moved["worldTime"])

    def _reading(self) -> Exchange[None]:
        """Reads the states of all agents, the ranking, dealings and fields, in one request."""
        agents = self.possible_agents
        bodies = _bodies((yield self._read_request))
        states, ranking, others = bodies[: len(agents)], bodies[len(agents)], bodies[len(agents) + 1 :]
        reads = self._dealing_reads
        dealings, fields = reads.dealings(others[: len(reads.paths)]), others[len(reads.paths) :]
        self._fields = dict(zip(agents, fields, strict=False))
        leaderboard: Leaderboard = ranking
        ranked = {entry["id"]: entry for entry in leaderboard["players"]}
        before, views = self._views, {}
        for agent, body, dealt in zip(agents, states, dealings, strict=True):
            state: Player = body
            entry = ranked[state["id"]]
            home = before[agent].home if agent in before else _home(state)
            views[agent] = View(self._now, state, entry["points"], entry["rank"], home, dealt)
        self._views = views

    def _look(self) -> None:
        """Works out what each agent sees and may do."""
        views = self._views
        day = (self._now - self._began_at).total_seconds() / _SECONDS_PER_DAY
        self._situations = {
            agent: Situation(
                view, [views[other] for other in self._neighbours[agent]], self._free[agent], self._home_field(agent), day
            )
            for agent, view in views.items()
        }
        table = self._required_layout().actions
        self._masks = {agent: table.mask(situation) for agent, situation in self._situations.items()}

    def _home_field(self, agent: str) -> HomeField | None:
        places = self._places[agent]
        for field in self._fields[agent]["fields"] if agent in self._fields else []:
            resources = cast(dict[str, int], field["resources"])
            if field["planetId"] in places and any(resources.values()):
                return HomeField(field["planetId"], places[field["planetId"]], resources)
        return None

    def _checked(self, actions: Actions) -> dict[str, int]:
        """The number of each agent's action. Raises ValueError."""
        if not self.agents:
            raise RuntimeError("the episode is over: call reset()")
        if unknown := [agent for agent in actions if agent not in self.agents]:
            raise ValueError(f"there is no agent {unknown[0]!r}; the agents are {', '.join(self.agents)}")
        count = self._required_layout().action_count
        checked = {}
        for agent in self.agents:
            if agent not in actions:
                raise ValueError(f"there is no action of {agent}; action 0 does nothing")
            try:
                number = operator.index(actions[agent])
            except TypeError:
                raise ValueError(f"the action of {agent} is {actions[agent]!r} and not a whole number") from None
            if not 0 <= number < count:
                raise ValueError(f"the action of {agent} is {number}; actions are from 0 to {count - 1}")
            checked[agent] = number
        return checked

    def _forget_target(self, agent: str, operation: Mapping[str, Any]) -> None:
        """The next colony ship flies elsewhere: this planet is taken soon, or by somebody else already."""
        body = operation["body"]
        if body.get("mission") == "colonize":
            self._free[agent] = [free for free in self._free[agent] if free[0] != body["targetPlanetId"]]

    def _outcome(self, before: Mapping[str, View], refusals: Mapping[str, str]) -> Steps:
        self._look()
        agents = self.agents
        rewards = {agent: float(self.reward(before[agent], self._views[agent])) for agent in agents}
        is_over = self._now >= self._began_at + self._episode
        observations, infos = self._observations(), self._infos(refusals)
        if is_over:
            self.agents = []
        return observations, rewards, dict.fromkeys(agents, False), dict.fromkeys(agents, is_over), infos

    def _observations(self) -> Observations:
        features, numbers = self._required_layout().features, self._numbers
        return {agent: numbers.vector(features.values(self._situations[agent])) for agent in self.agents}

    def _infos(self, refusals: Mapping[str, str]) -> Infos:
        return {
            agent: {
                "action_mask": self._numbers.mask(self._masks[agent]),
                "points": self._views[agent].points,
                "rank": self._views[agent].rank,
                "refusal": refusals.get(agent),
            }
            for agent in self.agents
        }

    # The server.

    def _leave_world(self) -> None:
        world, wire = self._world, self._wire
        self._world = self._wire = None
        if wire is not None:
            wire.close()
        if world is not None and self._host is not None and self._host.is_open:
            # If the world is gone already, the next request to it reports that.
            with suppress(GalaxydError):
                self._host.close_world(world.number)

    def _ask(self, request: Request) -> Any:
        self.wire.send(request)
        return self.wire.receive()

    # Spaces.

    def _layout_of(self, catalog: Any) -> Layout:
        return Layout(Rules(catalog), self._numbers, *self._limits)

    def _required_layout(self) -> Layout:
        assert self._layout is not None
        return self._layout

    def _known_layout(self) -> Layout:
        """Asks a world for its rules, if none was asked yet: spaces are needed before the first reset()."""
        if self._layout is None:
            world = self.host.open(**self._settings)
            wire = Wire(world, self.host.admin_key)
            wire.send(Request("GET", "/api/catalog"))
            self._layout = self._layout_of(wire.receive())
            wire.close()
            self.host.close_world(world.number)
        return self._layout

    def _space(self, spaces: dict[str, Any], agent: str, make: Callable[[Layout], Any]) -> Any:
        if agent not in self.possible_agents:
            raise ValueError(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}")
        if agent not in spaces:
            spaces[agent] = make(self._known_layout())
        return spaces[agent]


class Snapshot:
    """A world as it was, for Environment.restore()."""

    def __init__(self, kept: Environment) -> None:
        self.kept = kept
        """Holds the world, and is never stepped."""

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Gives the memory back."""
        self.kept.close()


def _seed(seed: int) -> int:
    number = operator.index(seed)
    if not 0 <= number <= SEED_MAX:
        raise ValueError(f"a seed is a whole number from 0 to {SEED_MAX}, not {number}")
    return number


def _get(path: str) -> dict[str, str]:
    return {"method": "GET", "path": path}


def _bodies(reply: Any) -> list[Any]:
    """The bodies of a batch of reads. Raises GalaxydError if one was refused."""
    results = reply["results"]
    for result in results:
        if result["status"] >= 400:
            raise problem_error(result["status"], result["body"])
    return [result["body"] for result in results]


def _home(state: Player) -> Home:
    first = state["planets"][0]
    return Home(first["id"], place_of(first))


def _free_planets(system: SystemView, home: Home) -> list[tuple[str, Place]]:
    """The planets of a system that nobody owns, the nearest first."""
    free = [planet for planet in system["planets"] if planet["owner"] is None]
    free.sort(key=lambda planet: abs(planet["slot"] - home.place.slot))
    places = _places(system, home)
    return [(planet["id"], places[planet["id"]]) for planet in free]


def _places(system: SystemView, home: Home) -> dict[str, Place]:
    """Where each planet of the home system is."""
    return {planet["id"]: Place(home.place.galaxy, home.place.system, planet["slot"]) for planet in system["planets"]}
