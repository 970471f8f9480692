"""Subjects: the words of a command under what mail programs put before it, and our
own Subjects, which are never commands."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino.commands.parse import parse
from pbm_holomino.commands.subjects import is_our_subject, subject_words
from pbm_holomino.errors import BadCommand
from pbm_holomino.letters.writing import Writer, words_of
from pbm_holomino.match.account import LISTS, AccountLine, Change, Kind, Player
from pbm_holomino.rules import names
from tests.boards import SOURCES
from tests.commands.acquaintance import known
from tests.house import House, home
from tests.languages.folder import Texts, in_place_of, made

# Replies and forwards of Gmail, Outlook, Apple Mail, Thunderbird, mutt and others in
# many languages, tags of lists and firms, and the marks of filters
PREFIXES = ["", "Re: ", "RE: ", "re:", "Re : ", "Re[2]: ", "RE(3): ", "Re: Re: Re: "]
PREFIXES += ["AW: ", "Antw: ", "Antwort: ", "SV: ", "VS: ", "Svar: ", "VB: ", "Odp: "]
PREFIXES += ["RES: ", "Rif: ", "R: ", "TR : ", "R\xe9f. : ", "RV: ", "ENC: ", "Vl: "]
PREFIXES += ["Fwd: ", "FW: ", "WG: ", "I: ", "PD: ", "\u0130lt: ", "Doorst: ", "YNT: "]
PREFIXES += ["\u56de\u590d: ", "\u56de\u590d\uff1a", "\u8f6c\u53d1: ", "\u8fd4\u4fe1: "]
PREFIXES += ["\u041e\u0442\u0432: ", "\u03a3\u03c7\u03b5\u03c4: ", "\u05ea\u05e9: "]
PREFIXES += ["Fwd: [chess club] ", "[EXTERN] AW: ", "[ext] ", "(fwd) ", "{Spam?} "]
PREFIXES += [
    "***SPAM*** ",
    "***** SPAM ***** ",
    "* ",
    "** Re: ",
    "SPAM: ",
    "\u3010x\u3011",
]
PREFIXES += ["AW: WG: Fwd: Re: ", "Re: [a] [b] Fwd: ", "Automatische Weiterleitung: "]

LINES = ["holo move 12 alice Secret99 123:17", "help", "Holomino show 12"]
LINES += [
    "walomino move 3 bob ~abcdefgh234567ab pairs: RG, RR",
    "change digest a1 b on",
]
LINES += [
    "show 1",
    "next",
    "holo pass 1 alice secret",
    "multiple",
    "signup erin Pass:x",
]


@pytest.mark.parametrize("line", LINES)
def test_a_command_under_every_prefix(line: str) -> None:
    for prefix in PREFIXES:
        assert subject_words(prefix + line) == line.split(), prefix
        assert not is_our_subject(prefix + line), prefix


@pytest.mark.parametrize(
    "subject",
    ["holo: move 12 alice secret 123:17", "[holo] show 12", "My move: holo show 12"]
    + ["Holomino: show 12", "show: holo 12", "(help) holo"],
)
def test_what_holds_a_word_of_ours_is_not_taken_off(subject: str) -> None:
    assert subject_words(f"Re: {subject}") == subject_words(subject) == subject.split()


def test_the_text_of_a_command_stays_whole() -> None:
    subject = "Fwd: message alice secret bob -m=Re: [x] hello: there"
    assert subject_words(subject)[-1] == "-m=Re: [x] hello: there"


# Our own

TIME = "2026-11-20T08:00:00Z"


def about_accounts() -> Iterator[str]:
    """The Subject of the letter about each kind of line that an account's log has."""
    player = Player("alice", "-", (home("alice"),), ())
    for kind in Kind:
        for words in _words_of(kind):
            change = Change(kind, words)
            line = AccountLine(1, TIME, "alice", "m", change)
            player = player._replace(log=(line,))
            writer, bob = Writer(player, SOURCES), player._replace(userid="bob")
            for reader in words_of(player).readers(player, 1, SOURCES):
                yield writer.letter(1, reader, player).subject
            if kind in (Kind.MESSAGE, Kind.BROADCAST):
                yield writer.letter(1, "bob", bob).subject


def _words_of(kind: Kind) -> list[tuple[str, ...]]:
    """Words that a line of this kind may have."""
    if kind in LISTS:
        return [(w,) for w in ("turn", "asked")] + [("holo", "12", "turn")]
    words: dict[Kind, tuple[str, ...]]
    switches = (Kind.DIGEST, Kind.THREADS, Kind.BROADCASTS, Kind.PROFILE)
    words = dict.fromkeys(switches, ("on",))
    words |= {Kind.LETTERS: ("turns",), Kind.FORMAT: ("small",)}
    words |= {Kind.NOTICES: ("ntfy", "ntfy.sh"), Kind.INVITE: ("holo",)}
    words |= {Kind.VACATION: (TIME,), Kind.DECLINED: ("0", "holo.12")}
    return [words.get(kind, ("bob",))]


def about_boards(server: House) -> Iterator[str]:
    """The Subjects of the letters about boards, from a challenge to its end."""
    server.sign_up("carol")
    server.challenge(names="alice bob carol", game="walomino")
    for line in [
        "holo accept 1 bob {bob}",
        "holo move 1 alice {alice} propose",
        "holo move 1 bob {bob} reject",
        "holo chat 1 bob {bob} -m=Hello",
        "holo submit 1 alice {alice} {move}",
        "holo queue 1 bob {bob} pass",
        "holo resign 1 bob {bob}",
        "walomino decline 1 bob {bob}",
    ]:
        server.type(line.replace("{move}", (server.legal() or ("",))[0]))
    yield from (letter.subject for letter in server.taken())


def test_our_subjects_are_no_commands_under_any_prefix(house: House) -> None:
    ours = {*about_accounts(), *about_boards(house)}
    ours |= {"your command", "your command: holo standings", "your command: help"}
    ours |= {f"{game} 12: show" for game in names()} | {"holo 12", "a message from bob"}
    ours |= {"An invitation from bob, to play a game by mail"}
    assert len(ours) > 25
    for subject in ours:
        for prefix in PREFIXES:
            assert is_our_subject(prefix + subject), prefix + subject
        for typed in (subject, f"Re: {subject}", f"\u56de\u590d\uff1a{subject}"):
            with pytest.raises(BadCommand):
                parse(subject_words(typed), known=known("alice"))


def test_our_subjects_are_no_commands_in_any_language(tmp_path: Path) -> None:
    texts: Texts = {
        "{userid}: welcome": "{userid}: sch\u00f6n, dass du da bist",
        "{board}: a hint": "{board}: ein Rat",
        "a message from {player}": "Nachricht von {player}",
        "a message from {player} to everybody": "{player} schreibt allen",
        "Re: your command: {command}": "Re: Dein Befehl: {command}",
        "Re: your command": "AW: Zu deiner Mail",
        "tournament {number}: the final table": "Turnier {number}: die Tabelle",
    }
    made(tmp_path, "de", texts)
    ours = ["Dein Befehl: holo standings", "Nachricht von bob", "Zu deiner Mail"]
    ours += [
        "Turnier 3: die Tabelle",
        "holo 12: ein Rat",
        "bob: sch\u00f6n, dass du da bist",
    ]
    for subject in ours:
        for prefix in PREFIXES:
            with in_place_of(tmp_path):
                assert is_our_subject(prefix + subject), prefix + subject
    with in_place_of(tmp_path):
        for line in (*LINES, *(f"Re: {line}" for line in LINES), "Re: hello", ""):
            assert not is_our_subject(line)
    assert not is_our_subject("Nachricht von bob")


@pytest.mark.parametrize(
    "subject",
    ["holo show 12", "hello", "Re: a question about holo", "Re: hello", "message", ""]
    + [
        "your turn, I think",
        "Re: 123:17",
        "holo move 12 alice secret 123:17",
        "my holo 12",
    ],
)
def test_what_is_not_ours(subject: str) -> None:
    assert not is_our_subject(subject)
