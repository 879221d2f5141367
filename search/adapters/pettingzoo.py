"""The games as PettingZoo environments in which agents take turns (AEC); needs the extra ``pettingzoo``.

::

    from mess.search.adapters import pettingzoo

    env = pettingzoo.env("odin", players=4)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

An observation is ``{"observation": float32[length], "action_mask": int8[actions]}``: what the agent's seat may see, as
the game's module describes it, and which actions are legal, none where another agent is to act. Rewards come at the
end: 1 for the winner, and -1 shared by the others, so that they sum to 0; in meeple stacking alone, the points. Dice,
deals and hands that slip are decided inside, by the seed. An illegal action ends the game, with -1 for who chose it.
"""

import io
import secrets
from typing import Any

import numpy as np

from ...solver.errors import InputError
from ...solver.rng import stream
from ..faces import face
from ..screen import console
from .moments import Moment, Space

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise InputError(
        "pettingzoo", "expected PettingZoo to be installed: pip install 'smallest-mess[pettingzoo]'"
    ) from None

ILLEGAL = -1.0
"""Reward of who chooses an illegal action."""


class RawEnv(AECEnv, EzPickle):
    """A game without the wrappers of ``env``: an illegal action is an error.

    Attributes:
        moment: the position, hidden cards included; None before the first ``reset``.
    """

    metadata = {"render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 - as PettingZoo wants it

    def __init__(self, game: str, render_mode: str | None = None, **rules: Any) -> None:
        """See ``env``."""
        EzPickle.__init__(self, game, render_mode, **rules)
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise InputError("render_mode", f"expected ansi or None, got {render_mode!r}")
        self.space = Space(game, **rules)
        self.metadata = self.metadata | {"name": f"mess_{game}"}
        self.render_mode = render_mode
        self.moment: Moment | None = None
        self.possible_agents = [f"player_{seat}" for seat in range(self.space.players)]
        self.agents = self.possible_agents[:]
        self.action_spaces = {agent: Discrete(self.space.actions) for agent in self.agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0.0, 1.0, (self.space.length,), np.float32),
                    "action_mask": Box(0, 1, (self.space.actions,), np.int8),
                }
            )
            for agent in self.agents
        }

    def observation_space(self, agent: str) -> Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game; the same seed gives the same deal, dice and slips, none a random one. Options are ignored."""
        seed = secrets.randbits(62) if seed is None else int(seed)
        self._chance = stream(seed, "chance")
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on(self.space.deal(seed))

    def _go_on(self, moment: Moment) -> None:
        """Let chance decide what it has to, then tell whose turn it is, or what the game came to."""
        self.moment = moment = moment.settled(self._chance)
        if moment.is_over:
            self.rewards = dict(zip(self.possible_agents, moment.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[moment.to_act]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees, and which of its actions are legal now."""
        assert self.moment is not None, "reset the environment first"
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self.space.actions, dtype=np.int8)
        if self.moment.to_act == seat:
            mask[self.moment.actions()] = 1
        return {"observation": self.moment.vector(seat), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play an action of the agent whose turn it is; None where its game is over.

        Raises:
            InputError: the action is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self.moment is not None
        if action not in self.moment.actions():
            raise InputError("action", f"expected one with a 1 in the action mask, got {action!r}")
        self._cumulative_rewards[agent] = 0.0
        self._go_on(self.moment.after(int(action)))
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """The whole position as text, hidden cards included; None without the mode ``ansi``."""
        if self.render_mode is None or self.moment is None:
            return None
        file = io.StringIO()
        console(file, plain=True).print(face(self.space.name).picture(self.moment.position.to_dict(), plain=True))
        return file.getvalue()

    def close(self) -> None:
        """Nothing is held open."""


def env(game: str, render_mode: str | None = None, **rules: Any) -> AECEnv:
    """A game as an environment.

    Args:
        game: its name: flaming, odin, pylos or meeples.
        render_mode: ``"ansi"`` for ``render`` to return text.
        rules: those that differ from the defaults, such as ``players``.

    Raises:
        InputError: no such game or rule, or a value out of range.
    """
    raw = wrappers.TerminateIllegalWrapper(RawEnv(game, render_mode, **rules), illegal_reward=ILLEGAL)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))
