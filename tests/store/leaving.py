"""A store with something of every kind, and all that its program says of it.

    python -P tests/store/leaving.py FOLDER

makes the store in this new folder, by the program of the checkout that PYTHONPATH
names, and beside it FOLDER.told: so a version that is about to change leaves a store to
those that come after it (tests/stores). They ask the same and compare.
"""

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino import owner
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import keeping
from pbm_holomino.mail.message import message
from pbm_holomino.mail.outcomes import Parcel
from pbm_holomino.store.contract import WAITING
from tests.house import FRIENDS, House, Seeds, home, mail_of, make_cheap, own

# What was asked, and what came of it.
Told = Sequence[tuple[str, str]]

LEFT = "2026-11-23T09:00:00Z"  # when it is asked of the store that was left
LATER = "2026-11-24T10:00:00Z", "2026-12-20T10:00:00Z"  # when the clock has run on
FOLDERS = ("index.sqlite", "changed", "outbox", "key")

# Letters whose text depends on how long a robot could think.
_BY_ROBOTS = (".hint", ".review")

# Who does what, day by day; `{}` is the first move that is legal there.
DAYS: Sequence[tuple[str, Sequence[str]]] = (
    (
        "2026-11-20T08:00:00Z",
        (
            "signup erin secret erin@example.org",
            "change format bob {bob} text",
            "change format carol {carol} small",
            "change letters carol {carol} turns",
            "change digest dave {dave} on",
            "change threads dave {dave} on",
            "add alice {alice} alice@example.net",
            "block dave {dave} bob",
            "message alice {alice} bob -m=Hello!",
            "holo challenge alice bob -rated=no",  # 1 is played, and has plans
            "holo challenge bob carol -num_digits=4 -pool_size=1",  # 2 ends by score
            "holo challenge carol alice",  # 3 ends by resignation
            "holo challenge alice dave",  # 4 is declined
            "holo challenge bob alice",  # 5 ends as a draw that was agreed
            "holo challenge alice bob -random",  # 6 has not been begun
            "holo challenge dave carol -forfeit=3 -nag=1",  # 7 runs out of time
            "holo challenge carol dave",  # 8 is never answered
            "holo challenge alice robot1",  # 9 waits for a robot
            "holo challenge dave alice",  # 10 is voided
            "holo challenge alice anyone",  # 11 is open
            "holo challenge carol anyone",  # 12 is withdrawn
            "holo challenge dave anyone -rated=no",  # 13 is taken
            "hextol challenge alice dave -pool_size=2",
            "walomino challenge alice bob carol -rounds=1",
            "walomino challenge dave carol -draft=die",
            "walomino challenge carol bob alice",
            "walomino challenge bob anyone anyone",  # 4 has one more player
        ),
    ),
    (
        "2026-11-21T08:00:00Z",
        (
            *("holo accept 1 bob {bob}", "holo accept 2 carol {carol}"),
            *("holo accept 3 alice {alice}", "holo decline 4 dave {dave}"),
            *("holo accept 5 alice {alice}", "holo accept 7 carol {carol}"),
            *("holo accept 10 alice {alice}", "walomino accept 4 carol {carol}"),
            *("holo decline 12 carol {carol}", "holo accept 13 alice {alice}"),
            *("hextol accept 1 dave {dave}", "walomino accept 1 bob {bob}"),
            *("walomino accept 1 carol {carol}", "walomino accept 2 carol {carol}"),
            *("walomino accept 3 bob {bob}", "walomino accept 3 alice {alice}"),
            "holo resign 3 carol {carol}",
            "holo move 5 bob {bob} propose",
            "holo move 5 alice {alice} accept",
            "walomino resign 3 bob {bob}",  # which goes on without him
            "pbm void holo 10",
            "pbm tournament open holo robin --days 1",
            "tournament join 1 alice {alice}",
            "tournament join 1 bob {bob}",
            "tournament join 1 carol {carol}",
            "tournament leave 1 carol {carol}",
            "pbm tournament open hextol robin --days 2",
            "pbm tournament cancel 2",
            "pbm tournament open holo robin --days 9",
            "tournament join 3 dave {dave}",
            "delete erin secret",
            "signoff dave {dave}",
            *("play holo 1 5", "play holo 2 99", "play holo 13 4"),
            *("play hextol 1 5", "play walomino 1 6", "play walomino 2 3"),
        ),
    ),
    (
        "2026-11-22T09:00:00Z",
        (
            "pbm tick",  # begins the first tournament
            "pbm flush",
            "change vacation carol {carol} 3",
            "mail holo chat 1 alice {alice}\n\nA fine move!\n",
            "holo hint 13 dave {dave}",
            "holo review 2 bob {bob}",
            "queue holo 1",
            "submit hextol 1",
            "mail holo move 13 alice {alice} propose",
            "forgot bob",
        ),
    ),
    (
        LEFT,
        (
            "shut",  # bob's letters cannot leave from here on
            "move holo 1",
            "holo chat 1 alice {alice} -m=Your turn.",
            "message carol {carol} bob -m=Are you there?",
            "wait",
        ),
    ),
)


class Scene:
    """A server whose letters are remembered as what they are, in one line each."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.letters: list[str] = []
        self.house = House(folder, Seeds())
        self.house.keep = self._keep  # type: ignore[method-assign]
        own(self.house, patch)

    def _keep(self, letter: Letter) -> dict[str, str]:
        raw = message(letter, self.house.config)
        raw = re.sub(rb"^Date: .*\n", b"", raw, count=1, flags=re.MULTILINE)
        words = ": ".join((", ".join(letter.to), letter.id, letter.subject))
        is_robots = letter.id.endswith(_BY_ROBOTS)
        self.letters.append(words if is_robots else _digested(words, raw))
        return {}

    def typed(self, line: str) -> str:
        answer = self.house.type(*_with_text(line))
        return f"{answer.status}\n{answer.text}"

    def owned(self, line: str) -> str:
        answer = owner.run(line.split())
        return f"{answer.status}\n{answer.text}"

    def fields(self, game: str, board: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            self.house.type(f"{game} show {board} -format=json").text
        )
        return found


def _digested(words: str, raw: bytes) -> str:
    return f"{words}: {hashlib.sha256(raw).hexdigest()[:16]}"


def _with_text(line: str) -> list[str]:
    words, option, text = line.partition(" -m=")
    return [words, f"-m={text}"] if option else [words]


def live(scene: Scene) -> None:
    """All that is done before the store is left."""
    scene.house.sign_up(*FRIENDS)
    for time, lines in DAYS:
        scene.house.time = time
        for line in lines:
            _do(scene, line)


def _do(scene: Scene, line: str) -> None:
    first, _, rest = line.partition(" ")
    if first == "pbm":
        scene.owned(rest)
    elif first == "mail":
        subject, _, body = rest.partition("\n\n")
        who = next(name for name in FRIENDS if name in f"{subject} alice".split())
        words = mail_of(subject, home(who), body, Message_ID=f"<{line[:30]}@x>")
        scene.house.mail(words)
    elif first == "shut":
        scene.house.shut = {home("bob")}
    elif first == "wait":
        scene.house.mail(b"\xff\xfe no mail")
        hello = Letter("hello", (home("bob"),), "Hello")
        raw = message(hello, scene.house.config)
        waiting = Parcel("waiting", raw, (home("bob"),))
        keeping.keep(scene.house.store, WAITING, waiting, home("bob"), "It is shut.")
    elif first in ("play", "queue", "submit", "move"):
        game, board, *count = rest.split()
        for _ in range(int(count[0]) if count else 1):
            _move(scene, "move" if first == "play" else first, game, board)
    else:
        answer = scene.typed(line)
        assert answer.startswith("0"), (line, answer)


def _move(scene: Scene, act: str, game: str, board: str) -> None:
    fields = scene.fields(game, board)
    if fields["turn"]:
        who = fields["turn"][0]
        if act == "queue":  # a plan for later
            who = next(name for name in fields["players"] if name != who)
        scene.typed(f"{game} {act} {board} {who} {{{who}}} {fields['legal'][0]}")


def ask(scene: Scene) -> Iterator[tuple[str, str]]:
    """All that the store's program says of it: of each board, in lists, of its owner's
    concerns, and then what becomes of it as time goes by."""
    scene.house.shut.clear()
    scene.house.time = LEFT
    for line in questions(scene.house):
        yield line, scene.typed(line)
    yield from _letters(scene, "flush")
    for time in LATER:
        scene.house.time = time
        yield from _letters(scene, "tick")
        for line in ("holo games alice bob carol dave all", "list open", "tournament"):
            yield f"{time} {line}", scene.typed(line)


def questions(house: House) -> Iterator[str]:
    for path in sorted(house.folder.glob("*/*.yaml")):
        folder, name = path.parent.name, path.stem
        if folder == "tournaments":
            yield f"tournament {name}"
            yield f"tournament {name} -format=json"
        elif folder not in ("players", "ratings"):
            yield f"{folder} show {name}"
            yield f"{folder} show {name} -format=json"
            yield f"{folder} history {name} -format=yaml"
            for who in FRIENDS:
                yield f"{folder} showas {who} {{{who}}} {name} -format=json"
            yield f"{folder} verify {name}"
    for who in FRIENDS:
        yield f"all show {who} next"
        yield f"all show {who} {{{who}}} all"
    for line in ("games alice bob carol dave all", "standings", "ratings", "history"):
        yield f"holo {line}"
    yield from ("list", "list holo", "list open", "tournament")


def _letters(scene: Scene, command: str) -> Iterator[tuple[str, str]]:
    """What the owner's command says, and the letters that leave with it."""
    scene.letters.clear()
    said = scene.owned(command)
    yield f"{scene.house.time} pbm {command}", said
    outbox = scene.house.folder / "outbox"
    kept_before = [_digested(path.name, path.read_bytes()) for path in outbox.glob("*")]
    letters = sorted([*scene.letters, *kept_before])
    yield f"{scene.house.time} letters", "\n".join(letters)


def main() -> None:
    folder = Path(sys.argv[1])
    asked = folder.with_suffix(".asked")
    with pytest.MonkeyPatch.context() as patch:
        make_cheap(patch)
        live(Scene(folder, patch))
        for name in FOLDERS:
            for path in folder.glob(f"{name}*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(folder, asked)
        told = [*ask(Scene(asked, patch))]
        shutil.rmtree(asked)
    text = "".join(f"{json.dumps(pair)}\n" for pair in told)
    folder.with_suffix(".told").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
