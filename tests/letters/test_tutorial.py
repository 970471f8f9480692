"""The tutorial, typed and mailed as it stands; and that each command's misuse leads to
its own page, which has an example."""

import re
from pathlib import Path

import pytest

from pbm_holomino.commands import parse
from pbm_holomino.commands.table import at_top, in_game, page_of
from pbm_holomino.errors import BadCommand
from pbm_holomino.letters import help as pages
from pbm_holomino.rules import names
from tests.house import House, mail_of
from tests.processes import run

LINES = re.findall(r"^  (\S.*)$", pages.page("tutorial"), re.MULTILINE)
AGREE = [line for line in LINES if re.search("propose|accept", line)]
PASSWORDS = {"alice": "secret", "bob": "better4"}  # as the page has them
HOME = "me@example.org"  # one address for both players


@pytest.fixture
def server(tmp_path, cheap_hashes):
    """An empty store."""
    return House(tmp_path)


def test_the_lines_are_from_signing_up_to_a_rematch() -> None:
    known = {*(name.split()[0] for name in at_top()), *names()}
    assert all(line.split()[0] in known for line in LINES)
    assert LINES[0].startswith("signup alice secret")
    wanted = ["signup", "help", "challenge", "show", "chat", "propose", "accept"]
    wanted += ["verify", "history", "rematch"]
    found = [
        next((i for i, x in enumerate(LINES) if w in x.split()), -1) for w in wanted
    ]
    assert found == sorted(found)
    assert found[0] == 0


def test_every_line_works_as_it_is_typed(tmp_path: Path) -> None:
    for line in LINES:
        done = run(tmp_path, "pbm", *line.split())
        assert (done.status, done.err) == (0, ""), line
    server = House(tmp_path)
    assert [server.match(board).status for board in (1, 2)] == ["over", "active"]


def mailed(server: House, line: str) -> str:
    """What leaves because of a line, which has been done."""
    letters = server.mail(mail_of(line, HOME, Message_ID=f"<{line}@x>"))
    texts = [f"{letter.subject}\n{letter.text}" for letter in letters]
    assert texts, line
    assert not any(text.startswith("Re: your command") for text in texts), texts
    assert "refused" not in "".join(texts)
    return "".join(texts)


def test_every_line_works_as_it_is_mailed(server: House) -> None:
    for line in LINES:
        mailed(server, line)
    first, second = server.match(1), server.match(2)
    assert (first.status, second.status) == ("over", "active")
    assert first.result is not None
    assert first.result.reason == "agreed"
    assert second.turn == ("bob",)


@pytest.mark.parametrize("seed", range(8))
def test_the_lines_in_the_letters_lead_to_the_end(tmp_path, cheap_hashes, seed) -> None:
    """Whose turn it is sends what their letter tells them, with their password."""
    server = House(tmp_path, lambda: bytes([seed]) * 32)
    begin = LINES.index(AGREE[0])
    read = "".join(mailed(server, line) for line in LINES[:begin])
    moves = 0
    while server.match().result is None:
        ready = re.findall(r"^  (holo move 1 (\w+) PASSWORD \S+)$", read, re.MULTILINE)
        line, who = ready[-1]
        read = mailed(server, line.replace("PASSWORD", PASSWORDS[who]))
        moves += 1
        assert moves < 10
    assert 4 <= moves <= 8  # "six moves or so"
    assert "The game is over" in read
    for line in LINES[begin + len(AGREE) :]:
        mailed(server, line)


# Each command and its page


def every_command() -> list[tuple[str, list[str]]]:
    """The commands, each with the words that name it."""
    found = [(name, name.split()) for name in at_top()]
    return found + [(name, ["hextol", *name.split()]) for name in in_game()]


COMMANDS = every_command()


@pytest.mark.parametrize(("name", "words"), COMMANDS, ids=str)
def test_too_few_words_lead_to_the_commands_own_page(
    name: str, words: list[str]
) -> None:
    first = (at_top() if words[0] != "hextol" else in_game())[name]
    if not any(param.required for param in first.params):
        assert parse.parse(words)
        return
    with pytest.raises(BadCommand) as caught:
        parse.parse(words)
    said = str(caught.value)
    assert re.match(r"A word is missing: \w+\. Please write: ", said)
    assert said.split("Please write: ")[1].startswith(" ".join(words))
    assert caught.value.page in (*name.split(), name.removeprefix("un"))
    assert page_of(name) == caught.value.page


@pytest.mark.parametrize(("name", "words"), COMMANDS, ids=str)
def test_an_unknown_option_leads_there_too(name: str, words: list[str]) -> None:
    with pytest.raises(BadCommand) as caught:
        parse.parse([*words, "-xyzzy"])
    # a game's page has the options of its boards
    takes_options = words[0] in names() and in_game()[name].takes_options
    assert caught.value.page == (words[0] if takes_options else page_of(name))


@pytest.mark.parametrize(("name", "words"), COMMANDS, ids=str)
def test_the_page_of_a_command_has_an_example(name: str, words: list[str]) -> None:
    page = page_of(name)
    assert page != "commands"
    lines = re.findall(r"^  (\S.*)$", pages.page(page), re.MULTILINE)
    games = names() if words[0] == "hextol" else [""]
    starts = tuple(f"{game} {name}".strip() for game in games)
    assert any(line.startswith(starts) for line in lines)


@pytest.mark.parametrize("name", ["add", "change address"])
def test_an_address_that_is_missing(server: House, name: str) -> None:
    server.sign_up()
    answer = server.type(f"{name} alice xanadu")
    assert answer.status == 2
    assert answer.text.endswith(f'"help {name.split()[0]}".\n')
