"""The commands that show boards and help pages, and what all that only ask have in
common; they return an answer."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, count, takewhile
from typing import Any

from pbm_holomino import rules
from pbm_holomino.commands.allowance import MOST_BOARDS, Work
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.params import BOARD_FORMATS, PICTURES
from pbm_holomino.commands.request import Answer, Request, Shown
from pbm_holomino.errors import CorruptFile, NotAllowed
from pbm_holomino.languages import Either, Text, of_number, sentence
from pbm_holomino.letters import screen
from pbm_holomino.letters.board_forms import in_form
from pbm_holomino.letters.content import (
    BLANK,
    Block,
    Content,
    Lines,
    Paragraph,
    Part,
    Printed,
    Rule,
    Table,
    Written,
    content,
    plain,
    proved,
)
from pbm_holomino.letters.forums import FORUM_FORMATS, formatted, page_of
from pbm_holomino.match.account import check_known
from pbm_holomino.match.board import Match
from pbm_holomino.match.deadlines import waits
from pbm_holomino.match.letter_ids import MOST_NAMED
from pbm_holomino.match.tokens import token_now
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.library import Library

NEWCOMERS = {"commands", "signup", "tutorial"}  # help pages that say how to sign up

# The formats of an answer that is a letter
_SCREENS = ("text", *BOARD_FORMATS, *PICTURES)
_RULED = ("text", "small")  # the formats in which a line is between boards

# What is said where a list has no boards: to a player of their own, and of others
_YOU_HAVE_NONE = {
    "all": sentence("You have no games yet."),
    "active": sentence("You have no games in progress."),
    "inactive": sentence("You have no finished games."),
    "next": sentence("You have no games where it is your turn."),
}
_HAS_NONE = {
    "all": sentence("{players} has no games yet."),
    "active": sentence("{players} has no games in progress."),
    "inactive": sentence("{players} has no finished games."),
    "next": sentence("{players} has no games where it is their turn."),
}
# What is said where an answer has no room
_LINES_LEFT_OUT = of_number(
    "{n} line is left out: the answer to one mail can be no longer.",
    "{n} lines are left out: the answer to one mail can be no longer.",
)
_THESE = sentence("These are {number} of {all} boards: name others by number.")
_ALL_LEFT_OUT = of_number(
    "The board is left out: the answer to this mail has no room for more. Please ask "
    "in another mail.",
    "All {n} boards are left out: the answer to this mail has no room for more. Please "
    "ask in another mail.",
)

Wanted = tuple[str, int, int | None]  # a game, a board, and after which move


def help_page(request: Request, context: Context | None = None) -> Answer:
    """The pages on the subjects named, or the list of commands; no store is needed.
    Raises NotAllowed if they are to be written into a folder."""
    if request.options:
        raise NotAllowed(
            sentence("Only the owner of the server can have files written there.")
        )
    from pbm_holomino.letters import help as pages  # few commands need it

    subjects = request.words or (request.game or "commands",)
    parts: list[Part] = [
        (Written(partial(pages.page, each), partial(pages.told, each)),)
        for each in dict.fromkeys(subjects)
    ]
    why_none = request.allowance.answers.no_players
    if why_none and not NEWCOMERS.isdisjoint(subjects):
        parts.insert(0, (Paragraph(why_none),))
    for part in parts:
        request.allowance.work.whole(plain((part,)))
    return Answer.of(in_form(content(*parts), request.format))


def within(entries: Sequence[Block], work: Work) -> Part:
    """The entries of a list, each a line or more, for which the answer has room."""
    fitting = tuple(takewhile(lambda entry: work.has_room(entry.plain()), entries))
    return (*fitting, *_left_out(len(entries) - len(fitting)))


def table_within(whole: Table, work: Work) -> Part:
    """A table as far as the answer has room for it; nothing where it has no rows."""
    if not whole.rows:
        return ()
    lines = whole.plain().splitlines(keepends=True)
    fitting = sum(1 for _ in takewhile(work.has_room, lines))
    if fitting == len(lines):
        return (whole,)
    return whole._replace(many=fitting), *_left_out(len(lines) - fitting)


def _left_out(lines: int) -> Part:
    return (BLANK, Paragraph(_LINES_LEFT_OUT.of(n=lines))) if lines else ()


def show(request: Request, context: Context) -> Answer:
    """Boards, as they are or as they were, or all those of some players; for a player
    who gives a password, with what only they may see."""
    library, reader = context.library, request.userid or None
    userids = [reader] if reader else list(dict.fromkeys(request.words))
    damaged: list[CorruptFile] = []
    wanted: list[Wanted]
    wanted = [(request.game, board, ply) for board, ply in request.boards]
    if not wanted:
        check_known(userids, library.knows)
        games = [request.game] if request.game else rules.names()
        found = library.lists.boards_of(userids, request.which or "active", games)
        wanted = [(summary.game, summary.board, None) for summary in found.boards]
        damaged = found.damaged
    if request.format in PICTURES and len(wanted) > 1:
        raise NotAllowed(
            sentence(
                '"-format={form}" draws one board, and these are {number}: please ask '
                "for each of them by its number, in a command of its own.",
                form=request.format,
                number=len(wanted),
            )
        )
    if len(wanted) == 1 and request.format in (PICTURES if damaged else _SCREENS):
        return _one_board(request, context, wanted[0], reader)
    if request.format == "json":  # a program reads no lines as no boards
        return Answer(boards_as_json(request, context, wanted, reader))
    shown, waiting = _boards(request, context, wanted, reader)
    if not shown:
        none = _YOU_HAVE_NONE if reader else _HAS_NONE
        said = none[request.which or "active"].of(players=Either(userids))
        shown = ((Paragraph(said),),)
    told = content(*shown, damage(damaged))
    return Answer.of(told)._replace(waiting=waiting)


def _one_board(
    request: Request, context: Context, wanted: Wanted, reader: str | None
) -> Answer:
    """The answer that shows a single board. Raises CorruptFile, and NotAllowed without
    room."""
    work = request.allowance.work
    if not work.has_board(reader is not None):
        raise _all_left_out(1)
    match, is_past = _position(context.library, wanted)
    match = context.people.with_wish(match, reader, is_past)
    shown = screen.screen(match, reader, is_past, by_reply=request.by_letter)
    said = in_form(shown, "large" if request.is_large else request.format)
    lines = match.record.lines_for(reader)
    if not work.has_lines(lines) or not work.has_room(plain(said)):
        raise _all_left_out(1)
    answer = Answer.of(said, board=None if is_past else Shown(match, reader, said))
    return illustrated(answer, request, match, is_past)


def illustrated(
    answer: Answer, request: Request, match: Match, is_past: bool = False
) -> Answer:
    """The answer with a picture of its board, if one is wanted. Raises NotAllowed if
    that cannot be drawn."""
    if request.format not in PICTURES:
        return answer
    from pbm_holomino.letters.images import attachment  # few want pictures

    file = attachment(match, request.userid or None, request.format, is_past)
    return answer._replace(attachments=(file,))


def damage(damaged: Iterable[CorruptFile]) -> Part:
    """The sentences about damaged files under a list."""
    return tuple(Paragraph(error.said) for error in damaged)


def _boards(
    request: Request, context: Context, wanted: list[Wanted], reader: str | None
) -> tuple[Content, tuple[Match, ...]]:
    """The boards for which the answer has room, each of them whole, and those that a
    player can name in a reply to it: they wait for the player, who gets it as a letter.
    Those that cannot be read are named."""
    form, web, numbers = request.format, context.web, count()

    def is_waiting(match: Match) -> bool:
        return request.by_letter and request.userid in waits(match)

    def shown(found: _Found) -> Content:
        if found.match is not None:
            wished = context.people.with_wish(found.match, reader, found.past)
            found = found._replace(match=wished)
        if found.match is None or found.past or not request.by_letter:
            return _formatted(found, reader, form, web)
        is_named = is_waiting(found.match) and next(numbers) < MOST_NAMED
        told = _formatted(found, reader, form, web, is_named)
        token = token_now(context.library.key, found.match, request.userid)
        return proved(told, token)

    fitting, left_out = _fitting(request, context, wanted, reader, shown)
    boards = [board for _, board in fitting]
    if left_out:
        said = _THESE.of(number=len(boards), all=len(wanted))
        boards.append(((Paragraph(said),),))
    present = [found.match for found, _ in fitting if found.match and not found.past]
    told = ruled(boards) if form in _RULED else tuple(chain.from_iterable(boards))
    return told, tuple(filter(is_waiting, present))[:MOST_NAMED]


def ruled(contents: Iterable[Content]) -> Content:
    """Contents one after the other, with a line between them."""
    return tuple(part for each in contents for part in ((Rule(),), *each))[1:]


def boards_as_json(
    request: Request,
    context: Context,
    wanted: list[Wanted],
    reader: str | None,
    damaged_too: bool = True,
) -> str:
    """The same for programs, which rely on one board per line; with `damaged_too`,
    those that cannot be read are named."""
    from pbm_holomino.letters.board_json import json_line  # most readers are people

    def shown(found: _Found) -> Content:
        return ((Lines(json_line(_fields(found, reader))),),)

    fitting, left_out = _fitting(request, context, wanted, reader, shown, damaged_too)
    lines = [plain(line) for _, line in fitting]
    if left_out:
        fields = _fields(fitting[-1][0], reader)
        lines[-1] = json_line({**fields, "left_out": _numbers(left_out)})
    return "".join(lines)


def _fitting(
    request: Request,
    context: Context,
    wanted: list[Wanted],
    reader: str | None,
    shown: "Callable[[_Found], Content]",
    damaged_too: bool = True,
) -> tuple[list[tuple["_Found", Content]], list[Wanted]]:
    """The boards for which the answer has room, as they are `shown`, and those that are
    left out. Raises NotAllowed if all of them are."""
    work = request.allowance.work
    most = MOST_BOARDS if reader is None else len(wanted)
    fitting: list[tuple[_Found, Content]] = []
    left_out = list(wanted)
    for one in wanted[:most]:
        if not work.has_board(reader is not None):
            break
        read = _read(context.library, one, damaged_too and len(wanted) == 1)
        if read.match is not None or damaged_too:
            lines = read.match.record.lines_for(reader) if read.match else 0
            if not work.has_lines(lines):
                break
            board = shown(read)
            if not work.has_room(plain(board)):
                break
            fitting.append((read, board))
        del left_out[0]
    if left_out and not fitting:
        raise _all_left_out(len(wanted))
    return fitting, left_out


def _all_left_out(wanted: int) -> NotAllowed:
    """The error for this many boards if the answer has room for none of them."""
    return NotAllowed(_ALL_LEFT_OUT.of(n=wanted))


class _Found(NamedTuple):
    """A board to be shown, as it is or as it was in the `past`; or why it cannot be
    read."""

    game: str
    board: int
    match: Match | None = None
    past: bool = False
    error: Text = ""


def _read(library: Library, wanted: Wanted, is_one: bool) -> _Found:
    """The wanted board. Raises CorruptFile if it is damaged and the only one."""
    game, board, _ = wanted
    try:
        return _Found(game, board, *_position(library, wanted))
    except CorruptFile as error:
        if is_one:
            raise
        return _Found(game, board, error=error.said)


def _position(library: Library, wanted: Wanted) -> tuple[Match, bool]:
    """The wanted board, and whether it is shown as it was in the past. Raises
    CorruptFile or NotFound."""
    game, board, ply = wanted
    now = library.shown(game, board)
    then = now if ply is None else now.after_ply(ply)
    return then, then.ply != now.ply


def _fields(found: _Found, reader: str | None) -> dict[str, Any]:
    if found.match is None:
        return {"game": found.game, "board": found.board, "error": str(found.error)}
    from pbm_holomino.letters.board_json import to_json

    return to_json(found.match, None if found.past else reader)


def _formatted(
    found: _Found, reader: str | None, form: str, web: str, is_named: bool = False
) -> Content:
    """A board, or why it cannot be read, in this format, for a reader who can name it
    in a reply, or cannot. What is made for a forum shows nobody's secrets, whoever asks
    for it."""
    if found.match is None:
        return for_forum(((Paragraph(found.error),),), form)
    if form in FORUM_FORMATS:
        link = page_of(web, found.match, found.past)
        return for_forum(screen.snapshot(found.match, found.past), form, link)
    name = f"{found.match.record.name} " if is_named else ""
    return in_form(screen.screen(found.match, reader, found.past, name=name), form)


def for_forum(told: Content, form: str, link: str = "") -> Content:
    """A content in the format of a forum, with a link to a page of ours if there is
    one; as it is in any other."""
    if form not in FORUM_FORMATS:
        return told
    return ((Printed(told, partial(formatted, form=form, link=link)),),)


def _numbers(boards: Sequence[Wanted]) -> dict[str, list[int]]:
    """The numbers of boards, by game."""
    games = dict.fromkeys(game for game, _, _ in boards)
    return {game: [no for name, no, _ in boards if name == game] for game in games}


def read_board(request: Request, library: Library) -> Match:
    """The match that a question is about."""
    request.allowance.work.ask_board(bool(request.userid))
    match = library.shown(request.game, request.board)
    request.allowance.work.read_lines(match.record.lines_for(request.userid or None))
    return match
