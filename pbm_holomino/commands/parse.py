"""Words to a request: one grammar for shell and mail, read by click."""

import re
from collections.abc import Callable, Iterable, Sequence

import click

from pbm_holomino import rules
from pbm_holomino.commands import syntax
from pbm_holomino.commands.forms import Flag
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.syntax import GAME_COMMANDS, TOP_COMMANDS, page_of
from pbm_holomino.errors import BadCommand
from pbm_holomino.rules.options import unknown_option
from pbm_holomino.sentences import DASHES, listed, nearest, quoted


def parse(
    words: Sequence[str],
    ask: Callable[[str], str] | None = None,
    others: Iterable[str] = (),
) -> Request:
    """The request that these words make.

    `ask` gives the password that is typed as `-`; by mail nobody can be asked.
    `others` are commands that are known here besides: a misspelt one is named.
    Raises BadCommand or another PbmError; no sentence quotes a word that stands
    where a userid or a password is expected.
    """
    if not words:
        raise BadCommand('There is no command here: "help" lists the commands.')
    game, name, rest = _find(words, others)
    command = syntax.command(game, name)
    args = _normal_options(rest, command, game)
    try:
        with command.make_context(name, args, obj=ask) as context:
            request = command.invoke(context)
    except click.UsageError as error:
        raise _misused(error, command, game) from None
    except BadCommand as error:
        error.page = page_of(name)
        raise
    assert isinstance(request, Request)
    return request._replace(game=game)


def _find(
    words: Sequence[str], others: Iterable[str]
) -> tuple[str, str, Sequence[str]]:
    """The game (or none), the command's name, and the words after it."""
    if words[0].lower() == "pbm" and len(words) > 1:
        words = words[1:]  # as it is typed in a shell
    first = words[0].lower()
    game = first if first in rules.names() else ""
    rest = words[1:] if game else words
    if not rest:
        return game, "help", []
    known = GAME_COMMANDS if game else TOP_COMMANDS
    for length in (2, 1):  # some names are two words: change password
        name = " ".join(rest[:length]).lower()
        if name in known:
            return game, name, rest[length:]
    raise _unknown(game, rest, known, others)


def page_for(words: Sequence[str], others: Iterable[str] = ()) -> str:
    """The help page for a command that somebody has begun to type."""
    if not words:
        return "commands"
    game, name, _ = _find(words, others)
    return game if game and name == "help" else page_of(name)


def _unknown(
    game: str, words: Sequence[str], known: Iterable[str], others: Iterable[str]
) -> BadCommand:
    typed = words[0].lower()
    seconds = [name.split()[1] for name in known if name.startswith(f"{typed} ")]
    if seconds and typed not in GAME_COMMANDS:
        page = page_of(f"{typed} {seconds[0]}")
        return BadCommand(f'After "{typed}" comes {listed(seconds, "or")}.', page)
    if game and re.fullmatch(r"[0-9]{1,9}:.*", typed):
        board = typed.partition(":")[0]
        return _no_command_yet(f"{game} move {board} alice PASSWORD MOVE", "move")
    if not game and _OUR_SUBJECT.match(" ".join(words).lower()):
        return _no_command_yet("help tutorial")
    # each command by the words that make it known here
    elsewhere = (
        {name: name for name in TOP_COMMANDS}
        if game
        else {name: f"{rules.names()[0]} {name}" for name in GAME_COMMANDS}
    )
    here = {name: f"{game} {name}".strip() for name in known}
    games = {} if game else {name: name for name in rules.names()}
    outside = {} if game else {name: f"pbm {name}" for name in others}
    right = {**elsewhere, **outside, **here, **games}
    near = nearest(typed, right)
    hint = f'Did you mean "{right[near]}"?' if near else '"help" lists the commands.'
    if typed in GAME_COMMANDS and not game:
        forms = listed([f'"{name} {typed}"' for name in rules.names()], "or")
        hint = f"It comes after the name of a game: {forms}."
    after = f' after "{game}"' if game else ""
    return BadCommand(f"There is no command {quoted(words[0])}{after}. {hint}")


# How the subjects of letters begin that are about no board: a reply has them too
_OUR_SUBJECT = re.compile(r"[a-z][a-z0-9_]{1,19}: |a message from |your command\b")


def _no_command_yet(example: str, page: str = "commands") -> BadCommand:
    return BadCommand(
        "A reply to a letter is no command yet: please put the command into the "
        f'Subject line, as in "{example}".',
        page,
    )


# Options: one dash or two, underscores or dashes, `=` or a space


def _normal_options(
    words: Sequence[str], command: click.Command, game: str
) -> list[str]:
    """The words with options as click reads them: `--pool-size=5`. Raises
    BadCommand for an unknown one, or one that is there twice."""
    known = {
        param.opts[0]: param
        for param in command.params
        if isinstance(param, click.Option)
    }
    places = [p.name for p in command.params if isinstance(p, click.Argument)]
    normal: list[str] = []
    seen: set[str] = set()
    plain, is_value, name = 0, False, command.name or ""
    for word in words:
        if is_value and len(word) > 1 and word[0] in DASHES:
            raise BadCommand("An option there needs a value.", page_of(name))
        if is_value or len(word) < 2 or word[0] not in DASHES:
            normal.append(word)
            plain += not is_value
            is_value = False
            continue
        typed, equals, value = word.partition("=")
        option = "--" + typed.lstrip(DASHES).lower().replace("_", "-")
        if option not in known:
            place = places[plain] if plain < len(places) else None
            raise _unknown_option(word, known, place, command, game)
        if option in seen:
            raise BadCommand(
                f"{quoted(typed)} is there twice.", page_of(command.name or "")
            )
        seen.add(option)
        if isinstance(known[option], Flag) and not equals:
            equals, value = "=", "yes"
        is_value = not equals
        normal.append(option + equals + value)
    return normal


def _unknown_option(
    word: str,
    known: Iterable[str],
    place: str | None,
    command: click.Command,
    game: str,
) -> BadCommand:
    if place in syntax.SECRET_PLACES:
        return BadCommand(
            'A word that begins with "-" is an option, and stands where a userid or '
            f"a password is expected. {_usage(command, game)}",
            page_of(command.name or ""),
        )
    names = {option[2:].replace("-", "_") for option in known}
    return BadCommand(unknown_option(word, names), page_of(command.name or ""))


# What click complains of


def _misused(error: click.UsageError, command: click.Command, game: str) -> BadCommand:
    if isinstance(error, click.MissingParameter):
        name = error.param.human_readable_name.lower() if error.param else "a word"
        sentence = f"A word is missing: {name}. {_usage(command, game)}"
    elif isinstance(error, click.BadOptionUsage):
        name = error.option_name.lstrip("-").replace("-", "_")
        sentence = f"-{name} needs a value, as in -{name}=..."
    elif isinstance(error, click.BadParameter):
        sentence = error.message
    else:
        sentence = f"There are too many words. {_usage(command, game)}"
    return BadCommand(sentence, page_of(command.name or ""))


def _usage(command: click.Command, game: str) -> str:
    return f"Please write: {(command.help or '').format(game=game)}"
