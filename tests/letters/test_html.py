"""Letters as HTML: the same words as their text, and links that play."""

import re

import pytest

from pbm_holomino.commands import parse
from pbm_holomino.draw.text import Drawn, draw
from pbm_holomino.letters.content import (
    Best,
    Block,
    Command,
    Lines,
    Linked,
    Moves,
    Paragraph,
    Picture,
    Table,
    Words,
    said,
)
from pbm_holomino.letters.html import MOST_LINKS, WIDEST, Links, html
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match import account
from pbm_holomino.rules import load, names
from pbm_holomino.rules.contract import Drawing
from tests.boards import chronicle
from tests.letters.pages import (
    SERVER,
    Page,
    letters_at,
    letters_of,
    page_of,
    words_of,
)
from tests.sizes import sized

TOKEN = "abcdefghijklmnop"
LINKS = Links(SERVER, TOKEN)
ELEMENTS = frozenset(
    ("a", "b", "body", "br", "div", "h1", "h2", "head", "html", "meta", "p", "pre")
    + ("span", "style", "table", "td", "th", "tr", "wbr")
)
ATTRIBUTES = frozenset(
    ("aria-label", "cellpadding", "cellspacing", "charset", "class", "content")
    + ("href", "lang", "name", "role", "style")
)
LONGEST = 60_000  # bytes of a page


def page(*blocks: Block) -> Page:
    """A page with one part."""
    return Page(html((blocks,), LINKS))


def pictures(letter: Letter) -> list[Picture]:
    return [b for part in letter.content for b in part if isinstance(b, Picture)]


def together(text: str) -> str:
    """A text without blanks: HTML has them elsewhere."""
    return "".join(text.split())


# Every letter of a game

GAMES = [(name, seed) for name in names() for seed in range(sized(1, 30))]


@pytest.mark.parametrize(("game", "seed"), GAMES)
def test_every_letter_of_a_game_says_the_same_and_fetches_nothing(
    game: str, seed: int
) -> None:
    *_, board = chronicle(seed, game)
    letters = list(letters_of(board))
    for letter in letters:
        text = page_of(letter)
        read = Page(text)
        assert together(read.words) == together(words_of(letter.content))
        check_fetches_nothing(text, read)
        check_links(read, letter)
        assert read.pictures == list(map(expected_picture, pictures(letter)))
        assert len(text) < LONGEST
    assert len(letters) > 10


def check_fetches_nothing(text: str, read: Page) -> None:
    assert {tag for tag, _ in read.elements} <= ELEMENTS
    assert {name for _, given in read.elements for name in given} <= ATTRIBUTES
    assert not re.search(r"(?i)https?:|url\(|@import|javascript", text)


def check_links(read: Page, letter: Letter) -> None:
    """Each link is a command to the server, and has no token but the letter's."""
    for link in read.links:
        assert (link.scheme, link.to) == ("mailto", SERVER)
        parse.parse(link.subject.split())
        assert re.findall(f"~({account.TOKEN})", link.subject) in ([], [letter.token])


def expected_picture(picture: Picture) -> str:
    """The board as a telephone can show it. HTML drops the first line break."""
    if picture.width <= WIDEST:
        return f"\n{picture.text}"
    return f"\n{draw(picture.drawn.drawing, small=True)}"


@pytest.mark.parametrize("game", names())
def test_each_proposed_move_is_a_link_that_plays_it(game: str) -> None:
    played = 0
    for board in chronicle(1, game):
        for letter in letters_at(board, len(board.record.log) - 1):
            reader = letter.key.split(".")[3]
            proposal = board.view(reader).proposal
            if reader != (*board.turn, "")[0] or board.due or "Seal" not in letter.text:
                continue
            links = [link.subject for link in Page(page_of(letter)).links]
            begun = f"{game} move 1 {reader} ~{letter.token} "
            proposed = {sent.removeprefix(begun) for sent in links if begun in sent}
            moves = {*(proposal.moves if proposal.heading else proposal.moves[:1])}
            assert {*proposal.moves[:1]} <= proposed
            assert moves <= proposed if len(moves) <= 40 else proposed <= moves
            played += len(moves & proposed)
    assert played > 10


# Blocks


def test_a_link_to_a_move_shows_where_it_goes() -> None:
    ways = (
        Command("8", "holo move 1 alice PASSWORD 123:8"),
        Command("17,18 scores 4", "holo move 1 alice PASSWORD 123:17,18"),
    )
    read = page(Moves("123", ways))
    assert read.words.split() == ["123:", "8", "17,18", "scores", "4"]
    assert [link.shown for link in read.links] == ["8", "17,18 scores 4"]
    assert read.links[1].subject == f"holo move 1 alice ~{TOKEN} 123:17,18"


def test_what_to_do_with_the_best_moves_is_said() -> None:
    read = page(
        Best("The best:", (Command("123:8 (+4)", "holo move 1 alice PASSWORD 123:8"),))
    )
    (link,) = read.links
    assert (link.shown, link.subject) == (
        "123:8 (+4)",
        f"holo move 1 alice ~{TOKEN} 123:8",
    )
    assert read.hints.strip() == "Tap a move, then send the mail that opens."


def test_what_would_be_possible_is_no_link() -> None:
    read = page(Moves("123", (Command("8"), Command("17"))))
    assert read.words.split() == ["123:", "8", "17"]
    assert read.links == []
    assert read.hints == ""


def test_too_many_moves_are_listed_without_links() -> None:
    def moves(count: int) -> list[Moves]:
        way = Command(
            "1043,1044", f"hextol move 123456 {'x' * 20} PASSWORD 66:1043,1044"
        )
        return [Moves("66", (way,) * 20)] * (count // 20)

    most = html((tuple(moves(MOST_LINKS)),), LINKS)
    assert len(Page(most).links) == MOST_LINKS
    assert len(most) < LONGEST - 5_000  # for the largest board
    read = page(*moves(MOST_LINKS + 20))
    assert read.links == []
    assert read.words.split().count("1043,1044") == MOST_LINKS + 20


def test_a_reply_is_a_link_with_the_token_and_an_account_command_keeps_password() -> (
    None
):
    read = page(
        Command("accept", "holo accept 1 bob PASSWORD"),
        Command("block bob PASSWORD alice"),
        Command("holo move 1 bob PASSWORD pairs:..."),
    )
    assert [link.subject for link in read.links] == [
        f"holo accept 1 bob ~{TOKEN}",
        "block bob PASSWORD alice",
    ]
    assert "pairs:..." in read.words


def test_without_a_token_the_reader_puts_in_the_password() -> None:
    block = Command("accept", "holo accept 1 bob PASSWORD")
    (link,) = Page(html(((block,),), Links(SERVER))).links
    assert link.subject == "holo accept 1 bob PASSWORD"


def test_words_of_a_sentence_can_be_a_link() -> None:
    play = Command("pairs:any", "walomino move 1 bob PASSWORD pairs:any")
    text = "Or send pairs:any to leave it to chance."
    read = page(Paragraph(text, commands=(play,)))
    assert together(read.words) == together(text)
    (link,) = read.links
    assert (link.shown, link.subject) == (
        "pairs:any",
        f"walomino move 1 bob ~{TOKEN} pairs:any",
    )


def test_a_move_is_no_link_within_a_longer_move() -> None:
    short = Command("take:R", "walomino move 1 alice PASSWORD take:R")
    text = "Send take:RGYPB,any or take:R,any, or for one walong take:R."
    written = html(((Paragraph(text, commands=(short,)),),), LINKS)
    assert "Send take:RGYPB,any or take:R,any, or for one walong <a " in written
    assert written.count("<a ") == written.count("take:R</a>.") == 1


def test_a_quoted_question_is_a_link() -> None:
    text = 'Send "holo help", "help show" or "holo show 12"; not "wins" or "a b c".'
    read = page(Paragraph(text))
    assert together(read.words) == together(text)
    assert [(link.shown, link.subject) for link in read.links] == [
        (question, question) for question in ("holo help", "help show", "holo show 12")
    ]


def test_a_line_of_a_list_can_be_a_link() -> None:
    read = page(Linked((Lines("holo 12   move 3\n"),), f"holo showas bob ~{TOKEN} 12"))
    (link,) = read.links
    assert link.shown == "holo 12 move 3"
    assert link.subject == f"holo showas bob ~{TOKEN} 12"


@pytest.mark.parametrize(
    "words",
    [
        "<script>alert(1)</script>",
        '<a href="http://evil.example">here</a> & there',
        "&lt;b&gt; </div></pre> <!-- -->",
        "see https://evil.example/x, www.evil.example or mail eve@evil.example",
        "Grüße, 你好, \U0001f600",
        'Send "holo help" to win.',
    ],
)
def test_words_of_players_are_words(words: str) -> None:
    text = html(((Words(f"{words}\nsecond line"),),), LINKS)
    assert text.isascii()
    read = Page(text)
    assert together(read.words) == together(f"{words}second line")
    assert read.links == []
    assert {tag for tag, _ in read.elements} <= ELEMENTS
    # what mail programs would make links of
    theirs = text[text.index('<div class="q"') : text.index("second line")]
    assert not re.search(r"://|\w@\w|[a-z]\.[a-z]", theirs)


# Boards

WIDE = Drawing("hextile", dict.fromkeys((0, 1, 100, 101), "3"), ((0, 1), (100, 101)))
LARGE = Command("Show me the large board", "hextol showas bob PASSWORD 1 -format=text")


def test_a_wide_board_is_small_and_the_large_one_can_be_sent_for() -> None:
    picture = Picture(Drawn(WIDE), LARGE)
    assert picture.width > WIDEST
    read = page(picture)
    assert read.pictures == [f"\n{draw(WIDE, small=True)}"]
    (link,) = read.links
    assert link.subject == f"hextol showas bob ~{TOKEN} 1 -format=text"
    assert link.shown == read.hints.strip() == LARGE.shown
    assert read.words.strip() == ""


def test_a_large_board_that_was_sent_for_stays_large() -> None:
    large = Picture(Drawn(WIDE), LARGE, size="large")
    read = page(large)
    assert read.pictures == [f"\n{draw(WIDE)}"]
    assert read.links == []
    assert "font-size:12.0px;" in html(((large,),), LINKS)  # and it is scrolled


def test_a_narrow_board_has_no_link_for_a_large_one() -> None:
    drawing = load("hextol").FIGURES["move"]
    assert Picture(Drawn(drawing)).width <= WIDEST
    read = page(Picture(Drawn(drawing), LARGE))
    assert read.pictures == [f"\n{draw(drawing)}"]
    assert read.links == []


def test_the_tile_that_was_played_last_has_a_mark_and_a_colour() -> None:
    drawing = load("holo").FIGURES["hole"]
    at = next(iter(drawing.faces))
    marked = drawing._replace(last=(at,))
    text = html(((Picture(Drawn(marked)),),), LINKS)
    assert draw(marked).count("#") == 5
    colours = re.findall(r'<b class="l" style="color:#b3261e">(#+)</b>', text)
    assert "".join(colours) == "#####"


# Other letters


def test_sentences_in_lines_flow_and_the_lines_of_a_list_stay_apart() -> None:
    text = (
        "This is a sentence of two lines, as long as those of letters are\nwhich "
        "go on with each other.\n\nholo 12  move 3\n             your turn since "
        "today\nholo 4   move 11\n"
    )
    shown = html(said(text), LINKS)
    assert "letters are which go on with each other.</p>" in shown
    assert ">holo 12 move 3</p>\n" in shown
    assert ">your turn since today</p>\n" in shown
    assert "<pre" not in shown
    assert together(Page(shown).words) == together(text)


def test_a_line_to_send_is_a_link() -> None:
    text = (
        "To play, send\n  holo challenge bob alice\n"
        "To stop, send this line with your password:\n"
        "  change digest bob PASSWORD off\n  help\n"
    )
    read = Page(html(said(text), LINKS))
    assert together(read.words) == together(text)
    assert [link.subject for link in read.links] == [
        "holo challenge bob alice",
        "change digest bob PASSWORD off",  # no token proves it
        "help",
    ]


def test_fine_print_is_all_there() -> None:
    seal = "Seal: " + "0f" * 32 + "\n"
    assert page(Paragraph(seal, fine=True)).words.strip() == seal.strip()


def test_a_table_has_its_cells_if_it_fits_and_otherwise_a_paragraph_a_row() -> None:
    def written(player: str) -> tuple[str, str]:
        table = Table("><>>", ("rank", "player", "won", "tied"), ((1, player, 17, 2),))
        text = html(((table,),), LINKS)
        return text, " ".join(Page(text).words.split())

    text, words = written("alice")
    assert "table" in dict(Page(text).elements)
    assert words == "rank player won tied 1 alice 17 2"
    text, words = written("x" * 40)
    assert "table" not in dict(Page(text).elements)
    assert words == f"1 {'x' * 40} won 17 tied 2"
