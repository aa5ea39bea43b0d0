"""Swiss: who is paired with whom, and who has the bye. test_standings.py compares the table with a slow computation."""

import random
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.tournament.plan import Plan
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.standings import Row, standings
from fortythieves.tournament.swiss import SMALL, draw, times_met
from tests.examples import examples
from tests.shared.tournament.play import Event, chance_of, entrants_of, event_of

PLAN = Plan(format="swiss", rounds=30)
SEEDS = st.integers(0, 10**9)


def can_be_paired(seats: Sequence[int], met: Counter[tuple[int, int]]) -> bool:
    """Whether there is a pairing without a rematch, by trying all."""

    @cache
    def tried(left: frozenset[int]) -> bool:
        if not left:
            return True
        one = min(left)
        return any(tried(left - {one, other}) for other in left - {one} if not met[one, other])

    return tried(frozenset(seats))


def check(event: Event, drawn: Round) -> None:
    """All that a draw promises."""
    seats = event.in_now()
    paired = [seat for pair in drawn.pairs for seat in pair]
    assert sorted([*paired, *drawn.byes]) == sorted(seats), "everybody who is in is in one pair, or has a bye"
    assert list(drawn.seats) == paired
    assert len(drawn.byes) == len(seats) % 2
    met = times_met(event.rounds)
    fewest = [seat for seat in seats if met[0, seat] == min(met[0, other] for other in seats)]
    assert set(drawn.byes) <= set(fewest), "nobody has a second bye who need not"
    rematches = [pair for pair in drawn.pairs if met[min(pair), max(pair)]]
    if len(seats) > 2 * (len(event.rounds) + 1):
        assert not rematches, "with so many, everybody can meet somebody new"
    elif len(seats) <= 12:
        ways = [seats - {bye} for bye in fewest] if drawn.byes else [seats]
        assert bool(rematches) == (not any(can_be_paired(sorted(way), met) for way in ways))
    totals = {row.seat: row.score for row in rows_of(event)}
    if drawn.byes and not rematches and len(seats) <= 12:
        lower = [seat for seat in fewest if totals[seat] < totals[drawn.byes[0]]]
        assert not any(can_be_paired(sorted(seats - {seat}), met) for seat in lower), "the bye is as low as can be"


def rows_of(event: Event) -> tuple[Row, ...]:
    return standings(event.plan, event.entrants, event.rounds)


@examples(80)
@given(st.integers(2, 13), st.integers(1, 14), SEEDS)
def test_among_a_few_every_rule_holds_until_nobody_new_is_left(count: int, rounds: int, seed: int) -> None:
    event = event_of("swiss", count, seed, rounds)
    for drawn in event.play():
        check(event, drawn)


@examples(25)
@given(st.integers(14, 200), SEEDS)
def test_among_many_every_rule_holds(count: int, seed: int) -> None:
    event = event_of("swiss", count, seed, rounds=4)
    for drawn in event.play():
        check(event, drawn)


@pytest.mark.parametrize("count", [SMALL, SMALL + 1, SMALL + 2])
def test_thirty_rounds_without_a_rematch_and_without_a_second_bye(count: int) -> None:
    event = event_of("swiss", count, 1, rounds=30, calm=True).to_the_end()
    assert len(event.rounds) == 30
    assert max(times_met(event.rounds).values()) == 1


@pytest.mark.parametrize("count", [8, 200])
def test_pairs_are_of_about_as_many_points(count: int) -> None:
    event = event_of("swiss", count, 5, rounds=3, calm=True)
    for drawn in event.play():
        totals = {row.seat: row.score for row in rows_of(event)}
        apart = [abs(totals[one] - totals[other]) for one, other in drawn.pairs]
        assert max(apart) <= 1
        assert [totals[one] for one, _ in drawn.pairs] == sorted((totals[one] for one, _ in drawn.pairs), reverse=True)


def test_lots_decide_in_the_first_round() -> None:
    drawn = {tuple(draw(entrants_of(6), [], range(1, 7), chance_of(n))[0]) for n in range(20)}
    assert len(drawn) > 10
    assert draw(entrants_of(6), [], range(1, 7), chance_of(1)) == draw(entrants_of(6), [], range(1, 7), chance_of(1))


def test_five_hundred_are_paired_in_the_time_of_a_blink() -> None:
    event = event_of("swiss", 500, 1, rounds=7, calm=True).to_the_end()
    began = time.process_time()
    pairs, _ = draw(event.entrants, event.rounds, random.Random(1).sample(range(1, 501), 500), chance_of(1))
    # About 60 ms; the bound only tells it from a matching that looks at all 125,000 pairs.
    assert time.process_time() - began < 1
    assert len(pairs) == 250
