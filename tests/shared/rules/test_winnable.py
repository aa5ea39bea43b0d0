"""Draws of winnable deals. JavaScript is tested with the same vectors."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.rules.winnable import DEALS, STEPS, choice_of, leaf_of, leaves_of, path_of, root_from, root_of
from tests.refusals import refusal
from tests.shared.vectors import read

VECTORS: list[dict[str, Any]] = read("draws")

HASHES = st.binary(min_size=32, max_size=32)
LEAVES = st.lists(HASHES, min_size=DEALS, max_size=DEALS)
INDICES = st.integers(0, DEALS - 1)


def changed(value: bytes, bit: int) -> bytes:
    return (int.from_bytes(value) ^ 1 << bit).to_bytes(len(value))


@pytest.mark.parametrize("draw", VECTORS, ids=lambda draw: draw["root"][:8])
def test_a_draw_has_the_tree_and_the_choices_that_it_will_have_for_ever(draw: dict[str, Any]) -> None:
    leaves = leaves_of([bytes.fromhex(secret) for secret in draw["secrets"]])
    root = root_of(leaves)
    assert root.hex() == draw["root"]
    assert [[one.hex() for one in path_of(leaves, index)] for index in range(DEALS)] == draw["paths"]
    for choice in draw["choices"]:
        assert choice_of(root, [bytes.fromhex(nonce) for nonce in choice["nonces"]]) == choice["index"]


@given(LEAVES, INDICES, st.integers(0, STEPS), st.integers(0, 255))
def test_a_path_with_one_bit_changed_leads_elsewhere(leaves: list[bytes], index: int, which: int, bit: int) -> None:
    leaf, *path = leaves[index], *path_of(leaves, index)
    wrong = [changed(one, bit) if n == which else one for n, one in enumerate([leaf, *path])]
    assert root_from(wrong[0], index, wrong[1:]) != root_of(leaves)


@given(st.lists(HASHES, min_size=DEALS, max_size=DEALS, unique=True), INDICES, INDICES)
def test_the_path_of_one_leaf_proves_no_other_place(leaves: list[bytes], index: int, other: int) -> None:
    leads = root_from(leaves[index], other, path_of(leaves, index)) == root_of(leaves)
    assert leads == (index == other)


def test_secrets_and_nonces_of_another_length_are_refused() -> None:
    assert refusal(leaf_of, bytes(31)) == "bad-secret"
    assert refusal(leaves_of, [bytes(32), bytes(33)]) == "bad-secret"
    assert refusal(choice_of, bytes(32), [bytes(16), bytes(15)]) == "bad-secret"


@pytest.mark.parametrize("leaves", [[], [bytes(32)] * 15, [bytes(32)] * 17, [*[bytes(32)] * 15, bytes(31)]])
def test_a_tree_has_sixteen_leaves(leaves: list[bytes]) -> None:
    with pytest.raises(ValueError, match="16 leaves"):
        root_of(leaves)


LEAF = bytes(32)


def test_a_path_is_four_hashes_and_begins_at_one_of_the_leaves() -> None:
    for index in (-1, DEALS):
        with pytest.raises(ValueError, match="no such leaf"):
            path_of([LEAF] * DEALS, index)
        with pytest.raises(ValueError, match="no such leaf"):
            root_from(LEAF, index, [LEAF] * STEPS)
    for path in ([], [LEAF] * 3, [LEAF] * 5, [*[LEAF] * 3, bytes(31)]):
        with pytest.raises(ValueError, match="four hashes"):
            root_from(LEAF, 0, path)
