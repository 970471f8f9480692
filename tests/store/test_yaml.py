"""Strict YAML: what is read is text, and what is odd is refused."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbm_holomino.store import yaml

# letters that have a meaning in YAML, that it cannot print, or that break lines
ODD = " \n\t\r:-#'\"|>%&*!?[]{},~\x00\x1b\x7f\x85\u2028\ufeff\u00e4\U0001f600"

texts = st.text(st.characters(exclude_categories=["Cs"])) | st.text(ODD, max_size=12)
values = st.recursive(
    texts,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4)
    ),
    max_leaves=12,
)


def depth(data: object) -> int:
    if isinstance(data, str):
        return 0
    assert isinstance(data, dict | list)
    inner = data.values() if isinstance(data, dict) else data
    return 1 + max((depth(value) for value in inner), default=0)


def refusal(text: bytes) -> str:
    with pytest.raises(ValueError, match=".") as refused:
        yaml.load(text)
    return str(refused.value)


@pytest.mark.parametrize(
    "word",
    [
        "123:17",
        "no",
        "yes",
        "~",
        "null",
        "1",
        "0x1f",
        "1e3",
        "2026-11-20",
        "<<",
        ".inf",
    ],
)
def test_every_scalar_is_a_string(word: str) -> None:
    text = f"{word}: {word}\nlist: [{word}]\n".encode()
    assert yaml.load(text) == {word: word, "list": [word]}
    assert yaml.load(yaml.dump({word: [word]})) == {word: [word]}


def test_a_key_without_a_value_is_empty() -> None:
    assert yaml.load(b"a:\nb: ''\n") == {"a": "", "b": ""}


def test_a_comment_is_not_data() -> None:
    assert yaml.load(b"# for people\na: b  # and here\n") == {"a": "b"}


@pytest.mark.parametrize(
    "text",
    [
        b"a: b\na: c\n",
        b"a: b\n'a': b\n",
        b"x:\n  a: b\n  a: b\n",
        b"[{a: b, a: b}]",
    ],
)
def test_duplicate_keys_are_refused(text: bytes) -> None:
    assert "'a'" in refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        b"a: &x b\n",
        b"&x a: b\n",
        b"a: &x [b]\nc: *x\n",
        b"a: *x\n",
        b"a: &x {b: c}\nd:\n  <<: *x\n",
        b"*x : a\n",
        b"a: !!str b\n",
        b"a: !!python/object/apply:os.system [ls]\n",
        b"!!map {a: b}\n",
        b"a: ! b\n",
        b"a: !mine [b]\n",
    ],
)
def test_anchors_aliases_and_tags_are_refused(text: bytes) -> None:
    assert "line 1" in refusal(text) or "line 3" in refusal(text)


def test_a_merge_key_merges_nothing() -> None:
    assert yaml.load(b"a: {<<: {b: c}}\n") == {"a": {"<<": {"b": "c"}}}


@pytest.mark.parametrize("text", [b"a: b\n---\nc: d\n", b"--- a\n--- b\n"])
def test_several_documents_are_refused(text: bytes) -> None:
    assert "document" in refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        b"[a, b",
        b"{a: b",
        b"a: b\n c: d\n",
        b"'a",
        b"? [a]\n: b\n",
        b"? {a: b}\n: c\n",
        b"@a",
        b"a: b\n\x00",
        b"a: \x1b[1m\n",
        "a: \u00e4\n".encode("latin-1"),
        b"a: \xed\xa0\x80\n",
    ],
)
def test_text_that_is_not_yaml_is_refused(text: bytes) -> None:
    assert "byte string" not in refusal(text)


def test_a_refusal_says_where_and_why() -> None:
    assert refusal(b"a: b\nc: [d\n").endswith("at line 3, column 1")


@pytest.mark.parametrize("opening", [b"[", b"{a: ", b"- ", b"? "])
def test_deep_nesting_is_refused_before_it_is_read(opening: bytes) -> None:
    # the text ends in an error that a parser who read on would find instead
    text = opening * 100_000 + b"\x00"
    found = refusal(text)
    # PyYAML 6.0.4 looks a thousand brackets ahead, and has a limit of its own there
    assert "nested too deeply" in found or "maximum nesting depth" in found
    assert "line 1" in found


def test_the_stores_own_data_is_not_too_deep() -> None:
    assert yaml.load(b"a: {b: [{c: [d]}]}") == {"a": {"b": [{"c": ["d"]}]}}


def test_the_size_is_capped_before_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = b"a: " + b"x" * (yaml.MOST_BYTES - 3)
    assert yaml.load(fits) == {"a": "x" * (yaml.MOST_BYTES - 3)}
    monkeypatch.delattr("yaml.parse")  # from here on nothing can be parsed
    assert str(yaml.MOST_BYTES) in refusal(fits + b"x")


@given(st.dictionaries(texts, values, max_size=5).filter(lambda data: depth(data) <= 8))
@example({"": {"": []}, "a": {}, "b": ""})
@example({"x" * 2000: "y" * 2000, "two\nlines": "\n"})
@example({"a": " leading\n trailing \n\n", "b": "\n\n  x\n ", "c": "\ttab\n"})
def test_load_gives_what_dump_was_given(data: dict[str, object]) -> None:
    assert yaml.load(yaml.dump(data)) == data


def test_a_picture_is_a_literal_block() -> None:
    picture = "   __\n  /1 \\__\n  \\    2\\\n  /   __/\n  \\3_/  17\n"
    text = yaml.dump({"a": "b", "picture": picture}).decode()
    block = text.partition("picture: |")[2].partition("\n")[2]
    assert block == "".join(f"  {line}\n" for line in picture.splitlines())


def test_a_line_of_a_log_is_one_line_of_the_file() -> None:
    line = "7 2026-11-20T04:12:33Z bob 3f9c0011aabbccdd/1 123:17"
    assert yaml.dump({"log": [line, line]}).decode() == (f"log:\n- {line}\n- {line}\n")


def test_a_file_is_utf_8() -> None:
    assert yaml.dump({"a": "\u00e4"}) == "a: \u00e4\n".encode()
