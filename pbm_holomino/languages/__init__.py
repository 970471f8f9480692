"""What is said to people, as values that can be said in any language.

A sentence is made where it is decided, and turned into words at the edge, where it is
known who reads it:

    raise NotFound(sentence("{game} {board} has no move {number}.", ...))
    of_number("{n} tile is left.", "{n} tiles are left.", n=len(sack))
    of_player("You drew {tile}.", "{player} drew {tile}.", tile="145")

It is whole, and English as it stands; what changes in it has a named place. A noun, a
verb or half a sentence is never put into another: names of players, moves, numbers,
commands in quotes, and other whole sentences may be. Those who read English pay
nothing: no catalogue is opened for them (see `languages.catalogues` for all others).
"""

from collections.abc import Callable, Iterable
from typing import NoReturn

from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import amount

ENGLISH_CODE = "en"
CODE = r"[a-z]{2,3}(_[a-z]{2,8})?"  # what the codes of languages look like
UTC = "UTC"  # the zone of those who have chosen none
ZONE = r"[A-Za-z][A-Za-z0-9_+-]{0,31}(/[A-Za-z0-9_+-]{1,32}){0,2}"  # and of zones


def tag(code: str, zone: str) -> str:
    """What somebody reads: a language, by its code, and after an `@` their zone:
    `de@Europe/Berlin`. In UTC it is the code alone."""
    return code if zone == UTC else f"{code}@{zone}"


# These are not tuples with names, which every command would pay for.


class Listed(tuple["str | Sentence", ...]):
    """Several things, which a sentence joins: `alice, bob and carol`."""


class Either(Listed):
    """The same with `or`."""


class InARow(Listed):
    """The same with nothing but commas."""


class Opponents(Listed):
    """Those who play: `alice against bob`, or `alice, bob and carol`."""


class Moment(str):
    """A log's time, in a sentence: `2026-11-20, 08:00 UTC`, or without `UTC` by the
    clock of a reader who has chosen a zone."""


class InUtc(Moment):
    """A log's time that is told in UTC whatever its reader has chosen, as those beside
    it are: `2026-11-20, 08:00 UTC`."""


class Day(str):
    """The day of a log's time, in a sentence: `2026-11-20`."""


class Kept(str):
    """What a record or a file keeps as it was said in English, in a sentence that is
    said in other languages."""

    def again(self) -> "Sentence":
        """What was said."""
        raise NotImplementedError


_new = tuple.__new__  # hundreds of sentences are made at imports: no detour by Python


class _Sentence(NamedTuple):
    forms: tuple[str, ...]
    values: tuple[tuple[str, "Value"], ...] = ()


class Sentence(_Sentence):
    """Something that is said to people: a whole sentence, a subject, or a label.

    `forms` has the English text, or where a number `n` is counted, that for one and
    that for more; `values` has what is put into the places named in it.
    """

    _english = ""
    _hash = 0

    def of(self, **values: "Value") -> "Sentence":
        """The same sentence with these values."""
        forms, had = self
        return _new(Sentence, (forms, (*had, *values.items())))

    def __str__(self) -> str:
        """The sentence in English, which is put together once: a letter is written
        both as text and as HTML."""
        if not self._english:
            self._english = ENGLISH.say(self)
        return self._english

    def __hash__(self) -> int:
        """That of the tuple, found once: there are sentences in sentences, and a board
        in words is looked up line by line."""
        if not self._hash:
            self._hash = super().__hash__()
        return self._hash

    def __format__(self, how: str) -> NoReturn:
        """No sentence is a piece of a text: it could only be said in English there."""
        raise TypeError(f"{str(self)!r} is put into a text before it is said")


class OfPlayer(NamedTuple):
    """What is said of a player: to the player, and to others, to whom `{player}` is
    their name. Both have the same values."""

    them: tuple[str, ...]
    others: tuple[str, ...]
    values: tuple[tuple[str, "Value"], ...] = ()

    def of(self, **values: "Value") -> "OfPlayer":
        """The same with these values."""
        return OfPlayer(self.them, self.others, (*self.values, *values.items()))

    def to(self, reader: str | None, player: str) -> Sentence:
        """What this reader is told of that player; None for anybody else."""
        return self.to_them if reader == player else self.about(player)

    @property
    def to_them(self) -> Sentence:
        """What the player is told."""
        return Sentence(self.them, self.values)

    def about(self, player: str) -> Sentence:
        """What others are told of a player."""
        return Sentence(self.others, (*self.values, ("player", player)))


Value = str | int | float | Listed | Sentence
# A sentence, or what is in words already: a name, a move, a command, what a player
# wrote, what only the owner reads, and a sentence that has been said.
Text = str | Sentence


# How sentences are made: these names are what the template is collected by.


def sentence(text: str, /, **values: Value) -> Sentence:
    """A sentence with these values in its places."""
    return _new(Sentence, ((text,), (*values.items(),)))


def of_number(one: str, more: str, /, **values: Value) -> Sentence:
    """A sentence about a number `n`, with `{n}` in its place. English may say both
    alike where other languages do not."""
    return _new(Sentence, ((one, more), (*values.items(),)))


def of_player(to_them: str, to_others: str, /, **values: Value) -> OfPlayer:
    """What is said of a player, with `{player}` for the name that others read."""
    return OfPlayer((to_them,), (to_others,), (*values.items(),))


def counted_of_player(to_them: Sentence, to_others: Sentence) -> OfPlayer:
    """The same about a number: of two sentences by `of_number`."""
    return OfPlayer(to_them.forms, to_others.forms)


def as_it_is(text: str) -> Sentence:
    """What is the same in every language, or is kept in English."""
    return Sentence(("{text}",), (("text", text),))


def together(sentences: Iterable[Text | Listed], between: str = " ") -> Sentence:
    """Whole sentences, one after the other."""
    said = tuple(sentences)
    if len(said) == 1 and isinstance(said[0], Sentence):
        return said[0]
    places = [f"s{number}" for number in range(len(said))]
    text = between.join([f"{{{place}}}" for place in places])
    return _new(Sentence, ((text,), (*zip(places, said, strict=True),)))


# What lists, numbers and times look like: each language has its own, as it has for all
# other sentences.
_MORE = sentence("{first}, {second}").forms
_LAST = {
    InARow: _MORE,
    Listed: sentence("{first} and {second}").forms,
    Either: sentence("{first} or {second}").forms,
    Opponents: sentence("{first} and {second}").forms,
}
_OF_TWO = {**_LAST, Opponents: sentence("{first} against {second}").forms}
_DECIMAL = sentence("{whole}.{tenth}")
_DAY = sentence("{year}-{month}-{day}").forms
_MOMENT = sentence("{date}, {hour}:{minute} UTC").forms
_IN_ZONE = sentence("{date}, {hour}:{minute}").forms  # of the reader


def decimal(number: str) -> Text:
    """A number that English writes so, such as `2.50`, as each language writes it."""
    whole, point, tenth = number.partition(".")
    return _DECIMAL.of(whole=whole, tenth=tenth) if point else number


class Language:
    """How sentences are turned into words; those of other languages than English
    choose another `wording`."""

    code = ENGLISH_CODE
    zone = UTC  # of the reader
    local: Callable[[str], str] = str  # a log's time by the clock of that zone

    @property
    def tag(self) -> str:
        """What its reader reads, as `known.language` finds it again."""
        return tag(self.code, self.zone)

    def wording(self, said: Sentence) -> str:
        """The text of a sentence, with its places."""
        if len(said.forms) == 1:
            return said.forms[0]
        return said.forms[amount(number_of(said)) != "1"]

    def say(self, said: Text) -> str:
        """A sentence in words. What has been said already stays as it is."""
        if isinstance(said, str):
            return said
        if not said.values:
            return self.wording(said)
        words = {  # most are names and moves
            place: value if type(value) is str else self.word(value)
            for place, value in said.values
        }
        return self.wording(said).format_map(words)

    def word(self, value: Value) -> str:
        """What takes a place in a sentence."""
        if isinstance(value, str):
            return value if type(value) is str else self._text(value)
        if isinstance(value, Listed):
            return self._list(value)
        if isinstance(value, Sentence):
            return self.say(value)
        return self._number(value)

    def _text(self, text: str) -> str:
        if isinstance(text, Day):
            return self._day(self.local(text))
        if isinstance(text, Moment):
            is_in_utc = self.zone == UTC or isinstance(text, InUtc)
            time, form = (text, _MOMENT) if is_in_utc else (self.local(text), _IN_ZONE)
            words = {"hour": time[11:13], "minute": time[14:16]}
            return self._said(form, date=self._day(time), **words)
        if isinstance(text, Kept) and self.code != ENGLISH_CODE:
            return self.say(text.again())
        return text

    def _said(self, forms: tuple[str, ...], **words: str) -> str:
        return self.wording(Sentence(forms)).format_map(words)

    def _number(self, number: float) -> str:
        if isinstance(number, int):
            return str(number)
        return self.say(decimal(amount(number)))

    def _list(self, listed: Listed) -> str:
        if len(listed) < 2:
            return self.word(listed[0]) if listed else ""
        *some, last = map(self.word, listed)
        joins = (_OF_TWO if len(some) == 1 else _LAST)[type(listed)]
        said, more = some[0], self.wording(Sentence(_MORE))
        for second in some[1:]:
            said = more.format(first=said, second=second)
        return self._said(joins, first=said, second=last)

    def _day(self, time: str) -> str:
        return self._said(_DAY, year=time[:4], month=time[5:7], day=time[8:10])


def number_of(said: Sentence) -> float:
    """The number that a sentence counts."""
    n = dict(said.values)["n"]
    assert isinstance(n, int | float)  # as `counted` takes nothing else
    return n


ENGLISH = Language()
