"""Round robin: groups, and the knock-out of the best. test_standings.py plays whole ones."""

from itertools import combinations

import pytest

from fortythieves.tournament.draw import draw, follows, plays_on
from fortythieves.tournament.plan import MOST_ROUNDS, Plan
from fortythieves.tournament.roundrobin import course, crossed, group_of, letter
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.standings import comparison, standings
from tests.shared.tournament.play import Ranked, chance_of, entrants_of, event_of, plan_of, race_of


@pytest.mark.parametrize("groups", [(1, None), (1, 2), (1, 4), (2, None), (2, 1), (3, 2), (4, 2), (4, 3), (8, 1)])
@pytest.mark.parametrize("count", [4, 7, 12, 23])
def test_a_calm_event_has_as_many_rounds_as_were_planned(groups: tuple[int, int | None], count: int) -> None:
    made = event_of("roundrobin", count, 1, how="calm", groups=groups[0], advance=groups[1]).to_the_end()
    assert len(made.rounds) == made.plan.rounds_of(count)
    so_far = course(made.plan, made.rounds)
    met = [frozenset(pair) for done in so_far.held.values() for pair in done.pairs]
    assert sorted(map(sorted, met)) == sorted(
        sorted(pair) for group in so_far.groups for pair in combinations(group, 2)
    )
    rows = {row.seat: (row.score, *row.tiebreaks) for row in standings(made.plan, made.entrants, made.rounds)}
    qualified = {*so_far.cup[0].everybody} if so_far.cup else set()
    for group in so_far.groups:
        goes_on = [rows[seat] for seat in group if seat in qualified]
        stays = [rows[seat] for seat in group if seat not in qualified]
        assert not goes_on or not stays or min(goes_on) >= max(stays)
        assert len(goes_on) == min(made.plan.advancing, len(group))


@pytest.mark.parametrize("groups", range(2, 33))
def test_no_two_of_one_group_meet_in_the_first_round_of_the_cup(groups: int) -> None:
    for advancing in (1, 2, 3, 4, 8):
        order = crossed([[(group, 100 * group + place) for group in range(groups)] for place in range(advancing)])
        size = 1 << (len(order) - 1).bit_length()
        pairs = [(order[n], order[size - 1 - n]) for n in range(size // 2) if size - 1 - n < len(order)]
        assert all(one // 100 != other // 100 for one, other in pairs)
        assert [seat % 100 for seat in order] == sorted(seat % 100 for seat in order), "the winners have the best seeds"
    if groups in {2, 4, 8, 16, 32}:
        order = crossed([[(group, 100 * group + place) for group in range(groups)] for place in range(2)])
        pairs = [(order[n], order[-1 - n]) for n in range(groups)]
        assert all((one % 100, other % 100) == (0, 1) for one, other in pairs), "each winner meets a second one"


def test_the_list_of_the_host_is_dealt_by_snake_and_lots_decide_without_one() -> None:
    made = Ranked("roundrobin", 7, groups=3, advance=1)
    made.next()
    assert group_of(made.plan, made.rounds) == {1: "A", 2: "B", 3: "C", 4: "C", 5: "B", 6: "A", 7: "A"}
    assert (letter(25), letter(26), letter(31)) == ("Z", "AA", "AF")
    drawings = [draw(plan_of(format="roundrobin"), entrants_of(6), [], chance_of(n)) for n in range(20)]
    assert len({drawing.pairs for drawing in drawings if drawing}) > 10


def test_a_tie_is_a_tie_in_a_group_and_raced_again_in_the_knock_out() -> None:
    made = Ranked("roundrobin", 4, groups=1, advance=2)
    tied = Round(1, (1, 4, 2, 3), ((1, 4), (2, 3)), (), (race_of({1: 5, 4: 5, 2: 6, 3: 1}),))
    assert plays_on(made.plan, made.entrants, [tied]) == ()
    for _ in range(3):
        made.next()
    assert comparison(made.plan, made.rounds) == "pairs"
    final = Round(4, (1, 2), ((1, 2),), (), (race_of({1: 5, 2: 5}),))
    assert comparison(made.plan, [*made.rounds, final]) == "bracket"
    assert plays_on(made.plan, made.entrants, [*made.rounds, final]) == (1, 2)
    assert follows(made.plan, made.entrants, made.rounds)


def test_who_has_qualified_and_leaves_makes_room_for_the_next_one() -> None:
    made = Ranked("roundrobin", 8, groups=2)
    for _ in range(3):
        made.next()
    made.set_state(1, "withdrawn")
    drawn = made.next()
    assert drawn is not None
    groups = group_of(made.plan, made.rounds)
    assert [{groups[seat] for seat in pair} for pair in drawn.pairs] == [{"A", "B"}, {"A", "B"}]
    assert sorted(drawn.seats) == [2, 3, 4, 5]
    made.set_state(1, "in")
    made.to_the_end()
    assert [seat for _, seat, _ in made.table()[:4]] == [2, 3, 4, 5]
    assert made.table()[4] == (5, 1, 3), "first in the group, but not in the knock-out"


@pytest.mark.parametrize("groups", [1, 2, 3, 4, 7, 8, 16, 31, 32])
def test_a_full_tournament_has_no_more_rounds_than_there_may_be(groups: int) -> None:
    for advance in range(0 if groups == 1 else 1, 9):
        plan = plan_of(format="roundrobin", groups=groups, advance=advance)
        most = plan.most_entrants
        assert most is not None
        assert max(plan.rounds_of(count) for count in [*range(2, most, 29), most]) <= MOST_ROUNDS
        assert plan.rounds_of(most + groups) > MOST_ROUNDS


def test_in_other_formats_the_groups_say_nothing() -> None:
    plan = Plan().changed({"groups": 4, "advance": 0})
    assert plan.most_entrants is None
    assert not plan.has_schedule
