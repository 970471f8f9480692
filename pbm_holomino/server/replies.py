"""Replies to our letters: which letter a mail answers, and what its first line asks.

A reply may leave out the game, the board, the userid and the password, as the letter
has them all; it becomes the whole command, with the letter's token in the password's
place.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from pbm_holomino import rules
from pbm_holomino.commands import parse, table
from pbm_holomino.commands.known_names import NOTHING, Known
from pbm_holomino.commands.params import are_moves, is_move, joined
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.texts import (
    MOST_COMMAND,
    before_quote,
    first_line,
    own_lines,
    without_commands,
    without_links,
    words,
)
from pbm_holomino.errors import CorruptFile, NoCommand, PbmError
from pbm_holomino.letters.content import Content
from pbm_holomino.letters.writing import Sources, texts, words_of
from pbm_holomino.match import ledgers
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.letter_ids import LetterId, tags_in
from pbm_holomino.match.times import later
from pbm_holomino.match.tokens import is_same
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

WORDS_DAYS = 30  # for which a reply to somebody's words goes to them


class Answered(NamedTuple):
    """A letter that a mail answers, with a token that is right: its reader, what it
    says in each language in which it may have been, the board that it is about, and the
    player whose words it brought, if it brought nothing else, and that not long ago."""

    id: LetterId
    reader: Player
    texts: Callable[[], Iterable[str]]
    match: Match | None = None
    writer: str = ""
    tags: tuple[str, ...] = ()  # of the boards that a reply can name

    def own(self, words: str) -> str:
        """These words of a reply without what they quote of the letter."""
        return without_links(self.before_quote(words)).strip()

    def before_quote(self, words: str) -> str:
        """These words of a reply up to where they quote the letter without marks."""
        return before_quote(words, self.texts)

    @classmethod
    def of(
        cls,
        letter_id: LetterId,
        reader: Player,
        content: Callable[[], Content],
        *more: Any,
    ) -> "Answered":
        """The letter with this content, which is made once, and only if needed."""
        said = cache(lambda: list(texts(reader, content)))
        return cls(letter_id, reader, said, *more)


def letter_of(
    known: LetterId, library: Library, people: People, now: str
) -> Answered | None:
    """The letter with this id; None if its token is wrong, or it cannot be read, or is
    one that no reply needs."""
    try:
        ledger = library.find(known.folder, known.name)
        reader = people.player(known.reader or known.name)
        if ledger is None or reader is None:
            return None
        kind, words = ledgers.kind_of(ledger), words_of(ledger)
        sent = words.sent(ledger, known, Sources.of(library, people))
        right = (one for one in sent if is_same(one.token, known.token))
        found = next(right, None)
    except CorruptFile:
        return None
    if found is None:  # an answer, or a list whose line the log has no more
        tags = tags_in(library.key, known)
        return Answered(known, reader, tuple, tags=tags) if tags else None
    line, tags = found.line, found.tags
    letter = words.answerable(ledger, line, known.reader)
    if letter is None:
        return None
    is_recent = now <= later(kind.line(ledger, line).time, WORDS_DAYS)
    writer = letter.writer if is_recent else ""
    board = kind.board(ledger)
    return Answered.of(known, reader, letter.content, board, writer, tags)


# What a reply asks


class Doubt(NamedTuple):
    """A reply of which nothing can be done: the moves and commands that it may mean,
    and a word of it that means nothing, if that can be no password."""

    offers: tuple[str, ...] = ()
    strange: str = ""


def read(answered: Answered, body: str, known: Known) -> Request | Doubt:
    """The request in a reply to a letter. Its text is what is passed on with it. What
    is `known` helps to read it."""
    line, rest = first_line(body, answered.texts)
    is_short = len(line) <= MOST_COMMAND
    request = _in_line(answered, line, known) if is_short else None
    is_move = request is not None and request.command == "move"
    if answered.writer and not (is_move and _is_more(rest)):
        return _to_words(answered, line, rest, request) or Doubt()
    if request is not None and not (is_move and _is_more(rest)):
        return _with_text(request, answered.own(rest))
    return _as_people_write(answered, body, request, known)


def _is_more(rest: str) -> bool:
    """Whether a line below a move is so short that it may be another, or a command."""
    lines = map(str.split, rest.split("\n"))
    return any(0 < len(line) <= _MOST_SHORT for line in lines)


_MOST_SHORT = 8  # words of a line that may be a move


def _to_words(
    answered: Answered, line: str, rest: str, request: Request | None
) -> Request | None:
    """The request in a reply to somebody's words: most go back to them."""
    if request is not None and not _is_slip(request):
        return _with_text(request, answered.own(rest))
    if _is_like_a_move(line):
        return None
    if without_commands(line, table.in_texts(), (answered.reader.userid,)) != line:
        return None  # it may hold a password
    text = answered.own(f"{line}\n{rest}")
    return _said(answered, text) if text else None


def _as_people_write(
    answered: Answered, body: str, exact: Request | None, known: Known
) -> Request | Doubt:
    """The request in a reply that is not only a command, or not exactly one."""
    match = answered.match
    if match is None:
        return exact or Doubt()
    from pbm_holomino.commands import reader  # few replies need it
    from pbm_holomino.languages import aliases

    record, phase = match.record, match.view(None).phase
    players = frozenset(record.players)
    about = reader.About(record.game, record.board, players, phase, aliases.meanings())
    move = exact.words[0] if exact else ""
    found = reader.read(
        own_lines(body, answered.texts), about, answered.before_quote, move
    )
    if not found.does:
        return Doubt(found.offers, found.strange)
    request = exact or _short(answered, found.does, known)
    if request is None:
        return Doubt()
    read_as = request.read_as if exact else found.does
    request = request._replace(read_as=read_as, keeps_back=found.keeps_back)
    return _with_text(request, answered.own(found.words))


def _in_line(answered: Answered, line: str, known: Known) -> Request | None:
    """The request in the first line of a reply. A single word, such as `help`, is about
    the letter's board where that makes sense."""
    if line.lower().startswith("propose"):
        line = " ".join(joined(words(line)))
    if len(words(line)) == 1:
        short = _short(answered, line, known) or _short(answered, _meant(line), known)
        return short or _whole(line, known)
    request = _whole(line, known) or _short(answered, line, known)
    if request is not None and request.command == "help":
        return request if table.has_help(request.words) else None
    return request


def _meant(word: str) -> str:
    """The command that is a word of another language, but for one that resigns."""
    from pbm_holomino.languages import aliases  # few replies need it

    meant = aliases.meanings().get(word.rstrip(_AFTER_WORDS).casefold(), "")
    return "" if meant == "resign" else meant


def _with_text(request: Request, rest: str) -> Request:
    said = "\n".join(filter(None, (request.body, rest)))
    return request._replace(body="").coming(text=said)


def _whole(line: str, known: Known) -> Request | None:
    """The whole command in a line, which needs nothing of a letter."""
    try:
        return parse.parse(words(line), known=known)
    except PbmError:
        return None


def whole(body: str, known: Known = NOTHING) -> Request | None:
    """The request in the first line of a mail whose Subject holds no command. Raises
    PbmError for a line that begins like a command but is not right."""
    line, rest = first_line(body)
    if len(line) > MOST_COMMAND:
        return None
    try:
        return _with_text(parse.parse(words(line), known=known), rest)
    except NoCommand:
        return None


def _short(answered: Answered, line: str, known: Known) -> Request | None:
    """The request in a line that leaves out what the letter has."""
    match, given = answered.match, words(line)
    token = f"~{answered.id.token}"
    seat = [answered.id.name, answered.reader.userid, token]
    if match is None:
        said = " ".join(given).lower().rstrip(_AFTER_WORDS)
        is_withdrawn = said in ("decline", "withdraw")  # an open challenge
        line = " ".join([answered.id.folder, "decline", *seat])
        return _whole(line, known) if is_withdrawn else None
    command = _command(match, seat, given) if given else None
    if command is None:
        return None
    try:
        request = parse.parse(command, known=known)
    except PbmError:
        return None
    if request.command in _ASKS:
        return request._replace(userid=answered.reader.userid, password=token)
    if request.command == "chat":
        return request._replace(body=" ".join(given[1:]))
    is_plan = request.command in _WITH_MOVES.values()
    is_one = are_moves(request.words, match.rules.in_notation)
    return None if is_plan and not is_one else request


_AFTER_WORDS = ".!,\u2026"  # telephones make an ellipsis of three dots
_VERBS = ("decline", "rematch", "confirm", "hint", "review")
_ASKS = ("look", "fits")  # what needs no password, but is answered to the reader
_WITH_MOVES = {"queue": "queue", "submit": "submit", "preview": "previewas"}


def _command(
    match: Match, seat: Sequence[str], given: Sequence[str]
) -> list[str] | None:
    """The whole command for the words of a reply."""
    game, verb, more = (
        match.record.game,
        given[0].lower().rstrip(_AFTER_WORDS),
        given[1:],
    )
    if verb == "show" and not more:
        board, *who = seat
        return [game, "showas", *who, board]
    if verb == "help":
        return ["help", *(more or [game])]
    if verb == table.RULES and not more:
        return ["help", game]
    if verb == "chat":
        return [game, "chat", *seat]
    if verb in _VERBS and not more:
        return [game, verb, *seat]
    if verb in _WITH_MOVES:
        return [game, _WITH_MOVES[verb], *seat, *more]
    if verb in _ASKS:
        return [game, verb, seat[0], *(w for w in more if w.lower() != "at")]
    moves = [
        word for word in (given[0], verb) if is_move(word, match.rules.in_notation)
    ]
    return [game, "move", *seat, moves[0]] if moves and not more else None


def _is_slip(request: Request) -> bool:
    """Whether somebody who answers words may have meant a word, not a command."""
    given = {request.command, *request.words[:1]}
    return bool(given & {"resign", "accept"}) or given >= {"move", "pass"}


def _is_like_a_move(line: str) -> bool:
    """Whether a line looks like a move, though it may be none."""
    words_of_games = {word for game in rules.names() for word in rules.load(game).WORDS}
    return bool(
        re.match(r"[\w,]+\s*[:;@]\s*[\w,?-]+\s*[.!]?$", line)
        or re.fullmatch(r"[\d\s.,:;@#-]*\d[\d\s.,:;@#-]*", line)
        or line.lower().partition(":")[0] in words_of_games - {"pass"}
    )


def _said(answered: Answered, text: str) -> Request:
    """The request that passes words on to those whose words the letter brought."""
    token, who = f"~{answered.id.token}", answered.reader.userid
    if answered.match is None:
        given = ["message", who, token, answered.writer]
    else:
        record = answered.match.record
        given = [record.game, "chat", str(record.board), who, token]
    return parse.parse(given).coming(text=text)
