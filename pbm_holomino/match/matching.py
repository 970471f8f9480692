"""The heaviest matching in a weighted graph, by Edmonds' blossom algorithm.

It takes time of the order of n cubed, as in Z. Galil, "Efficient algorithms for finding
maximum matching in graphs", ACM Computing Surveys 18 (1986), pages 23-38. What is dual
to the weights is counted in halves, so that all numbers are whole.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

Weights = Mapping[tuple[int, int], int]  # of the edges, by their ends


def perfect_matching(size: int, weights: Weights) -> dict[int, int] | None:
    """Pairs that cover the vertices 0 to `size` - 1, so that their weights (0 or more)
    have the greatest sum: for each vertex, the other of its pair. None if no such pairs
    are among the edges."""
    # so heavy that one edge more outweighs everything else
    enough = 1 + sum(sorted(weights.values(), reverse=True)[: size // 2])
    search = _Search(size, {edge: w + enough for edge, w in weights.items()})
    while search.grows():
        pass
    mates = search.mates()
    return mates if len(mates) == size else None


class _Label(Enum):
    """What a node is in the forest of alternating paths from the unmatched ones."""

    FREE = "in no tree"
    OUTER = "at an even distance from its root"
    INNER = "at an odd distance from its root"


class _Edge(NamedTuple):
    """An edge between two vertices, seen from the node that has the first."""

    start: int
    end: int

    def back(self) -> "_Edge":
        return _Edge(self.end, self.start)


class _Search:
    """A matching that grows by an edge at a time. A node is a vertex, or a blossom: an
    odd circle of nodes that is taken as one, whose number is `size` or more."""

    def __init__(self, size: int, weights: Weights) -> None:
        self._size = size
        self._weights: dict[_Edge, int] = {}
        self._near: list[list[int]] = [[] for _ in range(size)]
        for (a, b), weight in weights.items():
            for edge in (_Edge(a, b), _Edge(b, a)):
                self._weights[edge] = weight
                self._near[edge.start].append(edge.end)
        heaviest = max(weights.values(), default=0)
        self._dual = dict.fromkeys(range(size), heaviest)
        self._top = {vertex: vertex for vertex in range(size)}  # outermost node of each
        self._circle: dict[int, list[int]] = {}  # by blossom: its nodes, base first
        self._round: dict[int, list[_Edge]] = {}  # the edges between them, in order
        self._mate: dict[int, _Edge] = {}  # by node: the matched edge that leaves it
        self._next = size

    def mates(self) -> dict[int, int]:
        """For each matched vertex, the other of its pair."""
        return {v: self._mate[v].end for v in range(self._size) if v in self._mate}

    # One stage: the matching gets an edge more, unless it is the heaviest

    def grows(self) -> bool:
        """Match two more vertices; whether that is possible."""
        self._label = dict.fromkeys(self._nodes(), _Label.FREE)
        self._parent: dict[int, _Edge] = {}  # by node: the edge that leads to its root
        self._queue: deque[int] = deque()
        for node in self._nodes():
            if node not in self._mate:
                self._make_outer(node)
        if not self._queue:
            return False
        while True:
            while self._queue:
                vertex = self._queue.popleft()
                for end in self._near[vertex]:
                    edge = _Edge(vertex, end)
                    if self._slack(edge) == 0 and self._use(edge):
                        return True
            if not self._adjust():
                return False

    def _nodes(self) -> list[int]:
        """The nodes that are in no blossom."""
        return list(dict.fromkeys(self._top.values()))

    def _vertices(self, node: int) -> Iterator[int]:
        if node < self._size:
            yield node
        else:
            for inner in self._circle[node]:
                yield from self._vertices(inner)

    def _slack(self, edge: _Edge) -> int:
        """How far an edge is from being tight, in halves."""
        duals = self._dual[edge.start] + self._dual[edge.end]
        return duals - 2 * self._weights[edge]

    def _make_outer(self, node: int) -> None:
        self._label[node] = _Label.OUTER
        self._queue.extend(self._vertices(node))

    def _use(self, edge: _Edge) -> bool:
        """Let the forest grow by a tight edge that leaves an outer vertex. Whether the
        matching has become greater by it."""
        here, there = self._top[edge.start], self._top[edge.end]
        if here == there:
            return False
        if self._label[there] is _Label.FREE:
            self._label[there] = _Label.INNER
            self._parent[there] = edge.back()
            mate = self._mate[there]
            after = self._top[mate.end]
            self._parent[after] = mate.back()
            self._make_outer(after)
        elif self._label[there] is _Label.OUTER:
            paths = self._path(here), self._path(there)
            if paths[0][-1] != paths[1][-1]:
                self._augment(edge)
                self._augment(edge.back())
                return True
            self._shrink(edge, *paths)
        return False

    def _path(self, node: int) -> list[int]:
        """The nodes from this one to its root."""
        path = [node]
        while path[-1] in self._parent:
            path.append(self._top[self._parent[path[-1]].end])
        return path

    def _augment(self, edge: _Edge) -> None:
        """Match along the path from the start of an edge to its root, beginning with
        this edge."""
        while True:
            node = self._top[edge.start]
            up = self._parent.get(node)
            self._match(node, edge)
            if up is None:
                return
            inner = self._top[up.end]
            edge = self._parent[inner]
            self._match(inner, edge)
            edge = edge.back()

    def _match(self, node: int, edge: _Edge) -> None:
        """Match a node by an edge that leaves it; in a blossom, its nodes change
        pairs."""
        self._mate[node] = edge
        if node < self._size:
            return
        circle, round_ = self._circle[node], self._round[node]
        at = next(i for i, n in enumerate(circle) if edge.start in self._vertices(n))
        self._match(circle[at], edge)
        circle = self._circle[node] = circle[at:] + circle[:at]
        round_ = self._round[node] = round_[at:] + round_[:at]
        for first in range(1, len(circle), 2):
            self._match(circle[first], round_[first])
            self._match(circle[first + 1], round_[first].back())

    def _shrink(self, edge: _Edge, here: list[int], there: list[int]) -> None:
        """Make a blossom of the circle that an edge closes between two paths to one
        root."""
        base = next(node for node in here if node in there)
        down = here[: here.index(base)]  # the first has the edge's start
        up = there[: there.index(base)]
        blossom, self._next = self._next, self._next + 1
        self._circle[blossom] = [base, *reversed(down), *up]
        leading = [self._parent[node].back() for node in reversed(down)]
        leaving = [self._parent[node] for node in up]
        self._round[blossom] = [*leading, edge, *leaving]
        for vertex in self._vertices(blossom):
            self._top[vertex] = blossom
        if base in self._mate:
            self._mate[blossom] = self._mate[base]
        if base in self._parent:
            self._parent[blossom] = self._parent[base]
        self._dual[blossom] = 0
        self._make_outer(blossom)

    # The duals

    def _adjust(self) -> bool:
        """Change the duals by as much as their bounds allow, so that another edge
        becomes tight or a blossom opens; whether the search goes on."""
        label = {v: self._label[self._top[v]] for v in range(self._size)}
        outer = [v for v in label if label[v] is _Label.OUTER]
        free, joining = [], []
        for vertex in outer:
            for end in self._near[vertex]:
                edge = _Edge(vertex, end)
                if label[end] is _Label.FREE:
                    free.append(self._slack(edge))
                elif label[end] is _Label.OUTER and self._top[end] != self._top[vertex]:
                    joining.append(self._slack(edge))
        inner = [n for n in self._blossoms() if self._label[n] is _Label.INNER]
        bounds = [*free, *(slack // 2 for slack in joining)]
        bounds += [self._dual[node] // 2 for node in inner]
        step = min(bounds, default=None)
        if step is None or step >= min(self._dual[v] for v in outer):
            return False
        for vertex, is_ in label.items():
            self._dual[vertex] += _VERTEX_STEP[is_] * step
        for node in self._blossoms():
            self._dual[node] -= 2 * _VERTEX_STEP[self._label[node]] * step
        for node in inner:
            if self._dual[node] == 0:
                self._expand(node)
        self._queue.extend(v for v in label if self._is_outer(v))
        return True

    def _is_outer(self, vertex: int) -> bool:
        return self._label[self._top[vertex]] is _Label.OUTER

    def _blossoms(self) -> list[int]:
        return [node for node in self._nodes() if node >= self._size]

    def _expand(self, blossom: int) -> None:
        """Open an inner blossom: the part of its circle that lies on the path stays in
        the tree, the rest is free."""
        circle, round_ = self._circle.pop(blossom), self._round.pop(blossom)
        for node in circle:
            self._label[node] = _Label.FREE
            self._parent.pop(node, None)
            for vertex in self._vertices(node):
                self._top[vertex] = node
        entry = self._parent.pop(blossom)
        self._mate.pop(blossom)
        at = circle.index(self._top[entry.start])
        if at % 2:  # from here to the base the even way is forward
            way = [*circle[at:], circle[0]]
            edges = round_[at:]
        else:
            way = circle[at::-1]
            edges = [round_[i].back() for i in range(at - 1, -1, -1)]
        self._label[way[0]] = _Label.INNER
        self._parent[way[0]] = entry
        for (before, node), edge in zip(pairwise(way), edges, strict=True):
            self._parent[node] = edge.back()
            if self._label[before] is _Label.INNER:
                self._make_outer(node)
            else:
                self._label[node] = _Label.INNER
        after = self._top[self._mate[circle[0]].end]
        self._parent[after] = self._mate[circle[0]].back()


_VERTEX_STEP = {_Label.OUTER: -1, _Label.INNER: 1, _Label.FREE: 0}
