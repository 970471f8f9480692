"""The grammar of commands, as they should be typed, read by click."""

import re
from collections.abc import Callable, Iterator, Sequence

import click

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.commands.params import (
    LISTS,
    Argument,
    Flag,
    Option,
    is_move,
    is_of_moves,
    is_option,
)
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.tree import Leaf, root
from pbm_holomino.errors import BadCommand, NoCommand
from pbm_holomino.match.account import SHORTEST_PASSWORD, is_address
from pbm_holomino.rules.options import unknown_option
from pbm_holomino.sentences import DASHES, listed, nearest, quoted


def read(
    words: Sequence[str], ask: Callable[[str], str] | None, in_shell: bool
) -> tuple[Leaf, Request]:
    """The command and the request that these words make as they are. Raises
    BadCommand."""
    leaf, rest = find(words, in_shell)
    page = leaf.command.help_page
    try:
        args = list(_normal_options(rest, leaf))
    except BadCommand as error:
        about_game = leaf.command.takes_options
        raise BadCommand(str(error), leaf.game if about_game else page) from None
    try:
        with leaf.make_context(leaf.name, args, obj=ask) as context:
            request = leaf.invoke(context)
    except click.UsageError as error:
        raise BadCommand(_misused(error, leaf), page) from None
    except BadCommand as error:
        raise BadCommand(_without_passwords(str(error), leaf, rest), page) from None
    assert isinstance(request, Request)
    return leaf, request


def _without_passwords(said: str, leaf: Leaf, words: Sequence[str]) -> str:
    """A sentence that quotes no word that may be a password out of place."""
    for word in words if leaf.command.takes_password else ():
        # no password holds a colon
        may_be_one = len(word) >= SHORTEST_PASSWORD and ":" not in word
        if may_be_one and word.lower() not in table.command_words():
            said = said.replace(quoted(word), "that")
    return said[:1].upper() + said[1:]


def is_doubtful(leaf: Leaf, request: Request) -> bool:
    """Whether these words, which can be read, must mean something else: a move in no
    notation of the game, an option without its dash, no password, no address."""
    password, places, typed = request.password, leaf.places, request.words
    if password and (":" in password or len(password) < SHORTEST_PASSWORD):
        return True
    if places and is_of_moves(places[-1]):
        in_notation = rules.load(leaf.game).in_notation
        return not all(is_move(word, in_notation) for word in typed)
    if leaf.command.takes_options:
        options = {param.name for param in leaf.words if isinstance(param, Option)}
        return not options.isdisjoint(typed)
    if leaf.command.name == "help":
        return not table.has_help(typed)
    are_addresses = bool(places) and places[-1].name == "address"
    return are_addresses and not all(map(is_address, typed))


# Which command it is


def find(words: Sequence[str], in_shell: bool) -> tuple[Leaf, Sequence[str]]:
    """The command, and the words after its own."""
    if not words:
        raise NoCommand('I cannot find a command here: "help" lists the commands.')
    if words[0].lower() == "pbm" and len(words) > 1:
        words = words[1:]  # as it is typed in a shell
    group, rest = root(in_shell), words
    while rest:
        found = group.after(rest[0].lower())
        if found is None:
            break
        rest = rest[1:]
        if isinstance(found, Leaf):
            return found, rest
        group = found
    if group.leaf is not None:
        return group.leaf, rest
    game_help = group.after("help")
    if group.game and len(words) == 1 and isinstance(game_help, Leaf):
        return game_help, ()
    raise _unknown(group.game, words[bool(group.game) :], in_shell)


def _unknown(game: str, words: Sequence[str], in_shell: bool) -> BadCommand:
    """The error about words that begin no command, after a game's name or without
    one."""
    typed = words[0].lower()
    top, in_game = table.at_top(in_shell), table.in_game()
    known = in_game if game else top
    seconds = [name.split()[1] for name in known if name.startswith(f"{typed} ")]
    if seconds and typed not in in_game:
        page = known[f"{typed} {seconds[0]}"].help_page
        return BadCommand(f'After "{typed}" comes {listed(seconds, "or")}.', page)
    # a Subject of ours, such as `holo 12: show`, begins like none
    is_ours = typed.endswith(":") and typed[:-1].isdecimal()
    kind = BadCommand if game and not is_ours else NoCommand
    if typed in LISTS:
        example = f"{game} show" if game else "all show"
        return kind(
            f'Whose boards? Please name a player, such as "{example} alice {typed}".'
        )
    after = f' after "{game}"' if game else ""
    near, hint = _hint(game, typed, in_shell)
    if not near and len(words) > 1:  # any of them may be a password
        place = f"The word{after}" if game else "The first word"
        return kind(f"{place} is not a command. {hint}")
    return kind(f"There is no command {quoted(words[0])}{after}. {hint}")


_MOVE = re.compile(r"[0-9]+:[0-9]")


def _hint(game: str, typed: str, in_shell: bool) -> tuple[bool, str]:
    """Whether the first word of a command is like one, and what may have been meant."""
    top, in_game = table.at_top(in_shell and not game), table.in_game()
    if typed in in_game and not game:
        forms = listed([f'"{name} {typed}"' for name in rules.names()], "or")
        return True, f"It comes after the name of a game: {forms}."
    if game and typed in {word for name in top for word in name.split()[:1]}:
        return True, f'It comes without a game: see "help {typed}".'
    if _MOVE.match(typed) and not game:
        how = 'To play a move, reply to a letter about the board: see "help reply".'
        return False, how
    # each command by the words that make it known, those known here last
    at_top = {name: f"{'pbm ' * c.is_owners}{name}" for name, c in top.items()}
    after_game = {name: f"{game or rules.names()[0]} {name}" for name in in_game}
    games = {name: name for name in rules.names()}
    right = {**at_top, **after_game} if game else {**after_game, **at_top, **games}
    near = nearest(typed, right)
    if near:
        return True, f'Did you mean "{right[near]}"?'
    return False, '"help" lists the commands.'


# Options: one dash or two, underscores or dashes, `=` or a space


def _normal_options(words: Sequence[str], leaf: Leaf) -> Iterator[str]:
    """The words with options as click reads them: `--pool-size=5`. Raises BadCommand
    for an option that is unknown, given twice, or without its value."""
    known = {param.opts[-1]: param for param in leaf.words if isinstance(param, Option)}
    seen = set[str]()
    plain = 0
    rest = iter(words)
    for word in rest:
        if not is_option(word):
            plain += 1
            yield word
            continue
        typed, equals, value = word.partition("=")
        option = "--" + typed.lstrip(DASHES).lower().replace("_", "-")
        if option not in known:
            raise _unknown_option(word, leaf, plain)
        if option in seen:
            raise BadCommand(f"{quoted(typed)} is given twice.")
        seen.add(option)
        if not equals:
            value = "yes" if isinstance(known[option], Flag) else next(rest, "")
            if not value or is_option(value):
                raise _without_value(option)
        yield f"{option}={value}"


def _without_value(option: str) -> BadCommand:
    name = option[2:].replace("-", "_")
    return BadCommand(f"-{name} needs a value: please write -{name}=...")


def _unknown_option(word: str, leaf: Leaf, plain: int) -> BadCommand:
    """The error about a word that may be an option, after so many plain words."""
    places = [param for param in leaf.words if isinstance(param, Argument)]
    if plain < len(places) and places[plain].kind.is_secret:
        return BadCommand(
            'A word that begins with "-" is an option, and a userid or a password is '
            f"expected there. Please write: {leaf.usage}"
        )
    return BadCommand(
        unknown_option(
            word, {param.name for param in leaf.words if isinstance(param, Option)}
        )
    )


# What click complains of


def _misused(error: click.UsageError, leaf: Leaf) -> str:
    if isinstance(error, click.MissingParameter):
        name = error.param.name if error.param else "a word"
        wrong = f"A word is missing: {name}."
    else:
        wrong = "There are too many words."
    return f"{wrong} Please write: {leaf.usage}"
