"""The commands that show boards and help pages, and what all that only ask have in
common; they return an answer."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from pbm_holomino import rules
from pbm_holomino.commands.allowance import MOST_BOARDS, Work
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.params import BOARD_FORMATS, PICTURES
from pbm_holomino.commands.request import Answer, Request, Shown
from pbm_holomino.errors import CorruptFile, NotAllowed
from pbm_holomino.letters import screen
from pbm_holomino.letters.board_forms import in_form
from pbm_holomino.letters.board_json import json_line, to_json
from pbm_holomino.letters.content import Block, Prose, Written, plain
from pbm_holomino.letters.forums import FORUM_FORMATS, formatted, page_of
from pbm_holomino.match.account import NO_NEW_PLAYERS, check_known
from pbm_holomino.match.board import Match
from pbm_holomino.sentences import RULE, fill, listed
from pbm_holomino.store.library import Library

if TYPE_CHECKING:
    pass

NEWCOMERS = {"commands", "signup", "tutorial"}  # help pages that say how to sign up

# The formats of an answer that is a letter, and what comes between boards in a format.
_SCREENS = ("text", *BOARD_FORMATS, *PICTURES)
_BETWEEN = {"json": "", "text": RULE, "small": RULE}

Wanted = tuple[str, int, int | None]  # a game, a board, and after which move


def help_page(request: Request, context: Context | None = None) -> Answer:
    """The pages on the subjects named, or the list of commands; no store is needed.
    Raises NotAllowed if they are to be written into a folder."""
    if request.options:
        raise NotAllowed("Only the owner of the server can have files written there.")
    from pbm_holomino.letters import help as pages  # few commands need it

    subjects = request.words or (request.game or "commands",)
    told: list[Block] = [
        Written(partial(pages.page, s)) for s in dict.fromkeys(subjects)
    ]
    takes_players = request.allowance.answers.takes_players
    if not takes_players and not NEWCOMERS.isdisjoint(subjects):
        told.insert(0, Prose(NO_NEW_PLAYERS))
    for block in told:
        request.allowance.work.whole(block.plain())
    return Answer.of(tuple((block,) for block in told))


def within(entries: Sequence[str], work: Work) -> str:
    """The entries of a list, each a line or more, for which the answer has room."""
    fitting = list(takewhile(work.has_room, entries))
    if len(fitting) == len(entries):
        return "".join(fitting)
    left = len(entries) - len(fitting)
    lines = "1 line is" if left == 1 else f"{left} lines are"
    rest = fill(f"{lines} left out: the answer to one mail can be no longer.")
    return "".join(fitting) + "\n" + rest


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
            f'"-format={request.format}" draws one board, and these are {len(wanted)}: '
            "please ask for each of them by its number, in a command of its own."
        )
    if len(wanted) == 1 and request.format in (PICTURES if damaged else _SCREENS):
        return _one_board(request, library, wanted[0], reader)
    text = boards_as_text(request, context, wanted, reader)
    if not text and request.format != "json":  # a program reads no lines as no boards
        whose = "You have" if reader else f"{listed(userids, 'or')} has"
        text = fill(
            f"{whose} {no_board(request.which, 'your' if reader else 'their')}."
        )
    return Answer(text + damage(damaged, request.format))


def _one_board(
    request: Request, library: Library, wanted: Wanted, reader: str | None
) -> Answer:
    """The answer that shows a single board. Raises CorruptFile, and NotAllowed without
    room."""
    work = request.allowance.work
    if not work.has_board(reader is not None):
        raise _all_left_out(1)
    match, is_past = _position(library, wanted)
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


def no_board(which: str, whose: str, title: str = "") -> str:
    """The phrase for an empty list of somebody's boards, of one game or of any."""
    games = f"{title} games".strip()
    kinds = {
        "all": f"{games} yet",
        "inactive": f"finished {games}",
        "next": f"{games} where it is {whose} turn",
    }
    return f"no {kinds.get(which, f'{games} in progress')}"


def damage(damaged: Iterable[CorruptFile], form: str = "text") -> str:
    """The sentences about damaged files under a list; in JSON there are none."""
    sentences = [fill(str(error)) for error in damaged]
    return "\n" + "".join(sentences) if sentences and form != "json" else ""


def boards_as_text(
    request: Request,
    context: Context,
    wanted: list[Wanted],
    reader: str | None,
    damaged_too: bool = True,
) -> str:
    """The boards for which the answer has room, each of them whole; with `damaged_too`,
    those that cannot be read are named."""
    fitting, left_out = _fitting(request, context, wanted, reader, damaged_too)
    if left_out and not fitting:
        raise _all_left_out(len(wanted))
    texts = [text for _, text in fitting]
    if left_out and request.format == "json":  # programs rely on one board per line
        fields = _fields(fitting[-1][0], reader)
        texts[-1] = json_line({**fields, "left_out": _numbers(left_out)})
    elif left_out:
        shown = f"These are {len(texts)} of {len(wanted)} boards"
        texts.append(fill(f"{shown}: name others by number."))
    return _BETWEEN.get(request.format, "\n").join(texts)


def _fitting(
    request: Request,
    context: Context,
    wanted: list[Wanted],
    reader: str | None,
    damaged_too: bool,
) -> tuple[list[tuple["_Found", str]], list[Wanted]]:
    """The boards for which the answer has room, with their texts, and those that are
    left out."""
    most = MOST_BOARDS if reader is None else len(wanted)
    fitting: list[tuple[_Found, str]] = []
    left_out = list(wanted)
    for one in wanted[:most]:
        if not request.allowance.work.has_board(reader is not None):
            break
        read = _read(context.library, one, damaged_too and len(wanted) == 1)
        if read.match is not None or damaged_too:
            lines = read.match.record.lines_for(reader) if read.match else 0
            if not request.allowance.work.has_lines(lines):
                break
            text = _formatted(read, reader, request.format, context.web)
            if not request.allowance.work.has_room(text):
                break
            fitting.append((read, text))
        del left_out[0]
    return fitting, left_out


def _all_left_out(wanted: int) -> NotAllowed:
    """The error for this many boards if the answer has room for none of them."""
    boards = "The board is" if wanted == 1 else f"All {wanted} boards are"
    return NotAllowed(
        f"{boards} left out: the answer to this mail has no room for more. Please ask "
        "in another mail."
    )


class _Found(NamedTuple):
    """A board to be shown, as it is or as it was in the `past`; or why it cannot be
    read."""

    game: str
    board: int
    match: Match | None = None
    past: bool = False
    error: str = ""


def _read(library: Library, wanted: Wanted, is_one: bool) -> _Found:
    """The wanted board. Raises CorruptFile if it is damaged and the only one."""
    game, board, _ = wanted
    try:
        return _Found(game, board, *_position(library, wanted))
    except CorruptFile as error:
        if is_one:
            raise
        return _Found(game, board, error=str(error))


def _position(library: Library, wanted: Wanted) -> tuple[Match, bool]:
    """The wanted board, and whether it is shown as it was in the past. Raises
    CorruptFile or NotFound."""
    game, board, ply = wanted
    now = library.shown(game, board)
    then = now if ply is None else now.after_ply(ply)
    return then, then.ply != now.ply


def _fields(found: _Found, reader: str | None) -> dict[str, Any]:
    if found.match is None:
        return {"game": found.game, "board": found.board, "error": found.error}
    return to_json(found.match, None if found.past else reader)


def _formatted(found: _Found, reader: str | None, form: str, web: str) -> str:
    """A board, or why it cannot be read, in this format. What is made for a forum shows
    nobody's secrets, whoever asks for it."""
    if form == "json":
        return json_line(_fields(found, reader))
    if found.match is None:
        return formatted(fill(found.error), form)
    if form in FORUM_FORMATS:
        link = page_of(web, found.match, found.past)
        return formatted(plain(screen.snapshot(found.match, found.past)), form, link)
    return plain(in_form(screen.screen(found.match, reader, found.past), form))


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
