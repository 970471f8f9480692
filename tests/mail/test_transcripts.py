"""Whole conversations, to the character: what comes by mail, and what leaves.

A text in this folder begins with what happens in it. Then come its parts, each after a
line `=== ...`, in order (in a mail, TOKEN is the reply token of the last letter that
its sender has got): commands that have been typed before; a mail, or what the owner
types; every letter that leaves because of it, of which one that has left before is
named by its subject (`again: ...`); the lines of a log, as they stand in their file
then; what the clock shows from then on. The letters were worked out by hand from the
rules. Nothing writes these files: who changes a letter changes them, and reads them
again.
"""

import os
import re
import time
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.match.account import TOKEN
from tests.house import House, own
from tests.languages.alone import english_alone
from tests.paths import TRANSCRIPTS

NAMES = sorted(path.stem for path in TRANSCRIPTS.glob("*.txt"))
CLOCK = time.struct_time([2026, 11, 20, 8, 0, 0, 4, 324, 0])
HEADERS = ("To", "Subject", "In-Reply-To", "References")


def parts_of(name: str) -> list[tuple[str, str]]:
    """The parts of a transcript: each with what its first line says. A line `GAME help`
    is such a line for each game that there is."""
    text = (TRANSCRIPTS / f"{name}.txt").read_text("utf-8")
    lines = "".join(f"  {game} help\n" for game in rules.names())
    text = text.replace("  GAME help\n", lines)
    pieces = re.split(r"^=== (.*)\n", text, flags=re.MULTILINE)[1:]
    return [
        (head, body.rstrip("\n") + "\n")
        for head, body in zip(pieces[::2], pieces[1::2], strict=True)
    ]


def written(letter: Letter, server: House) -> str:
    """A letter as a transcript has it: as a mail program shows it."""
    mail = message_from_bytes(message(letter, server.config), policy=default)
    assert mail["Date"] == "Fri, 20 Nov 2026 08:00:00 +0000"
    head = [f"{name}: {mail[name]}\n" for name in HEADERS if mail[name]]
    part = mail.get_body(("plain",))
    assert part is not None
    text = str(part.get_content())
    assert text.rstrip("\n") + "\n" == text
    return re.sub(rf"\b{TOKEN}(?=[.@])", "TOKEN", "".join(head)) + "\n" + text


class Transcript:
    """A transcript, as it is played: each part after the other."""

    def __init__(self, folder: Path) -> None:
        self.server = House(folder)
        self.letters: list[Letter] = []
        self.shown: dict[str, str] = {}  # the last letter with each subject
        self.tokens: dict[str, str] = {}  # by the address of the reader, the last

    def keep(self, letter: Letter) -> None:
        """Keep the reply token of a letter, for a mail from its reader."""
        found = re.search(rf"\.({TOKEN})(\.|$)", letter.id)
        if found:
            self.tokens |= dict.fromkeys(letter.to, found[1])

    def read(self, head: str, body: str) -> None:
        """Do or check what a part says."""
        if head == "letter" or head.startswith("again: "):
            assert self.letters, "no letter has left"
            letter = self.letters.pop(0)
            self.keep(letter)
            body = self.shown.get(head.removeprefix("again: "), body)
            assert written(letter, self.server) == body
            self.shown[letter.subject] = body
            return
        assert not self.letters, f"{self.letters[0].subject} has left too"
        if head.startswith("clock "):
            self.server.time = head.removeprefix("clock ")
        elif head == "typed before":
            for line in body.splitlines():
                assert self.server.type(line).status == 0
        elif head == "mail":
            (sender,) = re.findall("^From: (.*)", body, re.MULTILINE)
            body = body.replace("TOKEN", self.tokens.get(sender, ""))
            self.letters = self.server.mail(body.encode("utf-8"))
        elif head == "typed by the owner":
            self.server.sent.clear()
            assert owner.run(body.split()[1:]).status == 0
            self.letters = list(self.server.sent)
        else:
            folder, _, name = head.removeprefix("log of ").partition(" ")
            log = self.server.data(folder, name)["log"]
            assert "".join(f"{line}\n" for line in log) == body


@pytest.mark.parametrize("name", NAMES)
def test_transcript(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(time, "gmtime", lambda *seconds: CLOCK)
    monkeypatch.setattr(os, "urandom", bytes)  # salts and the key are zeros
    play = Transcript(tmp_path)
    own(play.server, monkeypatch)
    parts = parts_of(name)
    with english_alone():
        for head, body in parts:
            play.read(head, body)
    assert not play.letters
    assert {"mail", "letter"} < {head for head, _ in parts}


def test_the_transcripts_are_all_here() -> None:
    """Each with a number of its own."""
    numbers = [int(name.partition("-")[0]) for name in NAMES]
    assert len({*numbers}) == len(numbers) > 50
