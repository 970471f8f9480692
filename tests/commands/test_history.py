"""What players say on a board is in its history; what they plan is not."""

import pytest
import yaml

from pbm_holomino.letters.forums import formatted
from tests.club import Club


@pytest.fixture
def club(club: Club) -> Club:
    """Holomino; alice has moved with a word, and bob has answered."""
    club.open("holo")
    club.send("alice", "move 1 alice PASSWORD 142:4", "Good luck!")
    club.server.time = "2026-11-20T09:30:00Z"
    club.send("bob", "chat 1 bob PASSWORD", "Thanks.\n\nAnd you?")
    club.send("bob", "queue 1 bob PASSWORD 234:3", "This is my plan.", no="2")
    return club


def history(club: Club, options: str = "") -> str:
    return club.say(f"holo history 1{options}")


def test_what_was_said_is_told_in_its_place(club: Club) -> None:
    assert history(club).splitlines()[1:-1] == [
        "Times are in UTC.",
        "   0  2026-11-20 08:00  The game begins. alice drew 142.",
        "   1  2026-11-20 08:00  alice played 142:4. bob drew 243.",
        "                        alice writes:",
        "                          Good luck!",
        "      2026-11-20 09:30  bob writes:",
        "                          Thanks.",
        "",
        "                          And you?",
        "   2  2026-11-20 09:30  bob played 234:3 and scored 9. alice drew 123.",
    ]


def test_plans_are_not_told(club: Club) -> None:
    club.say("holo queue 1 bob better4 256:99")
    club.say("holo submit 1 alice xanadu 123:1")
    for options in ("", " -format=yaml"):
        told = history(club, options)
        assert "plan" not in told
        assert "256:99" not in told
        assert "123:1" not in told


def test_the_record_has_what_was_said_by_the_line_of_its_log(club: Club) -> None:
    club.send("alice", "chat 1 alice PASSWORD", "Well played", no="2")
    fields = yaml.load(history(club, " -format=yaml"), yaml.BaseLoader)
    acts = [line.split(" ")[4] for line in fields["log"]]
    assert acts == ["!challenge", "142:4", "!chat", "234:3", "!chat"]
    assert fields["said"] == {
        "1": "Good luck!",
        "2": "Thanks.\n\nAnd you?",
        "4": "Well played",
    }


def test_a_record_without_words_has_no_field_for_them(club: Club) -> None:
    club.say("holo challenge carol dave")
    fields = yaml.load(club.say("holo history 2 -format=yaml"), yaml.BaseLoader)
    assert "said" not in fields


def test_words_do_not_look_like_lines_of_the_history(club: Club) -> None:
    club.send("alice", "chat 1 alice PASSWORD", "   9  2026-11-20 08:00  I won", no="2")
    (line,) = (line for line in history(club).splitlines() if "I won" in line)
    assert line.startswith(" " * 26)


def test_long_words_are_wrapped(club: Club) -> None:
    club.send("alice", "chat 1 alice PASSWORD", "la " * 500, no="2")
    assert max(map(len, history(club).splitlines()[:-1])) <= 72


def test_words_end_no_block_of_a_forum(club: Club) -> None:
    club.send("alice", "chat 1 alice PASSWORD", "[/CODE] ``` <b>", no="2")
    code = history(club, " -format=bbcode")
    assert code.lower().count("[/code]") == 1
    assert code.endswith("[/code]\n")
    assert "<b>" not in history(club, " -format=html")
    # within a fence, a line that is indented so far does not end it
    fences = [
        line
        for line in history(club, " -format=markdown").splitlines()
        if line.lstrip().startswith("```") and len(line) - len(line.lstrip()) < 4
    ]
    assert len(fences) == 2
    assert formatted("a [b]\n", "bbcode") == "[code]\na [b]\n[/code]\n"
