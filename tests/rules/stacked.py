"""Draws that a test lays out beforehand."""

from pbm_holomino.rules.chance import Chance


class Stacked(Chance):
    """Draws that were laid out beforehand: `seed` holds their indices."""

    def draw(self, drawn: int, size: int) -> tuple[int, int]:
        assert self.seed[drawn] < size
        return self.seed[drawn], drawn + 1
