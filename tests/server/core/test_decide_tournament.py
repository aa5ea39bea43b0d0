"""Tournaments in a room: the clock, the entrants, and the hosts' desk."""

import msgspec
import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_tournament, events, evolve
from fortythieves_server.core.decide_tournament import BACK_WITHIN
from fortythieves_server.core.tournament import DRAWN_FOR
from fortythieves_server.core.view_types import Phase, Tournament
from tests.server.tables import (
    CODE,
    MINUTE,
    NOON,
    SECOND,
    Table,
    begin,
    drawn,
    entered,
    in_round,
    play,
)


def do(table: Table, what: str, seat: int = 1, reason: str = "") -> list[events.Event]:
    return table.do(seat, to_server.Round(1, what, reason))  # type: ignore[arg-type]  # the words are checked on the wire


def refuses(table: Table, what: str, seat: int = 1) -> str:
    return table.refuses(seat, to_server.Round(1, what))  # type: ignore[arg-type]


def states(table: Table) -> dict[int, str]:
    return {seat: entrant.state for seat, entrant in table.tournament.entrants.items()}


def shown(table: Table) -> Tournament:
    """What everybody sees of the tournament now."""
    return table.tournament.shown


def phase(table: Table) -> Phase:
    return table.tournament.phase


def draw_next(table: Table) -> None:
    """Let the time of the next draw come."""
    table.now = (table.tournament.next_at or Ms(0)) - DRAWN_FOR
    table.settle()


def next_round(table: Table) -> None:
    """Let the time of the next round come, and its race start."""
    draw_next(table)
    begin(table)


def whole_rounds(table: Table, rounds: int, *best: int) -> None:
    """So many rounds, each won by the same."""
    for _ in range(rounds):
        if table.tournament.drawn is None:
            next_round(table)
        else:
            begin(table)
        play(table, *best)


# The clock


def test_a_round_is_drawn_fifteen_seconds_before_its_cards_come() -> None:
    table = entered(plan={"starts_at": NOON + MINUTE})
    table.now = NOON + MINUTE - DRAWN_FOR - Ms(1)
    assert table.settle() == []
    table.wait(Ms(1))
    assert [type(event) for event in table.settle()] == [events.Drawn]
    begin(table)
    assert table.race.starts_at == NOON + MINUTE
    assert set(table.race.racers) == {2, 3, 4, 5}


def test_rounds_follow_each_other_by_the_timer() -> None:
    table = in_round(plan={"rounds": 3, "pause": 120})
    play(table, 2, 3)
    assert phase(table) == "pause"
    assert table.tournament.next_at == (table.race.over_at or Ms(0)) + 120 * SECOND
    whole_rounds(table, 2, 2, 3)
    assert phase(table) == "over"
    assert [row.seat for row in table.tournament.standings][:2] == [2, 3]


def test_without_the_timer_each_round_waits_for_a_host() -> None:
    table = in_round(plan={"rounds": 2, "by_timer": False})
    play(table, 2)
    table.wait(60 * MINUTE)
    assert table.settle() == []
    do(table, "start")
    table.settle()
    assert phase(table) == "drawn"


def test_a_round_that_is_late_because_no_server_was_there_still_gives_everybody_time() -> None:
    table = entered(plan={"starts_at": NOON + MINUTE})
    table.now = NOON + 10 * MINUTE
    table.settle()
    assert table.tournament.next_at == table.now + DRAWN_FOR


def test_with_fewer_than_two_entrants_the_start_waits_for_a_host() -> None:
    table = entered(1, plan={"starts_at": NOON + MINUTE})
    table.now = NOON + MINUTE
    table.settle()
    assert (phase(table), table.tournament.next_at) == ("entry", None)
    assert refuses(table, "start") == "too-few"


def test_who_has_not_come_some_seconds_after_the_start_is_withdrawn_until_he_does() -> None:
    table = drawn(plan={"no_show": 30})
    table.hang_up(3)
    begin(table)
    table.moves(2)
    assert table.settle() == []
    table.wait(30 * SECOND)
    assert events.Withdrawn(3, "no_show") in table.settle()
    assert table.racer(3).state == "did_not_start"
    assert table.racer(4).racing, "who is here and thinks is not withdrawn"
    table.join("guest 2")
    table.do(3, to_server.Enter(1, True))
    assert states(table)[3] == "in"


def test_who_is_away_and_has_made_moves_is_no_no_show() -> None:
    table = in_round(plan={"no_show": 30})
    for seat in (2, 3, 4, 5):
        table.moves(seat)
    table.hang_up(3)
    table.wait(30 * SECOND)
    assert table.settle() == []


def test_whoever_loads_the_page_again_when_no_shows_are_looked_for_is_not_one() -> None:
    table = in_round(plan={"no_show": 30})
    for seat in (2, 4, 5):
        table.moves(seat)
    table.wait(29 * SECOND)
    table.hang_up(3)
    table.wait(SECOND)
    assert table.settle() == []
    table.join("guest 2")
    table.wait(BACK_WITHIN)
    assert table.settle() == []
    assert table.racer(3).racing


def test_whoever_leaves_the_page_for_good_before_the_first_move_is_a_no_show_a_little_later() -> None:
    table = in_round(plan={"no_show": 30})
    for seat in (2, 4, 5):
        table.moves(seat)
    table.wait(29 * SECOND)
    table.hang_up(3)
    left_at = table.now
    table.wait(BACK_WITHIN - Ms(1))
    assert table.settle() == []
    assert decide_tournament.next_due(table.room, table.progress) == left_at + BACK_WITHIN
    table.wait(Ms(1))
    assert events.Withdrawn(3, "no_show") in table.settle()


def test_when_nobody_comes_the_tournament_ends() -> None:
    table = drawn(plan={"no_show": 30})
    for seat in (2, 3, 4, 5):
        table.hang_up(seat)
    begin(table)
    table.wait(30 * SECOND)
    table.settle()
    assert table.tournament.over
    assert set(states(table).values()) == {"withdrawn"}


def test_when_all_leave_between_the_draw_and_the_countdown_the_round_counts_for_nothing() -> None:
    table = drawn()
    for seat in (2, 3, 4, 5):
        table.do(seat, to_server.Leave(1))
    table.now = table.tournament.next_at or Ms(0)
    table.settle()
    assert table.tournament.over and table.tournament.rounds[1].skipped
    assert not table.race.on


def test_a_knock_out_goes_on_until_a_pair_is_not_equal() -> None:
    table = in_round(2, plan={"format": "knockout"})
    table.moves(2)
    table.moves(3)
    table.run_out()
    assert phase(table) == "pause"
    next_round(table)
    assert table.race.number == 2 and set(table.race.racers) == {2, 3}
    play(table, 3)
    assert table.tournament.over
    assert [(row.place, row.seat) for row in table.tournament.standings] == [(1, 3), (2, 2)]
    assert table.tournament.races == {1: (1, 2)}


def test_a_knock_out_of_five_is_played_to_its_end() -> None:
    table = in_round(5, plan={"format": "knockout"})
    while not table.tournament.over:
        play(table, *sorted(table.race.racers))
        if not table.tournament.over:
            next_round(table)
    assert table.tournament.standings[0].place == 1
    assert len(table.tournament.rounds) == 3


def absent(table: Table, *seats: int) -> None:
    """Begin the round that is drawn without these, and let all others race to its end, the lower seat better."""
    for seat in seats:
        table.hang_up(seat)
    begin(table)
    for seat in sorted({*table.race.racers} - {*seats}):
        table.moves(seat, to=10, home=20 - seat)
    table.run_out()


def podium(table: Table) -> list[tuple[int | None, int]]:
    return [(row.place, row.seat) for row in table.tournament.standings]


def test_a_semi_final_to_which_nobody_comes_has_no_winner_and_the_other_one_decides_the_cup() -> None:
    table = drawn(4, plan={"format": "knockout"})
    gone, (best, other) = table.tournament.rounds[1].pairs[0], sorted(table.tournament.rounds[1].pairs[1])
    absent(table, *gone)
    assert table.tournament.over, "nobody is left to race against"
    assert podium(table) == [(1, best), (2, other), *((3, seat) for seat in sorted(gone))]
    assert {states(table)[seat] for seat in gone} == {"withdrawn"}
    results = shown(table)["rounds"]["1"]["results"]
    assert [results[str(seat)][0] for seat in gone] == [2, 2], "both have lost"


def test_who_comes_back_after_a_pair_to_which_nobody_came_is_out_all_the_same() -> None:
    table = drawn(8, plan={"format": "knockout"})
    gone = table.tournament.rounds[1].pairs[0]
    absent(table, *gone)
    for seat in gone:
        table.join(f"guest {seat - 1}")
        table.do(seat, to_server.Enter(1, True))
    next_round(table)
    assert not {*gone} & {*table.race.racers}
    assert len(table.tournament.rounds[2].byes) == 1, "the next opponent of nobody goes on without a race"


def test_a_final_to_which_nobody_comes_is_lost_by_both() -> None:
    table = drawn(4, plan={"format": "knockout"})
    absent(table)
    draw_next(table)
    final, third = table.tournament.rounds[2].pairs
    absent(table, *final)
    assert table.tournament.over
    assert podium(table) == [*((2, seat) for seat in sorted(final)), (4, min(third)), (5, max(third))]


def test_a_knock_out_to_which_nobody_comes_is_over_and_has_no_winner() -> None:
    table = drawn(4, plan={"format": "knockout"})
    absent(table, 2, 3, 4, 5)
    assert table.tournament.over
    assert podium(table) == [(2, 2), (2, 3), (2, 4), (2, 5)]


def test_when_both_finalists_leave_before_the_final_nobody_wins() -> None:
    table = drawn(4, plan={"format": "knockout", "third_place": False})
    absent(table)
    draw_next(table)
    (final,) = table.tournament.rounds[2].pairs
    for seat in final:
        table.do(seat, to_server.Leave(1))
    table.now = table.tournament.next_at or Ms(0)
    table.settle()
    assert table.tournament.over
    assert [place for place, _ in podium(table)] == [2, 3, 4, 5], "they are told apart by their semi-finals"
    assert {seat for _, seat in podium(table)[:2]} == {*final}


def test_a_double_elimination_is_held_to_its_second_final_and_says_who_has_lost() -> None:
    table = in_round(4, plan={"format": "double"})
    assert shown(table)["rounds_planned"] == 5
    pairs = table.tournament.rounds[1].pairs
    while not table.tournament.over:
        # Whoever has lost wins in the final, and nobody else is better for a loss.
        last = table.tournament.rounds[len(table.tournament.rounds)]
        is_final = len(last.lost) == 1
        play(table, *sorted(table.race.racers, key=lambda seat: (seat not in last.lost if is_final else 0, seat)))
        if not table.tournament.over:
            next_round(table)
    assert [len(done.lost) for done in table.tournament.rounds.values()] == [0, 2, 2, 1, 2]
    assert shown(table)["rounds"]["2"]["lost"] == sorted(
        (max(pair) for pair in pairs), key=[*table.tournament.rounds[1].seats].index
    )
    assert "lost" not in shown(table)["rounds"]["1"]
    assert [place for place, _ in podium(table)] == [1, 2, 3, 4]


def test_the_second_final_is_settled_by_the_first_draw_and_no_round_is_skipped() -> None:
    table = in_round(4, plan={"format": "double"})
    for request, detail in (
        (to_server.ChangePlan(1, {"second_final": False}), "second-final-fixed"),
        (to_server.Round(1, "skip"), "knockout-skip"),
    ):
        with pytest.raises(Refused) as refused:
            table.do(1, request)
        assert refused.value.details["detail"] == detail


def test_who_goes_after_the_end_changes_nothing_of_it() -> None:
    table = in_round(2, plan={"format": "knockout"})
    play(table, 3)
    before = table.tournament.standings
    assert table.refuses(3, to_server.Enter(1, False)) == "ended"
    assert table.refuses(1, to_server.Withdraw(1, 3)) == "ended"
    table.do(3, to_server.Leave(1))
    assert table.tournament.standings == before and states(table)[3] == "in"


def test_in_a_knock_out_those_who_are_drawn_first_say_how_many_rounds_there_will_be() -> None:
    table = entered(5, plan={"format": "knockout"})
    table.do(6, to_server.Leave(1))
    assert shown(table)["rounds_planned"] == 2
    do(table, "start")
    table.settle()
    table.join("late")
    assert shown(table)["rounds_planned"] == 2


# Entrants


def test_the_host_plays_along_only_if_he_wants_to() -> None:
    table = entered(2)
    assert set(table.tournament.entrants) == {2, 3}
    table.do(1, to_server.Enter(1, True))
    assert set(table.tournament.entrants) == {1, 2, 3}


def test_one_may_enter_late_up_to_the_round_that_the_plan_says() -> None:
    table = in_round(plan={"rounds": 4, "late": 2})
    late = table.join("late")
    assert table.tournament.entrants[late].since == 2
    assert late not in table.race.racers
    play(table, 2)
    between = table.join("between")
    next_round(table)
    last = table.join("during the last")
    assert [table.tournament.entrants[seat].since for seat in (between, last)] == [2, 3]
    assert shown(table)["may_enter"]
    play(table, 2)
    assert not shown(table)["may_enter"]
    later = table.join("later")
    assert later not in table.tournament.entrants
    assert table.refuses(later, to_server.Enter(1, True)) == "too-late"


def test_who_left_gets_the_same_seat_when_he_comes_back() -> None:
    table = in_round()
    table.do(3, to_server.Leave(1))
    assert states(table)[3] == "withdrawn" and 3 not in table.room.people
    assert table.join("guest 2") == 3
    table.do(3, to_server.Enter(1, True))
    assert states(table)[3] == "in"


def test_nobody_loses_the_seat_by_being_away_for_long() -> None:
    table = entered(plan={"starts_at": NOON + 60 * MINUTE})
    table.hang_up(3)
    table.wait(30 * MINUTE)
    table.settle()
    assert 3 in table.room.people


def test_a_round_that_is_to_be_played_again_has_not_ended_for_late_entry() -> None:
    table = in_round(plan={"rounds": 4, "late": 1})
    play(table, 2)
    assert not shown(table)["may_enter"]
    do(table, "replay")
    assert shown(table)["may_enter"]


def test_a_list_lets_in_who_is_on_it_once() -> None:
    table = Table({"entry": "list", "listed": ["Dora", "Émile"]}, seats=20)
    table.join("host")
    assert table.join("x", name="dora") == 2
    with pytest.raises(Refused, match="already entered"):
        table.join("y", name="Dora")
    with pytest.raises(Refused, match="not on it"):
        table.join("z", name="Zoe")
    assert table.join("e", name="émile") == 3


def test_two_of_the_same_name_can_be_told_apart() -> None:
    table = entered(2)
    table.do(3, to_server.Leave(1))
    seat = table.join("somebody else", name="Guest 2")
    assert table.person(seat).name == "Guest 2 2"


def test_entrants_cannot_start_rounds_or_rematches() -> None:
    table = entered()
    assert refuses(table, "start", seat=2) == "not-host"
    assert table.refuses(1, to_server.Start(1)) == "tournament"
    assert table.refuses(2, to_server.Rematch(1, "")) == "tournament"


# The desk


def test_a_host_pauses_and_goes_on() -> None:
    table = in_round(plan={"pause": 60})
    play(table, 2)
    do(table, "pause")
    table.wait(60 * MINUTE)
    assert table.settle() == []
    do(table, "resume")
    table.settle()
    assert phase(table) == "drawn"
    assert table.tournament.next_at == table.now + DRAWN_FOR


def test_a_host_sets_the_time_of_the_next_round() -> None:
    table = in_round()
    play(table, 2)
    for at in (table.now + 60 * MINUTE, None):
        table.do(1, to_server.Timer(1, at))
        assert table.tournament.next_at == at
    assert table.refuses(1, to_server.Timer(1, table.now)) == "bad-plan"


def test_a_round_that_is_drawn_can_be_started_at_once() -> None:
    table = drawn()
    table.wait(1 * SECOND)
    do(table, "start")
    assert [type(event) for event in table.settle()] == [events.Counted, events.Frozen]


def test_a_round_that_is_played_once_more_counts_only_then() -> None:
    table = in_round(plan={"rounds": 2})
    play(table, 2)
    before = table.tournament.standings
    do(table, "replay", reason="The network was down.")
    next_round(table)
    assert table.race.number == 2 and set(table.race.racers) == {2, 3, 4, 5}
    play(table, 3)
    assert table.tournament.races == {1: (2,)}
    assert before[0].seat == 2 and table.tournament.standings[0].seat == 3
    assert "The network was down." in [deed.reason for deed in table.tournament.desk]


def test_a_round_that_runs_is_stopped_when_it_is_to_be_played_once_more() -> None:
    table = in_round()
    table.wait(10 * SECOND)
    do(table, "replay", reason="A false start.")
    assert not table.race.on and phase(table) == "pause"
    assert table.tournament.races == {1: ()}


def test_a_round_that_is_skipped_counts_for_nothing() -> None:
    table = in_round(plan={"rounds": 2})
    play(table, 2)
    do(table, "skip")
    assert all(row.score == 0 for row in table.tournament.standings)
    table.settle()
    whole_rounds(table, 1, 3)
    assert table.tournament.over
    assert table.tournament.standings[0].seat == 3


def test_rounds_count_provisionally_until_they_are_confirmed() -> None:
    table = in_round()
    assert refuses(table, "confirm") == "no-round"
    play(table, 2)
    assert shown(table)["rounds"]["1"]["state"] == "played"
    do(table, "confirm")
    assert shown(table)["rounds"]["1"]["state"] == "confirmed"


def confirm(number: int | None) -> to_server.Round:
    return to_server.Round(1, "confirm", "", number)


def test_a_host_confirms_one_round_at_a_time_also_after_the_next_draw_and_after_a_skip() -> None:
    table = in_round(plan={"rounds": 4})
    play(table, 2)
    whole_rounds(table, 1, 2)
    table.do(1, confirm(2))
    assert [table.tournament.rounds[n].confirmed for n in (1, 2)] == [False, True]
    next_round(table)
    for number in (0, 3, 9):
        assert table.refuses(1, confirm(number)) == "no-round"
    do(table, "skip")
    assert table.refuses(1, confirm(3)) == "no-round"
    assert table.do(1, confirm(1)) == [events.Confirmed(1, 1)]
    assert table.do(1, confirm(1)) == []


def test_a_client_that_names_no_round_confirms_the_last_one_that_is_decided() -> None:
    table = in_round(plan={"rounds": 4})
    play(table, 2)
    whole_rounds(table, 1, 2)
    next_round(table)
    assert table.do(1, confirm(None)) == [events.Confirmed(2, 1)]


def test_a_disqualification_has_a_reason_and_can_be_taken_back_even_after_the_end() -> None:
    table = in_round(plan={"rounds": 1})
    play(table, 2, 3)
    assert table.tournament.over
    assert table.refuses(1, to_server.Judge(1, 2, True, "  ")) == "no-reason"
    table.do(1, to_server.Judge(1, 2, True, "Two browsers."))
    rows = table.tournament.standings
    assert [(row.place, row.seat) for row in rows][:1] == [(1, 3)]
    assert [(row.place, row.seat) for row in rows][-1:] == [(None, 2)]
    table.do(1, to_server.Judge(1, 2, False, "It was her sister."))
    assert table.tournament.standings[0].seat == 2


@pytest.mark.parametrize("form", ["knockout", "double", "roundrobin"])
def test_who_was_disqualified_before_the_bracket_was_made_has_no_place_in_it(form: str) -> None:
    table = entered(5, plan={"format": form})
    for seat in (4, 5):
        table.do(1, to_server.Judge(1, seat, True, "Two accounts."))
    table.do(1, to_server.Judge(1, 5, False, "It was a mistake."))
    do(table, "start")
    table.settle()
    assert table.tournament.was_drawn(5), "what is taken back before the draw is as if it had not been"
    assert table.refuses(1, to_server.Judge(1, 4, False, "It was a mistake.")) == "too-late"
    assert table.tournament.entrants[4].state == "disqualified", "nobody is in whom no round would ever draw"
    table.do(1, to_server.Judge(1, 3, True, "Two accounts."))
    table.do(1, to_server.Judge(1, 3, False, "It was a mistake."))
    assert table.tournament.entrants[3].state == "in", "whoever has a place in the bracket gets it back"


@pytest.mark.parametrize("form", ["points", "swiss"])
def test_where_each_round_is_drawn_anew_who_is_reinstated_is_in_the_next_one(form: str) -> None:
    table = entered(5, plan={"format": form, "rounds": 3})
    table.do(1, to_server.Judge(1, 4, True, "Two accounts."))
    do(table, "start")
    table.settle()
    table.do(1, to_server.Judge(1, 4, False, "It was a mistake."))
    begin(table)
    play(table, 2)
    next_round(table)
    assert table.tournament.was_drawn(4)


def test_who_is_disqualified_while_racing_is_out_of_the_race() -> None:
    table = in_round()
    table.do(1, to_server.Judge(1, 3, True, "Two browsers."))
    assert table.racer(3).state == "disqualified"
    assert table.refuses(3, to_server.Enter(1, True)) == "disqualified"


def test_the_names_of_a_plan_are_clean() -> None:
    table = entered()
    changes = {"name": "  Club\u202e night\u200b ", "listed": ["Bo\u200bb", "Ann"]}
    table.do(1, to_server.ChangePlan(1, changes))
    assert (table.tournament.plan.name, table.tournament.plan.listed) == ("Club night", ("Bob", "Ann"))
    twice = {"listed": ["Bo\u200bb", "Bob"]}
    assert table.refuses(1, to_server.ChangePlan(2, twice)) == "bad-plan"
    assert table.refuses(1, to_server.ChangePlan(2, {"listed": ["\u200b"]})) == "bad-plan"
    assert table.refuses(1, to_server.ChangePlan(2, {"about": "W" * 2001})) == "bad-about"
    assert table.refuses(1, to_server.ChangePlan(2, {"about": 7})) == "bad-plan"
    table.do(1, to_server.ChangePlan(2, {"about": "First prize:\u202e a cup.\r\n\n\u200b\n  Bring\tpens.\n\n"}))
    assert table.tournament.plan.about == "First prize: a cup.\n\nBring pens."
    table.do(1, to_server.ChangePlan(2, {"apart": [["Bo\u200bb", " Ann "], ["Cem", "Dan"]]}))
    assert table.tournament.plan.apart == (("Bob", "Ann"), ("Cem", "Dan"))
    assert msgspec.to_builtins(shown(table)["plan"])["apart"] == 2, "the names are nobody's business"
    table.do(1, to_server.ChangePlan(2, {"name": "\u200b"}))
    assert table.tournament.plan.name == ""


def test_a_reason_of_nothing_that_is_seen_is_none() -> None:
    table = entered()
    assert table.refuses(1, to_server.Judge(1, 2, True, " \u200b\u202e")) == "no-reason"


def test_a_plan_can_be_changed_within_what_has_happened() -> None:
    table = in_round(plan={"rounds": 3, "format": "points"})
    table.do(1, to_server.ChangePlan(1, {"rounds": 5, "pause": 90}))
    assert (table.tournament.plan.rounds, table.tournament.plan.pause) == (5, 90)
    table.do(1, to_server.ChangePlan(1, {"tiebreaks": ["wins", "solved", "home"]}))  # those that decide anyway
    for changes in (
        {"format": "swiss"},
        {"tiebreaks": ["home", "wins"]},
        {"rules": 1},
        {"rounds": 0},
        {"starts_at": NOON - Ms(1)},
        {"blind": True},
        {"deadly": True},
        {"entry": "password"},
    ):
        assert table.refuses(1, to_server.ChangePlan(1, changes)) == "bad-plan", changes


def test_points_are_agreed_before_the_first_draw() -> None:
    table = entered(plan={"rounds": 1})
    table.do(1, to_server.ChangePlan(1, {"points": [3, 2, 1]}))
    do(table, "start")
    table.settle()
    change = to_server.ChangePlan(1, {"points": [9, 2, 1]})
    for _ in range(2):  # in the round, and after the end
        with pytest.raises(Refused) as refused:
            table.do(1, change)
        assert refused.value.parameters["detail"] == "points-fixed"
        begin(table)
        play(table, 2)
    assert table.tournament.standings[0].score == 3


def test_a_name_that_is_too_long_for_the_list_is_named() -> None:
    table = entered()
    long = "Wolfeschlegelsteinhausenbergerdorff"
    with pytest.raises(Refused, match=f"{long} cannot be a name"):
        table.do(1, to_server.ChangePlan(1, {"listed": ["Ann", long]}))
    with pytest.raises(Refused, match=f"{'W' * 48} cannot be a name"):
        table.do(1, to_server.ChangePlan(1, {"listed": ["Ann", "W" * 1_000]}))


def test_nothing_starts_more_than_a_year_ahead() -> None:
    in_2199 = Ms(7_226_582_400_000)
    table = entered()
    for request in (to_server.ChangePlan(1, {"starts_at": in_2199}), to_server.Timer(1, in_2199)):
        with pytest.raises(Refused) as refused:
            table.do(1, request)
        assert refused.value.parameters == {"detail": "start-far", "days": 366}
    with pytest.raises(Refused):
        decide_tournament.check_start(in_2199, NOON)


def test_a_password_can_be_set_later_and_stays_until_there_is_another() -> None:
    table = entered()

    def plan(changes: dict[str, object], hashed: str = "") -> list[events.Event]:
        request = to_server.ChangePlan(1, changes)
        return table.ask(lambda room, context: decide.decide(room, 1, request, context._replace(password=hashed)))

    assert table.refuses(1, to_server.ChangePlan(1, {"entry": "password"})) == "bad-plan"
    plan({"entry": "password"}, "salt:one")
    assert (table.tournament.plan.entry, table.tournament.password) == ("password", "salt:one")
    plan({"entry": "open"})
    plan({"entry": "password"})
    assert table.tournament.password == "salt:one"
    assert [type(event) for event in plan({}, "salt:two")] == [events.Planned]
    assert table.tournament.password == "salt:two"
    assert plan({}) == []
    assert "salt" not in str(table.tournament.shown)
    assert {entrant.state for entrant in table.tournament.entrants.values()} == {"in"}


def test_a_change_of_the_plan_does_not_store_the_names_of_the_entry_list_again() -> None:
    names = [f"{'W' * 20}{n:04}" for n in range(1000)]
    table = entered(plan={"listed": names, "apart": [["Ann", "Bob"]]})
    (changed,) = table.do(1, to_server.ChangePlan(1, {"pause": 90}))
    assert len(msgspec.json.encode(changed)) < 2_000
    assert table.tournament.plan == table.tournament.plan.changed({"listed": names, "pause": 90})
    assert table.tournament.plan.apart == (("Ann", "Bob"),)
    table.do(1, to_server.ChangePlan(2, {"listed": ["Ann"]}))
    assert (table.tournament.plan.listed, table.tournament.plan.apart) == (("Ann",), (("Ann", "Bob"),))


def test_a_change_of_one_list_of_names_stores_no_other_list_again() -> None:
    names = [f"{'W' * 20}{n:04}" for n in range(1000)]
    table = entered(plan={"listed": names})
    (changed,) = table.do(1, to_server.ChangePlan(1, {"apart": [["Ann", "Bob"]]}))
    assert len(msgspec.json.encode(changed)) < 2_000
    assert (table.tournament.plan.listed, table.tournament.plan.apart) == (tuple(names), (("Ann", "Bob"),))


def test_an_older_log_that_says_only_whether_all_names_are_as_they_were_is_read_like_that() -> None:
    table = entered(plan={"listed": ["Ann", "Bob"], "apart": [["Ann", "Bob"]]})
    plan = table.tournament.plan
    table.happen(events.Planned(plan.changed({"pause": 90}).without_names(), 1, same_names=True))
    assert table.tournament.plan == plan.changed({"pause": 90})


def test_with_more_rounds_a_tournament_that_was_over_goes_on_after_a_pause() -> None:
    table = in_round(plan={"rounds": 1, "pause": 60})
    play(table, 2)
    assert phase(table) == "over"
    table.wait(10 * MINUTE)
    table.do(1, to_server.ChangePlan(1, {"rounds": 2}))
    table.settle()
    assert phase(table) == "pause"
    assert table.tournament.next_at == table.now + 60 * SECOND
    whole_rounds(table, 1, 3)
    assert phase(table) == "over"


def test_with_fewer_rounds_a_tournament_is_over_at_once() -> None:
    table = in_round(plan={"rounds": 3, "by_timer": False})
    play(table, 2)
    table.do(1, to_server.ChangePlan(1, {"rounds": 1}))
    table.settle()
    assert phase(table) == "over"


def test_a_knock_out_ends_when_its_host_starts_a_round_and_nobody_is_left_to_race() -> None:
    table = in_round(plan={"format": "knockout", "by_timer": False})
    pairs = table.tournament.rounds[1].pairs
    best = [pair[0] for pair in pairs]
    play(table, *best)
    table.do(1, to_server.Withdraw(1, best[1]))
    for pair in pairs:
        table.do(1, to_server.Withdraw(1, pair[1]))
    do(table, "start")
    assert phase(table) == "over"
    assert table.tournament.standings[0].seat == best[0]


def test_the_game_of_a_round_stays_what_it_was_whatever_the_plan_says_later() -> None:
    table = in_round(plan={"rounds": 3}, game="streets")
    play(table, 2)
    table.do(1, to_server.ChangePlan(1, {"ladder": [{"game": "maria"}]}))
    assert shown(table)["rounds"]["1"]["game"] == "streets"
    table.now = table.tournament.next_at or Ms(0)
    table.settle()
    assert shown(table)["rounds"]["2"]["game"] == "maria"


def test_what_the_plan_changes_for_a_round_is_not_undone_by_showing_watchers_less() -> None:
    table = drawn(plan={"ladder": [{"game": "maria"}], "deadly": True, "blind": True}, watch="open")
    table.do(1, to_server.ChangeSettings(1, {"watch": "frontier"}))
    for settings in (table.race.settings, table.room.settings):
        assert (settings.game, settings.undo, settings.watch) == ("maria", "none", "progress")


def test_everybody_is_told_that_the_next_draw_is_of_the_same_round_once_more() -> None:
    table = in_round(plan={"rounds": 3, "by_timer": False})
    assert not shown(table)["again"]
    do(table, "replay")
    assert shown(table)["again"]
    do(table, "start")
    table.settle()
    assert (table.tournament.drawn, shown(table)["again"]) == (1, False)


def test_a_tie_that_is_raced_on_is_the_same_round_once_more() -> None:
    table = in_round(people=2, plan={"format": "knockout", "by_timer": False})
    play(table)
    assert (phase(table), shown(table)["again"]) == ("pause", True)


def test_everybody_is_told_who_has_become_the_host() -> None:
    table = entered()
    table.do(1, to_server.CoHost(1, 3, True))
    table.do(1, to_server.Leave(1))
    table.join("host")
    told = [(deed.by, deed.what, deed.about) for deed in table.tournament.desk]
    assert told == [(1, "co_hosted", 3), (None, "hosted", 3), (None, "hosted", table.room.host)]


def test_the_desk_tells_a_start_from_a_time_that_is_set() -> None:
    table = entered()
    table.do(1, to_server.Timer(1, table.now + MINUTE))
    do(table, "start")
    told = [(deed.by, deed.what, deed.about) for deed in table.tournament.desk]
    assert told == [(1, "timed", None), (1, "started", 1)]


def test_co_hosts_help_and_cannot_make_others_hosts() -> None:
    table = entered()
    table.do(1, to_server.CoHost(1, 2, True))
    do(table, "pause", seat=2)
    assert table.tournament.paused
    assert table.refuses(2, to_server.CoHost(1, 3, True)) == "not-host"
    assert table.refuses(2, to_server.HandOver(1, 3)) == "not-host"
    table.do(1, to_server.CoHost(1, 2, False))
    assert refuses(table, "resume", seat=2) == "not-host"


def test_a_co_host_stands_in_for_a_host_who_is_gone_until_he_is_back() -> None:
    table = entered()
    table.do(1, to_server.CoHost(1, 4, True))
    table.hang_up(1)
    table.wait(30 * SECOND - Ms(1))
    assert table.settle() == []
    table.wait(Ms(1))
    assert table.settle() == [events.Hosted(4)]
    table.do(4, to_server.Lock(1, True))
    table.join("host")
    assert table.room.host == 1
    do(table, "pause", seat=1)
    do(table, "resume", seat=4)


def test_everything_that_hosts_do_is_there_for_all_to_see() -> None:
    table = in_round()
    do(table, "pause")
    table.do(1, to_server.Judge(1, 2, True, "Two browsers."))
    deeds = [(deed.by, deed.what, deed.about, deed.reason) for deed in table.tournament.desk]
    assert deeds[-2:] == [(1, "paused", None, ""), (1, "disqualified", 2, "Two browsers.")]


# Deadly and blind


def test_in_a_deadly_tournament_there_is_no_undo_and_giving_up_is_final() -> None:
    table = in_round(plan={"deadly": True}, undo="free")
    assert table.race.settings.undo == "none"
    table.wait(10 * SECOND)
    table.do(2, to_server.GiveUp(1))
    assert table.racer(2).state == "gave_up"


def test_a_ladder_gives_each_round_its_game() -> None:
    table = in_round(
        plan={"rounds": 3, "ladder": [{"game": "lucas"}, {"game": "maria", "time_limit": 300}]}, game="streets"
    )
    games = [table.race.settings.game]
    for _ in range(2):
        play(table, 2)
        next_round(table)
        games.append(table.race.settings.game)
    assert games == ["lucas", "maria", "lucas"]
    assert table.race.settings.time_limit == 1200


# The log


def test_the_replayed_log_is_the_live_tournament() -> None:
    table = in_round(plan={"rounds": 3})
    play(table, 2, 4)
    do(table, "replay", reason="Once more.")
    table.do(1, to_server.Judge(1, 2, True, "Two browsers."))
    whole_rounds(table, 2, 3)
    again = evolve.replay(table.log)
    assert again == table.room
    assert again.tournament is not None
    assert again.tournament.standings == table.tournament.standings
    assert again.code == CODE


# round robin

ROBIN = {"format": "roundrobin", "by_timer": False}


def round_of(table: Table, *best: int) -> None:
    table.do(1, to_server.Round(1, "start"))
    table.settle()
    begin(table)
    play(table, *best)


def test_everybody_meets_everybody_else_and_the_rounds_follow_by_themselves() -> None:
    table = in_round(4, plan={"format": "roundrobin", "pause": 20})
    assert table.tournament.shown["rounds_planned"] == 3
    for _ in range(3):
        play(table, 2, 3, 4, 5)
        table.settle()
        if table.tournament.phase != "over":
            table.now = table.tournament.next_at or table.now
            table.settle()
            begin(table)
    assert table.tournament.phase == "over"
    assert [(row.place, row.seat, row.score) for row in table.tournament.standings] == [
        *((1, 2, 3), (2, 3, 2), (3, 4, 1), (4, 5, 0))
    ]


def test_the_best_of_the_groups_race_in_a_knock_out_and_exact_ties_again() -> None:
    table = in_round(4, plan={**ROBIN, "groups": 2, "advance": 1})
    play(table, 2, 3, 4, 5)
    assert table.tournament.shown["rounds_planned"] == 2
    round_of(table)
    assert table.tournament.again, "both made one move"
    best = table.tournament.rounds[2].pairs[0][1]
    round_of(table, best)
    table.settle()
    assert table.tournament.phase == "over"
    assert table.tournament.standings[0].seat == best


@pytest.mark.parametrize("form", ["knockout", "roundrobin"])
def test_nobody_enters_after_the_first_draw_and_nobody_comes_back_who_was_not_in_it(form: str) -> None:
    table = entered(5, plan={"format": form, "by_timer": False})
    table.do(6, to_server.Enter(1, False))
    table.do(6, to_server.Enter(1, True))
    table.do(6, to_server.Enter(1, False))
    table.do(1, to_server.Round(1, "start"))
    table.settle()
    late = table.join("late")
    assert late not in table.tournament.entrants
    assert table.refuses(late, to_server.Enter(1, True)) == "too-late"
    assert table.refuses(6, to_server.Enter(1, True)) == "too-late"
    table.do(5, to_server.Enter(1, False))
    table.do(5, to_server.Enter(1, True))


def test_when_all_places_of_the_groups_are_taken_the_tournament_is_full() -> None:
    table = entered(30, plan=ROBIN)
    assert not table.tournament.may_enter()
    late = table.join("late")
    assert late not in table.tournament.entrants
    assert table.refuses(late, to_server.Enter(1, True)) == "entry-full"
    table.do(2, to_server.Enter(1, False))
    table.do(late, to_server.Enter(1, True))
    assert table.tournament.entrants[late].state == "in"
    table.do(1, to_server.ChangePlan(1, {"groups": 2}))
    table.do(2, to_server.Enter(1, True))
    with pytest.raises(Refused) as refused:
        table.do(1, to_server.ChangePlan(1, {"groups": 1}))
    assert refused.value.parameters == {"detail": "groups-full", "entrants": 31, "groups": 1, "most": 30}


def test_the_groups_are_settled_by_the_first_draw_and_no_round_is_skipped() -> None:
    table = in_round(6, plan={**ROBIN, "groups": 2})
    for changes in ({"groups": 1}, {"advance": 1}):
        with pytest.raises(Refused) as refused:
            table.do(1, to_server.ChangePlan(1, changes))
        assert refused.value.details["detail"] == "groups-fixed"
    with pytest.raises(Refused) as refused:
        table.do(1, to_server.Round(1, "skip"))
    assert refused.value.details["detail"] == "groups-skip"
    table.do(1, to_server.ChangePlan(1, {"pause": 90}))


def test_when_only_one_is_left_in_the_groups_the_host_is_told_so() -> None:
    table = in_round(3, plan=ROBIN)
    play(table, 2)
    for seat in (3, 4):
        table.do(seat, to_server.Enter(1, False))
    assert table.refuses(1, to_server.Round(1, "start")) == "too-few"
    table.do(3, to_server.Enter(1, True))
    table.do(1, to_server.Round(1, "start"))
