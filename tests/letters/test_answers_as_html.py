"""Answers as HTML: each command's, in the letter that brings it."""

import re
from functools import partial

import pytest

from pbm_holomino.commands.parse import parse
from pbm_holomino.commands.table import Reply, find
from pbm_holomino.errors import PbmError
from pbm_holomino.letters import help as pages
from pbm_holomino.letters.content import Written
from pbm_holomino.letters.html import Links, html
from pbm_holomino.server import inbox
from tests.house import home
from tests.letters.answered import ASKED, HELP, RECORDS, Answered, answered
from tests.letters.pages import SERVER, Page

__all__ = ["answered"]


@pytest.mark.parametrize("line", [*ASKED, *HELP])
def test_an_answer_has_fixed_width_for_boards_alone(
    answered: Answered, line: str
) -> None:
    found = list(answered.pages(line))
    assert found
    for letter, page in found:
        read = Page(page)
        assert page.count("<pre") == len(read.pictures)
        assert not re.search(r'(?i)\bsrc="(?!cid:)|url\(|@import|<script', page)
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


def test_an_answer_that_mail_programs_would_cut_off_is_text(
    answered: Answered, monkeypatch: pytest.MonkeyPatch
) -> None:
    (letter,) = answered.letters("help move")
    assert letter.form == "html"
    monkeypatch.setattr(inbox, "_MOST_HTML", len(letter.text) - 1)
    (long,) = answered.letters("help move")
    assert (long.form, long.text) == ("text", letter.text)


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
