"""Answers as HTML: each command's, in the letter that brings it."""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from functools import partial

import pytest

from pbm_holomino import owner
from pbm_holomino.commands.parse import parse
from pbm_holomino.commands.table import Reply, find
from pbm_holomino.errors import PbmError
from pbm_holomino.letters import help as pages
from pbm_holomino.letters.content import Written
from pbm_holomino.letters.html import Links, html
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.post import message
from pbm_holomino.match import account
from pbm_holomino.rules import names
from tests.house import CHEAP, House, fill_in, home, mail_of, own
from tests.letters.pages import SERVER, Page

LONGEST = "wilhelmina_of_orange"  # as long as a userid can be
HELP = [f"help {subject}" for subject in pages.subjects()]
ASKED = [
    "help",
    "list",
    "list holo walomino",
    "list open",
    "list nothing",
    "all show alice",
    "all show alice next",
    "tournament",
    "tournament 1",
    "tournament 9",
    "holo standings",
    "hextol standings",
    "holo ratings",
    "holo games",
    "holo games alice inactive",
    "holo history",
    "holo history 1",
    "holo show 1",
    "holo show 1 3",
    "holo show 3 -format=list",
    "holo show 99",
    "holo showas alice {alice} 3",
    "holo showas alice {alice} next",
    "holo preview 3 123:4",
    "holo previewas 3 alice {alice} 123:4",
    "holo verify 1",
    "holo verify 3",
    "holo hint 3 alice {alice}",
    "holo review 3 alice {alice}",
    "holo move 3 alice {alice} 999:99",
    "holo move 3 alice wrong 123:4",
    "holo move 3 alice PASSWORD 123:4",
    "holo move 3 alice {alice}",
    "holo mvoe 3 alice {alice} 123:4",
    "holo resign 3 bob {bob}",
    "holo chat 4 alice {alice}",
    "holo rematch 1 alice {alice}",
    "change letters alice {alice} turns",
    "change vacation alice {alice} 3",
    "unsubscribe alice {alice}",
    "forgot alice",
    "block alice {alice} carol",
    "decline all alice {alice}",
    "message alice {alice} bob",
    "tournament join 2 alice {alice}",
    "tournament leave 2 alice {alice}",
    "multiple",
    "gibberish",
    "signup erin geheim",
    "signoff erin geheim",
    "delete erin geheim",
]
RECORDS = [
    "holo show 3 -format=json",
    "holo history 1 -format=yaml",
    "holo history 1 -format=bbcode",
    "tournament -format=json",
]


class Answered:
    """A server, and what it answers by mail."""

    def __init__(self, server: House) -> None:
        self.server = server
        self._number = 0

    def letters(self, line: str, sender: str = home("alice")) -> list[Letter]:
        """The letters that a command by mail brings."""
        self._number += 1
        self.server.time = (
            f"2026-11-21T{self._number // 50:02}:{self._number % 50:02}:00Z"
        )
        body = "holo show 3\nholo games\nhelp nothing\n" if line == "multiple" else "Hi"
        number = f"<{self._number}@x>"
        return self.server.mail(mail_of(fill_in(line), sender, body, Message_ID=number))

    def pages(self, line: str) -> Iterator[tuple[Letter, str]]:
        """The same, each with its HTML, for those that have any."""
        for letter in self.letters(line):
            mail = message_from_bytes(
                message(letter, self.server.config), policy=default
            )
            part = mail.get_body(("html",))
            if part is not None:
                yield letter, str(part.get_content())


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answered]:
    """Alice has boards of each game, has won and lost, and may enter a tournament."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(account, "_SCRYPT", CHEAP)
        server = House(tmp_path_factory.mktemp("answers") / "store")
        server.sign_up("alice", "bob", "carol", LONGEST)
        for options in ("", "-num_digits=4", "", ""):
            server.accept(server.challenge(options))
        server.play(1)
        server.type(f"holo challenge alice {LONGEST} -num_digits=4")
        server.type(f"holo move 5 {LONGEST} secret accept")
        server.play(3, moves=4)
        for name in names():
            server.accept(server.challenge(game=name), name)
        server.type("holo challenge carol anyone")
        own(server, patched)
        for _ in range(2):
            owner.run(["tournament", "open", "holo", "swiss"])
        yield Answered(server)


@pytest.mark.parametrize("line", [*ASKED, *HELP])
def test_an_answer_has_fixed_width_for_boards_alone(
    answered: Answered, line: str
) -> None:
    found = list(answered.pages(line))
    assert found
    for letter, page in found:
        read = Page(page)
        assert page.count("<pre") == len(read.pictures)
        assert not re.search(r"(?i)\bsrc=|url\(|@import|<script", page)
        for link in read.links:
            assert (link.scheme, link.to) == ("mailto", answered.server.config.address)
            if letter.token and "PASSWORD" in link.subject:
                asked = parse(link.subject.split())
                assert find(asked).reply is Reply.NEVER  # it changes an account


def test_what_programs_and_forums_read_comes_as_it_is(answered: Answered) -> None:
    for line in RECORDS:
        (letter,) = answered.letters(line)
        assert letter.form == "text"
        assert answered.server.type(line).text == letter.text


def test_a_player_who_wants_plain_text_gets_it_from_every_command(
    answered: Answered,
) -> None:
    answered.server.type("change format carol {carol} small")
    for line in ("holo showas carol {carol} next", "holo games carol", "multiple"):
        letters = answered.letters(line, home("carol"))
        form = "small" if line != "multiple" else "html"
        assert [letter.form for letter in letters] == [form], line


def test_each_line_of_help_that_can_be_sent_is_a_link() -> None:
    for subject in pages.subjects():
        links = links_of(subject)
        lines = re.findall(r"(?m)^ {2,3}(\S.*)$", pages.page(subject))
        assert {line for line in lines if can_be_sent(line)} <= {*links}, subject
        for command in links.values():
            parse(command.split())


def test_the_form_of_a_command_leads_to_the_page_about_it() -> None:
    links = links_of("commands")
    assert links["forgot userid"] == "help forgot"
    assert links["game show board[#moveno]..."] == "help show"
    assert links["tournament join number userid password"] == "help tournament"


def links_of(subject: str) -> dict[str, str]:
    """The links of a help page: what they say, and what they send."""
    block = Written(partial(pages.page, subject), partial(pages.told, subject))
    read = Page(html(((block,),), Links(SERVER)))
    return {" ".join(link.shown.split()): link.subject for link in read.links}


def can_be_sent(line: str) -> bool:
    """Whether a line is a command, and not only its form."""
    try:
        request = parse(line.split())
    except PbmError:
        return False
    return request.read_as == "" and not re.search(r"[][|]|\.\.\.", line)


def test_a_help_page_has_its_words_and_its_figures() -> None:
    for subject in pages.subjects():
        block = Written(partial(pages.page, subject), partial(pages.told, subject))
        read = Page(html(((block,),), Links(SERVER)))
        pieces = pages.illustrated(subject)
        texts = "".join(piece for piece in pieces if isinstance(piece, str))
        assert sorted(read.words.split()) == sorted(texts.split()), subject
        assert len(read.pictures) == sum(not isinstance(p, str) for p in pieces)
        assert block.plain() == pages.page(subject)
