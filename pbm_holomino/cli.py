"""The terminal: what is typed at it, and what is printed on it.

A command that is handed over to a server pays for the imports here, so there are next
to none.
"""

import posix
import sys

from pbm_holomino.server import wire

TYPE_CHECKING = False  # the module that has it is slow to import
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO

    from pbm_holomino.match.board import Match
    from pbm_holomino.server.transaction import Server
    from pbm_holomino.store.robot_jobs import Advice

    # the exit status; where it is printed: "out", "err", or as a "file"; what; and
    # what is to be done then
    Printed = tuple[int, str, bytes, Callable[[], object]]

DONE, TRY_LATER, INTERRUPTED = 0, 75, 130
_ASKED = "Please type the text. Ctrl-D on a line of its own ends it."


class Command:
    """The command that is typed in this process (see server.typed.Typed).

    What its user is asked is remembered, so that it can be answered a second time.
    """

    def __init__(self, argv: "Sequence[str]") -> None:
        script, *words = argv
        self.words = [script.rpartition("/")[2], *words]
        self.source = f"-{posix.urandom(8).hex()}"
        self.is_terminal = sys.stdout is not None and sys.stdout.isatty()
        self.width = _columns() if self.is_terminal else 0
        self._given: list[str | None] = []
        self._remembered: list[str | None] = []
        self._text: str | None = None

    @property
    def is_completion(self) -> bool:
        """Whether it is the shell that asks, for words that complete a command."""
        variable = f"_{self.words[0].upper()}_COMPLETE"
        return variable.encode("utf-8", "surrogateescape") in posix.environ

    def ask(self, question: str) -> str | None:
        """The password for a `-`; None if nobody can be asked."""
        if self._remembered:
            return self._remembered.pop(0)
        self._given.append(_password(question))
        return self._given[-1]

    def text(self) -> str:
        """What is typed after the command, in any encoding."""
        if self._text is None:
            file = None if sys.stdin is None else sys.stdin.buffer
            if file is not None and file.isatty() and sys.stderr is not None:
                print(_ASKED, file=sys.stderr, flush=True)
            typed = b"" if file is None else file.read()
            self._text = typed.decode("utf-8", "replace")
        return self._text

    def begin_again(self) -> None:
        """Whatever has been asked is asked again from the start."""
        self._remembered = [*self._given]


def main(argv: "Sequence[str] | None" = None) -> int:
    """Carry out a command in this process, whether or not a server runs: the one that
    was typed, or these words, of which the script's name is the first."""
    return run(Command(sys.argv if argv is None else argv))


def run(command: Command) -> int:
    """Carry out a command in this process. Returns the exit status."""
    if command.is_completion:
        from pbm_holomino.owner import completion

        return completion.answer(command.words[0])
    status = finished(command, _by_itself)
    assert status is not None
    return status


def _by_itself(command: Command) -> "Printed":
    from pbm_holomino import owner
    from pbm_holomino.server import typed

    command.begin_again()
    return typed.printed(command, _opened, owner.run)


def _opened() -> "Server":
    """A server whose commands may wait for a robot's advice."""
    from pbm_holomino.server import open as place

    server, _ = place.open_server()

    def advise(match: "Match", who: str) -> "Advice | None":
        # slow to load, and seldom asked
        from pbm_holomino.resident.advising import advice_on
        from pbm_holomino.resident.thinking import Thinking

        return advice_on(Thinking(server), match, who)

    server.robots = server.robots._replace(advise=advise)
    return server


def finished(
    command: Command, carry_out: "Callable[[Command], Printed | None]"
) -> int | None:
    """Carry out a command in this way and print what it prints. The exit status, or
    None if it cannot be done in this way."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(errors="replace")
    try:
        printed = carry_out(command)
        if printed is None:
            return None
        status, stream, content, then = printed
        try:
            _say(stream, content)
        finally:
            then()
        return status
    except BrokenPipeError:
        _close(sys.stdout)  # the reader has seen enough
        return DONE
    except KeyboardInterrupt:
        if sys.stdout is not None and sys.stdout.isatty():
            print()  # what is printed next begins a line
        return INTERRUPTED
    except Exception as error:  # players need no traceback of our faults
        print(
            f"Sorry, something is wrong here ({type(error).__name__}: {error}).",
            file=sys.stderr,
        )
        return TRY_LATER


def _say(stream: str, content: bytes) -> None:
    to = sys.stderr if stream == "err" else sys.stdout
    if to is not None:  # it may be closed
        try:
            if stream == "file":
                to.buffer.write(content)
            else:
                to.write(wire.decode(content))
            to.flush()
        except OSError as error:
            import errno  # seldom needed

            if error.errno != errno.EIO:
                raise
            _close(to)  # its terminal was closed


def _close(stream: "TextIO") -> None:
    """Nobody reads it any more; without this, Python would complain at exit."""
    posix.dup2(posix.open("/dev/null", posix.O_WRONLY), stream.fileno())


def _columns() -> int:
    return posix.get_terminal_size(sys.stdout.fileno()).columns


def _password(question: str) -> str | None:
    """PBM_PASSWORD, or what is typed at a prompt without an echo; None without a
    terminal."""
    is_new = question.startswith("New")
    given = posix.environ.get(b"PBM_PASSWORD")
    if given is not None and not is_new:
        return given.decode(sys.getfilesystemencoding(), "surrogateescape")
    if sys.stdin is None or not sys.stdin.isatty():
        return None
    load_site()
    import click

    try:
        typed: str = click.prompt(
            question, hide_input=True, err=True, confirmation_prompt=is_new
        )
    except click.Abort:
        return None
    return typed


def load_site() -> None:
    """Let the packages of this environment be imported, where Python has been started
    without them (-S) to begin sooner."""
    if "site" not in sys.modules:
        import site

        site.main()
