"""The tutorial, typed and mailed as it stands; and that each command's misuse leads to
its own page, which has an example."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pbm_holomino.commands import parse
from pbm_holomino.commands.table import at_top, in_game, page_of
from pbm_holomino.errors import BadCommand
from pbm_holomino.letters import help as pages
from pbm_holomino.letters.letter import Letter
from pbm_holomino.rules import names
from tests.house import House, mail_of
from tests.processes import run
from tests.prose import plain

LINES = re.findall(r"^  (\S.*)$", pages.page("tutorial"), re.MULTILINE)
AGREE = [line for line in LINES if re.search("propose|accept", line)]
PASSWORDS = {"alice": "secret", "bob": "better4"}  # as the page has them
HOME = "me@example.org"  # one address for both players
Mover = Callable[[list[Letter], House, str], list[Letter]]


@pytest.fixture
def server(tmp_path):
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


def test_every_line_works_as_it_is_typed(server: House) -> None:
    for line in LINES:
        done = run(server.folder, "pbm", *line.split())
        assert (done.status, done.err) == (0, ""), line
    assert [server.match(board).status for board in (1, 2)] == ["over", "active"]


def letters_of(server: House, line: str) -> list[Letter]:
    """What leaves because of a line, which has been done."""
    return done(server.mail(mail_of(line, HOME, Message_ID=f"<{line}@x>")), line)


def done(letters: list[Letter], line: str) -> list[Letter]:
    """The letters that have left because of a line, none of which refuses it."""
    assert letters, line
    for letter in letters:
        assert letter.subject not in ("Re: your command", "holo 1: your reply"), line
        assert "refused" not in letter.subject + letter.text
    return letters


def mailed(server: House, line: str) -> str:
    """The text of what leaves because of a line, which has been done."""
    return "".join(letter.text for letter in letters_of(server, line))


def test_every_line_works_as_it_is_mailed(server: House) -> None:
    for line in LINES:
        mailed(server, line)
    first, second = server.match(1), server.match(2)
    assert (first.status, second.status) == ("over", "active")
    assert first.result is not None
    assert first.result.reason == "agreed"
    assert second.turn == ("bob",)


def reply_to(letters: list[Letter], server: House, who: str) -> list[Letter]:
    """What leaves when a player replies with the move that their letter names."""
    (letter,) = [x for x in letters if f"It is your turn, {who}." in x.text]
    said = plain(letter.text)
    (move,) = re.findall(r"with a move in its first line, such as (\S+)\. ", said)
    return done(server.reply(letter, move), move)


def command_of(letters: list[Letter], server: House, who: str) -> list[Letter]:
    """What leaves when a player sends the line that "show" answers with, with their
    password."""
    shown = mailed(server, "holo show 1")
    (line,) = re.findall(rf"^  (holo move 1 {who} PASSWORD \S+)$", shown, re.MULTILINE)
    return letters_of(server, line.replace("PASSWORD", PASSWORDS[who]))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("move", [reply_to, command_of])
def test_the_moves_in_the_letters_lead_to_the_end(
    tmp_path: Path, seed: int, move: Mover
) -> None:
    """By a reply to a letter, or by a command with a password."""
    server = House(tmp_path, lambda: bytes([seed]) * 32)
    begin = LINES.index(AGREE[0])
    letters: list[Letter] = []
    for line in LINES[:begin]:
        sent = letters_of(server, line)
        letters = sent if line.startswith("holo challenge ") else letters
    moves = 0
    while server.match().result is None:
        (who,) = server.match().turn
        letters = move(letters, server, who)
        moves += 1
        assert moves < 10
    assert 4 <= moves <= 8  # "six moves or so"
    assert all("The game is over" in letter.text for letter in letters)
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
    if not any(place.is_required for place in first.places):
        assert parse.parse(words)
        return
    with pytest.raises(BadCommand) as caught:
        parse.parse(words)
    said = str(caught.value)
    assert re.match(r"A word is missing: \w+\. Please write: ", said)
    assert said.split("Please write: ")[1].startswith(" ".join(words))
    assert caught.value.page in (*name.split(), name.removeprefix("un"))
    assert page_of(name) == caught.value.page


def test_an_unknown_option_leads_there_too() -> None:
    for name, words in COMMANDS:
        with pytest.raises(BadCommand) as caught:
            parse.parse([*words, "-xyzzy"])
        # a game's page has the options of its boards
        takes_options = words[0] in names() and in_game()[name].takes_options
        assert caught.value.page == (words[0] if takes_options else page_of(name)), name


def test_the_page_of_a_command_has_an_example() -> None:
    for name, words in COMMANDS:
        page = page_of(name)
        assert page != "commands", name
        lines = re.findall(r"^  (\S.*)$", pages.page(page), re.MULTILINE)
        games = names() if words[0] == "hextol" else [""]
        starts = tuple(f"{game} {name}".strip() for game in games)
        assert any(line.startswith(starts) for line in lines), name


@pytest.mark.parametrize("name", ["add", "change address"])
def test_an_address_that_is_missing(server: House, name: str) -> None:
    server.sign_up()
    answer = server.type(f"{name} alice xanadu")
    assert answer.status == 2
    assert answer.text.endswith(f'"help {name.split()[0]}".\n')
