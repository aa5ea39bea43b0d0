"""Whole tournaments: the draws, and the standings, compared with a slow computation from the text of TOURNAMENTS.md."""

import random
from collections.abc import Callable, Mapping
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fortythieves.tournament import arena, knockout, roundrobin
from fortythieves.tournament.draw import follows
from fortythieves.tournament.plan import MOST_ROUNDS, TIEBREAKS, Format
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.standings import FORMATS, Row, misdrawn, places_in, standings
from tests.examples import examples
from tests.shared.tournament import naive, naive_double
from tests.shared.tournament.play import (
    Event,
    How,
    copy_of,
    corrected,
    entrants_of,
    event_of,
    halfway,
    plan_of,
    race_of,
    shuffled,
)

KINDS: tuple[Format, ...] = get_args(Format)
HOWS: tuple[How, ...] = ("usual", "usual", *get_args(How))
SIZES = st.integers(2, 18) | st.integers(2, 18) | st.integers(2, 40)
SEEDS = st.integers(0, 10**9)

#: Groups, and how many of each go on.
GROUPS = ((1, None), (1, 2), (1, 4), (2, None), (2, 1), (3, 2), (4, 2), (4, 3), (8, 1))

SLOW: Mapping[Format, Callable[[Event], naive.Table]] = {
    "points": naive.points,
    "knockout": naive.knockout,
    "double": naive_double.double,
    "swiss": naive.swiss,
    "roundrobin": naive.roundrobin,
    "arena": naive.arena,
}


def any_event(kind: Format, count: int, seed: int, how: How = "usual") -> Event:
    dice = random.Random(seed)
    groups, advance = dice.choice(GROUPS)
    changes: dict[str, Any] = {"tiebreaks": tuple(dice.sample(TIEBREAKS[kind], len(TIEBREAKS[kind])))}
    changes |= {"groups": groups, "advance": advance, "third_place": dice.random() < 0.5, "streak": dice.randint(0, 3)}
    changes |= {
        "second_final": dice.random() < 0.5,
        "half_byes": 2 * (kind == "swiss"),
        "race_size": dice.randint(2, 5),
    }
    return event_of(kind, count, seed, 4, how, **changes)


def rows_of(event: Event) -> tuple[Row, ...]:
    return standings(event.plan, event.entrants, event.rounds)


def with_pars(done: Round) -> Round:
    return replace(done, pars=tuple((40 * done.number + 60 * n) % 104 for n in range(len(done.races))))


def check_standings(event: Event) -> None:
    event.rounds[:] = map(with_pars, event.rounds)
    kind, rows = event.plan.format, rows_of(event)
    placed = {row.seat: (row.place, row.score, *row.tiebreaks) for row in rows if row.place is not None}
    nothing = naive.ranked(dict.fromkeys(naive.there(event), (0,) * (1 + len(event.plan.tiebreak_order))))
    assert placed == (nothing if all(done.skipped for done in event.rounds) else SLOW[kind](event))
    assert [row.place or 10**9 for row in rows] == sorted(row.place or 10**9 for row in rows), "best first"
    assert len({row.seat for row in rows}) == len(rows)
    out = {seat for seat, entrant in event.entrants.items() if entrant.state == "disqualified"}
    assert {row.seat for row in rows} == {*naive.there(event)} | out and not out & placed.keys()
    for row in rows:
        if kind == "arena":
            assert row.rounds == tuple(float(given) for given, _ in naive.own_races(event, row.seat) if row.place)
        else:
            assert all(cell is None for cell, done in zip(row.rounds, event.rounds, strict=True) if done.skipped)
        if row.place and kind in ("points", "swiss", "arena"):
            assert row.score == pytest.approx(sum(cell or 0 for cell in row.rounds))
    assert rows_of(shuffled(event, 1)) == rows, "the order of no map matters"


def check_draw(event: Event, drawn: Round) -> None:
    plan, rounds = event.plan, [*event.rounds, drawn]
    everybody, racing = {*drawn.everybody}, [seat for pair in drawn.pairs for seat in pair]
    assert len(drawn.everybody) == len(everybody) and everybody <= event.in_now()
    assert sorted(racing) == sorted(drawn.seats) or not FORMATS[plan.format].has_pairs
    assert misdrawn(plan, rounds) is None
    assert plan.format == "arena" or follows(plan, event.entrants, event.rounds)
    before = [done for done in event.rounds if not done.skipped]
    if plan.format == "points":
        late = {seat for seat, entrant in event.entrants.items() if entrant.since > drawn.number}
        assert everybody == event.in_now() - late, "all who are in race"
    if plan.format in ("knockout", "double"):
        seed = knockout.Bracket(knockout.seeds_of(before[0] if before else drawn)).seed
        assert [*drawn.seats] == sorted(drawn.seats, key=seed.__getitem__)
        assert all(seed[one] < seed[other] for one, other in drawn.pairs)
    if plan.format == "knockout" and before:
        assert naive.Cup(event, event.rounds).following() == ({*map(frozenset, drawn.pairs)}, {*drawn.byes})
    if plan.format == "double" and before:
        assert all(everybody <= {*done.everybody} for done in before), "nobody who is out comes back"
        for pair in before[-1].pairs:
            assert len({*pair} & everybody - {*drawn.lost}) < 2, "of two who met, one has lost"
            assert not ({*pair} <= everybody and {*pair} <= {*before[-1].lost}), "whoever lost twice is out"
    if plan.format == "roundrobin" and (so_far := roundrobin.course(plan, rounds)).cup[:1] == [drawn]:
        assert all(len({*group} & everybody) <= plan.advancing for group in so_far.groups)


@examples(150)
@given(st.sampled_from(KINDS), st.sampled_from(HOWS), SIZES, SEEDS)
def test_draws_follow_the_rules_and_standings_are_those_of_a_slow_computation(
    kind: Format, how: How, count: int, seed: int
) -> None:
    event = any_event(kind, count, seed, how)
    for drawn in event.play():
        check_draw(event, drawn)
        if len(event.rounds) == seed % 5:
            check_standings(event)
            check_standings(copy_of(event, [*event.rounds, drawn]))
    assert misdrawn(event.plan, event.rounds) is None
    if len(event.rounds) < MOST_ROUNDS:
        assert not follows(event.plan, event.entrants, event.rounds)
    check_standings(event)
    if event.rounds:
        check_standings(copy_of(event, halfway(event)))
    before, seat = rows_of(event), min(event.entrants)
    entrant = event.entrants[seat]
    event.set_state(seat, "disqualified")
    check_standings(event)
    event.entrants[seat] = entrant
    assert rows_of(event) == before, "a disqualification that is taken back leaves no trace"
    check_standings(corrected(event, 1 if kind in ("knockout", "double") else len(event.rounds)))


def test_the_sheets_of_an_arena_are_the_same_race_by_race_and_its_cells_add_up() -> None:
    event = event_of("arena", 8, 1, streak=1).to_the_end()
    known: dict[int, arena.Sheet] = {}
    for done in event.rounds:
        known |= arena.after(event.plan, event.entrants, known, done)
    assert known == arena.sheets(event.plan, event.entrants, event.rounds)
    given = arena.cells(event.plan, event.entrants, event.rounds).values()
    for seat, sheet in known.items():
        assert float(sheet.total) == pytest.approx(sum(of[seat] for of in given if seat in of))


@pytest.mark.parametrize("kind", KINDS)
def test_before_anything_is_raced_all_are_equal(kind: Format) -> None:
    assert standings(plan_of(format=kind), {}, []) == ()
    rows = standings(plan_of(format=kind), entrants_of(3), [])
    assert [(row.place, row.seat, row.score) for row in rows] == [(1, 1, 0), (1, 2, 0), (1, 3, 0)]


def test_the_places_of_a_round_are_those_in_the_field_or_in_the_pair() -> None:
    entrants = entrants_of(5)
    done = Round(1, (1, 2, 3, 4), ((1, 2), (3, 4)), (5,), (race_of({1: 9, 2: 8, 3: 7, 4: 7}),))
    assert places_in(plan_of(), entrants, done) == {1: 1, 2: 2, 3: 3, 4: 3}
    assert places_in(plan_of(format="swiss"), entrants, done) == {1: 1, 2: 2, 3: 1, 4: 1}
    entrants[1] = replace(entrants[1], state="disqualified")
    assert places_in(plan_of(), entrants, done) == {2: 1, 3: 2, 4: 2}
    assert places_in(plan_of(format="swiss"), entrants, done) == {2: 1, 3: 1, 4: 1}
