"""The options of `challenge`: what a game, and every match, can be set to."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from pbm_holomino.errors import BadOption
from pbm_holomino.languages import Either, Listed, Sentence, Text, sentence, together
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import DASHES, nearest, quoted

Options = Mapping[str, Any]  # numbers, flags, words, or None where nothing is set

_BEYOND = sentence("-{option}={value} is outside its limits: {least} to {greatest}.")
_BEYOND_BUT_NEVER = sentence(
    "-{option}={value} is outside its limits: {least} to {greatest} (or 0 for never)."
)


class Limits(NamedTuple):
    """The least and the greatest number, and the refusal of any other."""

    least: int
    greatest: int
    beyond: Sentence = _BEYOND


class Option(NamedTuple):
    """One option of `challenge`: a number if it has limits, a word if it has choices
    or a form, else a flag."""

    name: str
    help: Sentence
    default: Any = False
    # From the options above this one in the table.
    limits: Callable[[Options], Limits] | None = None
    choices: tuple[str, ...] = ()
    never: bool = False  # the number may also be 0, which means that
    opposite: str = ""  # another flag, which turns this one off
    form: str = ""  # an example of the word, which `read` makes a value
    read: Callable[[str], Any] = str  # raises BadOption

    @property
    def is_flag(self) -> bool:
        """Whether it is yes or no."""
        return not (self.limits or self.choices or self.form)

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which the option is given."""
        return (self.name, self.opposite) if self.opposite else (self.name,)

    @property
    def usual(self) -> str:
        """The default as the help files write it; empty for what is just not set."""
        if self.opposite:
            return f"-{self.name if self.default else self.opposite}"
        is_set = self.default is not None and self.default is not False
        return str(self.default) if is_set else ""

    @property
    def metavar(self) -> Text:
        """The option as the help files write it."""
        if self.limits:
            return f"-{self.name}=N"
        if words := "|".join(self.choices) or self.form:
            return f"-{self.name}={words}"
        if self.opposite:
            return _EITHER.of(option=self.name, opposite=self.opposite)
        return f"-{self.name}"

    def range(self, options: Options) -> Sentence | None:
        """The least and the greatest number; None if it is no number."""
        if self.limits is None:
            return None
        least, greatest, _ = self.limits(options)
        numbers = _OR_NEVER if self.never else _FROM_TO
        return numbers.of(least=least, greatest=greatest)


_EITHER = sentence("-{option} or -{opposite}")
_FROM_TO = sentence("From {least} to {greatest}.")
_OR_NEVER = sentence("From {least} to {greatest}, or 0 for never.")


BOARD_SIZE = Option(
    "board_size",
    sentence(
        "The tiles may spread over N columns and over N cells from top to bottom, and "
        "no further. Without this option the board has no edge."
    ),
    None,
    lambda options: Limits(3, 99),
)


# The options that each game has besides its own.
RANDOM = Option("random", sentence("The seats are drawn by lot."))
NAG = Option(
    "nag",
    sentence("A player who has not moved is reminded every N days."),
    7,
    lambda options: Limits(1, 365, _BEYOND_BUT_NEVER),
    never=True,
)
FORFEIT = Option(
    "forfeit",
    sentence(
        "A player who has not moved for N days loses. The clock starts when everybody "
        "has accepted the challenge or moved; if a player runs out of time before "
        "their first move, the game is cancelled and does not count."
    ),
    21,
    lambda options: Limits(3, 365, _BEYOND_BUT_NEVER),
    never=True,
)


class Clock(NamedTuple):
    """The clocks of a board's players, in hours: what each has at first, what each move
    adds, and the most that a player can have."""

    bank: int
    adds: int
    most: int

    def __str__(self) -> str:
        adds = f"+{_span(self.adds)}" if self.adds else ""
        most = f"/{_span(self.most)}" if self.most != MOST_HOURS else ""
        return f"{_span(self.bank)}{adds}{most}"


MOST_HOURS = 365 * 24
_CLOCK = r"(?ai)(\d{1,9})([dh]?)(?:\+(\d{1,9})([dh]?))?(?:/(\d{1,9})([dh]?))?"


def _span(hours: int) -> str:
    return f"{hours}h" if hours % 24 else f"{hours // 24}d"


def read_clock(word: str) -> Clock:
    """The clock in a word such as `10d+1d/20d`. Raises BadOption."""
    found = re.fullmatch(_CLOCK, word)
    if not found:
        raise BadOption(_NO_CLOCK.of(word=quoted(word)))
    bank, adds, most = (
        None if number is None else int(number) * (1 if unit in ("h", "H") else 24)
        for number, unit in zip(found.groups()[::2], found.groups()[1::2], strict=True)
    )
    assert bank is not None
    times = [bank, *(time for time in (adds, most) if time is not None)]
    if not all(1 <= time <= MOST_HOURS for time in times):
        raise BadOption(_CLOCK_BEYOND.of(word=quoted(word)))
    clock = Clock(bank, adds or 0, most or MOST_HOURS)
    if clock.bank > clock.most:
        raise BadOption(_OVERFULL.of(word=quoted(word)))
    return clock


_NO_CLOCK = sentence(
    "-clock does not take {word}. Please write the time that each player has, what "
    "each move adds, and the most that a player can have, in days or hours, such as "
    "-clock=10d+1d/20d, -clock=10d+12h or -clock=30d."
)
_CLOCK_BEYOND = sentence(
    "-clock={word} is outside its limits: each of its times can be from 1 hour (1h) to "
    "365 days (365d)."
)
_OVERFULL = sentence(
    "-clock={word} makes no sense: the last of its times is the most that a player can "
    "have, and they would begin with more."
)
CLOCK = Option(
    "clock",
    sentence(
        "In place of -forfeit: each player has a clock, which runs while it is their "
        "turn. 10d+1d/20d gives them 10 days, each move adds 1 day, and nobody can "
        "have more than 20 days; h stands for hours. The last two can be left out. A "
        "player whose clock has run out loses, or the game is cancelled if that is "
        "before their first move."
    ),
    None,
    form="10d+1d/20d",
    read=read_clock,
)
MATCH_OPTIONS = (RANDOM, NAG, FORFEIT, CLOCK)
# It says what a game is worth, and changes nothing on the board.
RATED = Option(
    "rated",
    sentence(
        "The game counts in standings and ratings. Games between people do without "
        "this option, unless you give -rated=no; games against robots only with it, "
        "and only if the owner of the server allows that."
    ),
)
CHALLENGE_OPTIONS = (*MATCH_OPTIONS, RATED)


class HasOptions(Protocol):
    """A game, as far as its options go."""

    OPTIONS: tuple[Option, ...]
    PRESETS: Mapping[str, Options]


def configure(game: HasOptions, given: Mapping[str, str]) -> dict[str, Any]:
    """All options of a new board, from the words that were given for some.

    Raises BadOption for a word that is unknown or outside its limits.
    """
    given = dict(given)
    rules = given.pop("rules", None) if game.PRESETS else None
    if rules is not None and rules.lower() not in game.PRESETS:
        raise BadOption(
            sentence(
                "There are no rules {rules} here: -rules= takes {presets}.",
                rules=quoted(rules),
                presets=Either(game.PRESETS),
            )
        )
    preset = game.PRESETS[rules.lower()] if rules is not None else {}
    names = {name for option in game.OPTIONS for name in option.names}
    for name in given.keys() - names:
        raise BadOption(
            unknown_option(f"-{name}", names | ({"rules"} if game.PRESETS else set()))
        )
    for option in game.OPTIONS:
        if option.opposite in given:
            given |= _turned_off(option, given)
    return read_options(game.OPTIONS, given, preset)


def _turned_off(option: Option, given: Mapping[str, str]) -> dict[str, str]:
    """The word for a flag whose opposite is given. Raises BadOption."""
    if option.name in given:
        raise excluding(option.names)
    flag = option._replace(name=option.opposite)
    is_off = read_option(flag, given[option.opposite])
    return {option.name: format_option(option, not is_off)}


def excluding(names: Sequence[str]) -> BadOption:
    """The error about options that were given together."""
    return BadOption(
        sentence(
            "{options} exclude each other: please give only one of them.",
            options=Listed(f"-{name}" for name in names),
        )
    )


def read_options(
    table: Sequence[Option], given: Mapping[str, str], preset: Options
) -> dict[str, Any]:
    """All options of a table: from the words that were given for some, otherwise from a
    preset or their defaults. Raises BadOption."""
    options: dict[str, Any] = {}
    for option in table:
        word = given.get(option.name)
        default = preset.get(option.name, option.default)
        options[option.name] = default if word is None else read_option(option, word)
        _check_limits(option, options)
    return options


def unknown_option(typed: str, names: set[str]) -> Sentence:
    """What is said of an unknown option, with the nearest known one."""
    plain = typed.lstrip(DASHES).split("=")[0].lower().replace("-", "_")
    near = nearest(plain, sorted(names))
    dashes = "--" if typed.startswith("--") else "-"
    if " " in typed:  # a text, which may hold what nobody else should read
        typed = typed.partition("=")[0]
    unknown = sentence("There is no option {option} here.", option=quoted(typed))
    if not near:
        return unknown
    return together([unknown, sentence("Did you mean {option}?", option=dashes + near)])


_FLAGS = {
    "yes": True,
    "on": True,
    "true": True,
    "no": False,
    "off": False,
    "false": False,
}


_NO_NUMBER = sentence("-{option} takes a number, not {word}.")
_TOO_LARGE = sentence("{word} is too large a number for -{option}.")
_NO_CHOICE = sentence("-{option} takes {choices}, not {word}.")


def read_option(option: Option, word: str) -> Any:
    """The value that a word gives an option, before its limits. Raises BadOption."""
    if option.limits:
        # isdigit alone would let other scripts' digits through
        if not (word.isascii() and word.isdigit()):
            raise BadOption(_NO_NUMBER.of(option=option.name, word=quoted(word)))
        if len(word) > 9:
            raise BadOption(_TOO_LARGE.of(option=option.name, word=quoted(word)))
        return int(word)
    if option.form:
        return option.read(word)
    choices = option.choices or tuple(_FLAGS)
    if word.lower() not in choices:
        right = Either(option.choices or ("yes", "no"))
        raise BadOption(
            _NO_CHOICE.of(option=option.name, choices=right, word=quoted(word))
        )
    return word.lower() if option.choices else _FLAGS[word.lower()]


def format_option(option: Option, value: Any) -> str:
    """The word from which read_option makes this value."""
    if option.is_flag:
        return "yes" if value else "no"
    return str(value)


def typed_option(option: Option, value: Any) -> str:
    """An option with this value, as it may be typed in a challenge."""
    if option.opposite:
        return f"-{option.name if value else option.opposite}"
    return f"-{option.name}={format_option(option, value)}"


def _check_limits(option: Option, options: Options) -> None:
    value = options[option.name]
    if option.limits is None or value is None or (option.never and value == 0):
        return
    least, greatest, beyond = option.limits(options)
    if not least <= value <= greatest:
        raise BadOption(
            beyond.of(option=option.name, value=value, least=least, greatest=greatest)
        )
