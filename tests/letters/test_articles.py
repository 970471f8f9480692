"""Texts in lines, read as blocks."""

from pbm_holomino.letters.articles import article
from pbm_holomino.letters.content import (
    Command,
    Heading,
    Linked,
    Page,
    Paragraph,
    Table,
)

SUBJECTS = ("change", "move", "show")


def test_a_title_is_a_heading_and_lines_flow() -> None:
    text = (
        "Your turn\n\nWhen your turn comes, the server draws a tile for you, if there\n"
        "is one left.\nThe rules:\nhttps://example.org/rules\n"
    )
    assert article(text, SUBJECTS) == (
        (Heading("Your turn"),),
        (
            Paragraph(
                "When your turn comes, the server draws a tile for you, if there is "
                "one left."
            ),
            Paragraph("The rules:"),
            Page("https://example.org/rules"),
        ),
    )


def test_the_items_of_a_list_stay_apart() -> None:
    ((first, second),) = article("- Look ahead,\n  and around.\n- Block early.\n")
    assert first == Paragraph("Look ahead, and around.", "- ", "  ")
    assert second == Paragraph("Block early.", "- ", "  ")
    ((third,),) = article("3. Challenge your friend. The player named first\n   moves.")
    assert third == Paragraph(
        "Challenge your friend. The player named first moves.", "3. ", "   "
    )


def test_a_command_can_be_sent_and_its_form_leads_to_its_page() -> None:
    text = "  holo move 12 alice secret 123:17\n  holo chat 1 bob better4 -m=Hello!\n"
    assert article(text, SUBJECTS) == (
        (
            Command("holo move 12 alice secret 123:17"),
            Command("holo chat 1 bob better4 -m=Hello!"),
        ),
    )
    text = "  change digest userid password on|off\n  signup userid password\n"
    assert article(text, SUBJECTS) == (
        (
            Linked(
                (Paragraph("change digest userid password on|off", "  "),),
                "help change",
            ),
            Paragraph("signup userid password", "  "),
        ),
    )


def test_a_term_comes_before_what_explains_it() -> None:
    text = "  -rounds=N\n      The game has N rounds. From 1\n      to 9.\n"
    ((term, said),) = article(text, SUBJECTS)
    assert term == Paragraph("-rounds=N", "  ")
    assert said == Paragraph("The game has N rounds. From 1 to 9.", " " * 6)


def test_columns_are_a_table_and_cells_go_on_below() -> None:
    text = (
        "    turn      texts    who may move now, by\n"
        "                       seat\n"
        "    tournament number  its number\n"
        "    ply       7        moves\n"
    )
    table = article(text)[0][0]
    assert isinstance(table, Table)
    assert table.rows == (
        ("turn", "texts", "who may move now, by seat"),
        ("tournament", "number", "its number"),
        ("ply", "7", "moves"),
    )


def test_what_only_looks_like_a_column_is_none() -> None:
    text = (
        "    2 players: 24 walongs or 12 pairs\n    3 players: 16 walongs or  8 pairs\n"
    )
    table = article(text)[0][0]
    assert isinstance(table, Table)
    assert [len(row) for row in table.rows] == [1, 1]


def test_only_pages_that_there_are_become_links() -> None:
    ((said,),) = article('See help move, "help show" and help yourself.', SUBJECTS)
    assert isinstance(said, Paragraph)
    assert said.commands == (Command("help move", "help move"),)
