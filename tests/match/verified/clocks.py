"""The clocks of a record, as "help record" describes them."""

import re
from collections.abc import Collection
from datetime import datetime

from tests.match.verified.base import Record, must

_UNITS = {"h": 3600, "d": 86_400}


def moment(time: str) -> int:
    """A time in seconds."""
    return int(datetime.fromisoformat(time).timestamp())


class Clocks:
    """The clocks of players, line by line, in seconds."""

    def __init__(self, record: Record) -> None:
        found = re.fullmatch(
            r"(\d+[dh])(?:\+(\d+[dh]))?(?:/(\d+[dh]))?", record["clock"]
        )
        assert found
        spans = (found[1], found[2] or "0d", found[3] or "365d")
        bank, self.adds, self.most = (int(s[:-1]) * _UNITS[s[-1]] for s in spans)
        people = [p for p in record["players"] if p not in record.get("robots", [])]
        asked = {*people} - {record["challenger"]}
        self.asked = set() if "tournament" in record else asked
        self.left = dict.fromkeys(people, bank)
        self.since: dict[str, int] = {}
        self.added: list[tuple[str, int]] = []
        self.away: dict[str, list[tuple[int, int]]] = {p: [] for p in people}
        self.outages: dict[str, list[tuple[int, int]]] = {p: [] for p in people}
        self.pauses: list[tuple[int, int]] = []

    def still(self, who: str) -> list[tuple[int, int]]:
        return [*self.away[who], *self.outages[who], *self.pauses]

    def ran(self, who: str, time: int) -> int:
        """For how many seconds a clock has run in this turn."""
        since, still = self.since[who], self.still(who)
        ends = sorted({since, time, *(end for spell in still for end in spell)})
        ends = [end for end in ends if since <= end <= time]
        return sum(
            until - begin
            for begin, until in zip(ends, ends[1:], strict=False)
            if not any(first <= begin < last for first, last in still)
        )

    def forfeits(self, who: str, time: int) -> None:
        """A player may run out of time now."""
        must(who in self.since, f"no clock of {who} runs")
        must(self.ran(who, time) >= self.left[who], f"{who} has time left")
        is_still = any(first <= time < last for first, last in self.still(who))
        must(not is_still, f"the clock of {who} stands still")

    def excuse(self, who: str, why: str, first: str, last: str) -> None:
        begin, end = moment(first), moment(last)
        must(begin <= end, f"{why} ends before it begins")
        if why == "outage":
            self.outages[who].append((begin, end))
            return
        must(why == "vacation", f"an unknown reason: {why}")
        had = [(one, min(other, begin)) for one, other in self.away[who]]
        self.away[who] = [*(spell for spell in had if spell[0] < begin), (begin, end)]

    def pause(self, time: int, days: int) -> None:
        self.pauses.append((time, time + days * _UNITS["d"]))

    def line(
        self, who: str, time: int, what: str, plies: int, turn: Collection[str]
    ) -> None:
        """A line after which so many moves count and it is the turn of these."""
        moves = not what.startswith("!")
        if moves or what in ("!accept", "!join", "!resign", "!forfeit"):
            self.asked.discard(who)
        for player in [*self.since]:
            is_back = plies < len(self.added)
            if is_back or player not in turn or (moves and player == who):
                self.left[player] = max(0, self.left[player] - self.ran(player, time))
                del self.since[player]
        while plies < len(self.added):
            player, added = self.added.pop()
            if player in self.left:
                self.left[player] = max(0, self.left[player] - added)
        if moves:
            had = self.left.get(who, self.most)
            self.added.append((who, min(self.adds, self.most - had)))
            if who in self.left:
                self.left[who] = min(self.most, had + self.adds)
            self.pauses = [(begin, min(end, time)) for begin, end in self.pauses]
        for player in turn if not self.asked else ():
            if player in self.left:
                self.since.setdefault(player, time)
