"""The differences between two values, and how to restore the first one."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from fortythieves_server.core.changes import Change, changes, still_holds, taken_back
from tests.examples import examples


class Inner(msgspec.Struct, frozen=True):
    name: str
    points: tuple[int, ...] = ()


class Outer(msgspec.Struct, frozen=True):
    on: bool = False
    of: dict[int, Inner] = {}


OUTER = st.builds(
    Outer,
    st.booleans(),
    st.dictionaries(st.integers(0, 3), st.builds(Inner, st.sampled_from("ab"), st.tuples(st.integers(0, 2)))),
)


@given(OUTER, OUTER)
@examples(60)
def test_undone_changes_restore_the_first_value(before: Outer, after: Outer) -> None:
    value = after
    for change in changes(before, after):
        assert still_holds(value, change)
        value = taken_back(value, change)
    assert value == before


def test_changes_are_minimal() -> None:
    before, after = Outer(of={1: Inner("a"), 2: Inner("b")}), Outer(of={1: Inner("a", (1,)), 3: Inner("c")})
    assert [*changes(before, after)] == [
        Change(("of", 1, "points"), (), (1,)),
        Change(("of", 2), Inner("b"), UNSET),
        Change(("of", 3), UNSET, Inner("c")),
    ]
    assert not [*changes(before, after, fields={"on"})]


def test_a_change_no_longer_holds_after_a_change_of_the_same_place() -> None:
    before, after = Outer(of={1: Inner("a")}), Outer(of={1: Inner("b")})
    [change] = changes(before, after)
    assert still_holds(Outer(on=True, of={1: Inner("b", (7,))}), change)
    for since in (Outer(of={1: Inner("c")}), Outer(of={})):
        assert not still_holds(since, change)
