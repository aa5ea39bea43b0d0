"""Double elimination: two brackets, and entrants who leave. test_standings.py plays whole ones."""

import pytest
from msgspec.structs import replace

from fortythieves.tournament.double import misdrawn
from fortythieves.tournament.draw import draw
from fortythieves.tournament.plan import MOST_ROUNDS
from fortythieves.tournament.rounds import Correction, Round
from tests.shared.tournament.play import Ranked, chance_of, race_of


@pytest.mark.parametrize("count", [*range(2, 18), 31, 32, 33, 64, 129])
def test_the_number_of_rounds_follows_from_the_number_of_entrants(count: int) -> None:
    cup = Ranked("double", count)
    while cup.next(best=2 if len(cup.rounds) == 2 * (count - 1).bit_length() - 1 else 0):
        pass
    assert len(cup.rounds) == cup.plan.rounds_of(count) <= MOST_ROUNDS, "2 comes from the losers' bracket"
    assert cup.table()[0][1] == 1
    assert replace(cup.plan, second_final=False).rounds_of(count) == len(cup.rounds) - 1
    assert cup.plan.rounds_of(1000) <= MOST_ROUNDS


def test_two_entrants_race_up_to_three_times() -> None:
    cup = Ranked("double", 2)
    assert cup.next() and cup.next(best=2) and cup.next() and not cup.next()
    assert [done.lost for done in cup.rounds] == [(), (2,), (1, 2)]
    assert cup.table() == [(1, 1, 2), (2, 2, 1)]


def test_a_disqualification_does_not_change_what_is_drawn() -> None:
    cup = Ranked("double", 8)
    assert cup.next() and cup.next()
    drawn = draw(cup.plan, cup.entrants, cup.rounds, chance_of(2))
    cup.entrants[1] = replace(cup.entrants[1], state="disqualified")
    done = drawn and Round(3, drawn.seats, drawn.pairs, drawn.byes, lost=drawn.lost)
    assert done and misdrawn(cup.plan, [*cup.rounds, done]) is None
    cup.rounds.append(done.with_races([race_of({seat: 99 - seat for seat in done.seats})]))
    assert done.pairs == ((3, 5), (4, 6)) and done.lost == (3, 4, 5, 6), "4 has lost against 1"
    assert cup.next() and cup.rounds[3].pairs == ((3, 4),) and cup.rounds[3].byes == (2,)


def test_a_result_that_a_host_corrects_decides_who_drops() -> None:
    cup = Ranked("double", 4)
    assert cup.next()
    cup.rounds[0] = replace(cup.rounds[0], corrections=(Correction(1, 0), Correction(4, 1)))
    assert cup.next() and cup.rounds[1].pairs == ((2, 4), (1, 3)) and cup.rounds[1].lost == (1, 3)


def test_a_second_final_that_nobody_asked_for_is_found() -> None:
    cup = Ranked("double", 4).to_the_end()
    again = replace(cup.rounds[-1], number=5, lost=(1, 2))
    assert misdrawn(cup.plan, [*cup.rounds, again]) is None, "the draw alone says that 2 won the first one"
    assert misdrawn(replace(cup.plan, second_final=False), [*cup.rounds, again]) == 5
    assert misdrawn(cup.plan, [*cup.rounds, replace(again, lost=(2,))]) == 5
