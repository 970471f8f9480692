"""How sentences are put."""

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from pbm_holomino.sentences import WIDTH, fill


@given(
    st.text(st.sampled_from("ab -\t\n.\xa0\u2003\u00e9"), max_size=90),
    st.sampled_from(["", "  ", "  > "]),
)
def test_a_text_is_filled_as_textwrap_does_it(text: str, indent: str) -> None:
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent="",
        break_on_hyphens=False,
    )
    assert fill(text, indent, "") == "".join(f"{line}\n" for line in lines)
