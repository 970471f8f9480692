"""What a reply to a letter of ours asks.

A reply may leave out the game, the board, the userid and the password, as the letter
has them all; it becomes the whole command, with the letter's token in the password's
place. What is not such a line is read as people write it (`commands.reading`).
"""

import re
from collections.abc import Sequence

from pbm_holomino import rules
from pbm_holomino.commands import parse, table
from pbm_holomino.commands.known_names import NOTHING, Known
from pbm_holomino.commands.params import are_moves, is_move, joined
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.table import Reply
from pbm_holomino.commands.texts import (
    MOST_COMMAND,
    first_of,
    own_lines,
    without_commands,
    words,
)
from pbm_holomino.errors import NoCommand, PbmError
from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.server.answered import Answered


class Doubt(NamedTuple):
    """A reply of which nothing can be done: the moves and commands that it may mean,
    and a word of it that means nothing, if that can be no password."""

    offers: tuple[str, ...] = ()
    strange: str = ""


def read(answered: Answered, lines: Sequence[str], known: Known) -> Request | Doubt:
    """The request in a reply to a letter, of which these lines are its writer's own:
    the command that is its first line, or what the lines mean as people write them.
    What is left of them is the text that is passed on. What is `known` helps to read
    them."""
    line, rest = first_of(lines)
    exact = _exact(answered, line, known) if len(line) <= MOST_COMMAND else None
    if answered.writer and (exact is None or _is_slip(exact)):
        return _to_words(answered, lines)
    if exact is None or (exact.command == "move" and rest):
        return _as_people_write(answered, lines, exact)
    return _with_text(exact, answered.own(rest))


def whole(body: str, known: Known = NOTHING) -> Request | None:
    """The request in the first line of a mail whose Subject holds no command. Raises
    PbmError for a line that begins like a command but is not right."""
    line, rest = first_of(own_lines(body))
    if len(line) > MOST_COMMAND:
        return None
    try:
        return _with_text(parse.parse(words(line), known=known), rest)
    except NoCommand:
        return None


def _to_words(answered: Answered, lines: Sequence[str]) -> Request | Doubt:
    """The request in a reply to somebody's words that is no command: it passes the
    words on, unless they may be a move or hold a password."""
    line, _ = first_of(lines)
    if _is_like_a_move(line):
        return _as_people_write(answered, lines)
    text = answered.own("\n".join(lines))
    may_tell = without_commands(line, table.in_texts(), (answered.reader.userid,))
    return _said(answered, text) if text and may_tell == line else Doubt()


def _as_people_write(
    answered: Answered, lines: Sequence[str], exact: Request | None = None
) -> Request | Doubt:
    """The request in a reply that is not only a command, or not exactly one."""
    match = answered.match
    if match is None:
        return exact or Doubt()
    from pbm_holomino.commands.reading.replies import (  # few replies need it
        About,
        meaning,
    )
    from pbm_holomino.languages import aliases

    record, phase = match.record, match.view(None).phase
    players = frozenset(record.players)
    about = About(record.game, record.board, players, phase, aliases.meanings())
    move = exact.words[0] if exact else ""
    found = meaning(lines, about, answered.before_quote, move)
    if not found.does:
        return Doubt(found.offers, found.strange)
    request = exact or _short(answered, words(found.does))
    if request is None:
        return Doubt()
    read_as = request.read_as if exact else found.does
    request = request._replace(read_as=read_as, keeps_back=found.keeps_back)
    return _with_text(request, answered.own(found.words))


def _with_text(request: Request, rest: str) -> Request:
    said = "\n".join(filter(None, (request.body, rest)))
    return request._replace(body="").coming(text=said)


# A command that is exactly one


def _exact(answered: Answered, line: str, known: Known) -> Request | None:
    """The request in a line that is a command, in whichever language: a whole one, or
    one that leaves out what the letter has. A single word, such as `help`, is about the
    letter's board where that makes sense."""
    given = words(line)
    if line.lower().startswith("propose"):
        given = [*joined(given)]
    is_word = len(given) == 1
    request = None if is_word else _whole(given, known)
    request = request or _short(answered, given)
    request = request or _short(answered, _in_english(given))
    request = request or (_whole(given, known) if is_word else None)
    if request is not None and request.command == "help":
        return request if table.has_help(request.words) else None
    return request


def _in_english(given: Sequence[str]) -> list[str]:
    """The words of a line of another language as commands; none for one that resigns,
    as nobody does that by a word that may have been meant otherwise."""
    from pbm_holomino.commands.reading.aliases import in_english  # few replies need it

    english = in_english(given) or []
    return [] if "resign" in english else english


def _whole(given: Sequence[str], known: Known) -> Request | None:
    """The whole command in these words, which needs nothing of a letter."""
    try:
        return parse.parse(given, known=known)
    except PbmError:
        return None


def _short(answered: Answered, given: Sequence[str]) -> Request | None:
    """The request in words that leave out what the letter has."""
    match = answered.match
    if not given:
        return None
    if match is None:
        return _withdrawal(answered, given)
    command = _command(answered, match, given)
    request = _whole(command, NOTHING) if command else None
    if request is None:
        return None
    found = table.find(request)
    if found.reply is not Reply.NEVER and not found.takes_password:
        token = f"~{answered.id.token}"  # what they ask is answered to the reader
        request = request._replace(userid=answered.reader.userid, password=token)
    if found.is_of_words:
        return request._replace(body=" ".join(given[1:]))
    has_moves = any(place.is_of_moves for place in found.places)
    are_right = not has_moves or are_moves(request.words, match.rules.in_notation)
    return request if are_right else None


def _withdrawal(answered: Answered, given: Sequence[str]) -> Request | None:
    """The request that withdraws an open challenge."""
    said = " ".join(given).lower().rstrip(_AFTER_WORDS)
    if said not in ("decline", "withdraw"):
        return None
    token, (folder, name, *_) = f"~{answered.id.token}", answered.id
    who = answered.reader.userid
    return _whole([folder, "decline", name, who, token], NOTHING)


_AFTER_WORDS = ".!,\u2026"  # telephones make an ellipsis of three dots


def _command(answered: Answered, match: Match, given: Sequence[str]) -> list[str]:
    """The whole command for the words of a reply; none if they make none."""
    game, more = match.record.game, given[1:]
    verb = given[0].lower().rstrip(_AFTER_WORDS)
    token, who = f"~{answered.id.token}", answered.reader.userid
    seat = {"board": answered.id.name, "userid": who, "password": token}
    moves = [w for w in (given[0], verb) if is_move(w, match.rules.in_notation)]
    if moves and not more:
        return [game, "move", *seat.values(), moves[0]]
    if verb == "help":
        return ["help", *(more or [game])]
    if verb == table.RULES and not more:
        return ["help", game]
    command = table.in_reply().get(verb)
    if command is None:
        return []
    own = [seat[place.name] for place in command.places if place.name in seat]
    if command.is_of_words:
        more = []
    elif not command.takes_password:
        more = [word for word in more if word.lower() != "at"]  # look at 12
    return [game, command.name, *own, *more]


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
