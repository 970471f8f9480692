"""Which parts of a player's text are passed on to others."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice, pairwise

from pbm_holomino.letters import content
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import DASHES

MOST_COMMAND = 2_000  # characters of a command by mail: none needs more
MOST_NOTE = 10_000  # characters of a text that is passed on
# Characters of one that is kept for its writer alone: one that is too long is refused.
MOST_OWN = 200_000
# In the place of what is left out, as it is kept
LEFT_OUT = str(content.LEFT_OUT)
PASSWORD_LEFT_OUT = str(content.PASSWORD_LEFT_OUT)
LINK_REMOVED = str(content.LINK_REMOVED)
CUT_OFF = str(content.CUT_OFF)  # the last line of a text that was too long

# what follows it on the line is the text that a command passes on
_TEXT = rf"(?i)\s[{DASHES}]{{1,2}}m(?:=|\s)\s*(.*)"


def words(line: str) -> list[str]:
    """The words of a command by mail. Quotes have no meaning; after `-m=`, the rest of
    the line is one word."""
    # most lines have none, and need no pattern compiled
    may_have_text = any(f"{dash}m" in line.lower() for dash in DASHES)
    found = re.search(_TEXT, line) if may_have_text else None
    if not found:
        return line.split()
    return [*line[: found.start()].split(), f"-m={found[1]}"]


def passed_on(body: str, password: str = "", most: int = MOST_NOTE) -> str:
    """The text that a mail's writer says to the other players: their own lines, without
    the password, and no more than so many characters."""
    text = "\n".join(own_lines(body)).strip("\n")
    for written in _written(password, text) if password else ():
        if written in text:
            word = rf"(?<![A-Za-z0-9]){re.escape(written)}(?![A-Za-z0-9])"
            text = re.sub(word, "***", text)
    if len(text) > most:
        text = f"{text[:most]}\n{CUT_OFF}"
    return text


def _written(password: str, text: str) -> Iterator[str]:
    """A password as it may be in a text: as it is, and as HTML and links write it."""
    yield password
    if "&" in text:
        from html import escape  # few texts need it

        yield escape(password)
    if "%" in text:
        from urllib.parse import quote

        yield quote(password, safe="")


class Commands(NamedTuple):
    """The words by which commands are recognised: the names of `games`; the `secret`
    words, which follow a game's name in commands with a password; and the first words
    of the `others`."""

    games: frozenset[str]
    secret: frozenset[str]
    others: frozenset[str]


def without_commands(
    text: str, commands: Commands, userids: Collection[str] = ()
) -> str:
    """A text without the lines that look like a command, as they may hold a password:
    lines with a command after a game's name, and lines that begin like a command, with
    or without the game's name, and name one of these players. Lines with `password: …`
    go, too. What is between the words does not matter: punctuation, tags, or spaces as
    HTML and links write them."""
    lines = text.split("\n")
    bare = list(map(_without_markup, lines))
    words = [
        (word, number)
        for number, line in enumerate(bare)
        for written in re.findall(_WORD, line.lower())
        for word in _apart(written, userids)
    ]
    cut = set[int]()
    for place, (word, number) in enumerate(words):
        near = [other for other, _ in words[place + 1 : place + _LONGEST]]
        is_first = place == 0 or words[place - 1][1] != number
        if (
            (word in commands.games and not commands.secret.isdisjoint(near[:3]))
            or (
                is_first
                and word in commands.games | commands.others
                and (word == "signup" or not {*near[:-1]}.isdisjoint(userids))
            )
            or (is_first and word in commands.secret and _is_seat(near, userids))
        ):
            # up to the words after the userid: a mail program may have wrapped the line
            named = [n for n, other in enumerate(near) if other in userids]
            end = named[0] + 3 + (word == "change") if named else _LONGEST
            end = 3 if word == "signup" else end
            cut |= {number for _, number in words[place : place + end]}
    instead = dict.fromkeys(_named(bare), PASSWORD_LEFT_OUT)
    instead |= dict.fromkeys(cut, LEFT_OUT)
    return "\n".join(instead.get(n, line) for n, line in enumerate(lines))


def _named(lines: Sequence[str]) -> Iterator[int]:
    """The numbers of lines with `password: …`, in the languages of common mail
    programs; if nothing follows there, also that of a word alone in the next line that
    is not blank."""
    for number, line in enumerate(lines):
        may_be_one = any(mark in line for mark in _AFTER_PASSWORD)
        if may_be_one and (found := re.search(_PASSWORD, line)):
            yield number
            rest = range(number + 1, len(lines))
            after = next((n for n in rest if lines[n].strip()), number)
            is_alone = len(lines[after].split()) == 1
            if is_alone and not re.search(r"\w", line[found.end() :]):
                yield after


def _without_markup(line: str) -> str:
    """A line as a person would read it, where it has tags or encoded characters: those
    become blanks. So do links, up to their query."""
    if "&" in line:
        from html import unescape  # few texts need it

        line = unescape(unescape(line))
    line = _without_tags(line)
    if "/" in line:
        line = re.sub(r"https?://[^\s?#<>]*", " ", line)
    if "%" in line or "=" in line:
        line = re.sub(r"(?i)%(?:25)*[0-9a-f]{2}|=(?:20|3d)", " ", line)
    return line


def _without_tags(text: str) -> str:
    return re.sub(_TAG, " ", text) if "<" in text else text


def _apart(word: str, userids: Collection[str]) -> list[str]:
    """The words that underscores hold together, unless it is the name of a player: mail
    programs write what is in italics between them."""
    if "_" not in word:
        return [word]
    stripped = word.strip("_")
    names = [name for name in (word.lstrip("_"), stripped) if name in userids]
    return names[:1] or list(filter(None, stripped.split("_")))


def _is_seat(words: Sequence[str], userids: Collection[str]) -> bool:
    """Whether these words begin with a board and one of these players."""
    board, userid = [*words, "", ""][:2]
    return board.isdecimal() and userid in userids


_WORD = r"\w+(?:#\w+)*"
_TAG = r"(?i)</?[a-z!][^<>\n]*>"
_AFTER_PASSWORD = ":=\uff1a"
# What a password is called, in the languages of common mail programs
CALLED_PASSWORD = (
    r"(?<![^\W_])(?:pass[ -]?(?:word|wort|wd|code|phrase)s?|pwd?|pa\u00dfwort"
    r"|kennwort|wachtwoord|mot de passe|contrase[n\u00f1]a|senha|has[l\u0142]o"
    r"|l[o\u00f6]senord|passord|adgangskode|salasana|heslo|jelsz[o\u00f3]"
    r"|\u043f\u0430\u0440\u043e\u043b\u044c)(?![^\W_])"
)
_PASSWORD = rf"(?i){CALLED_PASSWORD}[^.!?{_AFTER_PASSWORD}]{{0,30}}?[{_AFTER_PASSWORD}]"
_LONGEST = 5  # words of a command up to a password: holo move 12 alice secret


def own_lines(
    body: str, letter: Callable[[], Iterable[str]] | None = None
) -> list[str]:
    """The lines that the writer of a mail wrote, with only printable characters:
    without quoted text, signature, and forwarded headers. Where a program quotes the
    letter that is answered without marks, they are those above it, between its lines
    and below it; its texts, one for each language that it may have been in, are asked
    for where that may be."""
    if not body.strip():
        return []
    from pbm_holomino.commands.reading import quotations  # seldom needed

    lines = quotations.own_lines(body)
    if letter is None or not _may_quote_bare(body):
        return lines
    texts = [*letter()]
    every = [line.rstrip() for line in body[:_MOST_QUOTED].splitlines()]
    theirs = [f" {_plain(text)} " for text in texts]
    long = (n for n, line in enumerate(every) if len(line.split()) >= _FEW_WORDS)
    quoted = list(islice((n for n in long if _is_in(every[n], theirs)), 2))
    if len(quoted) < 2:
        return lines  # one line may be alike by chance
    above, below = every[: quoted[0]], every[quoted[0] :]
    above = quotations.own_lines("\n".join(above))
    below = below[: quotations.end(below)]  # older mails are below that
    others = without_links("\n".join(_not_of(theirs, below, _end_of(texts, below))))
    more = quotations.own_lines(others)
    more = [line for line in more if LINK_REMOVED not in line]
    return [*above[: quotations.introduction(above)], *more]


_MOST_QUOTED = 100_000  # characters of a mail in which a letter is looked for


def _may_quote_bare(body: str) -> bool:
    """Whether a text may quote a letter without marks: it has a long line, and no two
    marks in lines one after the other, as one may be the letter's own."""
    lines = body.splitlines()
    is_marked = any(a[:1] == b[:1] == ">" for a, b in pairwise(lines))
    return not is_marked and any(len(line.split()) >= _FEW_WORDS for line in lines)


def _is_in(line: str, texts: Iterable[str]) -> bool:
    """Whether the words of a line follow each other in one of these plain texts."""
    return any(f" {_plain(line)} " in text for text in texts)


def _not_of(texts: Sequence[str], lines: Sequence[str], end: int) -> Iterator[str]:
    """The lines that are not of the letter with one of these plain texts, which ends at
    this line: those below it, and those between its lines of which most words are not
    in it. What it also has, such as the moves that it proposes, is no answer."""
    known = {word for text in texts for word in re.findall(r"\w+", text)}

    def is_known(word: str) -> bool:
        # programs break long words, such as a seal
        return word in known or any(word in text for text in texts if word[_FULL:])

    for number, line in enumerate(lines):
        words = re.findall(r"\w+", _plain(line))
        is_strange = 2 * sum(map(is_known, words)) <= len(words)
        if number > end or (
            is_strange and words and line[0] != ">" and not _is_in(line, texts)
        ):
            yield line


_FULL = 7  # letters of a word, of which a part may be in a line of its own


def first_line(body: str) -> tuple[str, str]:
    """The first line that the writer of a mail wrote, without spaces around it, and
    their own words after it; both are empty if they wrote none."""
    return first_of(own_lines(body))


def first_of(lines: Sequence[str]) -> tuple[str, str]:
    """The same of their own lines."""
    first = next((i for i, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return "", ""
    return lines[first].strip(), "\n".join(lines[first + 1 :]).strip("\n")


def _end_of(texts: Iterable[str], lines: Sequence[str]) -> int:
    """The number of the last line of a letter with one of these texts, if these lines
    quote it to its end, with what a mail has after that: a token, or the link to a
    page. Otherwise, how many lines there are."""
    last = {_plain(text.rstrip().rpartition("\n")[2]) for text in texts}
    ends = tuple(filter(None, last))
    plain, end = list(map(_plain, lines)), len(lines)
    for number, line in enumerate(plain):
        if line and ends:
            wrapped = " ".join(filter(None, plain[max(0, number - 2) : number + 1]))
            is_mark = end < number and re.search(_TOKEN_AT_END, line)
            if is_mark or wrapped.endswith(ends):
                end = number
    return end


_TOKEN_AT_END = r"[./][a-z2-7]{16}\]?$"


def before_quote(words: str, letter: Callable[[], Iterable[str]]) -> str:
    """These words up to the first line that also is in the letter that they answer:
    from there on a mail program has quoted it without marks. The texts of the letter,
    one for each language that it may have been in, are asked for only if there is a
    line that could be from one.

    A line counts if its words follow each other in the letter, as programs wrap lines
    anew. Few plain words or numbers do not count, as a player may say `your turn` or
    `5` as well; but anything else with a digit or a colon does, since that may be a
    secret: a wish, a pair, a queue.
    """
    lines = words.split("\n")
    plain = enumerate(map(_plain, lines))
    may_be = {number: line for number, line in plain if _may_be_quoted(line)}
    theirs = [f" {_plain(text)} " for text in letter()] if may_be else []
    quoted = (
        number
        for number, line in may_be.items()
        if any(f" {line} " in text for text in theirs)
    )
    end = next(quoted, len(lines))
    if end < len(lines):
        from pbm_holomino.commands.reading import quotations  # seldom needed

        end = quotations.introduction(lines[:end])
    return "\n".join(lines[:end]).rstrip()


def before_secret(words: str, secrets: Callable[[], Iterable[str]]) -> str:
    """These words up to the first line with something that only their writer may know:
    a queued move, a wish, a pair. A letter shows it alike in every language. The
    secrets are asked for only if a line could have one; those do not count that may be
    a word of a sentence.
    """
    lines = words.split("\n")
    may_have = [number for number, line in enumerate(lines) if _is_telling(line)]
    known = [s for s in secrets() if len(s) > 2 and _is_telling(s)] if may_have else []
    if not known:
        return words
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, known))})(?!\w)"
    found = (number for number in may_have if re.search(pattern, lines[number]))
    return "\n".join(lines[: next(found, len(lines))]).rstrip()


def _is_telling(text: str) -> bool:
    """Whether a text has more than words of a sentence: a number, a colon, a comma
    without a blank, several capitals."""
    return re.search(r"\d|:|,\S|[A-Z]{3}", text) is not None


_CHANGED = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys(DASHES, "-"),
        "\u2026": "...",
        **dict.fromkeys(">|", " "),  # quotations
        **dict.fromkeys("*_#", " "),  # bold and headings, where HTML has become text
    }
)
_FEW_WORDS = 4


def _plain(text: str) -> str:
    """A text without what mail programs change: spaces and line ends, the marks of
    quotations, tags of HTML, curly quotes, case."""
    return " ".join(_without_tags(text).translate(_CHANGED).casefold().split())


def _may_be_quoted(line: str) -> bool:
    if not any(map(str.isalnum, line)):
        return False
    is_number = re.fullmatch(r"[\d ]+", line)
    is_said = is_number or not any(c.isdigit() or c in ":~" for c in line)
    return not is_said or len(line.split()) >= _FEW_WORDS


def without_links(words: str) -> str:
    """These words without reply tokens, in whatever form, and without links that write
    a mail. A token is known by its form, also where a mail program has broken it over
    two lines or has written its `~` or `@` in another way."""
    if not words:
        return ""  # as of most mails: the patterns take a while to compile
    joints = [found.span() for found in re.finditer(_BREAK, words)]
    ends = [0, *(end for _, end in joints)]
    starts = [*(start for start, _ in joints), len(words)]
    places = [at for span in zip(ends, starts, strict=True) for at in range(*span)]
    joined = "".join(words[at] for at in places)
    kept, end = [], 0
    for found in re.finditer(_TOKEN, joined) if re.search(_LETTERS, joined) else ():
        first, after = found.span(found.lastindex or 0)
        kept += [words[end : places[first]], "\0"]
        end = places[after - 1] + 1
    without_tokens = "".join([*kept, words[end:]])
    return re.sub(rf"{_LINK}|\0", LINK_REMOVED, without_tokens)


_LETTERS = "(?i)[a-z2-7]{16}"  # of base32: most texts have no word that is so long
# Where a mail program breaks a long word, also in a quotation and in quoted-printable.
_BREAK = r"=?[ \t]*\r?\n[> \t|]*|[\u00ad\u200b-\u200f\u2060\ufeff]+"
_CODE = r"(?:%(?:25)*|=)"  # begins a character in a link, or in quoted-printable
_AMP = r"&(?:amp;)*"  # the same in HTML
_TILDE = rf"(?:[~\u02dc\u223c\uff5e]|{_CODE}7e|{_AMP}(?:#126|#x7e|tilde);)"
_AT = rf"(?:[@\uff20]|{_CODE}40|{_AMP}(?:#64|#x40|commat);)"
_DOT = rf"(?:\.|{_CODE}2e|{_AMP}(?:#46|#x2e|period);)"
_SLASH = rf"(?:/|{_CODE}2f)"
# what may be between the words of an address (RFC 5322), and how programs write it
_GAP = (
    rf"(?:[\s\"'\\\u2018-\u201f]|{_CODE}2[027]|{_AMP}(?:quot|nbsp|\#3[49]|\#32);"
    r"|\([^()]*\)){0,9}"
)
# An id up to its token: holo.12.7.bob.
_ID = (
    rf"(?<![a-z])[a-z]{{4,11}}{_DOT}[a-z0-9_]{{1,20}}{_DOT}[0-9]{{1,9}}"
    rf"(?:{_DOT}[a-z][a-z0-9_]{{1,19}})?"
)
# What goes is in groups: 16 letters of base32 after a tilde; those before the domain of
# a Message-ID, or in the line at a letter's end; those of an id; and the link to a
# board's page, also within another link.
_TOKEN = (
    rf"(?i)({_TILDE}[a-z2-7]{{16,}})"
    rf"|{_DOT}{_GAP}([a-z2-7]{{16}})"
    rf"(?={_GAP}(?:(?:{_DOT}{_GAP}[a-z0-9]+{_GAP})?{_AT}|\]))"
    rf"|{_ID}{_GAP}{_DOT}{_GAP}([a-z2-7]{{16}})(?![a-z0-9])"
    rf"|((?:https?://[^\s<>\"]{{0,200}}?)?link{_SLASH}[a-z]{{2,20}}{_SLASH}[0-9]{{1,9}}"
    rf"{_SLASH}[0-9]{{1,6}}{_SLASH}[a-z0-9_]{{2,20}}{_SLASH}[a-z2-7]{{16}})"
)
# It goes on in the next line where that has a character written as %20.
_LINK = r"(?i)mailto:[^\s<>\"?]{0,300}\?[^\s<>\"]*(?:\n[> \t|]*[^\s<>\"%]*%[^\s<>\"]*)*"
