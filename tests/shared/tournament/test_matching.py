"""The matching of the next races in an arena."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.times import Ms
from fortythieves.tournament.matching import GATHER, PATIENCE, Free, match, next_look
from tests.examples import examples
from tests.shared.tournament.play import chance_of

CHANCE = chance_of("match")
LATER = GATHER + Ms(1)


def waiting(*scores: float, since: int = 0) -> list[Free]:
    return [Free(seat, score, Ms(since)) for seat, score in enumerate(scores, start=1)]


def races(free: list[Free], size: int = 2, now: Ms = LATER) -> list[set[int]]:
    return [{*race} for race in match(free, size, now, CHANCE)]


def test_similar_scores_meet() -> None:
    assert races(waiting(9, 0, 8, 1)) == [{1, 3}, {2, 4}]
    assert races(waiting(1, 2, 3, 4, 5, 6), 3) == [{4, 5, 6}, {1, 2, 3}]


def test_nobody_meets_the_same_again_while_there_is_another_way() -> None:
    again = [Free(1, 9, Ms(0), frozenset({2})), Free(2, 8, Ms(0), frozenset({1})), Free(3, 1, Ms(0)), Free(4, 0, Ms(0))]
    assert sorted(map(sorted, races(again))) == [[1, 3], [2, 4]]
    stuck = [Free(1, 9, Ms(0)), Free(2, 8, Ms(0)), Free(3, 1, Ms(0), frozenset({4})), Free(4, 0, Ms(0), frozenset({3}))]
    assert all(race not in ({3, 4}, {1, 2}) for race in races(stuck))


def of_addresses(*addresses: str) -> list[Free]:
    """Entrants of these addresses, the best first."""
    return [Free(n, 10 - n, Ms(0), frozenset(), address) for n, address in enumerate(addresses, start=1)]


def test_entrants_of_one_address_meet_only_if_no_other_is_free() -> None:
    assert races(of_addresses("a", "a", "b", "a", "c", "a")) == [{1, 3}, {2, 5}, {4, 6}]
    assert races(of_addresses("a", "a", "a", "b", "b", "c"), 3) == [{1, 4, 6}, {2, 5, 3}]
    assert races(of_addresses("a", "a", "a", "a")) == [{1, 2}, {3, 4}], "a school does not wait"
    assert races(of_addresses("", "", "", "")) == [{1, 2}, {3, 4}], "an unknown address is none"
    puppets = [one._replace(last=frozenset({6})) for one in of_addresses(*"aaaaa")]
    assert {6} not in [race & {6} for race in races([*puppets, Free(6, 0, Ms(0), frozenset({1, 2, 3, 4, 5}), "b")])]


def test_a_race_that_is_not_full_begins_after_a_while() -> None:
    assert races(waiting(1, 2, 3), 4, PATIENCE - Ms(1)) == []
    assert races(waiting(1, 2, 3), 4, PATIENCE) == [{1, 2, 3}]
    assert races(waiting(1, 2, 3), 2, PATIENCE) == [{2, 3}], "nobody races alone"


@pytest.mark.parametrize(
    ("scores", "size", "at"), [((), 2, None), ((1,), 2, None), ((1, 2), 2, GATHER), ((1, 2), 3, PATIENCE)]
)
def test_it_says_when_there_will_be_something_to_do(scores: tuple[float, ...], size: int, at: Ms | None) -> None:
    assert next_look(waiting(*scores), size, Ms(0)) == at


@st.composite
def pools(draw: st.DrawFn) -> tuple[list[Free], int]:
    count, size = draw(st.integers(0, 30)), draw(st.integers(2, 6))
    dice = random.Random(draw(st.integers(0, 9999)))
    seats = dice.sample(range(1, 99), count)
    last = {seat: frozenset(dice.sample(seats, min(count, dice.randint(0, size - 1)))) - {seat} for seat in seats}
    address = {seat: dice.choice(["", "a", "b", "c"]) for seat in seats}
    return [
        Free(seat, dice.randint(0, 5), Ms(dice.randint(0, 12_000)), last[seat], address[seat]) for seat in seats
    ], size


@examples(60)
@given(pools(), st.integers(0, 25_000).map(Ms))
def test_every_race_is_one_and_the_clock_is_told_when(pool: tuple[list[Free], int], now: Ms) -> None:
    free, size = pool
    made = match(free, size, now, CHANCE)
    seats = [seat for race in made for seat in race]
    assert len({*seats}) == len(seats) and {*seats} <= {one.seat for one in free}
    assert all(2 <= len(race) <= size for race in made)
    by_seat = {one.seat: one for one in free}
    for race in made:
        met = any(other in by_seat[seat].last for seat in race for other in race)
        if len(race) < size or met:
            assert any(by_seat[seat].since + PATIENCE <= now for seat in race)
    left = [one for one in free if one.seat not in seats]
    assert not match(left, size, now, CHANCE) or made
    at = next_look(free, size, now)
    assert (at is None) == (len(free) < 2)
    if at is not None:
        assert at >= now
        assert match(free, size, at, CHANCE)
        assert not made or at == now
    # Equal input gives the same races, whatever order it is in.
    assert {*map(frozenset, made)} == {*map(frozenset, match(free[::-1], size, now, CHANCE))}


@examples(16)
@given(st.integers(2, 12).map(lambda half: 2 * half), st.integers(0, 9999))
def test_everybody_races_if_all_met_somebody_else_before(count: int, seed: int) -> None:
    dice = random.Random(seed)
    seats = dice.sample(range(1, count + 1), count)
    met = {a: b for pair in zip(seats[::2], seats[1::2], strict=True) for a, b in (pair, pair[::-1])}
    free = [Free(seat, dice.randint(0, 9), Ms(0), frozenset({met[seat]})) for seat in seats]
    made = races(free)
    assert len(made) == count // 2 if count > 2 else not made
    assert all({seat, met[seat]} not in made for seat in seats)


def test_a_thousand_are_matched_in_less_time_than_anybody_notices() -> None:
    dice = random.Random(1)
    free = [
        Free(seat, dice.randint(0, 40), Ms(0), frozenset({dice.randint(1, 1000)}) - {seat}) for seat in range(1, 1001)
    ]
    began = time.process_time()
    assert len(races(free)) == 500
    assert len(races([one._replace(address="school") for one in free])) == 500
    assert len(races([one._replace(address=f"{one.score > 20}") for one in free])) == 500
    # Any computer is far below this, unless the work grows with the square of a thousand.
    assert time.process_time() - began < 2
