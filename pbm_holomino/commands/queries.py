"""The commands that only look at the store; they return an answer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from pbm_holomino import rules
from pbm_holomino.commands.allowance import MOST_BOARDS, Work
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.params import BOARD_FORMATS, PICTURES
from pbm_holomino.commands.refusals import board_shown, refusal
from pbm_holomino.commands.request import Answer, Request, Shown
from pbm_holomino.errors import CorruptFile, NotAllowed, Refused
from pbm_holomino.languages import together
from pbm_holomino.letters import screen
from pbm_holomino.letters.board_forms import in_form
from pbm_holomino.letters.board_json import json_line, to_json
from pbm_holomino.letters.board_list import board_line
from pbm_holomino.letters.content import Paragraph, content, indented, plain
from pbm_holomino.letters.forums import FORUM_FORMATS, formatted, page_of
from pbm_holomino.match import record, replay
from pbm_holomino.match.account import NO_NEW_PLAYERS, check_known
from pbm_holomino.match.board import Match, verdict
from pbm_holomino.match.record import SHELL
from pbm_holomino.sentences import RULE, fill, listed, quoted
from pbm_holomino.store import yaml
from pbm_holomino.store.library import Library
from pbm_holomino.store.summary import Summary

NEWCOMERS = {"commands", "signup", "tutorial"}  # help pages that say how to sign up
_LAST_RESULTS = 20

# The formats of an answer that is a letter, and what comes between boards in a format.
_SCREENS = ("text", *BOARD_FORMATS, *PICTURES)
_BETWEEN = {"json": "", "text": RULE, "small": RULE}

_Wanted = tuple[str, int, int | None]  # a game, a board, and after which move


def help_page(request: Request, context: Context | None = None) -> Answer:
    """The pages on the subjects named, or the list of commands; no store is needed.
    Raises NotAllowed if they are to be written into a folder."""
    if request.options:
        raise NotAllowed("Only the owner of the server can have files written there.")
    from pbm_holomino.letters import help as pages  # few commands need it

    subjects = request.words or (request.game or "commands",)
    texts = list(map(pages.page, dict.fromkeys(subjects)))
    takes_players = request.allowance.answers.takes_players
    if not takes_players and not NEWCOMERS.isdisjoint(subjects):
        texts.insert(0, fill(NO_NEW_PLAYERS))
    return Answer("\n".join(map(request.allowance.work.whole, texts)))


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
    wanted: list[_Wanted]
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
    shown = _shown(request, context, wanted, reader)
    if not shown and request.format != "json":  # a program reads no lines as no boards
        whose = "You have" if reader else f"{listed(userids, 'or')} has"
        shown = fill(
            f"{whose} {_no_board(request.which, 'your' if reader else 'their')}."
        )
    return Answer(shown + damage(damaged, request.format))


def _one_board(
    request: Request, library: Library, wanted: _Wanted, reader: str | None
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
    return _illustrated(answer, request, match, is_past)


def _illustrated(
    answer: Answer, request: Request, match: Match, is_past: bool = False
) -> Answer:
    """The answer with a picture of its board, if one is wanted. Raises NotAllowed if
    that cannot be drawn."""
    if request.format not in PICTURES:
        return answer
    from pbm_holomino.letters.images import attachment  # few want pictures

    file = attachment(match, request.userid or None, request.format, is_past)
    return answer._replace(attachments=(file,))


def _no_board(which: str, whose: str, title: str = "") -> str:
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


def _shown(
    request: Request,
    context: Context,
    wanted: list[_Wanted],
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
    wanted: list[_Wanted],
    reader: str | None,
    damaged_too: bool,
) -> tuple[list[tuple["_Found", str]], list[_Wanted]]:
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


def _read(library: Library, wanted: _Wanted, is_one: bool) -> _Found:
    """The wanted board. Raises CorruptFile if it is damaged and the only one."""
    game, board, _ = wanted
    try:
        return _Found(game, board, *_position(library, wanted))
    except CorruptFile as error:
        if is_one:
            raise
        return _Found(game, board, error=str(error))


def _position(library: Library, wanted: _Wanted) -> tuple[Match, bool]:
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


def _numbers(boards: Sequence[_Wanted]) -> dict[str, list[int]]:
    """The numbers of boards, by game."""
    games = dict.fromkeys(game for game, _, _ in boards)
    return {game: [no for name, no, _ in boards if name == game] for game in games}


def games(request: Request, context: Context) -> Answer:
    """A list of boards, one per line."""
    library, which = context.library, request.which or "active"
    found = library.lists.boards_of(request.words, which, [request.game])
    check_known(request.words, library.knows)
    lines = [board_line(summary) for summary in found.boards]
    text = within(lines or [_no_game(request, which)], request.allowance.work)
    return Answer(text + damage(found.damaged, request.format))


def _no_game(request: Request, which: str) -> str:
    """The sentence for an empty list of a game's boards."""
    title = rules.load(request.game).TITLE
    if not request.words:
        return fill(f"No {title} games {_NO_GAME[which]}.")
    whose = listed(request.words, "or")
    return fill(f"{whose} has {_no_board(which, 'their', title)}.")


_NO_GAME = {
    "all": "yet",
    "active": "in progress",
    "inactive": "have ended yet",
    "next": "wait for a move",
}


def _ended(summary: Summary) -> str:
    return fill(
        f"{summary.last_change[:10]}  {summary.name:12} {summary.verdict}", "", " " * 12
    )


def history(request: Request, context: Context) -> Answer:
    """The record of a board, or the latest results of the game."""
    library = context.library
    if request.boards:
        match = read_board(request, library)
        review = _reviewed(library, match) if match.result else _NO_REVIEW
        answer = Answer(_record(match, review, request, context.web))
        return _illustrated(answer, request, match)
    found = library.lists.last_ended(request.game, _LAST_RESULTS)
    if request.format == "json":
        wanted: list[_Wanted]
        wanted = [(b.game, b.board, None) for b in reversed(found.boards)]
        return Answer(_shown(request, context, wanted, None, damaged_too=False))
    ended = list(map(_ended, found.boards))
    text = within(ended or [_no_game(request, "inactive")], request.allowance.work)
    text += damage(found.damaged, request.format)
    return Answer(formatted(text, request.format))


def read_board(request: Request, library: Library) -> Match:
    """The match that a question is about."""
    request.allowance.work.ask_board(bool(request.userid))
    match = library.shown(request.game, request.board)
    request.allowance.work.read_lines(match.record.lines_for(request.userid or None))
    return match


class _Reviewed(NamedTuple):
    """What a review says of lines of the log, and the same for programs."""

    comments: Mapping[int, str] = {}
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


def _record(match: Match, review: _Reviewed, request: Request, web: str) -> str:
    """A board's record in the format that a request names, with a review's comments."""
    form, work = request.format, request.allowance.work
    if form == "json":
        lines = map(match.public_line, match.moves)
        moves = [f"{line.who} {line.action}" for line in lines]
        fields = {**to_json(match), "moves": moves, **review.fields}
        return work.whole(json_line(fields))
    if form == "yaml":
        return work.whole(yaml.dump(_public_record(match)).decode("utf-8"))
    texts = [plain((screen.title(match),))]
    said = match.said
    for index in range(len(match.record.log)):
        comment = review.comments.get(index, "")
        texts += _told(match, index, comment, said.get(index, ""))
    if match.result is not None:
        texts.append(fill(f"The game is over: {verdict(match)}."))
    is_for_forum = form in FORUM_FORMATS
    seal = screen.short_seal(match) if is_for_forum else f"Seal: {match.record.seal}"
    texts.append(f"{seal}\n")
    if form in BOARD_FORMATS and (board := plain(in_form(screen.boards(match), form))):
        texts.append(f"\n{board}")
    link = page_of(web, match) if is_for_forum else ""
    return formatted(within(texts, work), form, link)


def _told(match: Match, index: int, comment: str, said: str) -> Iterator[str]:
    """What a line of the log did, with a robot's comment and what was said with it, if
    there are any."""
    line = match.record.log[index]
    no = "" if line.no is None else str(line.no)
    head = f"{no:>4}  {line.time[:10]} {line.time[11:16]}  "
    events = str(together(screen.sentences(match, match.steps[index].events, None)))
    if index == match.record.began:
        events = f"The game begins. {events}"
    elif not index:
        events = f"{match.record.challenger} opened a challenge to anybody."
    if events:  # what players plan has none
        yield fill(events, head, " " * len(head))
    if comment:
        yield fill(comment, " " * len(head))
    if said:
        yield _said(line.who, said, head, first=not events)


def _said(who: str, text: str, head: str, first: bool) -> str:
    """What a player said, in a history: on lines of its own, with its time if it is the
    `first` of what a line of the log brought."""
    margin = " " * len(head)
    says = fill(f"{who} writes:", head if first else margin)
    return says + indented(text, f"{margin}  ")


def _public_record(match: Match) -> dict[str, object]:
    """A copy of the record for anybody, with the seed only after the game is over."""
    seed = {"seed": match.record.seed.hex()} if match.shows_seed else {}
    log = match.public_log()
    lines = [record.format_line(line._replace(source=SHELL)) for line in log.values()]
    texts = match.said
    said = {str(no): texts[i] for no, i in enumerate(log) if i in texts}
    return {
        **record.public_data(match.record),
        **seed,
        "log": lines,
        **({"said": said} if said else {}),
    }


def verify(request: Request, context: Context) -> Answer:
    """Every draw of a finished board, repeated from its seed."""
    match = read_board(request, context.library)
    name = match.record.name
    if not match.shows_seed:
        raise NotAllowed(
            f"{name} is not over yet, and its seed is secret until then. Its seal is "
            f"{match.record.seal}."
        )
    parts = [
        fill(
            f"{name}: the seal is the SHA-256 of the seed, and the moves, played again "
            "with draws from the seed, lead to the same end. A draw is HMAC-SHA-256 of "
            "its number with the seed as key, read as a big-endian number, modulo the "
            "number of things to draw from. The result is the place, counted from 0, "
            "of what is drawn among these things in ascending order. They are "
            f"{match.rules.DRAWN}; for a seat, the players who have none yet: "
            '"help verify" has the details.'
        ),
        f"Seal: {match.record.seal}\nSeed: {match.record.seed.hex()}\n\n",
        "draw  place  among\n",
    ]
    draws = replay.draws(match.record)
    request.allowance.work.read_lines(sum(len(drawn) for _, drawn in draws))
    for line, drawn in draws:
        parts.append(_draws_for(match, line))
        parts += [f"{no:4}  {place:5}  {size:5}\n" for no, place, size in drawn]
    return Answer(within(parts, request.allowance.work))


def _draws_for(match: Match, index: int | None) -> str:
    """The heading of some draws: the line of the log that caused them, or the seats."""
    if index is None:
        return "The seats:\n"
    line, step = match.record.log[index], match.steps[index]
    heading = {None: "", 0: "The start:"}.get(line.no, f"Move {line.no}:")
    events = str(together(screen.sentences(match, step.events, None)))
    return fill(f"{heading} {events}".strip())


class _Preview(NamedTuple):
    """A board as it would look after the moves that were read; `ended` says why the
    rest was not read."""

    match: Match
    ended: str = ""

    def to_json(self, start: Match, words: Sequence[str]) -> dict[str, Any]:
        """The board, with the moves that were read and the words that were not."""
        lines = self.match.record.log[len(start.record.log) :]
        read = {"moves": [f"{line.who} {line.action}" for line in lines]}
        unread = {"ended": self.ended, "unread": list(words[len(lines) :])}
        preview = {**read, **(unread if self.ended else {})}
        return {**to_json(self.match), "preview": preview}


_WHY_ENDED = {
    "over": "the game is over",
    "draw": "a tile must be drawn",
    "server": "the server acts",
}


def preview(request: Request, context: Context) -> Answer:
    """The board as it would look after some moves; nothing is kept or drawn. A refusal
    shows the board as it is."""
    match, asker = read_board(request, context.library), request.userid or None
    try:
        replay.check_running(match)
        if asker:
            replay.check_player(match, asker)
        previewed = _previewed(match, request.words, request.userid)
    except Refused as error:
        reader = asker if match.result is None else None
        return refusal(error, board=board_shown(request, match, reader))
    if request.format == "json":
        return Answer(json_line(previewed.to_json(match, request.words)))
    remark = (Paragraph(_remark(match, previewed, request)),)
    if request.format in FORUM_FORMATS:
        said = content(remark, *screen.snapshot(previewed.match))
        link = page_of(context.web, match)
        return Answer(formatted(plain(said), request.format, link))
    said = content(remark, *screen.screen(previewed.match, asker))
    said = in_form(said, request.format)
    answer = Answer.of(said, board=Shown(match, asker, said))
    return _illustrated(answer, request, previewed.match)


def _previewed(match: Match, words: Sequence[str], asker: str) -> _Preview:
    """The preview of these moves, until the game ends or the server must act."""
    for word in words:
        after = None if match.result else replay.preview(match, word, asker)
        if after is None:
            return _Preview(match, "over" if match.result else match.due)
        match = after
    return _Preview(match)


def _remark(start: Match, previewed: _Preview, request: Request) -> str:
    """The sentences above a preview."""
    remark = "This is a preview: nothing has been played."
    lines = previewed.match.record.log[len(start.record.log) :]
    if lines and lines[0].who == request.userid and request.userid not in start.turn:
        remark += " The first move is judged as if it were your turn."
    if previewed.ended:
        unread, why = request.words[len(lines)], _WHY_ENDED[previewed.ended]
        remark += f" It ends here: {why} before {quoted(unread)}."
    return remark
