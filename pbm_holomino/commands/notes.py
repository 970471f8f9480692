"""The commands about a player's own notes on a board: lines that are kept, with texts,
and all of them published."""

from collections.abc import Sequence

from pbm_holomino.commands.analyses import answer, thought
from pbm_holomino.commands.context import Context, Scope
from pbm_holomino.commands.queries import within
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import BadMove, NotAllowed, NotFound
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.letters import notes as letters
from pbm_holomino.letters.board_json import json_line
from pbm_holomino.letters.content import Paragraph, content
from pbm_holomino.match import ledgers
from pbm_holomino.match import notebook as notebooks
from pbm_holomino.match.analysis import analysed
from pbm_holomino.match.board import Match
from pbm_holomino.match.notebook import (
    KEEP,
    NOTE,
    NOTES,
    PUBLISH,
    TAKE_OUT,
    Notebook,
    Place,
    key_of,
)
from pbm_holomino.match.record import LogLine
from pbm_holomino.match.replay import check_player
from pbm_holomino.store import shelves
from pbm_holomino.store.library import Library

_KEPT = sentence(
    "Kept among your notes on {board}, which only you can see. To read them all, send "
    '"{command}" with your password.'
)
_NOTED = sentence(
    "Your note on {board} is kept, and only you can see it. To read all of them, send "
    '"{command}" with your password.'
)
_TAKEN_OUT = sentence("Your note on {board} is taken out.")
_PUBLISHED = sentence(
    "Everybody can read your notes on {board} from now on, beside its history and its "
    "review. That cannot be undone, as others may have read them. What you note later "
    "only you can see, until you publish again."
)
_NOT_OVER = sentence(
    "{board} is not over yet: you can publish your notes when it is, and until then "
    "only you can see them."
)
_NONE = sentence(
    "You have no notes on {board}. A line is kept by {command} with your password, "
    'moves, and "-keep" at its end.'
)


def opening(request: Request, context: Context) -> Scope:
    """Where a player's notes on a board are, or those that they publish. Raises what
    the line would raise, before there is a lock, which stays for ever."""
    match = _own_board(request, context)
    if is_published := request.command == "publish":
        _check_over(match)
        _own(request, context)
    else:
        thought(request, match)
    words = (request.userid, request.game, request.board)
    private, key = key_of(*words), key_of(*words, is_published)
    kind, library = ledgers.load(NOTES), context.library

    def find() -> tuple[Notebook | None, int | None]:
        ledger = library.find(*key)
        source, who = request.origin.mail, request.userid
        line = kind.line_from(ledger, source, who) if ledger else None
        return ledger, line

    return Scope(tuple(dict.fromkeys((private, key))), find)


def keep(request: Request, context: Context, before: Notebook | None) -> Notebook:
    """The notes with the positions of a line. Raises NotAllowed."""
    _, place = _place(request, context)
    after, number = notebooks.kept(before or _empty(request), place)
    return _changed(request, context, after, f"{KEEP} {number}")


def note(request: Request, context: Context, before: Notebook | None) -> Notebook:
    """The notes with a text about a position, or without one. Raises NotAllowed."""
    notebook = before or _empty(request)
    _, place = _place(request, context)
    if not request.body.strip():
        after = notebooks.taken_out(notebook, place)
        return _changed(request, context, after, TAKE_OUT)
    after, number = notebooks.noted(notebook, place, request.body)
    return _changed(request, context, after, f"{NOTE} {number}")


def publish(request: Request, context: Context, before: Notebook | None) -> Notebook:
    """The copy of the notes that everybody can read; the one before, if nothing has
    changed. Raises NotAllowed while the game is not over, and NotFound."""
    copy = notebooks.published(_own(request, context), before)
    if before is not None and (copy.nodes, copy.notes) == (before.nodes, before.notes):
        return before
    return _changed(request, context, copy, PUBLISH)


def _changed(
    request: Request, context: Context, notebook: Notebook, action: str
) -> Notebook:
    """The notes with one more line in their log, and their size noted. Raises
    NotAllowed."""
    shelves.claim(context.library.store, notebook)
    mail = request.origin.mail
    line = LogLine(None, context.now, request.userid, mail, action)
    return notebooks.with_line(notebook, line)


def _empty(request: Request) -> Notebook:
    return Notebook(request.userid, request.game, request.board)


def _own_board(request: Request, context: Context) -> Match:
    """The board, on which the player must play. Raises NotFound and NotYourTurn."""
    request.allowance.work.ask_board(bool(request.userid))
    match = context.library.match(request.game, request.board)
    check_player(match, request.userid)
    return match


def _check_over(match: Match) -> None:
    if match.result is None:
        raise NotAllowed(_NOT_OVER.of(board=match.record.name))


def _place(request: Request, context: Context) -> tuple[Match, Place]:
    """The board, and the place that a line leads to."""
    match = context.library.match(request.game, request.board)
    found = thought(request, match)
    digest = notebooks.digest(match.after_ply(found.since))
    return match, Place(found.since, digest, found.words)


def _own(request: Request, context: Context) -> Notebook:
    """A player's own notes. Raises NotFound if there are none."""
    library = context.library
    found = notes_by(library, request.userid, request.game, request.board)
    if found is None:
        name = f"{request.game} {request.board}"
        command = f'"{request.game} analyse {request.board} {request.userid}"'
        raise NotFound(_NONE.of(board=name, command=command))
    return found


def notes_by(
    library: Library, owner: str, game: str, board: int, is_public: bool = False
) -> Notebook | None:
    """What a player has kept of a board, or published; None if there is nothing."""
    found: Notebook | None
    found = library.find(*key_of(owner, game, board, is_public))
    return found if found and found.nodes else None


# What is answered


def answered(
    request: Request, context: Context, ledger: Notebook, number: int
) -> Answer:
    """The answer to a command that has changed notes, by its line of their log; for a
    line that is kept, with its position."""
    act, node = notebooks.about(ledgers.load(NOTES).line(ledger, number))
    name = f"{ledger.game} {ledger.board}"
    command = f"{ledger.game} notes {ledger.board} {ledger.owner}"
    said = {KEEP: _KEPT, NOTE: _NOTED, PUBLISH: _PUBLISHED}.get(act, _TAKEN_OUT)
    told = said.of(board=name, command=command)
    shown = _shown(request, context, ledger, node, told) if act == KEEP else None
    return shown or Answer.of(((Paragraph(told),),))


def _shown(
    request: Request, context: Context, ledger: Notebook, node: int, told: Sentence
) -> Answer | None:
    """The position of a node, unless it is gone, or the game has gone another way."""
    match = context.library.match(ledger.game, ledger.board)
    if node not in ledger.nodes or not notebooks.fits(ledger.root_of(node), match):
        return None
    then = match.after_ply(ledger.root_of(node).ply)
    try:
        found = analysed(then, ledger.owner, ledger.words_to(node))
    except BadMove:
        return None
    return answer(request, context, match, found, (told,))


def notes(request: Request, context: Context) -> Answer:
    """All that a player has kept of a board. Raises NotFound and NotAllowed."""
    match, own = _own_board(request, context), _own(request, context)
    copy = notes_by(context.library, request.userid, own.game, own.board, True)
    own = copy if copy and _is_copy(copy, own) else own
    work = request.allowance.work
    work.read_lines(len(own.nodes))
    if request.format == "json":
        return Answer(work.whole(json_line(letters.to_json(own, match))))
    said = within(letters.told(own, match, request.userid), work)
    return Answer.of(content(said))


def to_show(library: Library, match: Match, reader: str | None) -> Sequence[Notebook]:
    """What is shown beside the history and the review of a board: a reader's own notes,
    unless they have published these as they are, and when the game is over those that
    were published. Nothing else of anybody's is even looked for."""
    record = match.record
    words = (record.game, record.board)
    is_player = reader is not None and reader in record.players
    own = notes_by(library, str(reader), *words) if is_player else None
    if match.result is None:
        return [own] if own else []
    public = [notes_by(library, player, *words, True) for player in record.players]
    found = list(filter(None, public))
    is_public = any(_is_copy(copy, own) for copy in found)
    return [own, *found] if own and not is_public else found


def _is_copy(copy: Notebook, own: Notebook | None) -> bool:
    """Whether what a player has published is what they have."""
    return own is not None and (copy.owner, copy.nodes, copy.notes) == (
        own.owner,
        own.nodes,
        own.notes,
    )
