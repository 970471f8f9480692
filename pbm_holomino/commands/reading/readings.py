"""What a line may mean that is not quite a command: the readings of its words.

A reading is a line as it should have been typed: a command that some of its words name,
and the others in the places that this command has. All that may be meant are made here;
`repair` decides whether one of them is the only one that is a command. A password is
taken as it was typed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from pbm_holomino import rules
from pbm_holomino.commands.known_names import Known
from pbm_holomino.commands.params import (
    ACTS,
    BOARD,
    GAME,
    GAME_OR_PAGE,
    LISTS,
    PLAYER,
    SELECTIONS,
    SWAP,
    TEXT,
    TOURNAMENT,
    USERID,
    Place,
    is_option,
)
from pbm_holomino.commands.reading.spelling import (
    game_named,
    half_width,
    moves_in,
    plain,
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

MOST_WORDS = 14  # of a line whose order is repaired
_NOBODY, _NOBODYS = "x" * 20, "~" * 64  # a name and a password that nobody has


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
    """A command that may be meant, and the words for its places. It `is_first` if the
    line begins with the words that name it."""

    command: Command
    rest: list[str]
    is_sure: bool = True
    is_first: bool = True
    lacks_game: bool = False

    @property
    def secrets(self) -> tuple[int, ...]:
        """The indices of its passwords among its words."""
        kinds = enumerate(place.kind for place in self.command.places)
        return tuple(i for i, kind in kinds if kind.question)


def tiers(
    line: Sequence[str], known: Known, in_shell: bool
) -> Iterator[Iterable[Reading]]:
    """What could be meant, the nearer readings first: a later tier counts only if no
    reading of an earlier one is a command."""
    heads = [*_heads(line, in_shell)]
    in_order = [
        reading for head in heads if head.is_first for reading in _in_order(head, known)
    ]
    yield (reading._replace(is_sure=False) for reading in in_order)
    if len(line) <= MOST_WORDS:
        yield (reading for head in heads for reading in _in_any_order(head, known))
    yield (reading for reading in in_order if reading.is_sure)


def lacking(
    line: Sequence[str], known: Known, in_shell: bool
) -> Iterator[tuple[Place, Reading]]:
    """What could be meant if only the password is missing, or before moves the userid
    as well, with words for these; and the place of the first."""
    for head in (*_heads(line, in_shell), *_without_verb(line)):
        for at, more in _gaps(head) if head.is_first else ():
            # a move shows what it is, and other words need not
            is_sure = head.is_sure and head.command.places[-1].is_of_moves
            rest = [*head.rest[:at], *more, *head.rest[at:]]
            filled = head._replace(rest=rest, is_sure=is_sure)
            for reading in (*_in_order(filled, known), *_in_any_order(filled, known)):
                if _NOBODYS in (reading.words[i] for i in reading.secrets):
                    yield head.command.places[head.secrets[0] - len(more) + 1], reading


def _gaps(head: Head) -> Iterator[tuple[int, list[str]]]:
    """Where words may be missing, and what could be there."""
    if len(head.secrets) == 1:
        (at,), places = head.secrets, head.command.places
        yield at, [_NOBODYS]
        yield len(head.rest), [_NOBODYS]
        if places[at - 1] == USERID and places[-1].is_of_moves:
            yield at - 1, [_NOBODY, _NOBODYS]


# Which command it is


def _heads(line: Sequence[str], in_shell: bool) -> Iterator[Head]:
    """The commands that the words may name, with the name of a game or without one."""
    games: list[tuple[str, int | None]] = [
        (game, at) for at, word in enumerate(line) if (game := game_named(word))
    ]
    if top := _at_top(line, in_shell):
        yield top
    for game, at in games or [(name, None) for name in rules.names()]:
        for verb in range(len(line)):
            used = {verb, verb if at is None else at}
            rest = [word for i, word in enumerate(line) if i not in used]
            if verb != at and (head := _meant(line[verb], game, rest)):
                is_first = not top and max(used) < len(used)
                is_sure = head.is_sure and is_first and at is not None
                yield Head(head.command, head.rest, is_sure, is_first, at is None)


def _without_verb(line: Sequence[str]) -> Iterator[Head]:
    """A game without a command, which may be meant for a move."""
    if game := game_named(line[0]):
        yield Head(_command("{game} move", game), [*line[1:]])


def _at_top(line: Sequence[str], in_shell: bool) -> Head | None:
    """The command with which a line begins that names no game, if no longer one begins
    so, too; or the name of a game alone, which asks for help."""
    if game := game_named(line[0]):
        return None if line[1:] else Head(_command("{game} help", game), [])
    typed = [plain(word).lower() for word in line]
    command = begun(typed, in_shell)
    begin = f"{command.name} " if command else " "
    if command and not any(name.startswith(begin) for name in at_top(in_shell)):
        return Head(command, [*line[len(command.words.split()) :]])
    return _meant(line[0], "", [*line[1:]]) if typed[0] != "all" else None


def _meant(word: str, game: str, rest: list[str]) -> Head | None:
    """The command that a word means, after the name of a game if there is one."""
    typed = plain(word).lower()
    if game and typed in in_game():
        return Head(_command(f"{{game}} {typed}", game), rest)
    if game and typed.partition(":")[0] in (*ACTS, SWAP, *rules.load(game).WORDS):
        return Head(_command("{game} move", game), [*rest, word])
    if typed in LISTS:
        show = _command("{game} show" if game else "all show", game)
        return Head(show, [*rest, typed], is_sure=False)
    if typed == RULES and game:
        return Head(_command("{game} help", game), rest)
    return Head(_command("help"), rest or [RULES]) if typed == RULES else None


def _command(words: str, game: str = "") -> Command:
    return COMMANDS[words]._replace(game=game)


# Its words in their places


def _in_order(head: Head, known: Known) -> Iterator[Reading]:
    """The words as they were typed, each spelled as its place needs it; lists of boards
    come last, and where no player is named it is the sender."""
    command, secrets = head.command, head.secrets
    given, options = _sorted(head.rest, command, secrets, known)
    places = enumerate(command.places)
    first = next((i for i, place in places if place.is_of_moves), len(given))
    tail = _moves(given, range(first, len(given)), secrets, command, glued=False)
    if tail is None:
        return
    words = [
        word if i in secrets else _mended(word, command, i)
        for i, word in enumerate(given[:first])
    ]
    ordered = words if secrets else _listed(words, command, known)
    is_sure = head.is_sure and ordered == words
    words = [*ordered, *(tail or given[first:])]
    yield _reading(head, words, options, is_sure)


def _listed(words: list[str], command: Command, known: Known) -> list[str]:
    """The words with lists of boards after the players, of whom the sender is the first
    where there is none, or only the other one."""
    place = next(iter(command.places), None)
    if place is None or not (place.kind is PLAYER or place.fill in SELECTIONS):
        return words
    lists = [word for word in words if word.lower() in LISTS]
    others = [word for word in words if word.lower() not in LISTS]
    is_lacking = len(others) <= (command.name == "challenge")
    sender = known.sender() if place.is_required and is_lacking else ""
    named = sender in ("", *map(str.lower, others))
    return [*others, *lists] if named else [sender, *others, *lists]


def _in_any_order(head: Head, known: Known) -> Iterator[Reading]:
    """The words in the order that the command needs, whatever it was. With a password,
    the player must be known and a move must show that it is one: the password is the
    one word left."""
    command, places = head.command, head.command.places
    if not head.secrets:
        yield from (r._replace(is_sure=False) for r in _in_order(head, known))
    single = [place for place in places if place in _SINGLE or place.kind.question]
    is_told = USERID in single and len(head.secrets) == 1
    if not is_told or single != [*places[: len(single)]]:
        return  # a place comes first that words of several kinds may fill
    given, options = _sorted(head.rest, command, (), known)
    for taken in product(*(_may_be(place, given, known) for place in single)):
        left = [i for i in range(len(given)) if i not in taken]
        if len(left) + len(single) == len(given):
            tail = _tail(given, left, taken, command)
            words = [
                given[i] if place.kind.question else plain(given[i])
                for place, i in zip(single, taken, strict=True)
            ]
            if tail is not None:
                yield _reading(head, [*words, *tail], options, False)


_SINGLE = (BOARD, TOURNAMENT, USERID)  # places for one word that shows what it is


def _may_be(place: Place, words: Sequence[str], known: Known) -> list[int]:
    """The indices of the words that may be meant for a number, a player or a
    password."""
    if place.kind.question:
        return [i for i, word in enumerate(words) if _may_be_password(word)]
    if place == USERID:
        return [i for i, w in enumerate(words) if known.is_player(plain(w).lower())]
    return [i for i, w in enumerate(words) if re.fullmatch("[0-9]{1,9}", plain(w))]


def _may_be_password(word: str) -> bool:
    """Whether a word out of its place may be a password: no word of a command is."""
    is_ours = word.lower() in command_words() or word.lower() in rules.names()
    return word in tuple(DASHES) or (may_be_password(word) and not is_ours)


def _tail(
    given: Sequence[str], left: Sequence[int], taken: Sequence[int], command: Command
) -> list[str] | None:
    """The words that are left, if they can be what comes after the password: moves must
    be joined by their signs and stand next to each other."""
    if not command.places[-1].is_of_moves:
        return [plain(given[i]) for i in left]
    return _moves(given, left, taken, command, glued=True) or None


def _moves(
    given: Sequence[str],
    at: Sequence[int],
    taken: Sequence[int],
    command: Command,
    glued: bool,
) -> list[str] | None:
    """The moves that the words at these indices mean; None if a word beside them, which
    was taken for something else, may belong to them."""
    if not at or at[-1] - at[0] != len(at) - 1:
        return []
    in_notation = rules.load(command.game).in_notation
    for i in taken:
        begin, end = min(i, at[0]), max(i, at[-1]) + 1
        is_beside = end - begin == len(at) + 1 and given[i] not in tuple(DASHES)
        if is_beside and moves_in(given[begin:end], in_notation):
            return None
    return moves_in([given[i] for i in at], in_notation, glued)


def _mended(word: str, command: Command, index: int) -> str:
    """A word as its place needs it, from its index after the command."""
    places = (*command.places[index:], *command.places[-1:])
    is_of_games = any(
        place.name == "subject" or place.kind in (GAME, GAME_OR_PAGE)
        for place in places[:1]
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
        option = options.get(name)
        is_bare = option in (None, TEXT) or (not equals and known.is_player(name))
        if not is_option(half_width(word)) and (is_bare or len(given) in secrets):
            given.append(word)
        elif option is None or (option is TEXT and equals):
            found.append(word)
        elif option is TEXT:
            found.append(f"{word}={next(rest, '')}")
        elif option.is_flag:
            found.append(f"-{name}{equals}{value}")
        else:
            value = value or plain(next(rest, ""))
            value = plain(next(rest, "")) if value == "=" else value
            is_value = value and not is_option(value)
            found.append(f"-{name}={value}" if is_value else f"-{name}")
    return given, found


def _reading(
    head: Head, words: Sequence[str], options: Sequence[str], is_sure: bool
) -> Reading:
    own = [*filter(None, [head.command.game]), *head.command.name.split()]
    secrets = (len(own) + i for i in head.secrets if i < len(words))
    line = (*own, *words, *options)
    return Reading(line, tuple(secrets), is_sure, head.lacks_game)
