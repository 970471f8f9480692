"""What is passed on of the texts that players write to each other."""

import re

import pytest

from pbm_holomino.commands.table import in_texts
from pbm_holomino.commands.texts import (
    LEFT_OUT,
    MOST_NOTE,
    PASSWORD_LEFT_OUT,
    first_line,
    passed_on,
    without_commands,
)


def said(body: str, password: str = "") -> list[str]:
    """The lines that are passed on, but for blank ones."""
    return [line for line in passed_on(body, password).split("\n") if line]


@pytest.mark.parametrize(
    "old",
    ["On Friday Bob wrote:\n> Shall we?\n> And soon?", "Bob:\n>Shall we?\n>\n>Yes?"]
    + ["Am 20.11.26 schrieb Bob:\n\n> Shall we?"],
)
def test_quoted_text_goes_with_the_line_that_says_whose_it_is(old: str) -> None:
    assert said(f"Dear Bob:\n\n{old}\n\nYes.\nAlice") == ["Dear Bob:", "Yes.", "Alice"]
    assert said(old) == []


def test_quoted_text_goes_from_between_the_lines() -> None:
    assert said("Hi,\n>Shall we?\nYes.\n>> Soon?\n>\nNow.") == ["Hi,", "Yes.", "Now."]


@pytest.mark.parametrize(
    "rest",
    ["-- \nAlice\nhttp://example.org", "--\nAlice", "-----Original Message-----\nOld"]
    + ["---------- Forwarded message ---------\nOld", "Begin forwarded message:\n\nOld"]
    + ["From: Bob <bob@x.org>\nSent: Friday\nTo: Alice\nSubject: holo 12: your turn"]
    + ["Von: Bob\nGesendet: Freitag\nAn: Alice\nBetreff: holo 12"],
)
def test_signatures_and_forwarded_headers_go(rest: str) -> None:
    assert said(f"Yes.\nAlice\n\n{rest}\n") == ["Yes.", "Alice"]


@pytest.mark.parametrize(
    ("body", "first", "rest"),
    [
        ("123:17", "123:17", ""),
        ("\n \n  123:17 \n\nWell played!\nAlice\n", "123:17", "Well played!\nAlice"),
        ("> Your turn\n>\n\npass\n> It is\nSorry.", "pass", "Sorry."),
        ("Bob wrote:\n> Your turn\n", "", ""),
        ("-- \nAlice", "", ""),
        ("", "", ""),
    ],
)
def test_the_first_line_and_the_words_after_it(
    body: str, first: str, rest: str
) -> None:
    assert first_line(body) == (first, rest)


@pytest.mark.parametrize("password", ["secret", "a.b*c", "(x)?", "$1\\2", "*****"])
def test_the_password_goes_as_a_whole_word(password: str) -> None:
    p = password
    for text in (p, f"my {p}!", f"({p})", f"it is\n{p}\nyes", f"{p} {p}", f"x,{p},y"):
        assert p == "*****" or p not in passed_on(text, p)
    for text in (f"un{p}ly", f"un{p}", f"{p}s", f"9{p}"):
        assert passed_on(text, p) == text or not p.isalpha()
    assert passed_on("Nothing here.", p) == "Nothing here."


def test_a_password_cannot_hide_behind_invisible_characters() -> None:
    assert "secret" not in passed_on("it is sec\u200bret, sec\x00ret", "secret")


def test_control_characters_go_and_letters_stay() -> None:
    assert passed_on("\x1b[2JHello\x07 \x00J\xf6rg\u202e!") == "[2JHello J\xf6rg!"
    assert passed_on("a\tb\x0bc") in ("a b\nc", "a bc")
    assert said("a\xa0b\u3000c")[0].split() == ["a", "b", "c"]


def test_ten_thousand_characters_are_passed_on() -> None:
    assert MOST_NOTE == 10_000
    assert passed_on("x" * 10_000) == "x" * 10_000
    assert passed_on("\n \n\n\t\n") == ""
    cut = passed_on("x" * 10_001)
    assert cut.startswith("x" * 10_000 + "\n")
    assert "x" * 10_001 not in cut


@pytest.mark.parametrize(
    "command",
    ["holo move 3 alice xanadu 12:3", "PS: (holo move 3 Alice secret 12:3)"]
    + [
        "signup alice xanadu",
        "`change password alice xanadu other`",
        "add alice xanadu",
    ]
    + ["hol resgin or holo resign #3 alice xanadu", "holo showas alice xanadu 12"]
    + ["holo Chat 12 alice xanadu -m=Hi", "message alice xanadu bob"]
    + ["holo propose 1 alice xanadu", "holo move alice xanadu 1 123:17"]
    + ["holo move 1#3 alice xanadu 123:17", "holo move board 1 alice xanadu 1:2"]
    + ["all show alice xanadu", "holo games alice xanadu", "signup carol secret"]
    + [
        "holo move 1 \u201ealice\u201d secret",
        "So I sent: holo move 3 carol tomato 1:2",
        "move 3 alice xanadu 123:17",
    ]
    # also between tags and glued to signs
    + [
        "<p>holo move 3 alice xanadu 12:3</p>",
        "<div><b>holo</b> move&nbsp;3&nbsp;alice&nbsp;xanadu</div>",
        "<li>signup alice xanadu</li>",
        "holo&amp;nbsp;move&amp;nbsp;3&amp;nbsp;alice&amp;nbsp;xanadu",
        "See:holo move 3 alice xanadu",
        "holo,move,3,alice,xanadu",
        '"holo"/"move"/"3"/"alice"/"xanadu"',
        "holo...move...3...alice...xanadu",
        "- add:alice:xanadu",
        "*message*|alice|xanadu|bob",
        "_holo move 3 alice xanadu_",
        "_move_ _3_ _alice_ _xanadu_",
        "holo_move_3__alice_xanadu",
        "holo ___ move ___ 3 ___ alice ___ xanadu",
        "move;3;alice;xanadu;123:17",
        "holo%20move%203%20alice%20xanadu",
        "holo=20move=203=20alice=20xanadu",
        "https://mail.example/new?subject=holo%2520move%25203%2520alice%2520xanadu",
    ],
)
def test_a_line_that_looks_like_a_command_is_left_out(command: str) -> None:
    text = f"Hi Bob!\n{command}\nSee you"
    kept = without_commands(text, in_texts(), ("alice", "bob"))
    assert kept == f"Hi Bob!\n{LEFT_OUT}\nSee you"


@pytest.mark.parametrize(
    "line",
    [
        "password: xanadu",
        "My PASSWORD : xanadu",
        "(password:xanadu)",
        "*Passwort:* xanadu",
        "my_password=xanadu",
        "<b>password</b>: xanadu",
        "<b>password:</b>xanadu</p>",
        "password&#58; xanadu",
        '{"password": "xanadu"}',
        "The password for my account: xanadu",
        "pw: xanadu",
        "Kennwort: xanadu",
        "Pa\u00dfwort: xanadu",
        "mot de passe\u00a0: xanadu",
        "contrase\u00f1a: xanadu",
        "has\u0142o: xanadu",
        "password\uff1axanadu",
    ],
)
def test_a_line_with_a_password_and_a_colon_is_left_out(line: str) -> None:
    kept = without_commands(f"Hi Bob!\n{line}\nSee you, Alice", in_texts(), ())
    assert kept == f"Hi Bob!\n{PASSWORD_LEFT_OUT}\nSee you, Alice"


def test_so_is_a_word_alone_under_such_a_line() -> None:
    for text in ("password:\nxanadu", "My password is:\n <b>xanadu</b>"):
        kept = without_commands(f"Hi!\n{text}\nBye", in_texts(), ())
        assert kept == f"Hi!\n{PASSWORD_LEFT_OUT}\n{PASSWORD_LEFT_OUT}\nBye"
    kept = without_commands("My password:\n\n\nxanadu\n\nBye", in_texts(), ())
    assert kept == f"{PASSWORD_LEFT_OUT}\n\n\n{PASSWORD_LEFT_OUT}\n\nBye"
    text = "How I choose a password:\nby rolling dice"
    kept = without_commands(text, in_texts(), ())
    assert kept == f"{PASSWORD_LEFT_OUT}\nby rolling dice"


@pytest.mark.parametrize(
    ("password", "text"),
    [
        ("a<b&c", "my word is a&lt;b&amp;c, Bob"),
        ("100%ok", "my word is 100%25ok, Bob"),
        ("xanadu", "my word is <b>xanadu</b>, Bob"),
        ("xanadu", "my word is_xanadu_, Bob"),
        ("xanadu", "my word is\u201exanadu\u201c, Bob"),
    ],
)
def test_the_password_goes_however_it_is_written(password: str, text: str) -> None:
    said = passed_on(text, password)
    assert said.startswith("my word is")
    assert "***" in said
    assert not re.search("xanadu|&lt;b|25ok", said)


@pytest.mark.parametrize("userid", ["big_bob", "bob_", "a__b"])
def test_a_userid_with_underscores_is_one_word(userid: str) -> None:
    for line in (f"move 3 {userid} xanadu", f"_holo move 3 {userid} xanadu_"):
        assert without_commands(line, in_texts(), (userid,)) == LEFT_OUT
    assert without_commands(f"move, {userid}!", in_texts(), (userid,)) != LEFT_OUT


def test_a_command_that_a_mail_program_has_broken_is_left_out() -> None:
    for text in (
        "I typed holo move 3 alice\nsecret 12:3",
        "change password alice it\nnew",
    ):
        kept = without_commands(f"Hi!\n{text}\n", in_texts(), ("alice", "bob"))
        assert kept == f"Hi!\n{LEFT_OUT}\n{LEFT_OUT}\n"


@pytest.mark.parametrize(
    "line",
    [
        "Your move, Alice! I have carol in check",
        "Alice and Bob",
        "I can holo show you what alice means",
    ]
    + ["Accept my thanks, alice", "Move 3 was good, alice"]
    + ["alice: you move first", "Signing up carol: secret", "Add me, please"]
    + ["I had to play pass:123", "Pass: I had no tile", "I forgot my password, sorry"]
    + ["See https://games.example.org/holo/12 and pass it on", "1 < 2, alice > bob"]
    + ["a=b, 50% & more", "My passwords are long. See: this one"],
)
def test_other_lines_stay(line: str) -> None:
    assert without_commands(line, in_texts(), ("alice", "bob")) == line
