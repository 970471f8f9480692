"""The grammar of commands, as they should be typed."""

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.commands.params import (
    LISTS,
    USERID,
    Ask,
    Option,
    Place,
    WrongWord,
    are_moves,
    is_option,
    joined,
)
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.table import Command
from pbm_holomino.errors import BadCommand, NoCommand
from pbm_holomino.languages import Either, Sentence, sentence, together
from pbm_holomino.match.account import SHORTEST_PASSWORD, is_address, is_userid
from pbm_holomino.match.trees import is_draw
from pbm_holomino.rules.options import unknown_option
from pbm_holomino.sentences import DASHES, nearest, quoted


def read(
    words: Sequence[str], ask: Ask | None, in_shell: bool
) -> tuple[Command, Request]:
    """The command and the request that these words make as they are. Raises
    BadCommand."""
    command, rest = find(joined(words), in_shell)
    try:
        options, typed = _sorted(rest, command)
    except BadCommand as error:
        page = command.game if command.takes_options else command.help_page
        raise BadCommand(error.said, page) from None
    try:
        return command, _request(command, options, typed, ask)
    except BadCommand as error:
        said = error.said
        if isinstance(error, WrongWord) and _may_be_secret(error.word, command, rest):
            said = error.hiding or said
        raise BadCommand(said, command.help_page) from None


def _request(
    command: Command, options: Mapping[str, str], typed: Sequence[str], ask: Ask | None
) -> Request:
    """The request with these options and other words. Raises BadCommand."""
    known = {option.name: option for option in command.options}
    values = {name: known[name].kind.value(options[name], ask) for name in options}
    rest = [*typed]
    places = command.places
    for place, after in zip_longest(places, places[1:]):
        if _is_left_out(place, after, rest):
            continue
        if place.is_required and not rest:
            raise lacking(place, command)
        if place.is_several:
            values[place.name] = tuple(place.kind.value(word, ask) for word in rest)
            rest = []
        elif rest:
            values[place.name] = place.kind.value(rest.pop(0), ask)
        elif place.kind.question and values.keys() >= {"userid"}:
            raise lacking(place, command)  # a userid alone proves nothing
    if rest:
        raise misused([sentence("There are too many words.")], command)
    request = Request(command.name, command.game)
    params: list[Place | Option] = [*command.places, *known.values()]
    for param in params:
        if param.name in values:
            request = param.fill(request, values[param.name])
    return request


def _is_left_out(place: Place, after: Place | None, rest: Sequence[str]) -> bool:
    """Whether the next word is the userid that comes after an optional place."""
    is_before = after == USERID and after.is_required and not place.is_required
    return is_before and (not rest or is_userid(rest[0].lower()))


def lacking(place: Place, command: Command) -> BadCommand:
    """The error about a command that lacks a word for this place."""
    said = [_MISSING.of(word=place.name)]
    if place.kind.known is not None:
        said.append(place.kind.known())
    return misused(said, command)


def misused(said: Sequence[Sentence], command: Command) -> BadCommand:
    """The error that says what is wrong, and how the command is written."""
    usage = _USAGE.of(usage=command.usage())
    return BadCommand(together([*said, usage]), command.help_page)


_MISSING = sentence("A word is missing: {word}.")
_USAGE = sentence("Please write: {usage}")


def _may_be_secret(word: str, command: Command, words: Sequence[str]) -> bool:
    """Whether a word may be a password out of place, which no sentence quotes."""
    return (
        command.takes_password
        and word in words
        and len(word) >= SHORTEST_PASSWORD
        and ":" not in word  # no password holds one
        and word.lower() not in table.command_words()
    )


def is_doubtful(command: Command, request: Request) -> bool:
    """Whether these words, which can be read, must mean something else: a move in no
    notation of the game, an option without its dash, no password, no address, nobody
    to play against."""
    password, places, typed = request.password, command.places, request.words
    if password and (":" in password or len(password) < SHORTEST_PASSWORD):
        return True
    if places and places[-1].is_of_moves:
        in_notation = rules.load(command.game).in_notation
        moves = [word for word in typed if not is_draw(word)]
        return not are_moves(moves, in_notation)
    options = command.options if command.takes_options else ()
    if not {option.name for option in options}.isdisjoint(typed):
        return True
    if command.name == "help":
        return not table.has_help(typed)
    if command.name == "forgot":
        return typed == ("password",)  # which is nobody's name
    if command.name == "challenge" and len(typed) == 1:
        return True
    are_addresses = bool(places) and places[-1].name == "address"
    return are_addresses and not all(map(is_address, typed))


# Which command it is


def find(words: Sequence[str], in_shell: bool) -> tuple[Command, Sequence[str]]:
    """The command, and the words after its own."""
    if not words:
        raise NoCommand(
            sentence('I cannot find a command here: "help" lists the commands.'), ""
        )
    if words[0].lower() == "pbm" and len(words) > 1:
        words = words[1:]  # as it is typed in a shell
    game = table.game_in(words)
    command = table.begun(words, in_shell)
    if command is None and game and len(words) == 1:
        command = table.begun((game, "help"), in_shell)
    if command is None:
        raise _unknown(game, words[bool(game) :], in_shell)
    rest = words[len(command.words.split()) :]
    if command.name == "challenge" and any(map(is_address, rest)):
        command = table.COMMANDS["{game} invite"]._replace(game=game)
    return command, rest


def _unknown(game: str, words: Sequence[str], in_shell: bool) -> BadCommand:
    """The error about words that begin no command, after a game's name or without
    one."""
    typed = words[0].lower()
    top, in_game = table.at_top(in_shell), table.in_game()
    known = in_game if game else top
    seconds = [name.split()[1] for name in known if name.startswith(f"{typed} ")]
    if seconds and typed not in in_game:
        page = known[f"{typed} {seconds[0]}"].help_page
        after = sentence(
            'After "{word}" comes {choices}.', word=typed, choices=Either(seconds)
        )
        return BadCommand(after, page)
    # a Subject of ours, such as `holo 12: show`, begins like none
    is_ours = typed.endswith(":") and typed[:-1].isdecimal()
    kind = BadCommand if game and not is_ours else NoCommand
    if typed in LISTS:
        example = f"{game} show" if game else "all show"
        return kind(
            sentence(
                "Whose boards? Please name a player, such as "
                '"{command} alice {which}".',
                command=example,
                which=typed,
            )
        )
    hint, page = _hint(game, typed, in_shell)
    is_hidden = not page and len(words) > 1  # any of the words may be a password
    unknown = _NO_WORD if is_hidden else _NO_COMMAND
    said = unknown[bool(game)].of(game=game)
    if not is_hidden:
        from pbm_holomino.commands.reading.spelling import plain  # few lines need it

        said = said.of(word=quoted(plain(words[0])))
    return kind(together([said, hint]), page)


# Of words that begin no command, without a game's name and after one
_NO_COMMAND = (
    sentence("There is no command {word}."),
    sentence('There is no command {word} after "{game}".'),
)
_NO_WORD = (
    sentence("The first word is not a command."),
    sentence('The word after "{game}" is not a command.'),
)
_HELP = sentence('"help" lists the commands.')


def _hint(game: str, typed: str, in_shell: bool) -> tuple[Sentence, str]:
    """What may have been meant by the first word of a command, and the help page on a
    command that is like it, if one is."""
    top, in_game = table.at_top(in_shell and not game), table.in_game()
    if typed in in_game and not game:
        forms = Either(f'"{name} {typed}"' for name in rules.names())
        after = sentence("It comes after the name of a game: {commands}.")
        return after.of(commands=forms), in_game[typed].help_page
    pages = {name.split()[0]: command.help_page for name, command in top.items()}
    if game and typed in pages:
        return sentence("It comes without a game."), pages[typed]
    if re.match("[0-9]+:[0-9]", typed) and not game:
        return (
            sentence(
                'To play a move, reply to a letter about the board: see "help reply".'
            ),
            "",
        )
    # each command by the words that make it known, those known here last
    at_top = {name: f"{'pbm ' * c.is_owners}{name}" for name, c in top.items()}
    after_game = {name: f"{game or rules.names()[0]} {name}" for name in in_game}
    games = {name: name for name in rules.names()}
    right = {**at_top, **after_game} if game else {**after_game, **at_top, **games}
    near = nearest(typed, right)
    if not near:
        return _HELP, ""
    command = {**top, **in_game}.get(near)
    page = command.help_page if command else near
    return sentence('Did you mean "{command}"?', command=right[near]), page


# Options: one dash or two, underscores or dashes, `=` or a space


def _sorted(words: Sequence[str], command: Command) -> tuple[dict[str, str], list[str]]:
    """The options with their values, and the other words. Raises BadCommand for an
    option that is unknown, given twice, or without its value."""
    known = {option.name: option for option in command.options}
    options: dict[str, str] = {}
    others: list[str] = []
    rest = iter(words)
    for word in rest:
        if not is_option(word):
            others.append(word)
            continue
        typed, equals, value = word.partition("=")
        name = typed.lstrip(DASHES).lower().replace("-", "_")
        if name not in known:
            raise _unknown_option(word, command, len(others))
        if name in options:
            raise BadCommand(sentence("{option} is given twice.", option=quoted(typed)))
        if not equals:
            value = "yes" if known[name].is_flag else next(rest, "")
            if not value or is_option(value):
                raise BadCommand(
                    sentence(
                        "-{option} needs a value: please write -{option}=...",
                        option=name,
                    )
                )
        options[name] = value
    return options, others


def _unknown_option(word: str, command: Command, before: int) -> BadCommand:
    """The error about a word that may be an option, after so many other words."""
    places = command.places
    if before < len(places) and places[before].kind.is_secret:
        dash = sentence(
            'A word that begins with "-" is an option, and a userid or a password is '
            "expected there."
        )
        return misused([dash], command)
    return BadCommand(unknown_option(word, {each.name for each in command.options}))
