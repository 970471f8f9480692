"""What the clock brings to tournaments: see `owner.rounds`."""

from pbm_holomino.commands.context import Context
from pbm_holomino.match.tournament import Tournament
from pbm_holomino.owner import clocks
from pbm_holomino.owner.clocks import Step


class Clock(clocks.Clock):
    """Their rounds, which depend on accounts and boards."""

    def step(self, ledger: Tournament, context: Context) -> Step | None:
        """The next lines of its log. A process that dies before they are saved leaves
        nothing to be done twice."""
        from pbm_holomino.owner import rounds  # few servers have any

        return rounds.step(self.server, ledger)
