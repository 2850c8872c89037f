"""Worlds to train agents in: an environment of the shape of PettingZoo's ParallelEnv, many of them side by side, and forks for
tree search. It starts its server by itself and needs only the standard library; numpy and gymnasium are used if they
are installed.

    from galaxyd.training import Environment

    with Environment(agents=4) as environment:
        observations, infos = environment.reset(seed=7)
        while environment.agents:
            actions = {agent: environment.action_space(agent).sample() for agent in environment.agents}
            observations, rewards, terminations, truncations, infos = environment.step(actions)
"""

from .actions import Action
from .environment import Environment, Snapshot
from .features import Feature
from .hosts import Host
from .spaces import Box, Discrete
from .vector import VectorEnvironment, make_many
from .views import View, log_points_gained, points_gained

__all__ = [
    "Action",
    "Box",
    "Discrete",
    "Environment",
    "Feature",
    "Host",
    "Snapshot",
    "VectorEnvironment",
    "View",
    "log_points_gained",
    "make_many",
    "points_gained",
]
