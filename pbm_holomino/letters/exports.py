"""What players take away: their account, and the records of their games, in files.

"help export" describes the files. Nothing in them is secret to anybody else: of an
account they hold what is listed here, and of a board what everybody may read, and what
the player alone has planned there.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pbm_holomino.errors import CorruptFile
from pbm_holomino.letters.board_json import json_line, mine, public_record
from pbm_holomino.match import account, notebook
from pbm_holomino.match.account import WORDS, AccountLine, Kind, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.notebook import Notebook
from pbm_holomino.match.record import SHELL, format_line
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store import yaml

if TYPE_CHECKING:
    from pbm_holomino.store.summary import Summary

KIND = "application/zip"
BY_MAIL = 7_000_000  # bytes: as part of a mail, 10 MB
MOST_BY_MAIL = 2_000  # games, which take some seconds to read
# What is taken of an account's file, as it is there: no hash of a password, and nothing
# with which somebody could act for the player.
SHOWN = (
    *("userid", "status", "addresses", "bounces", "letters", "moves", "format"),
    *("threads", "digest", "broadcasts", "profile", "languages", "zones"),
    *("vacations", "blocked", "follows", "muted"),
)


class File(NamedTuple):
    """A file: its name, when what is in it last changed, and its content."""

    name: str
    time: str
    content: bytes


def account_file(player: Player, now: str) -> File:
    """What is kept of an account."""
    data = account.to_data(player)
    told = {name: data[name] for name in SHOWN if name in data}
    told["log"] = [format_line(_told(line)) for line in player.log]
    written = [line.no or 0 for line in player.log if line.action.kind in WORDS]
    told["texts"] = {str(no): player.notes[no] for no in written if no in player.notes}
    return File("account.yaml", now, yaml.dump(told))


def _told(line: AccountLine) -> AccountLine:
    """A line of an account's log without the id of the mail that brought it, and
    without addresses of others."""
    kind, words = line.action
    if kind is not Kind.ADDRESSES:
        words = tuple(word for word in words if "@" not in word)
    return line._replace(source=SHELL, action=line.action._replace(words=words))


def games(
    boards: Iterable["Summary"], match: Callable[[str, int], Match], who: str
) -> Iterator[File]:
    """The records of these boards as everybody may read them, each with what the player
    has planned there, without those that are damaged."""
    for board in boards:
        try:
            found = match(board.game, board.board)
        except CorruptFile:
            continue
        name, time = f"{board.game}-{board.board}", board.last_change
        yield File(f"games/{name}.yaml", time, yaml.dump(public_record(found)))
        if found.result is None and (plans := mine(found, who)):
            yield File(f"plans/{name}.json", time, json_line(plans).encode())


def notes(found: Iterable[Notebook]) -> Iterator[File]:
    """A player's own notes, each of them on a board."""
    for each in found:
        data = notebook.to_data(each)
        told = {name: data[name] for name in ("game", "board", "nodes", "notes")}
        name = f"notes/{each.game}-{each.board}.yaml"
        yield File(name, each.log[-1].time, yaml.dump(told))


class Packed(NamedTuple):
    """A ZIP file, and whether all is in it that should be."""

    content: bytes
    is_whole: bool = True


def packed(files: Iterable[File], most: int | None = None) -> Packed:
    """These files as one ZIP file; of about `most` bytes, if that is given, with the
    first files that fit."""
    buffer, is_whole = BytesIO(), True
    with ZipFile(buffer, "w", ZIP_DEFLATED) as packing:
        for name, time, content in files:
            is_whole = most is None or buffer.tell() + len(content) <= most
            if not is_whole:
                break
            packing.writestr(_info(name, time), content)
    return Packed(buffer.getvalue(), is_whole)


def _info(name: str, time: str) -> ZipInfo:
    numbers: Any = tuple(map(int, re.findall("[0-9]+", time)[:6]))
    info = ZipInfo(name, numbers)
    info.compress_type = ZIP_DEFLATED
    return info


def by_mail(
    player: Player,
    now: str,
    boards: Sequence["Summary"],
    match: Callable[[str, int], Match],
    noted: Iterable[Notebook] = (),
) -> Packed:
    """What fits into a letter of a player's account, notes and games, those in front
    that changed last."""
    latest = sorted(boards, key=lambda board: board.last_change, reverse=True)
    records = games(latest[:MOST_BY_MAIL], match, player.userid)
    told = chain([account_file(player, now)], notes(noted), records)
    found = packed(told, BY_MAIL)
    return found._replace(is_whole=found.is_whole and len(boards) <= MOST_BY_MAIL)
