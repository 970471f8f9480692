"""Named tuples are as those of the standard library."""

import copy
import pickle
import typing
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import pytest

from pbm_holomino.named_tuples import NamedTuple

T = TypeVar("T")


class Ours(NamedTuple):
    """A tile, say."""

    name: str
    cells: tuple[int, ...] = ()
    heights: "dict[int, int] | None" = None

    def size(self) -> int:
        return len(self.cells)

    @property
    def first(self) -> str:
        return self.name[:1]


class Theirs(typing.NamedTuple):
    """A tile, say."""

    name: str
    cells: tuple[int, ...] = ()
    heights: "dict[int, int] | None" = None


class Of(NamedTuple, Generic[T]):
    value: T


class Inherits(Ours):
    """With the same fields."""


class MadeOtherwise(Ours):
    def __new__(cls, number: int) -> "MadeOtherwise":
        return super().__new__(cls, str(number))


class Nothing(NamedTuple):
    pass


@pytest.mark.parametrize(
    "do",
    [
        lambda kind: kind("12"),
        lambda kind: kind("12", (3,)),
        lambda kind: kind(heights={}, name="12"),
        lambda kind: kind("12")._replace(cells=(1, 2)),
        lambda kind: kind._make(["12", (), None]),
        lambda kind: kind("12")._asdict(),
        lambda kind: kind._fields,
        lambda kind: kind._field_defaults,
        lambda kind: kind.__match_args__,
        lambda kind: kind.__doc__,
        lambda kind: [*kind("12")],
        lambda kind: hash(kind("12")),
        lambda kind: kind("12") == ("12", (), None),
        lambda kind: repr(kind("12")).removeprefix(kind.__name__),
        lambda kind: hasattr(kind("12"), "__dict__"),
        lambda kind: copy.deepcopy(kind("12", (1,))),
        lambda kind: typing.get_type_hints(kind),
    ],
)
def test_they_do_the_same(do: Callable[[Any], object]) -> None:
    assert do(Ours) == do(Theirs)


@pytest.mark.parametrize(
    "do",
    [
        lambda kind: kind(),
        lambda kind: kind("12", (), None, 4),
        lambda kind: kind("12", name="13"),
        lambda kind: kind("12", height=1),
        lambda kind: kind._make(["12"]),
        lambda kind: kind("12")._replace(height=1),
        lambda kind: setattr(kind("12"), "name", "13"),
        lambda kind: setattr(kind("12"), "height", 1),
    ],
)
def test_they_refuse_the_same(do: Callable[[Any], object]) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)) as theirs:
        do(Theirs)
    with pytest.raises(theirs.type):
        do(Ours)


def test_a_field_without_a_default_comes_before_those_with_one() -> None:
    with pytest.raises(TypeError, match="Wrong"):

        class Wrong(NamedTuple):
            cells: tuple[int, ...] = ()
            name: str  # type: ignore[misc]


@pytest.mark.parametrize("value", [Ours("12", (1,)), Inherits("12")])
def test_what_is_kept_comes_back_as_it_was(value: Ours) -> None:
    back = copy.copy(value)
    assert (type(back), back) == (type(value), value)


def test_methods_properties_and_patterns_work() -> None:
    tile = Inherits("12", (3, 4))
    assert (tile.size(), tile.first, MadeOtherwise(7).name) == (2, "1", "7")
    match tile:
        case Ours(name, (first, *_)):
            assert (name, first) == ("12", 3)
        case _:
            pytest.fail("it has a name and cells")


def test_they_can_be_generic_and_empty() -> None:
    assert Of[int](3) == Of(3) == (3,)
    assert Nothing() == ()


def test_they_can_be_pickled() -> None:
    value = Ours("12", (1,), {1: 2})
    assert pickle.loads(pickle.dumps(value)) == value
