"""Replies as 32 mail programs write them, in 24 languages and four ways: above the
letter that is quoted, right above it without a blank line, below it, and between its
lines. (What seven programs do to headers, parts and HTML is in
`tests.mail.programs`.)"""

import textwrap
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.mail.quoted.languages import APART, TONGUES, Tongue

BARE, ADDRESS = "Holomino", "pbm@example.org"
NAMED = f"{BARE} <{ADDRESS}>"
SUBJECT = "holo 12: your turn"
LETTER = """\
Holomino, board 12, after move 1: alice against bob

    __
   /1 \\__   2
   \\    3\\
   /   __/
   \\4_/
            12

bob played 142:4. You drew 243.

           points  tiles
    bob         0  132 235 364
  > alice       0  254 346 234 243
31 tiles are left in the sack.

It is your turn, alice. These moves are possible:
  234: 2 3 5 12
  243: 2 5 12
Reply to this letter with a move in its first line, such as 234:2.

To write to bob, reply with "chat" and your words.

Seal: 75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a
"""
LINES = LETTER.splitlines()
WAYS = ("above", "right above", "below", "between")
RULE = "_" * 32


class Form(NamedTuple):
    """How a program quotes: what it writes above a letter; what it writes before each
    line of it, if anything; whether that is before its own words, too; the columns at
    which it wraps them; what it adds below the writer's words."""

    above: Callable[[Tongue], str]
    mark: str = "> "
    marks_all: bool = False
    width: int = 0
    adds: Callable[[Tongue], str] = lambda tongue: ""
    gap: str = "\n"  # between the two


def _headers(
    order: str = "fstj", bold: str = "", date: str = "20.11.2026 09:12"
) -> Callable[[Tongue], str]:
    """A block of headers, in this order of from, sent, to and subject."""
    values = {"f": NAMED, "s": date, "t": "alice@example.net", "j": SUBJECT}

    def block(tongue: Tongue) -> str:
        labels = dict(zip("fstj", tongue.labels, strict=True))
        return "\n".join(f"{bold}{labels[c]}{bold} {values[c]}" for c in order)

    return block


def _said(name: str) -> Callable[[Tongue], str]:
    return lambda tongue: getattr(tongue, name).format(n=NAMED, b=BARE)


def _dashes(
    dashes: str, below: Callable[[Tongue], str], gap: str = "\n", after: str = ""
) -> Callable[[Tongue], str]:
    """What the letter is called, between dashes, and something below."""
    after = after or dashes
    return lambda tongue: f"{dashes}{tongue.original}{after}{gap}{below(tongue)}"


def _always(text: str) -> Callable[[Tongue], str]:
    return lambda tongue: text.format(n=NAMED, b=BARE, a=ADDRESS)


def _phone(tongue: Tongue) -> str:
    return tongue.phone


def _emclient(tongue: Tongue) -> str:
    labels = [label.rstrip(" :\xa0") for label in tongue.labels]
    values = (f'"{BARE}" <{ADDRESS}>', "20.11.2026 09:12:33", "alice", SUBJECT)
    return "\n".join(map(" ".join, zip(labels, values, strict=True)))


def _notes(tongue: Tongue) -> str:
    return "\n".join(
        f"{label}\t{value}"
        for label, value in zip(
            tongue.labels, (NAMED, "20-11-2026 09:12", "alice", SUBJECT), strict=True
        )
    )


FORMS = {
    "gmail": Form(_said("gmail"), width=76),
    "gmail on a telephone": Form(_said("gmail"), width=76, gap=""),
    "apple mail": Form(_said("apple"), marks_all=True),
    "iphone": Form(_said("apple"), marks_all=True, adds=_phone),
    "thunderbird": Form(_said("thunderbird")),
    "k-9": Form(_said("yahoo"), adds=lambda t: f"-- \n{t.phone}"),
    "mutt": Form(_always("On Fri, Nov 20, 2026 at 09:12:33AM +0100, {b} wrote:")),
    "outlook": Form(_headers(), ""),
    "outlook, old": Form(
        _dashes("-----", _headers(date="Friday, November 20, 2026 9:12 AM")), ""
    ),
    "outlook on a telephone": Form(
        lambda t: f"{RULE}\n{_headers()(t)}",
        "",
        adds=lambda t: "Get Outlook for Android<https://aka.ms/AAb9ysg>",
    ),
    "outlook in a browser": Form(_headers(bold="*"), ""),
    "yahoo": Form(_said("yahoo"), ""),
    "aol": Form(
        _dashes("-----", _headers("ftsj", date="Fri, Nov 20, 2026 9:12 am")), ""
    ),
    "gmx": Form(_headers("sftj", bold="**"), ""),
    "proton": Form(_said("gmail"), gap="\n\n"),
    "proton, old": Form(_dashes("-------- ", _said("yahoo"), after=" --------")),
    "mail.ru": Form(
        lambda t: f"20 XI 2026, 09:12 +03:00 {t.by} {NAMED}:",
    ),
    "yandex": Form(_always('20.11.2026, 09:12, "{b}" <{a}>:')),
    "qq": Form(
        _dashes("------------------ ", _headers("fstj"), after=" ------------------"),
        "",
    ),
    "kmail": Form(_said("yahoo"), width=66),
    "evolution": Form(_always("On Fri, 2026-11-20 at 09:12 +0100, {b} wrote:")),
    "gmail, old": Form(_always("2026-11-20 9:12 GMT+01:00 {n}:")),
    "gnus": Form(_always("{n} writes:")),
    "the bat": Form(_always("Friday, November 20, 2026, 9:12:33 AM, you wrote:")),
    "roundcube": Form(_said("thunderbird"), width=50),
    "zoho": Form(_always("---- On Fri, 20 Nov 2026 09:12:33 +0100 {n} wrote ----"), ""),
    "em client": Form(_dashes("------ ", _emclient, after=" ------"), ""),
    "samsung": Form(_dashes("-------- ", _headers("fstj"), after=" --------"), ""),
    "notes": Form(lambda t: f"\n\n{_notes(t)}\n", ""),
    "tutanota": Form(lambda t: f"20.11.2026, 09:12 {t.by} {ADDRESS}:"),
    "sogo": Form(_said("yahoo"), "", gap=" \n \n"),
    "alpine": Form(
        _always("On Fri, 20 Nov 2026, {b} wrote:"), adds=lambda t: "-- \nA."
    ),
}
FORMS_APART = ("zoho", "em client", "samsung", "notes", "tutanota", "alpine")


class Reply(NamedTuple):
    """The text of a reply, and what its writer wrote."""

    text: str
    own: tuple[str, ...]  # the lines that are not blank
    is_apart: bool


def _own(tongue: Tongue, number: int) -> tuple[str, ...]:
    """What the writer wrote; the first line may be a greeting, or a move."""
    words = tuple(tongue.words.split("\n"))
    firsts = (("123:17",), ("Hi bob,", "123:17"), ("pass",), ("126 at 9",))
    return (*firsts[number % len(firsts)], *words)


def reply(form: Form, tongue: Tongue, way: str, number: int) -> Reply:
    """The reply."""
    own = _own(tongue, number)
    mine = f"{own[0]}\n\n" + "\n".join(own[1:]) + "\n"
    head = form.above(tongue)
    if form.width:
        head = "\n".join(textwrap.wrap(head, form.width, break_on_hyphens=False))
    if form.marks_all:
        head = "".join(f"> {line}\n" for line in [*head.split("\n"), ""])
    added = form.adds(tongue)
    added = f"\n{added}\n" if added else ""
    if way == "above":
        text = f"{mine}{added}{form.gap}{head}\n{_marked(LINES, form.mark)}"
    elif way == "right above":
        text = f"{mine}{head.lstrip()}\n{_marked(LINES, form.mark)}"
    elif way == "below":
        text = f"{head}\n{_marked(LINES, form.mark)}\n{mine}{added}"
    else:
        text = f"{head}\n{_marked(LINES[:9], form.mark)}\n{mine}\n"
        text += f"{_marked(LINES[9:], form.mark)}{added}"
    return Reply(text, own, False)


def _marked(lines: list[str], mark: str) -> str:
    return "".join(f"{mark}{line}".rstrip() + "\n" for line in lines)


def replies() -> Iterator[tuple[str, Reply]]:
    """All of them, with their names."""
    number = 0
    for program, form in FORMS.items():
        for code, tongue in TONGUES.items():
            for way in WAYS:
                number += 1
                made = reply(form, tongue, way, number)
                is_apart = program in FORMS_APART or code in APART
                name = f"{program}, {code}, {way}"
                yield name, made._replace(is_apart=is_apart)


# What people write themselves, which looks a bit like something quoted
ORDINARY = (
    "My moves so far:\n12:30\n14:20",
    "On Sunday I wrote:\nthat was wrong.",
    "From me\nto you:\ngood luck!",
    "Monday: 9:00\nTuesday: 10:00\nWednesday: never\nThursday: 11:30",
    "Bob said on 20.11.2026 at 12:30:\nyou will lose.",
    "Tournament: spring\nRounds: 4\nBoards: 2\nStart: 2026-12-01",
    "123:17\n\nMy address is alice@example.org.\nWrite me there.",
    "---\nnew game?\n---",
    "----- so far -----\n1. 12:3\n2. 14:5",
    "----- to be asked -----\ncarol@example.org\ndave@example.org",
    "I got a new iPhone\nand it works.",
    "Ask carol@example.org:\nshe knows the rules.",
    "At 12:30 on 2026-11-20:\ntea?",
    "I sent it from my iPhone yesterday.",
    "Am 20. November schrieb ich dir:\nkeine Antwort.",
    "Von mir aus:\nremis?",
    "Data: none\nA: yes\nB: ok",
    "Qui: toi\nQuoi : rien",
    "> is more than <\nand >> is much more",
    "To do: win\nDate: Sunday\nWho: me\nSubject: none",
    "Kl. 12:30 den 20.11.2026:\ndet passar.",
    "Score 2026:\nalice 12, bob 9",
    "I wrote to bob@example.org on 2026-11-20 at 9:12 and he said no.\nPity.",
    "Friday: 20.11.2026 9:00\nSaturday: 21.11.2026 9:00\nSunday: no\nMonday: 10:00",
    "Name: Bob\nMail: bob@example.org\nPhone: 12\nCity: Rome",
    "Question:\nwhen is 12:30 UTC\nin Berlin?",
    "Hello!\n\n1) a\n2) b\n\nBye -- Alice",
)
