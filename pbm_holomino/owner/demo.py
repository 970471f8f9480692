"""`pbm demo`: each game on a screen of its own, as it is played by mail."""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple

from pbm_holomino import rules
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.draw.canvas import Paint
from pbm_holomino.errors import BadCommand, NotAllowed
from pbm_holomino.languages import together
from pbm_holomino.letters import screen
from pbm_holomino.match.board import Match
from pbm_holomino.owner import showing, web
from pbm_holomino.owner.cast import ELSEWHERE, PROPOSED, Cast, Seen
from pbm_holomino.owner.sample import folder_of_programs
from pbm_holomino.owner.showing import Choice
from pbm_holomino.owner.terminal import Terminal
from pbm_holomino.sentences import WIDTH, fill, listed
from pbm_holomino.server import open as opener
from pbm_holomino.store.library import Library

_ROWS = 23  # of a game: with the line of the cursor they fill a usual terminal
_BEGINNING = 2.0  # seconds for the Subject of a screen
_QUESTION = "Play {} against a robot (Enter), see the pages (w), or stop (q)? "
_GAME, _PAGES, _STOP = "", "w", "q"  # what is answered
_WAYS = ("source", "web", "play")
_FAVOURITE = "holo"  # is played where no game is named


def run(request: Request, terminal: Terminal | None = None) -> Answer:
    """Show what somebody sends and what somebody else gets to read, game by game, and
    how to go on. Raises NotAllowed on a server that sends real mail."""
    terminal = terminal or Terminal()
    chosen = [way for way in _WAYS if way in request.options]
    if len(chosen) > 1:
        ways = listed([f"--{way}" for way in chosen])
        raise BadCommand(f"{ways} do not go together: please choose one.", "demo")
    games = list(request.words) or rules.names()
    favourite = games[0] if request.words else _FAVOURITE
    if chosen == ["play"]:
        return _play(favourite, terminal)
    if chosen == ["web"]:
        _check_pages(favourite)
    home = opener.open_home()
    if home.config.send != "outbox":
        raise NotAllowed(
            "The demo's players have no mailboxes, and this server sends real mail. "
            + ELSEWHERE
        )
    with closing(opener.open_store(home)) as store:
        cast = Cast(home, Library(store), games, aloud=chosen == ["source"])
        if chosen == ["web"]:
            cast.open_boards()
            wanted = _PAGES
        else:
            wanted = _show(cast, terminal, favourite)
        boards, farewell = cast.matches, _farewell(cast)
    if wanted == _PAGES:
        of_favourite = (each for each in boards if each.record.game == favourite)
        return _pages(cast, next(of_favourite))
    played = _play(favourite, terminal).text if wanted == _GAME else ""
    return Answer(played + farewell)


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
            seen = list(cast.played(game))
            if seen and not cast.aloud:
                title = _title(game, number, len(cast.games), terminal)
                head, letter = _fitting(seen, title, terminal.paint)
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


def _fitting(moves: Sequence[Seen], title: str, paint: Paint) -> _Screen:
    """The screen of the last move for which everything has room: with the places of the
    next moves if possible, and with blank lines if there is still room."""
    found = [
        _screen(seen, title, paint, has_places)
        for has_places in (True, False)
        for seen in reversed(moves)
    ]
    best = next((each for each in found if len(each.lines) <= _ROWS), found[-1])
    head = best.head
    airy = best._replace(head=[head[0], "", *head[1:], ""])
    return airy if len(airy.lines) <= _ROWS else best


def _screen(seen: Seen, title: str, paint: Paint, has_places: bool) -> _Screen:
    what = "Its Subject has the board, a password and the move:"
    head = [
        title,
        f"{seen.sender} sends a mail. {what}",
        f"    {seen.subject}",
        f'and {seen.reader} gets the letter "{seen.letter.subject}", here in short:',
    ]
    letter = _letter(seen, paint, has_places)
    return _Screen(head, [f"  | {line}".rstrip() for line in letter])


def _letter(seen: Seen, paint: Paint, has_places: bool) -> list[str]:
    """The letter in short, with the best moves in place of all."""
    match, reader = seen.match, seen.reader
    view = match.view(reader)
    news = str(together(screen.latest(match, view, reader, None)))
    found = showing.choices(match, reader)
    places = found[:PROPOSED] if has_places else ()
    drawing = showing.with_places(view.drawing, places)
    parts = [
        *showing.picture(drawing, True, paint).lines,
        "",
        *fill(news).splitlines(),
        *showing.seats(match, view),
    ]
    return [*parts, *_proposed(found, reader)] if found else parts


def _proposed(found: Sequence[Choice], reader: str) -> list[str]:
    """Whose turn it is, the best of some moves, and how to play one."""
    heading, cells = showing.named(found[:PROPOSED], len(found))
    return [
        f"It is your turn, {reader}. {heading}",
        *showing.columns(cells, WIDTH),
        f"Reply with a move in the first line, such as {found[0].move}.",
    ]


# How to go on


def _farewell(cast: Cast) -> str:
    """The lines that somebody can type next."""
    place = "the database" if cast.home.config.store else _short(cast.home.root)
    passwords = listed([f"{n} has {p}" for n, p in cast.passwords.items()])
    kept = f"The {cast.library.store.noun}s are in {place}."
    yours = f"These boards are yours now. The passwords: {passwords}. {kept}"
    moves = [f"  {_next_move(match, cast)}" for match in cast.matches]
    first = cast.matches[0].record
    look = f"  {_command(first.game, cast)} show {first.board}"
    pbm, here = _command("pbm"), _command("pbm", cast)
    more = [
        "Play against a robot; play on pages; see the mails; or read the tutorial:",
        f"  {pbm} demo --play",
        f"  {here} demo --web",
        f"  {here} demo --source",
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
    """How a command of this installation is typed here, about the store of this cast if
    there is one."""
    folder = folder_of_programs()
    found = shutil.which(name) or ""
    is_found = os.path.realpath(os.path.dirname(found)) == os.path.realpath(folder)
    typed = name if is_found else shlex.quote(_short(os.path.join(folder, name)))
    if cast is not None and os.environ.get("PBM_GAMES"):
        return f"PBM_GAMES={shlex.quote(_short(cast.home.root))} {typed}"
    return typed


def _short(path: str) -> str:
    """A path as it is typed in this folder, if that is shorter."""
    return min(os.path.abspath(path), os.path.relpath(path), key=len)


def _pages(cast: Cast, match: Match) -> Answer:
    """Serve pages, and open that of a board in a browser."""
    _check_pages(match.record.game)
    name = match.turn[0]
    print(
        fill(
            f"To move on this board, sign in as {name} with the password "
            f"{cast.passwords[name]}. Ctrl-C ends the pages."
        ),
        end="",
    )
    return web.show(f"{match.record.game}/{match.record.board}")


def _check_pages(game: str) -> None:
    """Where the libraries that pages need are missing, go on as the command that needs
    them: in a checkout, that has them installed. Raises NotAllowed if it has not."""
    words = ["demo", "--web"]
    try:
        web.check_installed()
    except NotAllowed:
        if sys.argv[1:3] == words:
            raise
        sys.stdout.flush()
        program = os.path.join(folder_of_programs(), "pbm")
        os.execv(program, [program, *words, game])
