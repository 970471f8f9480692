"""`pbm demo`: each game on a screen of its own, as it is played by mail."""

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from pbm_holomino import rules
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.draw.canvas import Paint
from pbm_holomino.errors import BadCommand, NotAllowed
from pbm_holomino.languages import together
from pbm_holomino.letters import screen
from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.owner import showing, web
from pbm_holomino.owner.cast import ELSEWHERE, PROPOSED, Cast, Played
from pbm_holomino.owner.sample import folder_of_programs
from pbm_holomino.owner.showing import Choice
from pbm_holomino.owner.terminal import Terminal
from pbm_holomino.sentences import WIDTH, fill, listed
from pbm_holomino.server import waking
from pbm_holomino.store.home import Home, check_owner, open_store
from pbm_holomino.store.library import Library

_ROWS = 23  # of a game: with the line of the cursor they fill a usual terminal
_BEGINNING = 2.0  # seconds for the Subject of a screen
_PATIENCE = 15.0  # seconds for robots that are still at work
_QUESTION = "Play {} against a robot (Enter), see the pages (w), or stop (q)? "
_GAME, _PAGES, _STOP = "", "w", "q"  # what is answered
_WAYS = ("source", "web", "play")
_FAVOURITE = "holo"  # is played where no game is named


def run(request: Request, terminal: Terminal | None = None) -> Answer:
    """Show what somebody sends and what somebody else gets to read, game by game, and
    how to go on. Nothing of it is kept, unless a folder is named. Raises NotAllowed for
    the store of a server that sends real mail."""
    terminal = terminal or Terminal()
    chosen = [way for way in _WAYS if way in request.options]
    kept = os.path.expanduser(request.options.get("keep", ""))
    code = request.options.get("language", "")
    of_boards = [*["keep"] * bool(kept), *["language"] * bool(code)]
    if len(chosen) > 1 or (chosen == ["play"] and of_boards):
        ways = listed([f"--{way}" for way in (*chosen, *of_boards)])
        raise BadCommand(f"{ways} do not go together: please choose one.", "demo")
    games = list(request.words) or rules.names()
    favourite = games[0] if request.words else _FAVOURITE
    if chosen == ["play"]:
        return _play(favourite, terminal)
    if chosen == ["web"] and not _has_pages():
        return _with_pages(favourite, kept, code)
    with _place(kept) as home:
        with closing(open_store(home)) as store:
            aloud = chosen == ["source"] or bool(code)
            cast = Cast(home, Library(store), games, aloud, code)
            if chosen == ["web"]:
                cast.open_boards()
                answer = _PAGES
            else:
                answer = _show(cast, terminal, favourite)
            boards, farewell = cast.matches, _farewell(cast if kept else None)
        if answer == _PAGES and _has_pages():
            of_favourite = (each for each in boards if each.record.game == favourite)
            return _pages(cast, next(of_favourite))
    if answer == _PAGES:
        return _with_pages(favourite, kept, code)
    played = _play(favourite, terminal).text if answer == _GAME else ""
    return Answer(played + farewell)


@contextmanager
def _place(kept: str) -> Iterator[Home]:
    """The folder in which the demo, and all that it starts, find its games: the one
    that is named, or one that goes with the demo. Raises NotAllowed."""
    before = os.environ.get("PBM_GAMES", "")
    with nullcontext(os.path.abspath(kept)) if kept else _passing() as folder:
        check_owner(folder)
        home = Home(folder)
        if home.config.send != "outbox":
            raise NotAllowed(
                "The demo's players have no mailboxes, and the server with these games "
                f"sends real mail. {ELSEWHERE}"
            )
        os.environ["PBM_GAMES"] = folder
        try:
            yield home
        finally:
            os.environ["PBM_GAMES"] = before


@contextmanager
def _passing() -> Iterator[str]:
    """A folder that is there while this lasts, which also ends when its terminal is
    closed."""
    endings = (signal.SIGHUP, signal.SIGTERM)
    before = [signal.signal(each, lambda no, _: sys.exit(128 + no)) for each in endings]
    try:
        with TemporaryDirectory(prefix="pbm-demo-", ignore_cleanup_errors=True) as own:
            yield own
            _await_robots(Home(own))
    finally:
        for each, handler in zip(endings, before, strict=True):
            signal.signal(each, handler)


def _await_robots(home: Home) -> None:
    """Let robots finish which visitors of the pages have challenged: they would save
    their move, and with it the folder."""
    end = monotonic() + _PATIENCE
    while os.path.exists(home.path(waking.LOCK)) and monotonic() < end:
        with waking.holding(home) as is_ours:
            if is_ours:
                return
        sleep(0.1)


def _play(game: str, terminal: Terminal) -> Answer:
    from pbm_holomino.owner.play import play  # slow to load

    return play(game, terminal)


def _asked(terminal: Terminal, question: str) -> str:
    """One of the answers that the question names; at the end of all input, to stop."""
    terminal.forget()
    while True:
        try:
            word = terminal.ask(question).strip().lower()
        except EOFError:
            print()
            return _STOP
        if word[:1] in (_GAME, _PAGES, _STOP):
            return word[:1]


# What is shown


def _show(cast: Cast, terminal: Terminal, favourite: str) -> str:
    """Show a screen for each game, and ask how to go on; the answer, which is to stop
    where nobody can be asked."""
    with terminal.unseen():
        for number, game in enumerate(cast.games, 1):
            moves = list(cast.played(game))
            if moves and not cast.aloud:
                title = _title(game, number, len(cast.games), terminal)
                head, letter = _fitting(moves, title, terminal.paint)
                print("\n".join(head), flush=True)
                terminal.pause(_BEGINNING)
                print("\n".join(letter), flush=True)
                if number == len(cast.games):
                    break
                if terminal.pause().lower() in (_STOP, "quit"):
                    return _STOP
                print()
    if cast.aloud or not terminal.is_answered:
        return _STOP
    return _asked(terminal, _QUESTION.format(rules.load(favourite).TITLE))


def _title(game: str, number: int, of: int, terminal: Terminal) -> str:
    """The first line of a screen."""
    title = f"-- {rules.load(game).TITLE} ({number} of {of}) "
    goes_on = terminal.is_answered and number < of
    end = "-- Enter goes on --" if goes_on else ""
    return title.ljust(WIDTH - len(end), "-") + end


class _Screen(NamedTuple):
    """What somebody sends, and the letter that somebody else then reads."""

    head: list[str]
    letter: list[str]

    @property
    def lines(self) -> list[str]:
        return [*self.head, *self.letter]


def _fitting(moves: Sequence[Played], title: str, paint: Paint) -> _Screen:
    """The screen of the last move for which everything has room: with the places of the
    next moves if possible, and with blank lines if there is still room."""
    screens = [
        _screen(move, title, paint, has_places)
        for has_places in (True, False)
        for move in reversed(moves)
    ]
    best = next((each for each in screens if len(each.lines) <= _ROWS), screens[-1])
    head = best.head
    airy = best._replace(head=[head[0], "", *head[1:], ""])
    return airy if len(airy.lines) <= _ROWS else best


def _screen(move: Played, title: str, paint: Paint, has_places: bool) -> _Screen:
    what = "Its Subject has the board, a password and the move:"
    head = [
        title,
        f"{move.sender} sends a mail. {what}",
        f"    {move.subject}",
        f'and {move.reader} gets the letter "{move.letter.subject}", here in short:',
    ]
    letter = _letter(move, paint, has_places)
    return _Screen(head, [f"  | {line}".rstrip() for line in letter])


def _letter(move: Played, paint: Paint, has_places: bool) -> list[str]:
    """The letter in short, with the best moves in place of all."""
    match, reader = move.match, move.reader
    view = match.view(reader)
    news = str(together(screen.latest(match, view, reader, None)))
    choices = showing.choices(match, reader)
    places = choices[:PROPOSED] if has_places else ()
    drawing = showing.with_places(view.drawing, places)
    parts = [
        *showing.picture(drawing, True, paint).lines,
        "",
        *fill(news).splitlines(),
        *showing.seats(match, view),
    ]
    return [*parts, *_proposed(choices, reader)] if choices else parts


def _proposed(choices: Sequence[Choice], reader: str) -> list[str]:
    """Whose turn it is, the best of some moves, and how to play one."""
    heading, cells = showing.named(choices[:PROPOSED], len(choices))
    return [
        f"It is your turn, {reader}. {heading}",
        *showing.columns(cells, WIDTH),
        f"Reply with a move in the first line, such as {choices[0].move}.",
    ]


# How to go on


def _farewell(cast: Cast | None) -> str:
    """The lines that somebody can type next: on the boards of this cast, too, if they
    are kept."""
    pbm = _command("pbm")
    if cast is None:
        said = (
            "Nothing of this is kept. Play against a robot; play on pages; see the "
            "mails; keep the boards and play on; or read the tutorial:"
        )
        ways = ("demo --play", "demo --web", "demo --source", "demo --keep FOLDER")
        lines = [f"  {pbm} {way}" for way in (*ways, "help tutorial")]
        return "\n".join(["", *fill(said).splitlines(), *lines]) + "\n"
    place = "the database" if cast.home.config.store else _short(cast.home.root)
    passwords = listed([f"{n} has {p}" for n, p in cast.passwords.items()])
    place_of = f"The {cast.library.store.noun}s are in {place}."
    yours = f"These boards are yours now. The passwords: {passwords}. {place_of}"
    moves = [f"  {_next_move(match, cast)}" for match in cast.matches]
    first = cast.matches[0].record
    look = f"  {_command(first.game, cast)} show {first.board}"
    more = [
        "Play against a robot; play on pages; see the mails; or read the tutorial:",
        f"  {pbm} demo --play",
        f"  {_command('pbm', cast)} web 2480",
        f"  {pbm} demo --source",
        f"  {pbm} help tutorial",
    ]
    filled = fill(yours, whole_words=True).splitlines()
    heading = "The next move on each of them, and how to look at one:"
    return "\n".join(["", *filled, heading, *moves, look, *more]) + "\n"


def _next_move(match: Match, cast: Cast) -> str:
    """How to make a move on a board."""
    name = match.turn[0]
    words = f"move {match.record.board} {name} {cast.passwords[name]}"
    best = showing.first_move(match, name)
    return f"{_command(match.record.game, cast)} {words} {best}"


def _command(name: str, cast: Cast | None = None) -> str:
    """How a command of this installation is typed here, about the boards of this cast
    if there is one."""
    folder = folder_of_programs()
    path = shutil.which(name) or ""
    is_found = os.path.realpath(os.path.dirname(path)) == os.path.realpath(folder)
    typed = name if is_found else shlex.quote(_short(os.path.join(folder, name)))
    if cast is not None:
        return f"PBM_GAMES={shlex.quote(_short(cast.home.root))} {typed}"
    return typed


def _short(path: str) -> str:
    """A path as it is typed in this folder, if that is shorter."""
    return min(os.path.abspath(path), os.path.relpath(path), key=len)


def _pages(cast: Cast, match: Match) -> Answer:
    """Serve pages, and open that of a board in a browser."""
    name = match.turn[0]
    print(
        fill(
            f"To move on this board, sign in as {name} with the password "
            f"{cast.passwords[name]}. Ctrl-C ends the pages."
        ),
        end="",
    )
    return web.show(f"{match.record.game}/{match.record.board}")


def _has_pages() -> bool:
    """Whether the libraries that pages need are installed."""
    with suppress(NotAllowed):
        web.check_installed()
        return True
    return False


def _with_pages(game: str, kept: str, code: str) -> Answer:
    """Go on as the command that needs the libraries of pages: in a checkout, that has
    them installed. Raises NotAllowed if it has not."""
    words = ["demo", "--web"]
    if sys.argv[1:3] == words:
        web.check_installed()
    sys.stdout.flush()
    program = os.path.join(folder_of_programs(), "pbm")
    words += [f"--keep={kept}"] * bool(kept) + [f"--language={code}"] * bool(code)
    os.execv(program, [program, *words, game])
