"""A log as everybody may read it, in numbers and hashes, from which tokens are made."""

import hashlib
from collections.abc import Iterable
from typing import Any

from pbm_holomino.match.record import PRIVATE, LogLine, format_line
from pbm_holomino.named_tuples import NamedTuple


class Place(NamedTuple):
    """What a token says of a line: its number, and a hash of the log up to it."""

    number: int
    hash: str


class HashedLog(NamedTuple):
    """The place of each line among those that everybody may read; one that only its
    player knows of has that of the last one before it. It grows with its log: a line
    more is one step. `has_all` says whether everybody may read all lines as they are.
    """

    places: tuple[Place, ...] = ()
    sha: Any = hashlib.sha256()  # of those lines; it is copied before it goes on
    has_all: bool = True

    def with_lines(
        self, lines: Iterable[tuple[LogLine[Any], LogLine[Any]]]
    ) -> "HashedLog":
        """The same with more lines, each as it is, and as everybody was told of it."""
        sha, places, has_all = self.sha.copy(), [*self.places], self.has_all
        for line, told in lines:
            if line.action in PRIVATE:
                places.append(places[-1])
            else:
                number = places[-1].number + 1 if places else 0
                sha.update(_bytes(told))
                places.append(Place(number, sha.hexdigest()))
            has_all = has_all and line is told and line.action not in PRIVATE
        return HashedLog(tuple(places), sha, has_all)


def hashes(lines: Iterable[LogLine[Any]], first: str = "") -> list[str]:
    """A hash of what comes first and of lines of a log, up to each of these lines."""
    sha, digests = hashlib.sha256(first.encode()), []
    for line in lines:
        sha.update(_bytes(line))
        digests.append(sha.hexdigest())
    return digests


def _bytes(line: LogLine[Any]) -> bytes:
    return f"{format_line(line)}\n".encode("utf-8", "surrogatepass")
