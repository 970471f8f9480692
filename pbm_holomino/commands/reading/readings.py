"""What a line may mean that is not quite a command: the readings of its words.

A reading is a line as it should have been typed. All that may be meant are made here;
`repair` decides whether one of them is the only one that is a command. A password is
taken as it was typed.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from pbm_holomino import rules
from pbm_holomino.commands.known_names import Known
from pbm_holomino.commands.params import (
    ACTS,
    ANY,
    BOARD,
    GAME,
    GAME_OR_PAGE,
    LIST,
    LISTS,
    SELECTIONS,
    SWAP,
    TEXT,
    TOURNAMENT,
    USERID,
    InNotation,
    Place,
    is_option,
)
from pbm_holomino.commands.reading.spelling import (
    game_named,
    half_width,
    moves_in,
    plain,
    unwrapped,
)
from pbm_holomino.commands.table import (
    COMMANDS,
    RULES,
    Command,
    at_top,
    begun,
    command_words,
    in_game,
)
from pbm_holomino.match.account import may_be_password
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import DASHES

FORGOT = "forgot"
FILLERS = frozenset(("i", "my", "the", "password", "passwords", "userid"))  # after that
MOST_WORDS = 14  # of a line whose order is repaired


class Reading(NamedTuple):
    """Words that can be parsed. `secrets` are the indices of the passwords; `is_sure`
    says that only their spelling was repaired: otherwise the players must be known, and
    with a password the board. It `lacks_game` if none was typed: then the board must be
    there in any case."""

    words: tuple[str, ...]
    secrets: tuple[int, ...] = ()
    is_sure: bool = True
    lacks_game: bool = False

    @property
    def shown(self) -> str:
        """The words without the passwords."""
        kept = (w for i, w in enumerate(self.words) if i not in self.secrets)
        return " ".join(kept)


class Head(NamedTuple):
    """A command that may be meant, and the words for its places."""

    command: Command
    rest: list[str]
    is_sure: bool = True
    lacks_game: bool = False


def tiers(
    words: Sequence[str], known: Known, in_shell: bool
) -> Iterator[Iterator[Reading]]:
    """What could be meant, the nearer readings first: a later tier counts only if no
    reading of an earlier one is a command."""
    line = unwrapped(words)
    if line[1:] and plain(line[0]).lower() == "pbm":
        line = line[1:]
    if not line:
        return
    heads = list(_heads(line, in_shell))
    in_order = [reading for head in heads for reading in _in_order(head, known)]
    yield (reading._replace(is_sure=False) for reading in in_order)
    if len(line) <= MOST_WORDS:
        everywhere = [*heads, *_scattered(line)]
        yield (reading for head in everywhere for reading in _in_any_order(head, known))
    yield (reading for reading in in_order if reading.is_sure)


def without_password(
    words: Sequence[str], known: Known, in_shell: bool
) -> Iterator[Reading]:
    """What could be meant if only the password is missing, with a word for it."""
    line = unwrapped(words)
    for head in _heads(line, in_shell) if line else ():
        at = _secret_places(head.command)
        if len(at) == 1:
            there = [*head.rest[: at[0]], _DUMMY, *head.rest[at[0] :]]
            # a move shows what it is, and other words need not
            is_sure = head.is_sure and head.command.places[-1].is_of_moves
            yield from _in_order(head._replace(rest=there, is_sure=is_sure), known)
            if len(line) <= MOST_WORDS:
                anywhere = head._replace(rest=[*head.rest, _DUMMY])
                yield from (
                    reading
                    for reading in _in_any_order(anywhere, known)
                    if _DUMMY in (reading.words[i] for i in reading.secrets)
                )


_DUMMY = "~" * 64  # a password of nobody


# Which command it is


def _heads(line: Sequence[str], in_shell: bool) -> Iterator[Head]:
    """The commands that the first words may name."""
    first = plain(line[0]).lower()
    if game := game_named(first):
        yield from _after_game(game, line[1:])
        return
    if command := _whole([plain(word).lower() for word in line], in_shell):
        yield Head(command, [*line[len(command.words.split()) :]])
        return
    if first in LISTS and first != "all":
        yield Head(_command("all show"), [*line[1:], first], is_sure=False)
    elif first == RULES:
        yield Head(_command("help"), [*line[1:]] or [RULES])
    else:
        for game in rules.names():
            for head in _after_game(game, line):
                yield head._replace(lacks_game=True, is_sure=False)


def _after_game(game: str, line: Sequence[str]) -> Iterator[Head]:
    """The commands that may be meant after the name of a game."""
    first = plain(line[0]).lower() if line else "help"
    rest = [*line[1:]]
    if first in in_game():
        yield Head(_command(f"{{game}} {first}", game), rest)
    elif _is_verb(game, first):
        yield Head(_command("{game} move", game), [*rest, line[0]])
    elif first in LISTS:
        yield Head(_command("{game} show", game), [*rest, first], is_sure=False)
    elif first == RULES:
        yield Head(_command("{game} help", game), rest)


def _scattered(line: Sequence[str]) -> Iterator[Head]:
    """The commands of a game whose words are not the first ones."""
    games = {at: game for at, word in enumerate(line) if (game := game_named(word))}
    places: list[tuple[str, int | None]] = [(game, at) for at, game in games.items()]
    if not places:
        places = [(game, None) for game in rules.names()]
    for game, at in places:
        for place in range(len(line)):
            if place != at:
                others = [w for i, w in enumerate(line) if i not in (at, place)]
                for head in _after_game(game, [line[place], *others]):
                    yield head._replace(is_sure=False, lacks_game=at is None)


def _is_verb(game: str, word: str) -> bool:
    """Whether this is a move or an act that some players type in place of a command."""
    kind = word.partition(":")[0]
    return kind in (*ACTS, SWAP, *rules.load(game).WORDS)


def _whole(words: Sequence[str], in_shell: bool) -> Command | None:
    """The command with which these words begin, if no longer one begins so, too."""
    command = begun(words, in_shell)
    begin = f"{command.name} " if command else " "
    is_begun = any(name.startswith(begin) for name in at_top(in_shell))
    return None if is_begun else command


def _command(words: str, game: str = "") -> Command:
    return COMMANDS[words]._replace(game=game)


# Its words in their places


def _in_order(head: Head, known: Known) -> Iterator[Reading]:
    """The words as they were typed, each spelled as its place needs it; lists of boards
    come last."""
    command = head.command
    places, secrets = command.places, _secret_places(command)
    given, options = _sorted(head.rest, command, secrets, known)
    moves_at = next((i for i, place in enumerate(places) if place.is_of_moves), None)
    words = [
        word if i in secrets else _mended(word, command, i)
        for i, word in enumerate(given[:moves_at])
    ]
    if moves_at is not None:
        in_notation, typed = rules.load(command.game).in_notation, given[moves_at:]
        moves = moves_in(typed, in_notation)
        if moves != typed and secrets and _belongs(given[secrets[0] :], in_notation):
            return
        words += moves or typed
    is_sure = head.is_sure
    if command.name == FORGOT and FILLERS.issuperset(map(str.lower, words)):
        words = [who] if (who := known.sender()) else []
    if _names_boards(places):
        first = len(secrets) and secrets[-1] + 1
        lists = [word for word in words[first:] if word.lower() in LISTS]
        others = [word for word in words[first:] if word.lower() not in LISTS]
        if lists and not others and places[0].is_required and not secrets:
            others = [who] if (who := known.sender()) else []
        is_sure = is_sure and [*others, *lists] == words[first:]
        words[first:] = [*others, *lists]
    yield _reading(head, words, options, secrets, is_sure)


def _belongs(words: Sequence[str], in_notation: InNotation) -> bool:
    """Whether the first word, in the place of a password, belongs to a move."""
    return words[0] not in tuple(DASHES) and bool(moves_in(words, in_notation))


def _in_any_order(head: Head, known: Known) -> Iterator[Reading]:
    """The words in the order that the command needs, whatever it was. With a password,
    the player must be known and a move must show that it is one: the password is the
    one word left."""
    command = head.command
    places, secrets = command.places, _secret_places(command)
    if not secrets:
        for reading in _in_order(head, known):
            yield reading._replace(is_sure=False)
        return
    if len(secrets) > 1 or USERID not in places:
        return
    given, options = _sorted(head.rest, command, (), known)
    secret = places[secrets[0]]
    kinds = (BOARD, TOURNAMENT, USERID, secret)
    single = [place for place in kinds if place in places]
    if {*single} != {*places[: len(single)]}:
        return  # a place comes first that words of several kinds may fill
    may_be = [_may_be(place, given, known) for place in single]
    for taken in product(*may_be):
        if len({*taken}) < len(taken):
            continue
        left = [i for i in range(len(given)) if i not in taken]
        at = dict(zip(single, taken, strict=True))
        tail = _tail(given, left, command, places[len(single) :])
        if tail is None or _joins(given, left, at.get(BOARD), command):
            continue
        words = [
            given[at[place]] if place is secret else plain(given[at[place]])
            for place in places[: len(single)]
        ]
        yield _reading(head, [*words, *tail], options, secrets, False)


def _may_be(place: Place, words: Sequence[str], known: Known) -> list[int]:
    """The indices of the words that may be meant for a number, a player or a
    password."""
    if place.kind.question:
        return [i for i, word in enumerate(words) if _may_be_password(word)]
    if place is USERID:
        return [i for i, w in enumerate(words) if known.is_player(plain(w).lower())]
    return [i for i, w in enumerate(words) if re.fullmatch("[0-9]{1,9}", plain(w))]


def _may_be_password(word: str) -> bool:
    """Whether a word out of its place may be a password: no word of a command is."""
    is_ours = word.lower() in command_words() or word.lower() in rules.names()
    return word in tuple(DASHES) or (may_be_password(word) and not is_ours)


def _tail(
    line: Sequence[str],
    indices: Sequence[int],
    command: Command,
    places: Sequence[Place],
) -> list[str] | None:
    """The words for the places after the password, if they can be what is needed there:
    moves next to each other that no password could be, or else words of one kind."""
    words = [line[i] for i in indices]
    if not places:
        return None if words else []
    if len(places) > 1:
        return [plain(word) for word in words] if len(words) == len(places) else None
    (place,) = places
    if place.is_of_moves:
        if indices and indices[-1] - indices[0] != len(indices) - 1:
            return None
        found = moves_in(words, rules.load(command.game).in_notation, glued=True)
        return found or None
    if place.kind is ANY and not all("@" in word for word in words):
        return None
    return [plain(word) for word in words]


def _joins(
    line: Sequence[str], moves: Sequence[int], board: int | None, command: Command
) -> bool:
    """Whether the number of a board is right beside moves and may belong to them."""
    if board is None or not moves or not command.places[-1].is_of_moves:
        return False
    first, last = min(board, moves[0]), max(board, moves[-1])
    in_notation = rules.load(command.game).in_notation
    is_beside = last - first == len(moves)
    return is_beside and bool(moves_in(line[first : last + 1], in_notation))


_OF_GAMES = (GAME, GAME_OR_PAGE)


def _mended(word: str, command: Command, index: int) -> str:
    """A word as its place needs it, from its index after the command."""
    place = next(iter([*command.places[index:], *command.places[-1:]]), None)
    is_of_games = place is not None and (
        place.name == "subject" or place.kind in _OF_GAMES
    )
    return (is_of_games and game_named(word)) or plain(word)


def _sorted(
    line: Sequence[str], command: Command, secrets: Sequence[int], known: Known
) -> tuple[list[str], list[str]]:
    """The words that are no options, and the options. One may be typed without a dash,
    except in the place of a password or if it is a player's name."""
    options = {option.name: option for option in command.options}
    given: list[str] = []
    found: list[str] = []
    rest = iter(line)
    for word in rest:
        typed, equals, value = plain(word).partition("=")
        name = typed.lstrip(DASHES).lower().replace("-", "_")
        is_marked = is_option(half_width(word))
        option = options.get(name)
        if not is_marked and (
            option is None
            or option is TEXT
            or len(given) in secrets
            or (not equals and known.is_player(name))
        ):
            given.append(word)
        elif option is TEXT:
            found.append(word if equals else f"{word}={next(rest, '')}")
        elif option is None:
            found.append(word)
        elif option.is_flag:
            found.append(f"-{name}{equals}{value}")
        else:
            value = value or plain(next(rest, ""))
            value = plain(next(rest, "")) if value == "=" else value
            is_value = value and not is_option(value)
            found.append(f"-{name}={value}" if is_value else f"-{name}")
    return given, found


def _names_boards(places: Sequence[Place]) -> bool:
    """Whether players or boards are named there, and a list of boards after them."""
    return any(place.fill in SELECTIONS or place.kind is LIST for place in places)


def _secret_places(command: Command) -> tuple[int, ...]:
    kinds = enumerate(place.kind for place in command.places)
    return tuple(i for i, kind in kinds if kind.question)


def _reading(
    head: Head,
    words: Sequence[str],
    options: Sequence[str],
    secrets: Sequence[int],
    is_sure: bool,
) -> Reading:
    command = head.command
    own = [*filter(None, [command.game]), *command.name.split()]
    return Reading(
        (*own, *words, *options),
        tuple(len(own) + i for i in secrets if i < len(words)),
        is_sure,
        head.lacks_game,
    )
