"""A search for the mail that costs most, for its size allowed by the mail system.

    python -m tests.faults.costly SECONDS [SEED]

makes mails of repeated pieces, measures the processor time that each takes, and goes
on with changes of the costliest. It prints those, and how they compare with
`python -c pass`.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from encodings.aliases import aliases
from pathlib import Path
from typing import NamedTuple

from pbm_holomino.mail.intake import MOST_MAIL
from pbm_holomino.match.account import hash_password
from pbm_holomino.server import inbox
from tests.bench import positions
from tests.faults.scene import opened

_KEPT = 40  # mails, of which the next ones are made
_PRINTED = 15
_TILES = {"holo": 30, "hextol": 20, "walomino": 20}
_BOARDS = 25  # of each game
_INBOX = "from pbm_holomino.server import inbox; assert inbox.main() == 0"
# Linux says how much memory a process has had at most, without what it had before it
# began the program, which counts for getrusage.
_PEAK = "; print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"


class Piece(NamedTuple):
    """Some bytes, so many times."""

    text: bytes
    times: int = 1

    @property
    def raw(self) -> bytes:
        return (self.text * self.times)[:MOST_MAIL]


class Nasty(NamedTuple):
    """A mail of repeated pieces."""

    head: tuple[Piece, ...]
    body: tuple[Piece, ...]

    @property
    def raw(self) -> bytes:
        head = b"".join(piece.raw for piece in self.head)
        body = b"".join(piece.raw for piece in self.body)
        return (head + b"\n" + body)[: MOST_MAIL + 1]


NAMES = ["from", "subject", "content-type", "content-transfer-encoding", "x", "to"]
NAMES += ["content-disposition", "message-id", "date", "auto-submitted", "received"]
CHARSETS = sorted({*aliases, *aliases.values()})
ENCODINGS = ["7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "nothing"]
TOKENS = [
    *(b"\n", b"\r\n", b"\r", b" ", b"\t", b"\n ", b"\n\t", b";", b";a", b";a=", b'"'),
    *(b"\\", b"(", b")", b"<", b">", b"<>", b"@", b",", b":", b"=", b"=?", b"?=", b"a"),
    *(b"=?utf-8?q?", b"=?utf-8?q?a?= ", b"=?utf-8?b?YQ==?= ", b"=?a?q?", b"=?a?b?b?="),
    *(b"a@b.org", b"a@b.org,", b"<a@b.org>", b"(a)", b'"a"', b"a\\", b"\xff", b"\x00"),
    *(b"Re: ", b"Re[1]:", b"[a]", b"[", b"fwd(1):", b"-", b"--", b"---", b"- "),
    *(b"; charset*0=a", b"; charset*1*=a", b"; a*%d=b" % 7, b"; a*=x'y'%ff", b"=C3"),
    *(b"a \n", b" \n", b">\n", b"> a\n", b"a:\n", b"a:\n>\n", b"\n\n", b"-- \n", b"*"),
    *(b"From: a\n", b"a: b\n", b"Sent: \n", b"---- original\n", b"-m=", b" -m=a"),
    *(b"a@b wrote 2026:\n", b"On 1 a@b\nwrote:\n", b"confidential recipient\n\n"),
    *(
        b"<p>",
        b"<b id=1>",
        b"</p>",
        b"<blockquote>",
        b"<pre>",
        b"<br>",
        b"&amp;",
        b"<td>",
    ),
    *(b"<div style='display:none'>", b"<p class='yahoo_quoted'>", b"<!--", b"<a b='"),
    *(b"\x0c", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\x8b", b"\xc2\xa0", b"+AAA-"),
    *(b"\x1b$B", b"\x1b(B", b"\x0e", b"~{", b"\xf0\x90", b"\xed\xa0\x80", b"begin \n"),
    *(b"--b\n", b"--b--\n", b"--b \n", b"\n--b", b"--\n", b"----------\n", b"AAAA"),
    *(b"=\n", b"=3D", b"M" + b"!" * 60 + b"\n", b"!\n", b"xyzzy\n", b"help\n"),
    *(
        b"holo show alice bob all\n",
        b"holo move 1 alice wrong 1:1\n",
        b"all show bob\n",
    ),
    *(b"holo showas alice xanadu all\n", b"holo chat 1 alice xanadu -m=a\n"),
    *(b"holo challenge alice bob\n", b"signup carol secret\n", b"holo games\n"),
    *(b"holo queue 1 alice xanadu 123:1\n", b"list holo hextol\n", b"message " * 9),
]
COMMANDS = [b"help", b"multiple", b"holo show 1", b"holo chat 1 alice xanadu", b"xyzzy"]
COMMANDS += [
    b"signup carol secret",
    b"holo challenge alice bob",
    b"holo show alice all",
]
COMMANDS += [b"holo move 1 alice xanadu 142:4", b"message alice xanadu bob"]


def _times(chance: random.Random) -> int:
    return int(10 ** chance.uniform(0, 6.5))


def _any_piece(chance: random.Random) -> Piece:
    tokens = chance.choices(TOKENS, k=chance.choice((1, 1, 1, 2, 3)))
    return Piece(b"".join(tokens), _times(chance))


def _field(chance: random.Random, name: bytes, value: bytes) -> list[Piece]:
    """A header with a value, and maybe something repeated in it."""
    pieces = [Piece(name + b": " + value)]
    if chance.random() < 0.3:
        pieces.append(_any_piece(chance))
    return [*pieces, Piece(b"\n")]


def _nest(chance: random.Random) -> list[Piece]:
    """Parts within parts."""
    boundary = chance.choice((b"b", b"-", b"b" * 60, b"b "))
    head = b'content-type: multipart/mixed; boundary="%b"\n\n--%b\n'
    return [Piece(head % (boundary, boundary), _times(chance))]


def made(chance: random.Random) -> Nasty:
    """A nasty mail."""
    charset = chance.choice(CHARSETS)
    kind = chance.choice(("text/plain", "text/html", "multipart/mixed", "message/x"))
    content = f"{kind}; boundary=b; charset={charset}; format=flowed; delsp=yes"
    head = [Piece(b"from: alice <alice@example.org>\n")]
    if chance.random() < 0.3:
        head = _field(chance, b"from", b"alice@example.org")
    subject = chance.choice(COMMANDS)
    if chance.random() < 0.2:
        subject = f"=?{charset}?{chance.choice('qb')}?".encode() + b"a" * 50 + b"?="
    head += _field(chance, b"subject", subject)
    head += _field(chance, b"content-type", content.encode())
    if chance.random() < 0.5:
        encoding = chance.choice(ENCODINGS).encode()
        head += _field(chance, b"content-transfer-encoding", encoding)
    if chance.random() < 0.3:
        name = chance.choice(NAMES).encode()
        value = chance.choice(TOKENS).replace(b"\n", b"")
        head.append(Piece(name + b": " + value + b"\n", _times(chance)))
    body = _nest(chance) if chance.random() < 0.3 else []
    body += [_any_piece(chance) for _ in range(chance.choice((1, 1, 2, 3)))]
    return Nasty(tuple(head), tuple(body))


def changed(nasty: Nasty, chance: random.Random) -> Nasty:
    """A mail like another one."""
    head, body = list(nasty.head), list(nasty.body)
    pieces = chance.choice((head, body)) or body
    place = chance.randrange(len(pieces)) if pieces else 0
    way = chance.random()
    if not pieces or way < 0.2:
        pieces.insert(place, _any_piece(chance))
    elif way < 0.5:
        times = max(1, int(pieces[place].times * chance.choice((0.5, 0.9, 1.1, 2, 4))))
        pieces[place] = pieces[place]._replace(times=min(times, MOST_MAIL))
    elif way < 0.6 and len(pieces) > 1:
        del pieces[place]
    elif way < 0.8:
        other = made(chance)
        theirs = chance.choice((other.head, other.body))
        pieces[place] = chance.choice(theirs)
    else:
        text = pieces[place].text + chance.choice(TOKENS)
        pieces[place] = pieces[place]._replace(text=text)
    return Nasty(tuple(head), tuple(body))


def lay(folder: Path) -> Path:
    """A store on which alice and bob, whose passwords take as long to hash as ever,
    play many boards that are well advanced."""
    for game, tiles in _TILES.items():
        library = positions.new_library(str(folder), game)
        board = positions.at_tiles(tiles, game)
        positions.save_boards(library, board, range(1, _BOARDS + 1))
    positions.save_players(library, hash_password("secret"))
    return folder


class Ground:
    """A store on which mails are tried: nothing that they do counts for the next, so
    that no limit on their number is met."""

    def __init__(self, folder: Path) -> None:
        self._server, home = opened(lay(folder))
        self._server.delivery.post = lambda letter: {}
        self._config = home.config._replace(answers_per_hour=10**9)

    def cost(self, raw: bytes) -> float:
        """The processor seconds that a mail takes."""
        before = time.process_time()
        inbox.receive(raw, self._server, self._config)
        return time.process_time() - before


class Cost(NamedTuple):
    """What a process has taken: processor seconds, and bytes of memory at most."""

    seconds: float
    memory: int


def empty_process() -> Cost:
    """What `python -c pass` takes, the median of five."""
    return sorted(_of_process("pass") for _ in range(5))[2]


def cost_of(raw: bytes, store: Path) -> Cost:
    """What a process takes that deals with a mail."""
    return _of_process(_INBOX, raw, {**os.environ, "PBM_GAMES": str(store)})


def _of_process(
    code: str, given: bytes = b"", environment: dict[str, str] | None = None
) -> Cost:
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout:
        stdin.write(given)
        stdin.seek(0)
        command = [sys.executable, "-c", code + _PEAK]
        process = subprocess.Popen(command, stdin=stdin, stdout=stdout, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        stdout.seek(0)
        return Cost(used.ru_utime + used.ru_stime, int(stdout.read()) << 10)


def main(seconds: float, seed: int) -> None:
    """Search for so long, and tell."""
    chance, end = random.Random(seed), time.monotonic() + seconds
    costliest: list[tuple[float, int, Nasty]] = []
    tried = 0
    while time.monotonic() < end:
        with tempfile.TemporaryDirectory() as folder:
            ground = Ground(Path(folder) / "games")
            for _ in range(200):  # on a store that stays small
                tried += 1
                if costliest and chance.random() < 0.7:
                    nasty = changed(chance.choice(costliest)[2], chance)
                else:
                    nasty = made(chance)
                costliest.append((ground.cost(nasty.raw), tried, nasty))
                costliest.sort(reverse=True)
                del costliest[_KEPT:]
                if time.monotonic() > end:
                    break
    empty = empty_process()
    print(f"{tried} mails; python -c pass takes {empty.seconds:.3f} s. The costliest,")
    print("seconds, seconds and MB of a process that deals with it, bytes:")
    for cost, _, nasty in costliest[:_PRINTED]:
        with tempfile.TemporaryDirectory() as folder:
            again = cost_of(nasty.raw, lay(Path(folder) / "games"))
        print(
            f"{cost:.3f} {again.seconds:.3f} {again.memory >> 20} {len(nasty.raw)}",
            str(nasty)[:400],
        )


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
