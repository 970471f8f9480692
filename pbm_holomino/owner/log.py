"""`pbm log`: what happened to a mail or on a board, from the log of mails.

Lines are read one by one, and no more is kept than is shown: a log may have any number
of lines, and any content.
"""

import os
import re
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from shlex import join
from typing import BinaryIO

from pbm_holomino import rules
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import BadCommand, NotAllowed, NotFound, StoreTrouble
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import fill, listed, number_of
from pbm_holomino.server import journal
from pbm_holomino.server.journal import Line
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import open_home

MOST_SHOWN = 1000  # lines, the last ones
MOST_BYTES = 2000  # of a line
_PIECE = 1 << 16
_ID = r"([0-9a-f]{16})(?:/[0-9]+)?"  # as boards have it: with the number of a command


class Query(NamedTuple):
    """Which lines are wanted: those about a board, `holo 12`, or about the mail with an
    id; all of them if both are empty."""

    board: str = ""
    id: str = ""

    @property
    def name(self) -> str:
        """What the lines are about, in a sentence."""
        return self.board or f"the mail {self.id}"

    def has(self, line: Line) -> bool:
        """Whether a line is wanted."""
        if self.id:
            return line.id == self.id
        game, _, rest = line.asked.partition(" ")
        asked = f"{game} {rest.rpartition(' ')[2]}"  # "Re: ..." is about no board
        return not self.board or asked == self.board

    @property
    def sign(self) -> bytes:
        """What every wanted line has in it."""
        return (self.id or self.board.partition(" ")[2]).encode()


class Excerpt(NamedTuple):
    """The last of the lines that are wanted, what came of all of them, and the longest
    time that one took, in milliseconds."""

    lines: deque[Line]
    verdicts: Counter[str]
    longest: int


def run(request: Request) -> Answer:
    """The lines about a board or a mail, or all of them; then what they come to."""
    query = _query(request.words)
    with _read_from(request) as files:
        excerpt = _excerpt(_lines(files), query)
    number = excerpt.verdicts.total()
    if not number:
        about = f" about {query.name}" if request.words else ""
        raise NotFound(f"The log has no line{about}.{_where_else(query)}")
    if "json" in request.options:
        return Answer("".join(f"{line.as_json()}\n" for line in excerpt.lines))
    shown = "".join(f"{line.as_text()}\n" for line in excerpt.lines)
    came = [f"{count} {verdict}" for verdict, count in excerpt.verdicts.most_common()]
    summary = f"{number_of(number, 'line')}: {listed(came)}."
    if number > len(excerpt.lines):
        summary += f" Only the last {len(excerpt.lines)} are shown."
    if number > 1:
        summary += f" The longest took {excerpt.longest} ms."
    return Answer(f"{shown}\n{fill(summary + _where_else(query), whole_words=True)}")


def _query(words: Iterable[str]) -> Query:
    """What was asked for. Raises BadCommand."""
    typed = [word.lower() for word in words]
    if not typed:
        return Query()
    if typed[0] in rules.names() and len(typed) == 2:
        number = typed[1].lstrip("#")
        if re.fullmatch("[1-9][0-9]{0,8}", number):
            return Query(board=f"{typed[0]} {number}")
    if len(typed) == 1:
        (word,) = words
        if match := re.fullmatch(_ID, word):
            return Query(id=match[1])
        if "@" in word:
            whole = f"<{word.strip('<>')}>"
            return Query(id=sha256(whole.encode("utf-8", "replace")).hexdigest()[:16])
    raise BadCommand(
        "Please name a board, such as holo 12, or a mail: by the 16 digits that the "
        "log and the files of boards have, or by its Message-ID in quotes.",
        "log",
    )


def _where_else(query: Query) -> str:
    """Where the rest about a board is."""
    if not query.board:
        return ""
    game, number = query.board.split()
    return (
        " The log is about mails alone; what was typed or done on pages, too, is in "
        f'the record: "{game} history {number}".'
    )


def _excerpt(lines: Iterator[bytes], query: Query) -> Excerpt:
    """What the lines say."""
    shown, verdicts = deque[Line](maxlen=MOST_SHOWN), Counter[str]()
    longest, sign = 0, query.sign
    for raw in lines:
        if sign in raw and (line := parsed(raw)) and query.has(line):
            shown.append(line)
            verdicts[line.verdict] += 1
            longest = max(longest, line.ms)
    return Excerpt(shown, verdicts, longest)


# The files


@contextmanager
def _read_from(request: Request) -> Iterator[list[BinaryIO]]:
    """What to read, the oldest first. Raises PbmError."""
    if "stdin" in request.options:
        if sys.stdin is None:
            raise NotAllowed("There is nothing to read: standard input is closed.")
        yield [sys.stdin.buffer]
        return
    config = open_home().config
    if not config.log:
        raise NotAllowed(
            "The lines about mails go to the system's log, as the setting log names no "
            "file. They can be read from there:",
            f"journalctl -t pbm -o short-iso | pbm log --stdin {join(request.words)}",
        )
    with opened(config) as files:
        if not files:
            raise NotFound(f"There is no {config.log} yet: the next mail makes it.")
        yield files[::-1]


@contextmanager
def opened(config: Config) -> Iterator[list[BinaryIO]]:
    """The files of the log, the newest first, each of them once: they may be renamed
    meanwhile. Raises StoreTrouble."""
    files = dict[tuple[int, int], BinaryIO]()
    with ExitStack() as stack:
        for path in journal.files(config.log):
            try:
                file = stack.enter_context(open(path, "rb"))
            except FileNotFoundError:
                continue
            except OSError as error:
                raise StoreTrouble(
                    f"The log {path} cannot be read: {error.strerror}."
                ) from None
            status = os.fstat(file.fileno())
            files.setdefault((status.st_dev, status.st_ino), file)
        yield [*files.values()]


def _lines(files: Iterable[BinaryIO]) -> Iterator[bytes]:
    for file in files:
        yield from lines_of(file)


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, without those that are too long to be ours."""
    with suppress(OSError):  # a disk that fails, or a folder
        while line := file.readline(MOST_BYTES):
            if line.endswith(b"\n") or len(line) < MOST_BYTES:
                yield line
                continue
            while (rest := file.readline(_PIECE)) and not rest.endswith(b"\n"):
                pass


def parsed(raw: bytes) -> Line | None:
    """A line of the log, if it is one."""
    return journal.read(raw.decode("ascii", "replace").rstrip("\r\n"))
