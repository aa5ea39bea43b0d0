"""Swiss: the pairings and the bye. test_standings.py compares the table with a slow computation."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.tournament import swiss
from fortythieves.tournament.draw import draw, may_rest
from fortythieves.tournament.matching import cheapest_pairs
from fortythieves.tournament.plan import MOST_APART
from fortythieves.tournament.rounds import Pair, Round
from fortythieves.tournament.standings import Row, standings
from fortythieves.tournament.swiss import SMALL, times_met
from fortythieves.tournament.swiss import draw as draw_pairs
from tests.examples import examples
from tests.shared.tournament.play import Event, chance_of, entrants_of, event_of, plan_of, race_of

PLAN = plan_of(format="swiss", rounds=30)
SEEDS = st.integers(0, 10**9)


def pairings(seats: list[int]) -> Iterator[tuple[Pair, ...]]:
    if not seats:
        yield ()
        return
    one, *others = seats
    for other in others:
        for rest in pairings([seat for seat in others if seat != other]):
            yield ((one, other), *rest)


def everything(seats: list[int]) -> Iterator[tuple[tuple[Pair, ...], tuple[int, ...]]]:
    if len(seats) % 2 == 0:
        yield from ((pairs, ()) for pairs in pairings(seats))
    for bye in seats if len(seats) % 2 else []:
        yield from ((pairs, (bye,)) for pairs in pairings([seat for seat in seats if seat != bye]))


def apart(event: Event, pair: Pair) -> bool:
    return any({event.entrants[seat].name for seat in pair} <= {*group} for group in event.plan.apart)


Faults = Callable[[tuple[Pair, ...], tuple[int, ...]], tuple[Any, ...]]


def faults_of(event: Event) -> Faults:
    """A function that returns the faults of a pairing, the most important first. Less is better."""
    rows = {row.seat: row for row in rows_of(event)}
    drawn = [done for done in event.rounds if not done.skipped]
    met = Counter(frozenset(pair) for done in drawn for pair in done.pairs)
    had = Counter(seat for done in drawn for seat in done.byes)

    def faults(pairs: tuple[Pair, ...], byes: tuple[int, ...]) -> tuple[Any, ...]:
        return (
            [had[seat] for seat in byes],
            sum(apart(event, pair) for pair in pairs),
            sum(met[frozenset(pair)] for pair in pairs),
            [-(rows[seat].place or 0) for seat in byes],
            sum((rows[one].score - rows[other].score) ** 2 for one, other in pairs),
        )

    return faults


def check(event: Event, drawn: Round) -> None:
    seats = event.in_now() - {*drawn.half_byes}
    paired = [seat for pair in drawn.pairs for seat in pair]
    assert sorted([*paired, *drawn.byes]) == sorted(seats), "everybody who is in is in one pair, or has a bye"
    assert list(drawn.seats) == paired
    assert len(drawn.byes) == len(seats) % 2
    assert all(may_rest(event.plan, event.rounds, seat) for seat in drawn.half_byes)
    if len(seats) <= 9:
        faults = faults_of(event)
        assert faults(drawn.pairs, drawn.byes) == min(faults(*way) for way in everything(sorted(seats)))
        return
    met = times_met(event.rounds)
    fewest = [seat for seat in seats if met[0, seat] == min(met[0, other] for other in seats)]
    if len(seats) > 2 * (len(event.rounds) + 1):
        assert not any(met[min(pair), max(pair)] for pair in drawn.pairs), "with so many, all can meet somebody new"
        places = {row.seat: row.place for row in rows_of(event)}
        assert {*drawn.byes} <= {*fewest}, "nobody has a second bye who need not"
        assert all(places[seat] == max(places[one] or 0 for one in fewest) for seat in drawn.byes)


def rows_of(event: Event) -> tuple[Row, ...]:
    return standings(event.plan, event.entrants, event.rounds)


@examples(24)
@given(st.integers(2, 8), st.integers(1, 9), SEEDS)
def test_among_a_few_every_rule_holds_until_nobody_new_is_left(count: int, rounds: int, seed: int) -> None:
    groups = tuple(tuple(f"n{seat}" for seat in range(start, start + 3)) for start in range(1, seed % 4))
    event = event_of("swiss", count, seed, rounds, half_byes=2 * (seed % 2))
    event.plan = event.plan.changed({"apart": [[name.upper() for name in group] for group in groups]})
    for drawn in event.play():
        check(event, drawn)


@examples(10)
@given(st.integers(14, 200), SEEDS)
def test_among_many_every_rule_holds(count: int, seed: int) -> None:
    event = event_of("swiss", count, seed, rounds=4)
    for drawn in event.play():
        check(event, drawn)


@pytest.mark.parametrize("count", [SMALL, SMALL + 1])
def test_thirty_rounds_without_a_rematch_and_without_a_second_bye(count: int) -> None:
    event = event_of("swiss", count, 1, rounds=30, how="calm").to_the_end()
    assert len(event.rounds) == 30
    assert max(times_met(event.rounds).values()) == 1


def test_lots_decide_in_the_first_round() -> None:
    drawings = [draw(PLAN, entrants_of(6), [], chance_of(n)) for n in range(20)]
    assert len({drawing.pairs for drawing in drawings if drawing}) > 10
    assert draw(PLAN, entrants_of(6), [], chance_of(1)) == drawings[1]


def test_a_whole_club_is_kept_apart_while_there_are_enough_others() -> None:
    club = tuple(f"N{seat}" for seat in range(1, MOST_APART + 2))
    plan = PLAN.changed({"apart": [club]})
    for count in (100, 101, 300):
        drawing = draw(plan, entrants_of(count), [], chance_of(count))
        assert drawing is not None
        assert all(max(pair) > len(club) for pair in drawing.pairs)
    drawing = draw(plan, entrants_of(80), [], chance_of(1))
    assert drawing is not None
    inside = [pair for pair in drawing.pairs if max(pair) <= len(club)]
    assert len(inside) == 10, "20 of the 50 have nobody else left"


def test_who_may_have_a_half_point_bye_is_left_out() -> None:
    plan = plan_of(format="swiss", rounds=4, half_byes=1)
    first = draw(plan, entrants_of(5), [], chance_of(1), {5, 9})
    assert first is not None
    assert (first.half_byes, sorted(first.seats), first.byes) == ((5,), [1, 2, 3, 4], ())
    done = Round(1, first.seats, first.pairs, (), (race_of({1: 1, 2: 2, 3: 3, 4: 4}),), half_byes=first.half_byes)
    assert not may_rest(plan, [done], 5), "once only"
    assert may_rest(plan, [done], 1)
    assert not may_rest(plan, [done, done, done], 1), "never in the last round"
    second = draw(plan, entrants_of(5), [done], chance_of(1), {5})
    assert second is not None
    assert second.half_byes == ()
    rows = {row.seat: row for row in standings(plan, entrants_of(5), [done])}
    assert (rows[5].score, rows[5].rounds) == (0.5, (0.5,))
    crowded = draw(plan_of(format="swiss", half_byes=2), entrants_of(4), [], chance_of(1), {1, 2, 3})
    assert crowded and (len(crowded.pairs), crowded.half_byes) == (2, ()), "one alone could not race"


def test_a_thousand_are_paired_quickly_even_if_nobody_may_meet_one_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(n: int, edges: list[tuple[int, int, int]]) -> list[Pair]:
        compared.append(len(edges))
        return cheapest_pairs(n, edges)

    compared: list[int] = []
    monkeypatch.setattr(swiss, "cheapest_pairs", counted)
    seats = range(1, 1001)
    for apart in (set(), {(1, seat) for seat in seats[1:]}):
        pairs, byes = draw_pairs(seats, dict.fromkeys(seats, 1.0), [], apart)
        assert (sorted(seat for pair in pairs for seat in pair), byes) == ([*seats], [])
        assert len({*pairs} & apart) == bool(apart)
    assert sum(compared) < 40_000, "of 500,000 possible pairs"
