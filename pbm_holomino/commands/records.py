"""The commands that list boards, tell how they were played, and prove their draws."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbm_holomino import rules
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.params import BOARD_FORMATS
from pbm_holomino.commands.queries import (
    Wanted,
    boards_as_json,
    damage,
    for_forum,
    illustrated,
    read_board,
    within,
)
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import (
    Day,
    Either,
    InUtc,
    Moment,
    Sentence,
    Text,
    sentence,
    together,
)
from pbm_holomino.letters import screen
from pbm_holomino.letters.board_forms import in_form
from pbm_holomino.letters.board_json import json_line, public_record, to_json
from pbm_holomino.letters.board_list import board_line
from pbm_holomino.letters.content import (
    BLANK,
    WRITES,
    Block,
    Lines,
    Linked,
    Paragraph,
    Words,
    content,
    heard,
    plain,
)
from pbm_holomino.letters.forums import FORUM_FORMATS, page_of
from pbm_holomino.match import replay
from pbm_holomino.match.account import check_known
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Line
from pbm_holomino.match.verdicts import ended
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store import yaml
from pbm_holomino.store.library import Library

if TYPE_CHECKING:
    from pbm_holomino.store.summary import Summary

_LAST_RESULTS = 20
_AS_KEPT = ("json", "yaml")  # formats for programs


# What is said where a list of a game's boards is empty: of all boards, and of players'
_NONE = {
    "all": sentence("No {game} games yet."),
    "active": sentence("No {game} games in progress."),
    "inactive": sentence("No {game} games have ended yet."),
    "next": sentence("No {game} games wait for a move."),
}
_HAS_NONE = {
    "all": sentence("{players} has no {game} games yet."),
    "active": sentence("{players} has no {game} games in progress."),
    "inactive": sentence("{players} has no finished {game} games."),
    "next": sentence("{players} has no {game} games where it is their turn."),
}


def games(request: Request, context: Context) -> Answer:
    """A list of boards, one per line."""
    library, which = context.library, request.which or "active"
    listing = library.lists.boards_of(request.words, which, [request.game])
    check_known(request.words, library.knows)
    boards = [
        Linked((board_line(summary),), f"{summary.game} show {summary.board}")
        for summary in context.people.in_lists(listing.boards)
    ]
    shown = within(boards or [_no_game(request, which)], request.allowance.work)
    return Answer.of(content(shown, damage(listing.damaged)))


def _no_game(request: Request, which: str) -> Block:
    """The sentence for an empty list of a game's boards."""
    none = (_HAS_NONE if request.words else _NONE)[which]
    title = rules.load(request.game).TITLE
    return Paragraph(none.of(game=title, players=Either(request.words)))


def _ended(summary: "Summary") -> Block:
    head = together([Day(summary.last_change), f"{summary.name:12} "], "  ")
    line = Paragraph(summary.verdict, head, " " * 12)
    return Linked((line,), f"{summary.game} history {summary.board}")


def history(request: Request, context: Context) -> Answer:
    """The record of a board, or the latest results of the game."""
    library, form = context.library, request.format
    if request.boards:
        match = read_board(request, library)
        if match.result and form not in _AS_KEPT:
            match = context.people.named(match)
        review = _reviewed(library, match) if match.result else _NO_REVIEW
        answer = _record(match, review, request, context)
        return illustrated(answer, request, match)
    found = library.lists.last_ended(request.game, _LAST_RESULTS)
    if form == "json":
        wanted: list[Wanted]
        wanted = [(b.game, b.board, None) for b in reversed(found.boards)]
        return Answer(boards_as_json(request, context, wanted, None, damaged_too=False))
    boards = list(map(_ended, context.people.in_lists(found.boards)))
    shown = within(boards or [_no_game(request, "inactive")], request.allowance.work)
    whole = content(shown, damage(found.damaged))
    return Answer.of(for_forum(whole, form))


class _Reviewed(NamedTuple):
    """What a review says of lines of the log, and the same for programs."""

    comments: Mapping[int, Text] = {}
    fields: Mapping[str, Any] = {}


_NO_REVIEW = _Reviewed()


def _reviewed(library: Library, match: Match) -> _Reviewed:
    """What a robot has said about a game that is over, if anybody has asked it."""
    from pbm_holomino.store import reviews  # most boards are not over

    found = reviews.find(library.store, match)
    if found is None:
        return _NO_REVIEW
    from pbm_holomino.letters import reviews as letters

    comments = {each.line: letters.comment(match, each) for each in found.moves}
    return _Reviewed(comments, {"review": letters.to_json(match, found)})


def _record(
    match: Match, review: _Reviewed, request: Request, context: Context
) -> Answer:
    """A board's record in the format that a request names, with a review's comments and
    the notes that its reader may see."""
    form, work = request.format, request.allowance.work
    noted = _noted(match, request, context)
    if form == "json":
        lines = map(match.public_line, match.moves)
        moves = [f"{line.who} {line.action}" for line in lines]
        more = {**review.fields, **(noted.fields if noted else {})}
        fields = {**to_json(match), "moves": moves, **more}
        return Answer(work.whole(json_line(fields)))
    if form == "yaml":
        return Answer(work.whole(yaml.dump(public_record(match)).decode("utf-8")))
    blocks: list[Block] = [*screen.title(match), Paragraph(_IN_UTC)]
    said = match.said
    for index in range(len(match.record.log)):
        comment = review.comments.get(index, "")
        blocks += _told(match, index, comment, said.get(index, ""))
    if match.result is not None:
        blocks.append(Paragraph(ended(match)))
    is_for_forum = form in FORUM_FORMATS
    blocks.append(Paragraph(screen.seal(match, is_short=is_for_forum), fine=True))
    blocks += noted.blocks if noted else ()
    told = content(within(blocks, work))
    if form in BOARD_FORMATS:
        board = in_form(screen.boards(match), form)
        told += board if work.has_room(plain(board)) else ()
    link = page_of(context.web, match) if is_for_forum else ""
    return Answer.of(for_forum(told, form, link))


class _Noted(NamedTuple):
    """The notes that a reader may see, and the same for programs."""

    blocks: Sequence[Block]
    fields: Mapping[str, Any]


def _noted(match: Match, request: Request, context: Context) -> _Noted | None:
    """The notes beside the history of a board; None if none can be there."""
    reader = request.userid if request.password else None
    if match.result is None and reader is None:
        return None  # nobody has published any
    from pbm_holomino.commands import notes  # few histories have any
    from pbm_holomino.letters import notes as letters

    found = notes.to_show(context.library, match, reader)
    blocks = [b for each in found for b in (BLANK, *letters.told(each, match, reader))]
    return _Noted(blocks, letters.in_fields(found, match))


def _told(match: Match, index: int, comment: Text, said: str) -> Iterator[Block]:
    """What a line of the log did, with a robot's comment and what was said with it, if
    there are any."""
    line = match.record.log[index]
    head, margin = _head(line), _MARGIN
    events: Sequence[Sentence]
    events = [*map(_in_utc, screen.sentences(match, match.steps[index].events, None))]
    if index == match.record.began:
        events = [_BEGINS, *events]
    elif not index:
        events = [_OPENED.of(player=match.record.challenger)]
    if events:  # what players plan has none
        yield Paragraph(together(events), head)
    if comment:
        yield Paragraph(comment, margin)
    if said:  # with its time if it is the first of what the line brought
        writes = Paragraph(WRITES.of(player=line.who), margin if events else head)
        indent, is_robot = f"{margin}  ", line.who in match.record.robots
        yield writes
        yield Paragraph(heard(said), indent) if is_robot else Words(said, indent)


def _in_utc(said: Sentence) -> Sentence:
    """The same, with its times in UTC, as that at the beginning of the line is."""
    return said.of(**{at: InUtc(v) for at, v in said.values if isinstance(v, Moment)})


def _head(line: Line) -> Sentence:
    """The number of a line and its time, which is in UTC for every reader."""
    no = "" if line.no is None else str(line.no)
    return together([f"{no:>4} ", Day(line.time[:10]), f"{line.time[11:16]}  "])


_MARGIN = " " * 24  # below these
_IN_UTC = sentence("Times are in UTC.")
_BEGINS = sentence("The game begins.")
_OPENED = sentence("{player} opened a challenge to anybody.")


def verify(request: Request, context: Context) -> Answer:
    """Every draw of a finished board, repeated from its seed."""
    match = context.people.named(read_board(request, context.library))
    name = match.record.name
    if not match.shows_seed:
        raise NotAllowed(
            sentence(
                "{board} is not over yet, and its seed is secret until then. Its seal "
                "is {seal}.",
                board=name,
                seal=match.record.seal,
            )
        )
    seed = screen.SEED.of(seed=match.record.seed.hex())
    blocks: list[Block] = [
        Paragraph(_PROVED.of(board=name)),
        Paragraph(screen.seal(match), fine=True),
        Paragraph(seed, fine=True),
        BLANK,
        Paragraph(_COLUMNS),
    ]
    draws = replay.draws(match.record)
    request.allowance.work.read_lines(sum(len(drawn) for _, drawn in draws))
    for line, drawn in draws:
        blocks.append(Paragraph(_draws_for(match, line)))
        blocks += [Lines(f"{no:4}  {place:5}  {size:5}\n") for no, place, size in drawn]
    how = Paragraph(together([_HOW_DRAWN, match.rules.DRAWN]))
    blocks += [BLANK, how, *_about_clocks(match)]
    return Answer.of(content(within(blocks, request.allowance.work)))


def _about_clocks(match: Match) -> Iterator[Block]:
    """Whether all clocks ran out as the log says."""
    if match.record.clock is None:
        return
    from pbm_holomino.match.clocks import flags  # few boards have them

    said = [
        (_RAN_OUT if "" < end <= line.time else _TOO_EARLY).of(
            player=line.who, end=Moment(end or line.time), time=Moment(line.time)
        )
        for line, end in flags(match)
    ]
    yield Paragraph(together(said or [_NO_CLOCK_RAN_OUT]))


_RAN_OUT = sentence(
    "By the lines of the log {player} had time until {end}, and ran out of time on "
    "{time}: not too early."
)
_TOO_EARLY = sentence(
    "The log says that {player} ran out of time on {time}. By its other lines that was "
    "too early."
)
_NO_CLOCK_RAN_OUT = sentence("No clock ran out.")

_PROVED = sentence(
    "{board}: no draw was changed. The seal is the SHA-256 of the seed, and the moves, "
    "played again with draws from the seed, lead to the same end."
)
# translators: above columns of numbers, which are 4, 5 and 5 characters wide
_COLUMNS = sentence("draw  place  among")
_HOW_DRAWN = sentence(
    "A draw is HMAC-SHA-256 of its number with the seed as key, read as a big-endian "
    "number, modulo the number of things to draw from. The result is the place, "
    "counted from 0, of what is drawn among these things in ascending order."
)
_SEATS = sentence("The seats:")
_START = sentence("The start:")
_MOVE = sentence("Move {number}:")


def _draws_for(match: Match, index: int | None) -> Sentence:
    """The heading of some draws: the line of the log that caused them, or the seats."""
    if index is None:
        return _SEATS
    line, step = match.record.log[index], match.steps[index]
    events = screen.sentences(match, step.events, None)
    if line.no is None:
        return together(events)
    return together([_MOVE.of(number=line.no) if line.no else _START, *events])
