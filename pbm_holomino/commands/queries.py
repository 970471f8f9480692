"""The commands that only look: a request and the library in, a text out."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from pbm_holomino import help as pages
from pbm_holomino import match, record, rules, screens, strict
from pbm_holomino.board import OPENINGS, Match, verdict
from pbm_holomino.errors import CorruptFile, NotAllowed
from pbm_holomino.library import Library
from pbm_holomino.players import check_known
from pbm_holomino.request import SHELL, Request
from pbm_holomino.summary import Summary
from pbm_holomino.words import RULE, fill, listed, quoted

MOST_BOARDS = 20  # in an answer without a password
_LAST_RESULTS = 20

_Wanted = tuple[str, int, int | None]  # a game, a board, and after which move


def help_page(request: Request, library: Library | None = None) -> str:
    """The pages on the subjects named, or the list of commands."""
    subjects = request.words or (request.game or "commands",)
    return "\n".join(pages.page(word) for word in dict.fromkeys(subjects))


def show(request: Request, library: Library) -> str:
    """Boards, as they are or as they were, or all those of some players; with a
    password, as the player who asks may see them."""
    reader = request.userid or None
    userids = [reader] if reader else request.words
    damaged: list[CorruptFile] = []
    wanted: list[_Wanted]
    wanted = [(request.game, board, ply) for board, ply in request.boards]
    if not wanted:
        check_known(userids, library.knows)
        games = [request.game] if request.game else rules.names()
        found = library.boards_of(userids, request.which or "active", games)
        wanted = [(summary.game, summary.board, None) for summary in found.boards]
        damaged = found.damaged
    shown = _shown(request, library, wanted, reader)
    if not shown and request.format != "json":  # no line is no board for a program
        whose = "You have" if reader else f"{listed(userids, 'or')} has"
        shown = fill(
            f"{whose} {_no_board(request.which, 'your' if reader else 'their')}."
        )
    return shown + damage(damaged, request.format)


def _no_board(which: str, whose: str) -> str:
    """What there is none of, in a list of boards."""
    kinds = {
        "all": "",
        "inactive": " that has ended",
        "next": f" where it is {whose} turn",
    }
    return f"no board{kinds.get(which, ' that is being played')}"


def damage(damaged: Iterable[CorruptFile], form: str = "text") -> str:
    """What a list says of damaged files; a program gets boards and nothing else."""
    sentences = [fill(str(error)) for error in damaged]
    return "\n" + "".join(sentences) if sentences and form != "json" else ""


def _shown(
    request: Request,
    library: Library,
    wanted: list[_Wanted],
    reader: str | None,
) -> str:
    most = MOST_BOARDS if reader is None else len(wanted)
    texts = []
    for game, board, ply in wanted[:most]:
        try:
            found = library.shown(game, board)
        except CorruptFile as error:
            if len(wanted) == 1:
                raise
            texts.append(_unreadable(game, board, error, request.format))
            continue
        past = ply is not None and ply != found.ply
        found = found if ply is None else found.after_ply(ply)
        texts.append(_one(found, reader, past, request.format))
    if len(wanted) > most and request.format != "json":
        texts.append(
            fill(f"These are {most} of {len(wanted)} boards: name others by number.")
        )
    between = {"json": "", "text": RULE}.get(request.format, "\n")
    return between.join(texts)


def _unreadable(game: str, board: int, error: CorruptFile, form: str) -> str:
    if form == "json":
        return screens.json_line({"game": game, "board": board, "error": str(error)})
    return screens.formatted(fill(str(error)), form)


def _one(found: Match, reader: str | None, past: bool, form: str) -> str:
    if form == "json":
        return screens.json_line(screens.to_json(found))
    return screens.formatted(screens.screen(found, reader, past), form)


def games(request: Request, library: Library) -> str:
    """A list of boards, a line each."""
    which = request.which or "active"
    found = library.boards_of(request.words, which, [request.game])
    check_known(request.words, library.knows)
    lines = [line(summary) for summary in found.boards]
    none = f"There is {_no_board(which, 'their')} in {request.game}."
    return ("".join(lines) or fill(none)) + damage(found.damaged, request.format)


def line(summary: Summary) -> str:
    board = f"{summary.game} {summary.board}"
    points = ", ".join(f"{player} {score}" for player, score in summary.scores.items())
    state = f"{listed(summary.turn)} to move" if summary.turn else summary.verdict
    return fill(f"{board:12} move {summary.ply:3}  {points};  {state}", "", " " * 14)


def _ended(summary: Summary) -> str:
    board = f"{summary.game} {summary.board}"
    return fill(
        f"{summary.last_change[:10]}  {board:12} {summary.verdict}", "", " " * 12
    )


def history(request: Request, library: Library) -> str:
    """The record of a board, or the last results of the game."""
    if request.boards:
        return _record(library.shown(request.game, request.board), request.format)
    found = library.last_ended(request.game, _LAST_RESULTS)
    if request.format == "json":
        matches = _undamaged(library, reversed(found.boards))
        return "".join(screens.json_line(screens.to_json(found)) for found in matches)
    lines = map(_ended, found.boards)
    text = "".join(lines) or fill(f"No game of {request.game} has ended yet.")
    return screens.formatted(
        text + damage(found.damaged, request.format), request.format
    )


def _undamaged(library: Library, summaries: Iterable[Summary]) -> Iterator[Match]:
    for summary in summaries:
        with suppress(CorruptFile):
            yield library.match(summary.game, summary.board)


def _record(found: Match, form: str) -> str:
    if form == "json":
        lines = map(found.public_line, found.moves)
        moves = [f"{line.who} {line.what}" for line in lines]
        return screens.json_line({**screens.to_json(found), "moves": moves})
    if form == "yaml":
        return strict.dump(_public_record(found)).decode("utf-8")
    texts = [screens.title(found)]
    for line, step in zip(found.record.log, found.steps, strict=True):
        no = "" if line.no is None else str(line.no)
        head = f"{no:>4}  {line.time[:10]} {line.time[11:16]}  "
        told = screens.sentences(found, step.events, None)
        if line.what in OPENINGS:
            told = f"The game begins. {told}"
        if told:  # what players say to each other is theirs
            texts.append(fill(told, head, " " * len(head)))
    if found.result is not None:
        texts.append(fill(f"The game is over: {verdict(found)}."))
    texts.append(f"Seal: {found.record.seal}\n")
    return screens.formatted("".join(texts), form)


def _public_record(found: Match) -> dict[str, object]:
    """A copy of the record for anybody: with the seed only when the game is over."""
    seed = {} if found.result is None else {"seed": found.record.seed.hex()}
    lines = [record.format_line(line._replace(id=SHELL)) for line in found.public_log()]
    return {**record.public_data(found.record), **seed, "log": lines}


def verify(request: Request, library: Library) -> str:
    """Every draw of a finished board, made again from its seed."""
    found = library.shown(request.game, request.board)
    name = found.record.name
    if found.result is None:
        raise NotAllowed(
            f"{name} is not over yet: until then its seed is a secret, and the seal "
            f"{found.record.seal} stands for it."
        )
    draws = match.draws(found.record)
    lines = [
        fill(
            f"{name}: the seal is the SHA-256 of the seed, and the moves, played again "
            f"with draws from the seed, lead to the same end. Each of the "
            f"{len(draws)} draws is HMAC-SHA-256 of its number with the seed "
            "as key, read as a big-endian number, modulo the number of undrawn tiles; "
            "that is the place of the drawn tile among them, counted from 0 in "
            "ascending order."
        ),
        f"Seal: {found.record.seal}\nSeed: {found.record.seed.hex()}\n\n",
        "draw  place  among\n",
    ]
    lines += [f"{no:4}  {index:5}  {size:5}\n" for no, index, size in draws]
    return "".join(lines)


def preview(request: Request, library: Library) -> str:
    """The board as it would stand after some moves; nothing is kept or drawn."""
    found = library.shown(request.game, request.board)
    with screens.shown_with_refusals(found, None):
        match.check_running(found)
    board = found
    remark = "This is a preview: nothing has been played."
    for index, move in enumerate(request.words):
        after = _previewed(found, move, request.userid, board)
        if after is None:
            why = _why_it_ends(found)
            remark += f" It ends here, as {why}, before {quoted(request.words[index])}."
            break
        found = after
    if request.format == "json":
        return screens.json_line(screens.to_json(found))
    text = fill(remark) + "\n" + screens.screen(found, request.userid or None)
    return screens.formatted(text, request.format)


def _why_it_ends(found: Match) -> str:
    if found.result is not None:
        return "the game is over then"
    is_play = found.view(None).phase == "play"
    return "a tile is drawn first" if is_play else "the server comes next"


def _previewed(found: Match, move: str, asker: str, board: Match) -> Match | None:
    """One more move previewed; a refusal shows the board as it really is."""
    with screens.shown_with_refusals(board, asker or None):
        if asker:
            match.check_player(found, asker)
        return None if found.result else match.preview(found, move, asker)
