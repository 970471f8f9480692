"""Who meets whom in a round of a tournament: pure functions of what came before."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pbm_holomino.named_tuples import NamedTuple

# Two players, of whom the first moves first, or one who has a bye in this round
Table = tuple[str, ...]


class Contender(NamedTuple):
    """A player who is to be paired."""

    name: str
    points: int = 0  # in halves
    met: Collection[str] = ()  # the opponents so far
    had_bye: bool = False
    balance: int = 0  # how often they have moved first less how often second
    last: int = 0  # which of the two they did last: 1, -1, or 0 before the first game


def rounds_of_robin(count: int) -> int:
    """How many rounds a round robin of so many players has."""
    return count - 1 + count % 2


def robin_round(players: Sequence[str], number: int) -> list[Table]:
    """A round of a round robin, counted from 1: over all rounds everybody meets
    everybody once, and nobody has the first move more than once more, or less, often
    than the second.

    The players are those of a circle and, if they are even in number, one who stays
    apart (J. Berger's tables, FIDE Handbook C.05, annex 1).
    """
    even = len(players) + len(players) % 2
    circle, last = even - 1, even - 1
    tables = []
    for one in range(circle):
        other = (number - 1 - one) % circle
        if one == other:
            pair = (one, last) if one < even // 2 else (last, one)
        elif one > other:
            continue
        else:
            pair = (one, other) if (one + other) % 2 else (other, one)
        tables.append(tuple(players[at] for at in pair if at < len(players)))
    return tables


def rounds_of_swiss(count: int) -> int:
    """How many rounds leave at most one of so many players without a loss."""
    return (count - 1).bit_length()


def swiss_round(ranked: Sequence[Contender]) -> list[Table] | None:
    """A round of a Swiss tournament for these players, the best first: the one of all
    rounds in which nobody meets an opponent again that has the least cost. None if
    there is no such round. Raises NotAllowed without the library that finds it."""
    size = len(ranked)
    pairs = _cheapest_pairs(_costs(ranked))
    if 2 * len(pairs) < size:
        return None
    tables = [
        (ranked[one].name,)
        if other == size
        else _seated(ranked[one], ranked[other], number)
        for number, (one, other) in enumerate(pairs)
    ]
    return sorted(tables, key=len, reverse=True)  # the bye comes last


def library() -> Any:
    """What finds the rounds of Swiss tournaments. Raises NotAllowed if it is not
    installed."""
    from pbm_holomino.extras import needed  # few commands ask

    with needed("tournament", "Swiss tournaments need networkx. Please install it."):
        import networkx
    return networkx


def _cheapest_pairs(costs: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """As many of these pairs as are possible with nobody in two of them, for the least
    sum of their costs."""
    networkx = library()
    graph = networkx.Graph()
    graph.add_weighted_edges_from((*pair, cost) for pair, cost in costs.items())
    found = networkx.min_weight_matching(graph)
    return sorted((min(pair), max(pair)) for pair in found)


def _costs(ranked: Sequence[Contender]) -> dict[tuple[int, int], int]:
    """What each possible table costs, by the places of its players; that of a bye has
    the number of players in the place of the second.

    Together they put first that, of an odd number, the bye goes to the last player who
    has not had one; then that the differences in points, squared, have the least sum;
    then that those who have had the first move too often meet those who have had it too
    rarely; and last that within a group of equal points the upper half meets the lower,
    in their order.
    """
    size = len(ranked)
    groups = _groups(ranked)
    # more than what all places, and then all first moves too, can come to
    step = size**3 + 1
    far = step * (1 + size * max((p.balance**2 for p in ranked), default=0))
    costs: dict[tuple[int, int], int] = {}
    for one, player in enumerate(ranked):
        for other in range(one + 1, size):
            if ranked[other].name in player.met:
                continue
            gap = player.points - ranked[other].points
            distance = 0 if gap else len(groups[player.points]) // 2
            clash = max(0, player.balance * ranked[other].balance)
            place = (other - one - distance) ** 2
            costs[one, other] = gap**2 * far + clash * step + place
    if size % 2:
        bye = max(costs.values(), default=0) * size + 1  # more than all pairs
        for one, player in enumerate(ranked):
            if not player.had_bye:
                costs[one, size] = (size - 1 - one) * bye
    return costs


def _groups(ranked: Sequence[Contender]) -> dict[int, list[str]]:
    """The names of the players by their points."""
    groups: dict[int, list[str]] = {}
    for player in ranked:
        groups.setdefault(player.points, []).append(player.name)
    return groups


def _seated(one: Contender, other: Contender, number: int) -> Table:
    """The two players of a table, the one first who has less often had the first move,
    or did not have it last; otherwise the better player, and the other at every second
    table."""
    before, after = ((p.balance, p.last) for p in (one, other))
    is_first = before < after if before != after else number % 2 == 0
    return (one.name, other.name) if is_first else (other.name, one.name)
