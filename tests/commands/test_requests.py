"""Words to requests: every form of every command, and what is said of the others."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.commands.parse import parse
from pbm_holomino.commands.refusals import refusal
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import BadCommand, NotAllowed, PbmError
from pbm_holomino.letters import help as pages
from pbm_holomino.match.account import check_password, is_userid
from pbm_holomino.rules import names
from tests.house import House
from tests.sizes import sized

ALICE: Any = {"userid": "alice", "password": "Secret"}


def ask(what: str) -> str:
    assert what
    return "Typed"


def sentence_about(words: list[str]) -> str:
    """What is said about these words; nothing if they make a request."""
    try:
        parse(words)
    except PbmError as error:
        return str(error)
    return ""


def wrong(line: str) -> str:
    with pytest.raises((BadCommand, NotAllowed)) as caught:
        parse(line.split(" "))
    return str(caught.value)


def top(command: str, words: str = "", **more: Any) -> Request:
    return Request(command, words=tuple(words.split()), **more)


def holo(command: str, words: str = "", *boards: int | str, **more: Any) -> Request:
    split = [str(board).partition("#") for board in boards]
    numbers = tuple((int(no), int(ply) if ply else None) for no, _, ply in split)
    return top(command, words, game="holo", boards=numbers, **more)


MOVING = ("move", "preview", "previewas", "queue", "submit")
FORMS = {
    "help": top("help"),
    "help holo": top("help", "holo"),
    "help move show": top("help", "move show"),
    "signup alice Secret": top("signup", **ALICE),
    "signup alice Secret a@b.org c@d.org": top("signup", "a@b.org c@d.org", **ALICE),
    "change password alice Secret Better": top("change password", "Better", **ALICE),
    "change address alice Secret": top("change address", **ALICE),
    "change address alice Secret a@b.org": top("change address", "a@b.org", **ALICE),
    "all show alice": top("all show", "alice"),
    "all show alice next": top("all show", "alice", which="next"),
    "all show alice active": top("all show", "alice", which="active"),
    "all show alice -format=json": top("all show", "alice", format="json"),
    "holo": holo("help"),
    "holo help": holo("help"),
    "holo challenge alice bob": holo("challenge", "alice bob"),
    "holo challenge alice bob -random": holo(
        "challenge", "alice bob", options={"random": "yes"}
    ),
    "holo challenge alice bob -rules=brettspielnetz -pool_size=4": holo(
        "challenge", "alice bob", options={"rules": "brettspielnetz", "pool_size": "4"}
    ),
    "holo show 12": holo("show", "", 12),
    "holo show 12 7#3 12#0": holo("show", "", 12, "7#3", "12#0"),
    "holo show alice": holo("show", "alice"),
    "holo show alice bob all": holo("show", "alice bob", which="all"),
    "holo showas alice Secret": holo("showas", **ALICE),
    "holo showas alice Secret 12 13": holo("showas", "", 12, 13, **ALICE),
    "holo showas alice Secret next": holo("showas", which="next", **ALICE),
    "holo games": holo("games"),
    "holo games inactive": holo("games", which="inactive"),
    "holo games alice bob next": holo("games", "alice bob", which="next"),
    "holo history": holo("history"),
    "holo history 12": holo("history", "", 12),
    "holo history 12 -format=yaml": holo("history", "", 12, format="yaml"),
    "holo verify 12": holo("verify", "", 12),
    "holo preview 12 123:17": holo("preview", "123:17", 12),
    "holo preview 12 123:17 pass": holo("preview", "123:17 pass", 12),
    "holo move 12 alice Secret 123:17": holo("move", "123:17", 12, **ALICE),
    "holo move 12 alice Secret 121:7#8": holo("move", "121:7", 12, move_no=8, **ALICE),
    "holo move 12 alice Secret pass#0": holo("move", "pass", 12, move_no=0, **ALICE),
    "holo move 12 alice Secret resign": holo("move", "resign", 12, **ALICE),
    "holo resign 12 alice Secret": holo("resign", "", 12, **ALICE),
    "holo queue 12 alice Secret 121:7#8 pass": holo(
        "queue", "121:7#8 pass", 12, **ALICE
    ),
    "holo submit 12 alice Secret 121:7#8": holo("submit", "121:7#8", 12, **ALICE),
    "holo previewas 12 alice Secret 121:7": holo("previewas", "121:7", 12, **ALICE),
    "holo analyse 12#4 alice Secret 121:7 draw:123 ?": holo(
        "analyse", "121:7 draw:123 ?", 12, **ALICE
    )._replace(boards=((12, 4),)),
    "holo analyse alice Secret 121:7 -m=Board": holo(
        "analyse", "121:7", body="Board", **ALICE
    ),
    "holo analyse 12 alice Secret -keep": holo("keep", "", 12, **ALICE),
    "holo note 12 alice Secret 121:7 -m=Hm": holo(
        "note", "121:7", 12, body="Hm", **ALICE
    ),
    "holo history 12 alice Secret": holo("history", "", 12, **ALICE),
    "holo chat 12 alice Secret -m=Hello": holo("chat", "", 12, body="Hello", **ALICE),
    "message alice Secret bob carol": top("message", "bob carol", **ALICE),
    "change digest alice Secret on": top("change digest", "on", **ALICE),
    "change letters alice Secret TURNS": top("change letters", "turns", **ALICE),
    "change format alice Secret html": top("change format", "html", **ALICE),
    "change profile alice Secret off": top("change profile", "off", **ALICE),
    "change broadcasts alice Secret on": top("change broadcasts", "on", **ALICE),
    "change threads alice Secret off": top("change threads", "off", **ALICE),
    "change language alice Secret EN": top("change language", "en", **ALICE),
    "unsubscribe alice Secret": top("unsubscribe", **ALICE),
    "change vacation alice Secret 14": top("change vacation", "14", **ALICE),
    "export alice Secret": top("export", **ALICE),
    "invite alice Secret z@x.org": top("invite", "z@x.org", **ALICE),
    "holo invite alice Secret z@x.org": holo("invite", "z@x.org", **ALICE),
    "holo challenge alice Secret z@x.org": holo("invite", "z@x.org", **ALICE),
    "holo challenge alice Secret z@x.org -nag=3": holo(
        "invite", "z@x.org", options={"nag": "3"}, **ALICE
    ),
    "forgot alice": top("forgot", "alice"),
    "multiple": top("multiple"),
    "multiple -m=help": top("multiple", body="help"),
    "list holo hextol holo": top("list", "holo hextol"),
    "holo standings": holo("standings"),
}


def test_each_form_makes_its_request() -> None:
    for line in FORMS:
        assert parse(line.split()) == FORMS[line], line


def test_only_passwords_are_read_with_regard_to_case() -> None:
    for line in FORMS:
        words = []
        for word in line.split():
            name, equals, value = word.partition("=")
            kept = name in ("Secret", "Better") or "@" in name
            words.append((name if kept else name.upper()) + equals + value)
        found = parse(words)
        if found.command in MOVING:  # what a move is, the game knows
            found = found._replace(words=tuple(word.lower() for word in found.words))
        assert found == FORMS[line], line


@pytest.mark.parametrize(
    "form", ["text", "small", "list", "bbcode", "markdown", "html", "json"]
)
@pytest.mark.parametrize("line", ["show 12", "preview 12 pass", "history 12"])
def test_boards_come_in_every_format(line: str, form: str) -> None:
    assert parse(["holo", *line.split(), f"-format={form}"]).format == form


@pytest.mark.parametrize(
    "typed",
    ["-pool_size=5", "--pool_size=5", "-pool-size=5", "--pool-size=5", "-pool_size 5"]
    + ["--pool-size 5", "-POOL_Size=5", "\u2013pool_size=5", "\u2014pool-size=5"],
)
@pytest.mark.parametrize("line", ["holo challenge {} a1 b1", "holo challenge a1 b1 {}"])
def test_the_spellings_of_an_option(line: str, typed: str) -> None:
    request = parse(line.format(typed).split())
    assert (request.words, request.options) == (("a1", "b1"), {"pool_size": "5"})


@pytest.mark.parametrize("typed", ["-limit_scores", "--limit-scores", "\u2014random"])
def test_a_flag_takes_no_word_after_it(typed: str) -> None:
    request = parse(["holo", "challenge", typed, "a1", "b1"])
    assert request.words == ("a1", "b1")
    assert list(request.options.values()) == ["yes"]


@pytest.mark.parametrize(
    ("first", "second"),
    [("-pool_size=5", "--pool-size=5"), ("-pool_size=5", "-POOL_SIZE 6")]
    + [("-random", "\u2014random")],
)
def test_the_same_option_twice_is_refused(first: str, second: str) -> None:
    sentence = wrong(f"holo challenge alice bob {first} {second}")
    assert "twice" in sentence
    name = first.split("=")[0].strip("-")
    assert name in sentence.lower().lstrip('"-').replace("-", "_")


@pytest.mark.parametrize(
    ("line", "named", "meant"),
    [("challenge alice bob -poolsize=5", "-poolsize=5", "-pool_size")]
    + [("challenge alice bob --limit-score", "--limit-score", "--limit_scores")]
    + [("challenge alice bob -radnom", "-radnom", "-random")]
    + [("challenge alice bob -rule=brettspielnetz", "-rule=", "-rules")]
    + [("challenge alice bob \u2014bord_size=9", "-bord_size=9", "-board_size")]
    + [("show 1 -formt=json", "-formt=json", "-format"), ("history -zz", "-zz", "")],
)
def test_an_unknown_option_is_named_with_its_neighbour(
    line: str, named: str, meant: str
) -> None:
    sentence = wrong(f"holo {line}")
    assert f'"{named}' in sentence
    assert sentence.endswith(f"Did you mean {meant}?" if meant else "here.")


@pytest.mark.parametrize("word", ["maybe", "2", ""])
def test_a_flag_takes_yes_or_no(word: str, server) -> None:
    for flag in ("random", "limit_scores", "non_unique"):
        try:
            answer = server.type(f"holo challenge alice bob -{flag}={word}")
        except PbmError as error:
            answer = refusal(error)
        assert answer.status in (1, 2), flag
        assert flag in answer.text


@pytest.mark.parametrize("word", ["al", "a1", "a_b", "a" * 20, "Alice", "ALICE"])
def test_words_that_can_be_userids(word: str) -> None:
    assert parse(["signup", word, "secret"]).userid == word.lower()


@pytest.mark.parametrize(
    "word",
    ["a", "a" * 21, "1alice", "_al", "al-ice", "al.ice", "\xe4lice", "al\u0131ce"]
    + ["../alice", "al/ice", "alice\n", "al\x00ice", "", "al@ice", "\uff42ob\xe9"],
)
def test_userids_that_are_refused(word: str) -> None:
    assert not is_userid(word.lower())
    for words in (["signup", word, "secret"], ["all", "show", word]):
        with pytest.raises(BadCommand):
            parse(words)


@pytest.mark.parametrize(
    "word",
    ["help", "signup", "change", "password", "address", "all", "show"]
    + ["challenge", "showas", "games", "history", "verify", "preview", "move"]
    + ["resign", "pass", "active", "inactive", "next", *names()],
)
def test_the_commands_own_words_are_no_userids(server: House, word: str) -> None:
    before = server.records()
    answer = server.type(f"signup {word} secret")
    assert answer.status in (1, 2)
    assert f'"{word}" is a' in answer.text
    assert server.records() == before


PRINTABLE = "".join(map(chr, range(33, 127)))


def test_words_that_can_be_passwords() -> None:
    allowed = "".join(c for c in PRINTABLE if c not in "'\":")
    for word in ("abcd", "x" * 64, allowed[:47], "x" + allowed[47:], "a-b-"):
        assert check_password(word) == word


@pytest.mark.parametrize(
    "word",
    ["", "abc", "x" * 65, "-abcd", "ab cd", "ab'cd", 'ab"cd', "ab:cd", "ab\tcd"]
    + ["abc\xe9", "abc\n", "abc\x7f", "abcd\u200b"],
)
def test_passwords_that_are_refused(word: str) -> None:
    with pytest.raises(BadCommand) as caught:
        check_password(word)
    assert not word or word not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    ["signup alice -", "holo move 12 alice - pass", "holo resign 12 alice -"]
    + ["holo showas alice -", "change password alice - other"]
    + ["change password alice other -", "change address alice -"],
)
def test_a_password_may_be_asked_for_but_not_by_mail(line: str) -> None:
    request = parse(line.split(), ask)
    assert "Typed" in (request.password, *request.words)
    assert "mail" in wrong(line)


@pytest.mark.parametrize(
    "line",
    ["show 12 alice", "show alice 12", "show 12 next", "showas alice xanadu 12 next"]
    + ["showas alice xanadu bob", "games 12", "games alice 12", "show 12 13#2 bob"],
)
def test_boards_and_userids_do_not_mix(line: str) -> None:
    assert "board" in wrong(f"holo {line}").lower()


@pytest.mark.parametrize(
    "line",
    ["holo show next", "holo show all", "holo show active", "all show next"]
    + ["all show all", "all show active"],
)
def test_a_list_word_needs_a_player(line: str) -> None:
    assert wrong("all show al bo")  # nor does it take two
    assert "player" in wrong(line).lower() or "userid" in wrong(line).lower()


def test_a_preview_takes_no_move_number() -> None:
    for line in ("preview 1 132:1#7", "previewas 1 alice secret 124:3 132:1#7"):
        assert wrong(f"holo {line}") == (
            '"132:1#7" has a move number, and a preview takes none: please write '
            '"132:1".'
        )


@pytest.mark.parametrize(
    ("line", "said"),
    [("show #1x", "One of these words is neither a board number nor a userid.")]
    + [("show 12a", '"12a" is not a board number (boards look like 12, or like 12#3 ')]
    + [("verify 12a", '"12a" is not a board number (boards look like 12).')]
    + [("show alice s:cr-t", "One of these words is neither a board number nor a ")]
    + [("show alice #1secret", "One of these words is neither a board number nor a ")]
    + [("challenge alice bo-b", "That is not a userid: a userid is a letter followed ")]
    + [("challenge alice ALL", '"all" is a list of boards: please write a player\'s ')],
)
def test_a_word_that_is_neither_a_board_nor_a_player(line: str, said: str) -> None:
    assert wrong(f"holo {line}").startswith(said)


@pytest.mark.parametrize("line", ["-pool_size", "-pool_size -nag=3"])
def test_an_option_without_its_value(line: str) -> None:
    assert wrong(f"holo challenge alice bob {line}") == (
        "-pool_size needs a value: please write -pool_size=..."
    )


@pytest.mark.parametrize(
    "word", ["12#", "12#x", "##3", "12#3#4", "12a", "1.5", "12:3", "0x1", "9" * 40]
)
def test_words_that_are_not_boards(word: str) -> None:
    for line in (f"show {word}", f"verify {word}", f"history {word}"):
        wrong(f"holo {line}")
    assert '"12#3"' in wrong("holo verify 12#3")  # a #moveno has no meaning there
    # nor here, where a password may come
    assert wrong("holo history 12#3").startswith("That is not a board number")


# What is missing, too much, or unknown


@pytest.mark.parametrize(
    ("line", "missing"),
    [("signup", "userid"), ("signup alice", "password"), ("all show", "userid")]
    + [("change password alice", "current"), ("change password alice xanadu", "new")]
    + [("change address alice", "password"), ("holo challenge", "userid")]
    + [("holo show", "board"), ("holo showas alice", "password")]
    + [("holo verify", "board"), ("holo preview", "board"), ("holo preview 12", "move")]
    + [("holo move", "board"), ("holo move 12", "userid")]
    + [("holo move 12 alice", "password"), ("holo move 12 alice xanadu", "move")]
    + [("holo resign 12 alice", "password")],
)
def test_a_missing_word_is_named_and_the_command_shown(line: str, missing: str) -> None:
    sentence = wrong(line)
    assert f"missing: {missing}" in sentence
    command = " ".join(w for w in line.split() if w not in ("alice", "xanadu", "12"))
    assert f"Please write: {command} " in sentence


@pytest.mark.parametrize(
    "line",
    ["holo move 12 alice xanadu 123:17 124:3", "holo resign 12 alice xanadu now"]
    + ["holo verify 12 13", "holo history 12 alice xanadu 13", "holo help me"]
    + ["change password alice xanadu better4 again"],
)
def test_too_many_words(line: str) -> None:
    assert "too many" in wrong(line)


@pytest.mark.parametrize(
    ("line", "quoted", "meant"),
    [("sginup alice xanadu", "sginup", "signup"), ("hepl", "hepl", "help")]
    + [("hollo show 12", "hollo", "holo"), ("show 12", "show", "GAME show")]
    + [("holo mvoe 12 alice xanadu 123:17", "mvoe", "holo move")]
    + [("holo chalenge alice bob", "chalenge", "holo challenge")]
    + [("move 12 alice xanadu 123:17", "move", "GAME move")]
    + [("holo signup alice xanadu", "signup", "signup")],
)
def test_an_unknown_command_gets_the_nearest(
    line: str, quoted: str, meant: str
) -> None:
    sentence = wrong(line)
    assert f'There is no command "{quoted}"' in sentence
    assert any(f'"{meant.replace("GAME", game)}"' in sentence for game in names())


@pytest.mark.parametrize("word", ["pbm", "check", "flush", "demo", "xyzzy", "--help"])
def test_lines_of_a_mail_that_are_not_commands(word: str) -> None:
    assert f'no command "{word}"' in wrong(word)


def test_a_command_of_two_words_names_the_second() -> None:
    words = (
        "password, address, digest, letters, format, broadcasts, profile, "
        "notices, threads, language, zone or vacation"
    )
    assert words in wrong("change pasword alice xanadu")
    assert "show" in wrong("all boards alice")


@pytest.mark.parametrize(
    "line", ["change", "all", "holo mvoe", "signup", "holo move x"]
)
def test_the_page_that_an_error_names_exists(line: str) -> None:
    with pytest.raises(BadCommand) as caught:
        parse(line.split())
    assert f'"help {caught.value.page}"' in refusal(caught.value).text
    assert caught.value.page in pages.subjects()


# Secrets stay secret, and odd words are quoted short

# U and P are places where a userid or a password is expected, the others are not
PLACES = {"signup": "U P", "change password": "U P P", "change address": "U P"}
PLACES |= {"all show": "U", "holo challenge": "U U", "holo showas": "U P b"}
PLACES |= {"holo move": "b U P m", "holo resign": "b U P"}
MARK = "zq9xmark"
SECRETS = [MARK, MARK.upper(), f"7{MARK}", f"{MARK}#3", f"{MARK}:1", f"<{MARK}>"]
SECRETS += [f"'{MARK}'", f"{MARK}\n", f"{MARK}\xe9", f"{MARK}@b.org", MARK * 9]
DASHED = [f"-{MARK}", f"--{MARK}=1", f"\u2014{MARK}", f"-x={MARK}"]
JUNK = st.sampled_from(["12", "x", "pass", "12#3", "next", "", "9" * 99, "\xa7", "123"])
OPTIONS = st.sampled_from(["-format=json", "-format json", "-x", "--help", "-random"])


@st.composite
def malformed(draw: st.DrawFn) -> list[str]:
    """A command with a mark at every place where a secret is expected."""
    name = draw(st.sampled_from(sorted(PLACES)))
    # after a challenge's userids come options, and an unknown one is named whole
    secret = st.sampled_from(SECRETS + DASHED * (name != "holo challenge"))
    words = [draw(secret if p in "UP" else JUNK) for p in PLACES[name].split()]
    words += draw(st.lists(JUNK, max_size=2))
    for option in draw(st.lists(OPTIONS, max_size=2)):
        at = draw(st.integers(0, len(words)))
        words[at:at] = option.split()
    return [*name.split(), *words[: draw(st.integers(1, len(words)))]]


@settings(max_examples=sized(150, 1500))
@given(malformed())
def test_no_sentence_quotes_what_may_be_a_password(words: list[str]) -> None:
    assert MARK not in sentence_about(words).lower()


ODD = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60) | st.sampled_from(
    ["a" * 10_000, "1" * 10_000, "-" + "a" * 10_000, "12#" + "3" * 10_000, "\x1b[2J"]
    + ["-pool_size=" + "5" * 10_000, "-format=" + "x" * 10_000, "\ud800", "\x00\x07"]
    + ["-rules=" + "y" * 10_000, "-random=" + "\x1b" * 50, "-board_size=\x1b[2J"]
)


@settings(max_examples=sized(150, 1000))
@given(st.sampled_from(sorted(FORMS)), st.integers(0, 9), ODD)
def test_odd_words_are_quoted_short_and_plain(line: str, at: int, odd: str) -> None:
    words = line.split()
    words[min(at, len(words) - 1)] = odd
    sentence = sentence_about(words)
    assert sentence.isprintable()
    assert len(sentence) < 300


@pytest.mark.parametrize(
    ("line", "shown"),
    [("Hallo,", '"Hallo"'), ('"Grüße!"', '"Grüße"'), ("Hallo\u202e", '"Hallo?"')]
    + [("holo chalenge, alice", '"chalenge"'), ("holo verify f\xfcnf", '"f\xfcnf"')]
    + [("holo challenge alice bob --colour=r\xf6t", '"--colour=r\xf6t"')],
)
def test_a_word_is_quoted_as_it_was_written(line: str, shown: str) -> None:
    """Letters of any language, but neither the comma after it nor what cannot be
    seen."""
    assert shown in wrong(line)


@pytest.mark.parametrize(
    ("line", "page"),
    [("xyzzy", '"help" lists the commands.'), ("Lieber Bob, hallo", '"help" lists')]
    + [("", '"help" lists'), ("123:17", 'see "help reply".')]
    + [("holo list", '"help list".'), ("holo change", '"help change".')]
    + [("mesage bob", '"help message".'), ("holo mvoe", '"help move".')]
    + [("hollo", '"help holo".'), ("show 12", '"help show".')],
)
def test_help_is_named_once(line: str, page: str) -> None:
    """The page on what was probably meant; or else, how to find it."""
    with pytest.raises(BadCommand) as caught:
        parse(line.split())
    told = refusal(caught.value).text
    assert page in told
    assert len(re.findall('"help', told)) == 1


@pytest.mark.parametrize("word", ["a" * 10_000, "5" * 10_000, "\x1b[2J", "\ud800\xe9"])
def test_odd_values_of_options_are_quoted_short_and_plain(word: str, server) -> None:
    for option in ("pool_size", "rules", "limit_scores", "random"):
        answer = server.type("holo challenge alice bob", f"-{option}={word}")
        assert answer.status in (1, 2)
        assert answer.text.replace("\n", " ").isprintable()
        assert len(answer.text) < 300
