"""How sentences are put."""

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from pbm_holomino.sentences import WIDTH, fill

WORD = st.text(st.sampled_from("abc-.\u00e9"), min_size=1, max_size=30)
INDENT = st.sampled_from(["", "  ", "  > ", 60 * " "])


@given(
    st.text(st.sampled_from("ab -\t\n.\xa0\u2003\u00e9"), max_size=90)
    | st.lists(WORD, max_size=60).map(" ".join),
    INDENT,
    INDENT,
)
def test_a_text_is_filled_as_textwrap_does_it(
    text: str, indent: str, hanging: str
) -> None:
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=hanging,
        break_on_hyphens=False,
    )
    assert fill(text, indent, hanging) == "".join(f"{line}\n" for line in lines)


def test_what_is_to_be_typed_is_not_broken() -> None:
    for before in range(WIDTH):
        text = f'{"x" * before} or ("help commands") and "holo show 1" now'
        lines = fill(text)
        assert '"help commands"' in lines
        assert '"holo show 1"' in lines
        assert " ".join(lines.split()) == text.strip()
    long = " ".join(["word"] * 30)
    assert max(map(len, fill(f'"{long}"').splitlines())) <= WIDTH


def test_a_path_in_a_terminal_is_not_broken() -> None:
    path = "/home/alice/" + "games/" * 15
    assert fill(f"There is {path} here.", whole_words=True) == (
        f"There is\n{path}\nhere.\n"
    )
    assert max(map(len, fill(f"There is {path} here.").splitlines())) == WIDTH
