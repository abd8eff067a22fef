"""Rewards of an attempt on an arm: by its verdict and by the evidence it brought."""

from pydantic import Field

from forager.domain.base import Frozen
from forager.domain.experience import Outcome


class Reward(Frozen):
    """What an attempt adds to its arm's α and β, and whether it retires the arm."""

    alpha: float = Field(0.0, ge=0)
    beta: float = Field(0.0, ge=0)
    retired: bool = False


class Rewards(Frozen):
    """A reward scheme: a fixed reward for each outcome, plus one in proportion to the gain.

    The gain, in [0, 1], is how much newly accepted evidence an attempt brought.
    """

    adequate: Reward = Reward()
    partial: Reward = Reward()
    feasible: Reward = Reward()
    infeasible: Reward = Reward(retired=True)
    gain: float = Field(0.0, ge=0, description="weight of the gain: α + gain, β + 1 - gain")
    dry: int | None = Field(None, ge=1, description="attempts without gain that retire an arm")

    def reward_attempt(self, outcome: Outcome, gain: float = 0.0, dry: int = 0) -> Reward:
        """The reward of one attempt, after `dry` earlier attempts on the arm brought nothing.

        If gain counts, an outcome does not retire an arm that still brings evidence.
        """
        fixed: Reward = getattr(self, outcome)
        gain = min(1.0, max(0.0, gain))
        brings = self.gain > 0 and gain > 0
        dried = self.dry is not None and gain == 0 and dry + 1 >= self.dry
        return Reward(
            alpha=fixed.alpha + self.gain * gain,
            beta=fixed.beta + self.gain * (1 - gain),
            retired=dried or (fixed.retired and not brings),
        )


MANGO_REWARDS = Rewards(
    adequate=Reward(alpha=1, retired=True),
    partial=Reward(alpha=1),
    feasible=Reward(alpha=1),
    infeasible=Reward(beta=1, retired=True),
)
"""The updates of Mango's paper. β of an active arm never grows, so a lenient reflector locks in."""
FORAGER_REWARDS = Rewards(gain=1.0, dry=2)
"""Learns from evidence alone, so that neither a lenient nor a strict reflector skews the draw."""
_LAST = Reward(retired=True)
ONCE_REWARDS = Rewards(adequate=_LAST, partial=_LAST, feasible=_LAST, infeasible=_LAST)
"""Visits each arm once; with the greedy strategy this is Mango's baseline without a bandit."""
REWARDS = {"mango": MANGO_REWARDS, "forager": FORAGER_REWARDS, "once": ONCE_REWARDS}
