"""The table of commands: one entry is all that a new command needs."""

import re
from collections.abc import Iterator
from importlib import import_module

import pytest
from click.shell_completion import ShellComplete

from pbm_holomino.commands import queries, table
from pbm_holomino.commands.challenges import ACT_WORDS
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.parse import parse
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.commands.table import Command, entry
from pbm_holomino.commands.texts import LEFT_OUT, without_commands
from pbm_holomino.errors import BadCommand
from pbm_holomino.letters import help as pages
from pbm_holomino.match import account
from pbm_holomino.owner import help as owners_pages
from pbm_holomino.owner.completion import root
from pbm_holomino.rules import names
from tests.house import House, mail_of

LINE = "holo guess 1 alice xanadu heads"


def decide(request: Request, context: Context) -> Answer:
    return Answer(f"{request.userid} guesses {request.words[0]}: {request.body}\n")


@pytest.fixture
def guess(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more command: one entry, and the function that decides."""
    one = entry(
        "{game} guess: board userid password heads|tails",
        "    asks commands.queries.guess -m",
    )
    monkeypatch.setattr(queries, "guess", decide, raising=False)
    yield from known(one, monkeypatch)


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more command of the owner."""
    yield from known(entry("count:", "    owner owner.count.run"), monkeypatch)


def known(one: Command, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setitem(table.COMMANDS, one.words, one)
        forget()
        yield
    forget()


def forget() -> None:
    for kept in (table.at_top, table.owners, table.in_game, table.in_texts):
        kept.cache_clear()


def completed(*given: str, begun: str = "") -> list[str]:
    """What completes a word after those given to `pbm`."""
    shell = ShellComplete(root(), {}, "pbm", "_PBM_COMPLETE")
    return [item.value for item in shell.get_completions([*given], begun)]


def refused(line: str) -> str:
    with pytest.raises(BadCommand) as caught:
        parse(line.split())
    return str(caught.value)


@pytest.mark.usefixtures("guess")
def test_a_new_command_is_parsed() -> None:
    expected = Request(
        "guess",
        "holo",
        "alice",
        "xanadu",
        boards=((1, None),),
        words=("heads",),
        body="Ha!",
    )
    assert parse([*LINE.upper().replace("XANADU", "xanadu").split(), "-m=Ha!"]) == (
        expected
    )
    usage = "Please write: holo guess board userid password heads|tails"
    assert refused("holo guess 1 alice") == f"A word is missing: password. {usage}"
    assert refused(LINE + " now") == f"There are too many words. {usage}"
    # after a password no word is quoted that may be one itself
    wrong = "is not a setting: please write heads or tails."
    assert f"That {wrong}" in refused(LINE.replace("heads", "edge"))
    assert f'"rim" {wrong}' in refused(LINE.replace("heads", "rim"))
    assert 'Did you mean "holo guess"?' in refused("holo gess 1")
    assert "after the name of a game" in refused("guess 1")


@pytest.mark.usefixtures("guess")
def test_a_new_command_is_dispatched(server: House) -> None:
    server.challenge()
    line = LINE.split()
    assert server.type(*line, "-m=Ha!").text == "alice guesses heads: Ha!\n"
    wrong = server.type(LINE.replace("xanadu", "wrong"))
    assert wrong.status == 1
    assert wrong.text.startswith("That is not the password of that player.")
    (letter,) = server.mail(mail_of(LINE, body="Ha!"))
    assert (letter.subject, letter.to) == ("holo 1: guess", ("alice@example.org",))
    assert letter.text == "alice guesses heads: Ha!\n"


@pytest.mark.usefixtures("guess")
def test_a_new_command_is_completed() -> None:
    for game in names():
        assert completed(game, begun="gue") == ["guess"]
    assert completed(*LINE.split()[:-1]) == ["heads", "tails"]
    assert completed("holo", "guess", "1") == []  # a userid is nobody's business
    assert completed(*LINE.split(), begun="-") == ["-m"]
    assert completed(begun="gue") == []


@pytest.mark.usefixtures("guess")
def test_the_words_of_a_new_command_are_reserved() -> None:
    assert "guess" in table.reserved_words()


@pytest.mark.usefixtures("guess")
def test_a_new_command_with_a_password_is_cut_out_of_texts() -> None:
    text = f"Hi!\nI sent {LINE}\nBye"
    assert without_commands(text, table.in_texts(), ("alice",)) == (
        f"Hi!\n{LEFT_OUT}\nBye"
    )


def test_without_its_entry_it_is_unknown() -> None:
    assert 'no command "guess" after "holo"' in refused(LINE)
    assert completed("holo", begun="gue") == []
    assert "guess" not in table.reserved_words()
    assert without_commands(LINE, table.in_texts(), ()) == LINE


@pytest.mark.usefixtures("count")
def test_a_new_command_of_the_owner_is_known_in_the_shell_alone() -> None:
    assert parse(["pbm", "count"], in_shell=True) == Request("count")
    assert completed(begun="cou") == ["count"]
    assert "count" in table.reserved_words()
    assert 'no command "count"' in refused("count")
    assert "count" not in table.in_texts().others


# The entries


def test_the_function_that_decides_exists() -> None:
    for command in table.COMMANDS.values():
        module, _, function = command.decided_by.rpartition(".")
        found = getattr(import_module(f"pbm_holomino.{module}"), function)
        assert callable(found), command
        assert command.decision() is found, command


def test_a_command_has_a_help_page() -> None:
    for command in table.COMMANDS.values():
        if command.is_owners:
            assert command.help_page == command.name, command
            about = owners_pages.commands()[command.name]
            assert about.text, command
            assert {*about.pages} <= {*table.OWNERS_TEXTS}, command
        else:
            assert command.help_page in pages.subjects(), command
            assert command.help_page != "commands", command


def test_no_text_is_about_a_command_that_is_not_there() -> None:
    assert [*owners_pages.commands()] == [*table.owners()]


@pytest.mark.parametrize("what", ["letters", "format"])
def test_the_settings_of_a_player_are_those_of_an_account(what: str) -> None:
    moves = "|".join(f"moves={word}" for word in account.MOVES)
    choices = {
        "letters": f"{'|'.join(account.LETTERS)} | {moves}",
        "format": "|".join(account.FORMATS),
    }
    usage = table.COMMANDS[f"change {what}"].usage()
    assert usage == f"change {what} userid password {choices[what]}"


def listed(in_game: bool) -> list[str]:
    """The lines of the help page that list the commands after a game, or the others."""
    lines = re.findall(r"^  (\S.*)$", pages.page("commands"), re.MULTILINE)
    return [line for line in lines if line.startswith("game ") == in_game]


@pytest.mark.parametrize("in_game", [False, True])
def test_the_help_page_lists_the_commands_of_the_table(in_game: bool) -> None:
    commands = table.in_game() if in_game else table.at_top()
    lines = []
    for command in commands.values():
        first, *others = command.usage().split(" | ")
        start, _, _ = first.rpartition(" ")
        lines += [first, *(f"{start} {other}" for other in others)]
    assert sorted(listed(in_game)) == sorted(lines)


def test_words_in_the_place_of_a_move_are_completed() -> None:
    assert completed("holo", "move", "1", "alice", "xanadu") == [*ACT_WORDS]


def test_strangers_may_send_commands_that_need_no_account() -> None:
    is_open = {words for words, command in table.COMMANDS.items() if command.is_open}
    theirs = {"help", "signup", "list", "multiple", "all show", "forgot"}
    theirs |= {"newcomer", "never"}
    theirs |= {"help", "challenge", "preview", "show", "games", "history", "verify"}
    theirs |= {"standings", "ratings", "tournament", "look", "fits"}
    assert {words.removeprefix("{game} ") for words in is_open} == theirs | (
        {name for name, c in table.at_top(with_owners=True).items() if c.is_owners}
    )


def test_a_request_leads_to_its_command() -> None:
    assert table.find(Request("show", "holo")) is table.in_game()["show"]
    assert table.find(Request("all show")) is table.at_top()["all show"]
