"""The help pages: what they look like, and that what they say can be done."""

import re
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.commands.parse import parse
from pbm_holomino.commands.table import at_top, in_game, page_of
from pbm_holomino.errors import DONE
from pbm_holomino.letters import help as pages
from pbm_holomino.rules import load, names
from pbm_holomino.rules.options import CHALLENGE_OPTIONS
from tests.draw.readers import read_bitten as read
from tests.house import House, own
from tests.paths import FIGURES
from tests.rules.spiral import Cell

SUBJECTS = pages.subjects()
HERE = Path(pages.__file__).parent
COMMANDS = {name.split()[0] for name in (*at_top(), *in_game())}
MOVING = ("move", "preview", "previewas", "queue", "submit", "analyse", "keep")

FIRST_WORDS = {"game", *names(), *(name.split()[0] for name in at_top())}


def lines_of(subject: str) -> list[str]:
    """The lines of a page that are commands, ready to be copied."""
    found = re.findall(r"^  (\S.*)$", pages.page(subject), re.MULTILINE)
    return [line for line in found if line.split()[0] in FIRST_WORDS]


def usages(subject: str) -> list[str]:
    """The forms of commands that a page begins with."""
    found = re.findall(r"^(?:Usage:|      ) (\S.*)$", pages.page(subject), re.MULTILINE)
    return [line for line in found if line.split()[0] in FIRST_WORDS]


EXAMPLES = sorted({x for s in SUBJECTS if s != "commands" for x in lines_of(s)})


@pytest.fixture
def server(tmp_path):
    """An empty store."""
    return House(tmp_path / "store")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """The server that the examples speak of: four players, and thirteen boards of
    each game; on one of them some moves have been made."""
    folder = tmp_path_factory.mktemp("prepared") / "store"
    with pytest.MonkeyPatch.context() as patched:
        server = House(folder).sign_up("alice", "bob", "carol", "dave")
        for name in names() * 13:
            server.accept(server.challenge(game=name), name)
        server.play(12, moves=8)
        own(server, patched)
        for _ in range(3):
            owner.run(["tournament", "open", "holo", "swiss"])
        # the pages call it "secret"
        assert server.type("change password alice {alice} secret").status == DONE
    return server


# What they look like


def test_a_page_is_plain_text_within_the_columns() -> None:
    for subject in SUBJECTS:
        text = pages.page(subject)
        assert text.isascii(), subject
        assert text.replace("\n", "").isprintable(), subject
        # a title, and no more
        assert re.fullmatch(r"(\S|\S.*\S)\n(.*\n)*.*\S\n", text), subject
        assert not re.search(r" $|[{}]", text, re.MULTILINE), subject
        assert max(map(len, text.splitlines())) <= 72, subject


def test_a_page_is_asked_for_by_its_name(server: House) -> None:
    for subject in SUBJECTS:
        shown = server.type(f"help {subject.upper()}").text
        assert shown == pages.page(subject), subject


def test_every_command_has_a_page_with_its_usage_and_an_example() -> None:
    for name in [*at_top(), *in_game()]:
        page = page_of(name)
        assert page in name.split(), name
        forms = [line.removeprefix("game ") for line in usages(page)]
        assert any(form.startswith(name) for form in forms), name
        examples = [parse(line.split()).command for line in lines_of(page)]
        assert name in examples, name


def test_the_usage_on_the_pages_is_that_of_the_list_of_commands() -> None:
    assert sorted(x for s in SUBJECTS for x in usages(s)) == sorted(
        lines_of("commands")
    )


def test_a_page_names_related_pages() -> None:
    for subject in sorted({*SUBJECTS} - {"commands", "tutorial", "help"}):
        (line,) = re.findall(r"^Related: (.*)\n\Z", pages.page(subject), re.MULTILINE)
        related = [found.removeprefix("help ") for found in line.split(", ")]
        assert {*related} <= {*SUBJECTS} - {subject}, subject
        assert len(related) == len({*related}), subject


def test_no_line_ends_between_help_and_its_subject() -> None:
    for subject in SUBJECTS:
        ends = re.findall(r"\S[^\n]*\bhelp\n *(\w+)", pages.page(subject))
        assert not {*ends} & {*SUBJECTS} - {"help"}, subject


def test_no_line_ends_within_quotation_marks() -> None:
    for subject in SUBJECTS:
        assert not re.search(
            r'^[^"\n]*("[^"\n]*"[^"\n]*)*"[^"\n]*$', pages.page(subject), re.M
        ), subject


@pytest.mark.parametrize("subject", ["commands", "tutorial"])
def test_a_new_player_reads_which_games_there_are(subject: str) -> None:
    for name in names():
        game = load(name)
        seats = " to ".join(map(str, sorted({*game.SEATS})))
        row = rf"^    {name} +{game.TITLE}, for {seats} players$"
        assert re.search(row, pages.page(subject), re.MULTILINE)


def test_help_on_help_lists_all_pages() -> None:
    _, _, rest = pages.page("help").partition("These are all the pages:\n\n")
    listed, _, _ = rest.partition("\n\n")
    assert listed.split() == [*(f"{name}," for name in SUBJECTS[:-1]), SUBJECTS[-1]]


def test_help_without_a_subject(server: House) -> None:
    assert server.type("help").text == pages.page("commands")
    assert server.type("holo help").text == server.type("help holo").text
    assert server.type("holo").text == pages.page("holo")


def test_several_subjects_come_in_one_answer(server: House) -> None:
    text = server.type("help move show").text
    assert text == pages.page("move") + "\n" + pages.page("show")


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("mvoe", "move"),
        ("hollo", "holo"),
        ("turorial", "tutorial"),
        ("zone", "change"),
        ("password", "change"),
    ],
)
def test_an_unknown_subject_gets_the_nearest(
    server: House, typed: str, nearest: str
) -> None:
    answer = server.type(f"help {typed}")
    assert answer.status == 1
    assert f'"{typed}"' in answer.text
    assert f'"help {nearest}"' in answer.text
    assert '"help help" lists all pages' in " ".join(answer.text.split())


@pytest.mark.parametrize("subject", ["../holo", "holo.txt", "__init__", "/etc/passwd"])
def test_nothing_but_pages_is_shown(server: House, subject: str) -> None:
    answer = server.type(f"help {subject}")
    assert answer.status == 1
    assert len(answer.text) < 400


def test_the_names_of_commands_of_two_words_are_subjects(server: House) -> None:
    for name in ("change password", "change address", "all show"):
        assert server.type(f"help {name}").status == DONE


# What they say can be done


def test_there_are_examples_of_every_command() -> None:
    found = {parse(line.split()).command.split()[0] for line in EXAMPLES}
    assert found == COMMANDS


@pytest.mark.parametrize("line", [x for x in EXAMPLES if x != "multiple"])
def test_an_example_runs(prepared: House, tmp_path: Path, line: str) -> None:
    server = prepared.copy(tmp_path / "games")
    command = parse(line.split()).command
    if command == "tournament leave":
        assert server.type("tournament join 3 alice secret").status == DONE
    if command in ("notes", "publish"):
        assert server.type("holo note 12 alice secret -m=Well!").status == DONE
    if command in ("rematch", "review", "publish"):
        over = f"holo resign {parse(line.split()).board} bob better4"
        assert server.type(over).status == DONE
    answer = server.type(line)
    # a move of an example need not be one that this board has, and alice has moved
    # and there are no hints, as its boards count
    refused = {*MOVING, "signup", "newcomer", "confirm", "decline", "verify", "hint"}
    refused |= {"note", "never", "accept", "decline all", "unblock", "unmute", "delete"}
    refused |= set() if "-m=" in line else {"message", "broadcast"}
    assert answer.status in ((0, 1) if command in refused else (0,)), answer.text


def test_the_examples_of_moves_are_moves(prepared: House, tmp_path: Path) -> None:
    """What is refused of them is the tile or the place, not the way of writing."""
    server = prepared.copy(tmp_path / "games")
    for line in EXAMPLES:
        if parse(line.split()).command in MOVING:
            told = server.type(line).text
            assert "is not a move" not in told
            assert "password" not in told.partition("\n\n")[0]


def test_the_form_of_every_command_is_listed() -> None:
    """Each form, with words of its kinds in place of their names, is a command."""
    words = {"board": "12", "userid": "alice", "userid1": "alice", "userid2": "bob"}
    words |= {
        "game": "holo",
        "current": "secret",
        "new": "better4",
        "password": "secret",
        "move": "1:2",
        "on|off": "on",
        "all|turns|digest": "turns",
        "moves=best|moves=all": "moves=all",
        "text|small|html|picture|words": "text",
        "days": "14",
        "player": "carol",
        "language": "en",
        "Area/City": "Europe/Berlin",
        "number": "3",
        "position": "17",
        "tile": "123",
        "word": "~abcdefghijklmnop",
        "address": "zoe@example.net",
        "keep": "keep",
        "none": "none",
        "if": "if",
        "theirs": "1:2",
        "mine": "1:2",
        "URL": "https://ntfy.sh/x",
        "form": "ntfy",
        "off": "off",
    }
    seen = set()
    for line in lines_of("commands"):
        plain = re.sub(r"\[(\[.*?\]|.)*?\]|\.\.\.", "", line).split()
        has_two = plain[0] == "game" or " ".join(plain[:2]) in at_top()
        name = 2 if has_two else 1
        plain[0] = "holo" if plain[0] == "game" else plain[0]
        plain[name:] = [words[word] for word in plain[name:]]
        seen.add(parse(plain).command.split()[0])
    assert seen == COMMANDS


@pytest.mark.parametrize("userid", ["alice", "bob", "carol"])
def test_the_first_steps_that_a_new_player_is_told_can_be_done(
    server: House, userid: str
) -> None:
    welcome = server.type(f"signup {userid} secret").text
    steps = re.findall(r"^  (\S.*)$", welcome, re.MULTILINE)
    for other in {"alice", "bob", "carol"} - {userid}:
        server.type(f"signup {other} secret")
    assert len(steps) >= 3
    for step in steps:
        step = step.replace("PASSWORD", "secret")
        assert server.type(step).status == 0, step


# What is not written twice


@pytest.mark.parametrize("name", names())
def test_every_option_has_its_paragraph(name: str) -> None:
    text, game = pages.page(name), load(name)
    for option in (*game.OPTIONS, *CHALLENGE_OPTIONS):
        head = re.escape(str(option.metavar))
        found = re.search(rf"^  {head}\n((?:      .*\n)+)", text, re.MULTILINE)
        assert found
        said = " ".join(found[1].split())
        assert said.startswith(str(option.help))
        usual = f"-{option.name}" if option.opposite else str(option.default)
        is_set = option.default is not None and option.default is not False
        assert said.endswith(f" Default: {usual}.") == is_set
    named = re.findall(r"^  -(\w+)", text, re.MULTILINE)
    wanted = {o.name for o in (*game.OPTIONS, *CHALLENGE_OPTIONS)} | (
        {"rules"} if game.PRESETS else set()
    )
    assert sorted(named) == sorted(wanted)


def test_the_options_of_the_rules_are_there() -> None:
    text = pages.page("holo")
    for paragraph in ("-pool_size=N", "-num_digits=N", "-limit_scores", "-non_unique"):
        assert f"\n  {paragraph}\n" in text
    for paragraph in ("-board_size=N", "-rules=brettspielnetz", "-random"):
        assert f"\n  {paragraph}\n" in text
    assert "Default: 3." in text
    assert "Default: 6." in text


def figures_of(page: str) -> list[str]:
    """The pictures of a page: blocks indented by four spaces and more."""
    blocks = re.findall(r"(?:^(?: {4}.*)\n)+", page, re.MULTILINE)
    return [re.sub(r"^ {4}", "", block, flags=re.MULTILINE) for block in blocks]


@pytest.mark.parametrize(
    "name",
    ["holo-tile-large", "holo-tile-cw", "holo-tile-acw", "holo-hole-10"]
    + ["holo-hole-6", "holo-hole-15", "holo-triple-3375", "holo-blocked"]
    + ["hextol-before-36", "hextol-after-36"],
)
def test_the_figures_are_those_of_the_rules(name: str) -> None:
    figure = (FIGURES / f"{name}.txt").read_text()
    assert figure in figures_of(pages.page(name.split("-")[0]))


def test_the_best_move_of_all_is_shown_before_it_is_made() -> None:
    after = read((FIGURES / "holo-triple-3375.txt").read_text()).faces
    (shown,) = [p for p in figures_of(pages.page("holo")) if "17" in p]
    before = read(shown)
    ((place, label),) = before.labels.items()
    (middle,) = [cell for cell, face in after.items() if face == "456"]
    del after[middle]
    assert label == "17"
    assert around(before.faces, place) == around(after, middle)


def around(tiles: dict[Cell, str], middle: Cell) -> dict[Cell, str]:
    """The tiles, by how far they are from a cell."""
    return {(c - middle[0], r - middle[1]): face for (c, r), face in tiles.items()}


HEADINGS = ["In short", "The tiles", "How to begin"]
LAST_HEADINGS = ["Options", "Strategy", "History"]


@pytest.mark.parametrize("name", names())
def test_the_pages_of_games_have_one_order(name: str) -> None:
    page = pages.page(name)
    assert page.startswith(f"Help for the game of {load(name).TITLE}\n\nIn short\n")
    found = re.findall(r"(?<=\n\n)([A-Z][a-z ]+)(?=\n\n)", page)
    assert found[:3] == HEADINGS
    assert found[-3:] == LAST_HEADINGS
    assert any(word in ("Scoring", "Scoring and the end") for word in found)
    assert any(word in ("The end", "Scoring and the end") for word in found)
    assert lines_of(name)[0].startswith(f"{name} challenge ")


@pytest.mark.parametrize("name", names())
def test_a_link_is_alone_on_its_line(name: str) -> None:
    lines = [line for line in pages.page(name).splitlines() if "://" in line]
    assert lines
    assert all(re.fullmatch(r"https?://[\w./?~-]+", line) for line in lines)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("subject", ["json", "verify"])
def test_a_game_tells_programs_what_they_need(subject: str, name: str) -> None:
    """It is in the game's text, and is read on the pages for programs."""
    _, _, rest = (
        (HERE / f"{name}.txt").read_text("ascii").partition(f"\n{{part {subject}}}\n")
    )
    part = rest.partition("\n{part ")[0].rstrip("\n")
    assert part
    title = load(name).TITLE
    assert f"\n\n{title}\n\n{part}\n\n" in pages.page(subject)
    assert part not in pages.page(name)
