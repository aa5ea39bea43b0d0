"""Who will be there for the first round: registration that closes, and check-in."""

import pytest

from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves_server.core import decide, events, room_list
from fortythieves_server.core.tournament import CHECK_IN_FOR, CHECK_IN_LEAST, DRAWN_FOR
from tests.server.tables import MINUTE, NOON, SECOND, Table, begin, entered, play

#: The first round starts in two hours; check-in ends ten minutes before it.
START = NOON + 120 * MINUTE
PLAN = {"starts_at": START, "check_in": 600, "rounds": 4}
ENDS = START - 10 * MINUTE


def check_in(seat: int) -> to_server.CheckIn:
    return to_server.CheckIn(1, seat)


def at(table: Table, now: Ms) -> Table:
    """Let the time come, and what is due by then."""
    table.now = now
    table.settle()
    return table


def states(table: Table) -> dict[int, tuple[str, str, int]]:
    return {seat: (one.state, one.reason, one.since) for seat, one in table.tournament.entrants.items()}


def out(table: Table) -> set[int]:
    return {seat for seat, (state, *_) in states(table).items() if state != "in"}


def drawn(table: Table) -> set[int]:
    """Who is in the first draw, when its time comes."""
    at(table, (table.tournament.next_at or Ms(0)) - DRAWN_FOR)
    return set(table.tournament.rounds[1].everybody)


def closed(table: Table) -> object:
    return table.tournament.shown["closed"]


def may_enter(table: Table) -> bool:
    shown = table.tournament.shown["may_enter"]
    assert shown == room_list.preview(table.room)["tournament"]["may_enter"]
    return shown


# Check-in


def test_who_has_not_checked_in_at_its_end_is_not_in_the_first_draw() -> None:
    table = at(entered(4, PLAN), ENDS - MINUTE)
    for seat in (2, 3, 4):
        table.do(seat, check_in(seat))
    assert table.do(2, check_in(2)) == []
    shown = table.tournament.shown["check_in"]
    assert shown == {
        "opens": ENDS - CHECK_IN_FOR,
        "ends": ENDS,
        "over": False,
        "here": {"2": True, "3": True, "4": True},
    }
    at(table, ENDS)
    assert out(table) == {5} and states(table)[5] == ("withdrawn", "check_in", 1)
    assert table.tournament.desk[-1][1:5] == (None, "check_in_ended", None, "1")
    assert drawn(table) == {2, 3, 4}
    assert table.tournament.shown["check_in"] is None


def test_the_clock_asks_for_the_end_of_check_in() -> None:
    table = entered(3, PLAN)
    assert decide.next_due(table.room, {}) == ENDS
    at(table, ENDS)
    assert decide.next_due(table.room, {}) == START - DRAWN_FOR


def test_check_in_is_open_for_an_hour_before_its_end() -> None:
    table = at(entered(3, PLAN), ENDS - CHECK_IN_FOR - Ms(1))
    assert table.refuses(2, check_in(2)) == "no-check-in"
    table.wait(Ms(1))
    table.do(2, check_in(2))
    at(table, ENDS)
    assert table.refuses(3, check_in(3)) == "no-check-in"


def test_whoever_enters_while_check_in_is_open_is_here() -> None:
    table = at(entered(2, PLAN), ENDS - MINUTE)
    late = table.join("late")
    at(table, ENDS)
    assert out(table) == {2, 3} and states(table)[late] == ("in", "", 1)


def test_who_missed_check_in_or_comes_after_it_races_from_the_second_round_on() -> None:
    table = at(entered(5, PLAN), ENDS - MINUTE)
    for seat in (2, 3, 4):
        table.do(seat, check_in(seat))
    at(table, ENDS)
    table.do(5, to_server.Enter(1, True))
    new = table.join("new")
    assert states(table)[5] == ("in", "", 2) and states(table)[new] == ("in", "", 2)
    table.do(4, to_server.Enter(1, False))
    table.do(4, to_server.Enter(1, True))
    assert states(table)[4] == ("in", "", 1), "who has checked in and thinks better of withdrawing is not late"
    assert drawn(table) == {2, 3, 4}
    begin(table)
    play(table, 2)
    at(table, (table.tournament.next_at or Ms(0)) - DRAWN_FOR)
    assert {5, new} < set(table.tournament.rounds[2].seats)


@pytest.mark.parametrize("plan", [{"format": "knockout"}, {"late": 0}])
def test_where_nobody_may_enter_late_missing_check_in_is_final_but_for_a_host(plan: dict[str, object]) -> None:
    table = at(entered(4, {**PLAN, **plan}), ENDS - MINUTE)
    for seat in (2, 3):
        table.do(seat, check_in(seat))
    at(table, ENDS)
    assert table.refuses(4, to_server.Enter(1, True)) == "too-late" and not may_enter(table)
    table.do(1, check_in(4))
    assert drawn(table) == {2, 3, 4}


def test_a_host_checks_somebody_in_at_any_time_before_the_draw_and_takes_it_back() -> None:
    table = entered(4, PLAN)
    table.do(1, check_in(2))
    assert table.tournament.desk[-1][1:4] == (1, "checked_in", 2)
    table.do(1, to_server.Undo(1, table.tournament.undoable or Ms(0)))
    assert table.tournament.checked_in == set()
    at(table, ENDS)
    assert out(table) == {2, 3, 4, 5}
    for seat in (3, 4):
        table.do(1, check_in(seat))
    assert drawn(table) == {3, 4}
    assert table.refuses(1, check_in(5)) == "no-check-in"


def test_nobody_checks_in_somebody_else_nor_somebody_who_is_out() -> None:
    table = at(entered(4, PLAN), ENDS - MINUTE)
    assert table.refuses(2, check_in(3)) == "not-host"
    assert table.refuses(1, check_in(9)) == "unknown-seat"
    table.do(4, to_server.Enter(1, False))
    assert table.refuses(4, check_in(4)) == "no-check-in"
    table.do(1, to_server.Judge(1, 5, True, "Two browsers."))
    assert table.refuses(1, check_in(5)) == "no-check-in"
    assert entered(4).refuses(1, check_in(2)) == "no-check-in", "there is none"


def test_a_round_that_a_host_starts_earlier_ends_check_in_which_nobody_misses_who_could_not_know() -> None:
    table = entered(3, PLAN)
    table.do(1, to_server.Round(1, "start"))
    table.settle()
    assert set(table.tournament.rounds[1].seats) == {2, 3, 4}
    table = at(entered(3, PLAN), ENDS - MINUTE)
    for seat in (2, 4):
        table.do(seat, check_in(seat))
    table.do(1, to_server.Round(1, "start"))
    table.settle()
    assert set(table.tournament.rounds[1].seats) == {2, 4} and out(table) == {3}


def test_a_round_is_not_started_by_hand_for_which_too_few_have_checked_in() -> None:
    table = at(entered(4, PLAN), ENDS - MINUTE)
    table.do(2, check_in(2))
    assert table.refuses(1, to_server.Round(1, "start")) == "too-few"
    assert out(table) == set()
    table.do(1, check_in(3))
    table.do(1, to_server.Round(1, "start"))
    table.settle()
    assert set(table.tournament.rounds[1].seats) == {2, 3}


def test_a_start_by_hand_has_no_check_in() -> None:
    table = entered(3, {"check_in": 600})
    assert table.tournament.shown["check_in"] == {"opens": None, "ends": None, "over": False, "here": {}}
    table.do(1, to_server.Round(1, "start"))
    table.settle()
    assert set(table.tournament.rounds[1].seats) == {2, 3, 4}


def test_a_start_that_is_moved_close_leaves_time_to_check_in() -> None:
    table = entered(3, PLAN)
    table.do(1, to_server.Timer(1, table.now + 5 * MINUTE))
    assert table.tournament.check_in_times == (NOON + CHECK_IN_LEAST - CHECK_IN_FOR, NOON + CHECK_IN_LEAST)
    table.do(1, to_server.Timer(1, table.now + MINUTE))
    ends = NOON + MINUTE - DRAWN_FOR
    assert table.tournament.check_in_times == (ends - CHECK_IN_FOR, ends)


def test_a_start_that_is_put_off_opens_check_in_again() -> None:
    table = at(entered(3, PLAN), ENDS)
    assert out(table) == {2, 3, 4}
    table.do(1, to_server.Timer(1, START + 30 * MINUTE))
    for seat in (2, 3):
        table.do(seat, to_server.Enter(1, True))
    at(table, ENDS + 30 * MINUTE)
    assert out(table) == {4} and drawn(table) == {2, 3}


def test_if_too_few_have_checked_in_the_event_waits_and_whoever_comes_is_in_the_first_round() -> None:
    table = at(entered(3, PLAN), ENDS - MINUTE)
    table.do(2, check_in(2))
    at(table, START)
    assert not table.tournament.rounds and table.tournament.next_at is None
    new = table.join("new")
    table.do(1, to_server.Round(1, "start"))
    table.settle()
    assert set(table.tournament.rounds[1].seats) == {2, new}


def test_a_round_that_is_held_back_holds_check_in_open() -> None:
    table = at(entered(3, PLAN), ENDS - MINUTE)
    table.do(1, to_server.Round(1, "pause"))
    at(table, ENDS)
    assert out(table) == set()
    table.do(1, to_server.Round(1, "resume"))
    table.settle()
    assert out(table) == {2, 3, 4}


# Registration


def test_registration_closes_at_its_time_and_nobody_new_enters_from_then_on() -> None:
    table = entered(3, {"starts_at": START, "entry_closes": 1800})
    assert table.tournament.shown["closes_at"] == START - 30 * MINUTE == decide.next_due(table.room, {})
    table.do(3, to_server.Enter(1, False))
    at(table, START - 30 * MINUTE)
    assert closed(table) == "closed" and not may_enter(table) and table.tournament.closes_at is None
    assert table.tournament.desk[-1][1:4] == (None, "entry_closed", None)
    stranger = table.join("stranger")
    assert stranger not in table.tournament.entrants
    assert table.refuses(stranger, to_server.Enter(1, True)) == "entry-closed"
    assert table.do(3, to_server.Enter(1, True)), "who has entered before may come back"
    drawn(table)
    begin(table)
    assert table.refuses(stranger, to_server.Enter(1, True)) == "entry-closed", "nor late"


def test_a_host_opens_registration_again_and_it_stays_open() -> None:
    table = at(entered(3, {"starts_at": START, "entry_closes": 1800}), START - 30 * MINUTE)
    stranger = table.join("stranger")
    table.do(1, to_server.Registration(1, True))
    assert table.do(1, to_server.Registration(1, True)) == [] and closed(table) is None
    at(table, START - 10 * MINUTE)
    table.do(stranger, to_server.Enter(1, True))
    assert stranger in drawn(table)


def test_a_host_closes_registration_by_hand_and_takes_it_back() -> None:
    table = entered(3)
    assert table.refuses(2, to_server.Registration(1, False)) == "not-host"
    table.do(1, to_server.Registration(1, False))
    assert table.do(1, to_server.Registration(1, False)) == [] and not may_enter(table)
    table.do(1, to_server.Undo(1, table.tournament.undoable or Ms(0)))
    assert may_enter(table) and table.tournament.desk[-2].undone


def test_a_full_tournament_admits_nobody_until_somebody_withdraws_or_a_host_says_so() -> None:
    table = entered(3, {"most": 3})
    assert (closed(table), may_enter(table)) == ("full", False)
    fourth = table.join("fourth")
    assert fourth not in table.tournament.entrants
    assert table.refuses(fourth, to_server.Enter(1, True)) == "entry-full"
    table.do(2, to_server.Enter(1, False))
    table.do(fourth, to_server.Enter(1, True))
    assert table.refuses(2, to_server.Enter(1, True)) == "entry-full", "the place is taken"
    table.do(1, to_server.Registration(1, True))
    table.do(2, to_server.Enter(1, True))
    assert out(table) == set()


def test_in_a_full_tournament_that_has_begun_entrants_still_come_back() -> None:
    table = entered(3, {"most": 3})
    table.do(1, to_server.Round(1, "start"))
    table.settle()
    table.do(2, to_server.Enter(1, False))
    table.do(1, to_server.ChangePlan(1, {"most": 2}))
    assert closed(table) == "full"
    assert table.do(2, to_server.Enter(1, True)) == [events.Entered(2)]


def test_the_door_says_until_when_one_may_enter_and_check_in() -> None:
    table = entered(3, {**PLAN, "entry_closes": 1800, "most": 40})
    said = room_list.preview(table.room)["tournament"]
    assert (said["closes_at"], said["most"], said["closed"]) == (START - 30 * MINUTE, 40, None)
    assert said["check_in"] == {"opens": ENDS - CHECK_IN_FOR, "ends": ENDS}
    assert room_list.preview(entered(3).room)["tournament"]["check_in"] is None


def test_a_closed_tournament_is_not_listed_as_open() -> None:
    table = entered(3, {"starts_at": START}, public=True)
    assert room_list.summary(table.room)["open"]
    table.do(1, to_server.Registration(1, False))
    assert not room_list.summary(table.room)["open"]


def test_after_the_end_registration_is_nothing_to_open() -> None:
    table = entered(3, {"rounds": 1})
    table.do(1, to_server.Round(1, "start"))
    table.settle()
    begin(table)
    table.wait(SECOND)
    play(table, 2)
    table.settle()
    assert table.tournament.over
    assert table.refuses(1, to_server.Registration(1, True)) == "ended"
