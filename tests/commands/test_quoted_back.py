"""Letters that come back without quotation marks, and tokens in any form: neither may
reach another player."""

import re
import textwrap
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.commands.texts import (
    LINK_REMOVED,
    before_quote,
    before_secret,
    without_links,
)
from tests.mail.test_transcripts import NAMES, parts_of
from tests.sizes import sized

TOKEN = "abcdefghij234567"
OWN = "What a move!\nSee you, Bob"

# Every kind of letter that there is: those of the transcripts.
LETTERS = sorted(
    {
        body.partition("\n\n")[2]
        for name in NAMES
        for head, body in parts_of(name)
        if head == "letter"
    }
)
QUEUE = f"""\
It is your turn, alice.
Your queue: 124:18
You wished for: RB,any
Your pairs: RG,YY
  holo move 12 alice ~{TOKEN} 123:17
"""


def unwrapped(letter: str) -> str:
    """Each paragraph in one line, as HTML has it."""
    paragraphs = re.split(r"\n{2,}", letter)
    return "\n\n".join(" ".join(text.split()) for text in paragraphs)


def wrapped(letter: str, width: int) -> str:
    lines = (
        textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
        for line in letter.split("\n")
    )
    return "\n".join("\n".join(pieces) for pieces in lines)


def test_a_letter_that_comes_back_is_cut_however_it_was_wrapped() -> None:
    for letter in LETTERS:
        forms = [letter, unwrapped(letter), letter.upper()]
        forms += [letter.replace("'", "\u2019")]
        forms += [wrapped(letter, width) for width in (30, 47, 66)]
        forms += ["".join(f"> {line}\n" for line in letter.split("\n"))]
        forms += ["".join(f"\t*{line}*  \n" for line in letter.split("\n"))]
        for form in forms:
            left = before_quote(f"{OWN}\n\n{form}", partial(list, [letter]))
            assert left.startswith(OWN), letter
            added = left.removeprefix(OWN).split("\n")
            assert not re.search(r"[\d:~]", left), letter
            assert all(len(line.strip("> ").split()) < 4 for line in added), letter


@pytest.mark.parametrize("line", QUEUE.splitlines()[1:])
def test_one_secret_line_that_was_left_is_cut(line: str) -> None:
    for text in (line, f"> {line}", f"  {line.strip()}  ", line.split(maxsplit=1)[1]):
        assert before_quote(f"{OWN}\n{text}\nand more", lambda: [QUEUE]) == OWN


@pytest.mark.parametrize(
    "line",
    ["Your turn", "It is", "Bob", "Hi alice", "Your queue is too long", "7:1", ":-)"]
    + ["", "---", "Is it your turn, alice?", "It is your turn, alice, I think"],
)
def test_what_a_player_says_stays(line: str) -> None:
    said = f"{OWN}\n{line}\nand more"
    assert before_quote(said, lambda: [QUEUE]) == said


def test_a_letter_is_not_written_for_lines_that_are_in_none() -> None:
    def letter() -> list[str]:
        raise AssertionError

    for line in (
        "",
        "Your turn",
        "It is\nyour turn",
        "12 7",
        "---",
        ":-)",
        "What now?",
    ):
        assert before_quote(line, letter) == line


def test_nothing_is_cut_without_a_letter() -> None:
    assert before_quote(OWN, list) == OWN
    assert before_quote("", lambda: [QUEUE]) == ""


# Tokens and links

TILDES = ["~", "%7E", "%7e", "=7E", "&#126;", "\uff5e", "%257E", "&amp;#126;"]


@pytest.mark.parametrize("tilde", TILDES)
@pytest.mark.parametrize("token", [TOKEN, TOKEN.upper(), TOKEN + "x"])
def test_a_token_goes_from_words(tilde: str, token: str) -> None:
    assert without_links(f"Use {tilde}{token}, bob!") == f"Use {LINK_REMOVED}, bob!"


@pytest.mark.parametrize("broken", ["\n", "\r\n", "=\n", " \n> ", "\n>> ", "\u200b"])
@pytest.mark.parametrize("place", [0, 1, 8, 15])
def test_also_where_it_was_broken(broken: str, place: int) -> None:
    token = TOKEN[:place] + broken + TOKEN[place:]
    assert without_links(f"Use ~{token} now\nBob") == f"Use {LINK_REMOVED} now\nBob"


ENDS = ["@pbm.org>", ".0a1b2c@pbm.org>", "%40pbm.org%3E", "%2540pbm.org", " @pbm.org>"]
ENDS += ['"@pbm.org>', "%252540pbm.org", "&amp;#64;pbm.org", '" @pbm.org', "\\@pbm.org"]
ENDS += [" (a token) @pbm.org>", '".0a1b2c@pbm.org>', "&quot;@pbm.org", "%22%40pbm.org"]
ENDS += [" at pbm.org", " .0a1b2c @pbm.org", " [at] pbm.org", "\u201d@pbm.org", "", ">"]


def test_also_in_a_message_id() -> None:
    for end in ENDS:
        left = without_links(f"In reply to <holo.12.3.alice.{TOKEN}{end}")
        assert left == f"In reply to <holo.12.3.alice.{LINK_REMOVED}{end}", end


DOTS = ['."', ". ", ' . "', "%2E", "%252e", "&#46;", ".(token)", ".%22", ".&quot;"]


@pytest.mark.parametrize("dot", DOTS)
@pytest.mark.parametrize("name", ["holo.12.3.alice", "players.bob.0.alice"])
def test_whatever_is_before_it(name: str, dot: str) -> None:
    for end in ("@pbm.org>", '"@pbm.org', " @pbm.org"):
        left = without_links(f"Message-ID: <{name}{dot}{TOKEN}{end}")
        assert left == f"Message-ID: <{name}{dot}{LINK_REMOVED}{end}"


@pytest.mark.parametrize("slash", ["/", "%2F", "%252f", "=2F"])
def test_also_in_the_link_to_a_page(slash: str) -> None:
    link = slash.join(("link", "holo", "12", "3", "alice", TOKEN))
    assert without_links(f"See {link}, bob") == f"See {LINK_REMOVED}, bob"


@pytest.mark.parametrize(
    "link",
    [f"mailto:pbm@x.org?subject=holo%20move%2012%20alice%20~{TOKEN}%20123%3A17"]
    + ["mailto:pbm@x.org?subject=holo%20show%2012", "MAILTO:a@b?body=x"]
    + ["mailto:pbm@x.org?subject=holo%20move\n> %20alice%20secret"]
    + [f"mailto:pbm@x.org?subject=holo%20{TOKEN[:5]}~{TOKEN[:9]}\n{TOKEN[9:]}%20123"],
)
def test_a_link_that_writes_a_mail_goes(link: str) -> None:
    assert without_links(f"123:17<{link}>\nHi") == f"123:17<{LINK_REMOVED}>\nHi"
    assert without_links(f"see {link}\nHi") == f"see {LINK_REMOVED}\nHi"


@pytest.mark.parametrize(
    "words",
    ["~ 20 tiles", "~5 min or so", "me@example.org", "mailto:bob@x.org", "12.3.alice@x"]
    + ["~abcdefghij23456", f"{TOKEN}", f"a.{TOKEN}", "", "a\n\n> b = c\r\n", "~\n~"]
    + ["holo.12.3.alice", "1.2.3 responsibilities", 'a."misunderstanding"'],
)
def test_other_words_stay(words: str) -> None:
    assert without_links(words) == words


PIECES = ["~", "%7E", "=7e", "\n", "\r\n", "=\n", "\n> ", " ", "\u00ad", "@", "%40"]
PIECES += ["abcdefgh", "ij234567", TOKEN, ".", "<", ">", "mailto:a@b?c=", "Hi", "\0"]
PIECES += ['"', "%2540", "holo.1.2.bob"]


@settings(max_examples=sized(150, 3_000))
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_token_is_left_in_any_text(text: str) -> None:
    left = without_links(text)
    joined = re.sub(r"=?[ \t]*\r?\n[> \t|]*|\u00ad", "", left)
    plain = joined.replace("%7E", "~").replace("=7e", "~")
    plain = plain.replace("%40", "@").replace("%2540", "@")
    assert not re.search(r"~[a-z2-7]{16}", plain)
    assert not re.search(r'\.[ "]?[a-z2-7]{16}[ "]?(\.[a-z0-9]+)?[ "]?@', plain)
    assert not re.search(r"mailto:[^\s<>?]*\?", left)
    words = without_links(f"Yes. {text.replace('~', '')} No.")
    assert words.startswith("Yes.")


LONG = ["~", "mailto:", "=\n", "\n>", ".a", "mailto:?", "a.", ".(", '."', "holo.1.2."]
LONG += ["%25", "&amp;", ". ", ".()", "a_", "link/", "holo.1.2.bob.(a)"]


def test_a_long_text_costs_little() -> None:
    """More than the square of its length would take minutes here."""
    for text in LONG:
        longest = max(len(text), len(LINK_REMOVED))
        assert (
            len(without_links(f"{text * 20_000} {TOKEN}")) <= 20_001 * longest + 20
        ), text


# What only the writer may know


@pytest.mark.parametrize("secret", ["124:18", "RB,any", "RGYBB", "pairs:RG,YY"])
@pytest.mark.parametrize("line", ["{}", "Deine Züge: {}", "> *{}*.", "({}), sagt er"])
def test_a_line_with_a_secret_is_cut_in_any_language(secret: str, line: str) -> None:
    text = f"{OWN}\n{line.format(secret)}\nund mehr"
    assert before_secret(text, lambda: ["", "any", secret]) == OWN


@pytest.mark.parametrize(
    "line",
    [
        "1124:18 and 124:180",
        "any",
        "any, or none",
        "RB",
        "RGYBBB",
        "Bye,bob: 8",
        "Tea at 17",
    ],
)
def test_other_lines_stay(line: str) -> None:
    said = f"{OWN}\n{line}\nand more"
    assert (
        before_secret(said, lambda: ["124:18", "any", "RB", "RGYBB", "17", ""]) == said
    )


def test_secrets_are_not_asked_for_where_no_line_could_have_one() -> None:
    def secrets() -> list[str]:
        raise AssertionError

    said = f"{OWN}\nAny time, I think. OK?"
    assert before_secret(said, secrets) == said
