"""The host's desk: results, matches and pairs that a host changes, names, announcements, and taking things back."""

from random import Random

import msgspec
import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves.tournament.formats import FORMATS
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.rounds import Round
from fortythieves_server.core import events, evolve
from fortythieves_server.core.host_desk import ANNOUNCE_EVERY
from tests.server.tables import MINUTE, SECOND, Table, begin, drawn, entered, in_round, play

SWISS = {"format": "swiss", "rounds": 3, "by_timer": False}
CUP = {"format": "knockout", "by_timer": False}
GROUPS = {"format": "roundrobin", "groups": 2, "advance": 1, "by_timer": False}


def misdrawn(plan: Plan, rounds: list[Round]) -> int | None:
    return FORMATS[plan.format].misdrawn(plan, rounds)


def do(table: Table, what: str, seat: int = 1, reason: str = "") -> list[events.Event]:
    return table.do(seat, to_server.Round(1, what, reason))  # type: ignore[arg-type]  # the words are checked on the wire


def next_round(table: Table) -> None:
    do(table, "start")
    table.settle()
    begin(table)


def correct(number: int, *given: tuple[int, float | None], reason: str = "Seen by all.") -> to_server.Correct:
    return to_server.Correct(1, number, given, reason)


def replay(seat: int) -> to_server.ReplayMatch:
    return to_server.ReplayMatch(1, seat, "The network\u202e was down.")


def scores(table: Table) -> dict[int, float]:
    return {row.seat: row.score for row in table.tournament.standings}


def phase(table: Table) -> str:
    return table.tournament.phase


def undoable(table: Table) -> Ms:
    """When the last action was that can be taken back, or 0."""
    return table.tournament.undoable or Ms(0)


def told(table: Table) -> object:
    """What hosts announce to everybody now."""
    return table.tournament.shown["announcement"]


def undo(table: Table, seat: int = 1) -> list[events.Event]:
    return table.do(seat, to_server.Undo(1, undoable(table)))


def why(table: Table, request: to_server.Command) -> object:
    with pytest.raises(Refused) as refused:
        table.do(1, request)
    return refused.value.parameters.get("detail", refused.value.code)


# Results


def test_points_of_a_round_are_set_by_hand_with_a_reason_that_everybody_sees() -> None:
    table = in_round(plan={"rounds": 2, "by_timer": False})
    play(table, 2, 3)
    table.do(1, correct(1, (4, 20.25), reason="  Seen\u202e by all.\u200b "))
    assert scores(table) == {2: 25, 4: 20.25, 3: 18, 5: 13.5}
    assert table.tournament.shown["rounds"]["1"]["corrections"] == [(4, 20.25, "Seen by all.")]
    assert table.tournament.desk[-1].what == "corrected"
    next_round(table)
    play(table, 3)
    table.do(1, correct(1, (4, None)))
    assert scores(table)[4] == 13.5 + 15


def test_a_result_that_is_none_is_refused() -> None:
    table = in_round(plan={"rounds": 2})
    assert why(table, correct(1, (2, 5))) == "no-round"
    play(table, 2, 3)
    late = table.join("late")
    assert why(table, correct(2, (2, 5))) == "no-round"
    assert why(table, correct(1, (late, 5))) == "result-seat"
    assert why(table, correct(1, (2, 5.125))) == "result-points"
    assert why(table, correct(1, (2, 5), reason=" \u200b")) == "no-reason"
    assert table.refuses(2, correct(1, (2, 5))) == "not-host"
    assert table.do(1, correct(1, (2, 5))) and not table.do(1, correct(1, (2, 5)))
    do(table, "skip")
    assert why(table, correct(1, (2, 6))) == "no-round"


def test_the_winner_of_a_pair_is_set_by_hand() -> None:
    table = in_round(plan=SWISS)
    one, other = table.tournament.rounds[1].pairs[0]
    play(table, one)
    for given, got in (([0.0, 1.0], [0, 1]), ([0.5, 0.5], [0.5, 0.5]), ([0.0, 0.0], [0, 0]), ([None, None], [1, 0])):
        table.do(1, correct(1, (one, given[0]), (other, given[1])))
        assert [scores(table)[one], scores(table)[other]] == got


def test_a_pair_has_one_winner_or_a_tie_or_none() -> None:
    table = in_round(plan=SWISS)
    (one, other), (third, _) = table.tournament.rounds[1].pairs
    play(table, one)
    for given in ([1.0, 1.0], [1.0, 0.5], [2.0, 0.0], [1.0, None]):
        assert why(table, correct(1, (one, given[0]), (other, given[1]))) == "result-pair"
    assert why(table, correct(1, (one, 1))) == "result-seat"
    assert why(table, correct(1, (one, 1), (third, 0))) == "result-seat"


def test_the_corrected_winner_goes_on_in_a_cup_until_the_next_draw() -> None:
    table = in_round(plan=CUP)
    (one, other), (third, _) = table.tournament.rounds[1].pairs
    play(table, one, third)
    assert why(table, correct(1, (one, 0.5), (other, 0.5))) == "result-knockout"
    assert why(table, correct(1, (one, 0), (other, 0))) == "result-knockout"
    table.do(1, correct(1, (one, 0), (other, 1)))
    next_round(table)
    assert set(table.tournament.rounds[2].pairs[0]) == {other, third}
    play(table, other)
    assert why(table, correct(1, (one, 1), (other, 0))) == "bracket-drawn"
    assert table.tournament.standings[0].seat == other
    table.do(1, correct(2, (other, 0), (third, 1)))
    assert table.tournament.standings[0].seat == third


def test_results_of_groups_are_corrected_until_the_knock_out_is_drawn() -> None:
    table = in_round(6, plan=GROUPS)
    (one, other), (third, _) = table.tournament.rounds[1].pairs
    play(table, one, third)
    for _ in range(2):
        next_round(table)
        play(table)
    table.do(1, correct(1, (one, 0.5), (other, 0.5)))
    assert scores(table)[one] >= 0.5
    next_round(table)
    assert why(table, correct(1, (one, 1), (other, 0))) == "bracket-drawn"
    play(table, *table.tournament.rounds[4].pairs[0])
    (one, other) = table.tournament.rounds[4].pairs[0]
    assert why(table, correct(4, (one, 0.5), (other, 0.5))) == "result-knockout"
    table.do(1, correct(4, (one, 0), (other, 1)))
    assert table.tournament.standings[0].seat == other


def test_a_tie_that_a_host_decides_is_not_raced_again() -> None:
    table = in_round(2, plan=CUP)
    play(table)
    assert table.tournament.again
    table.do(1, correct(1, (2, 1), (3, 0)))
    table.settle()
    assert table.tournament.over and table.tournament.standings[0].seat == 2


# One match again


@pytest.mark.parametrize("plan", [SWISS, CUP])
def test_one_match_is_raced_again_alone(plan: dict[str, object]) -> None:
    table = in_round(plan=plan)
    (one, other), (third, _) = table.tournament.rounds[1].pairs
    play(table, one, third)
    table.do(1, replay(other))
    assert table.do(1, replay(one)) == []
    assert table.tournament.again and table.tournament.desk[-1].reason == "The network was down."
    next_round(table)
    assert (table.tournament.drawn, set(table.race.racers)) == (1, {one, other})
    play(table, other)
    shown = table.tournament.shown["rounds"]["1"]
    assert shown["races"] == [1, 2] and shown["results"].keys() == {"2", "3", "4", "5"}
    assert scores(table)[one] == 0 and scores(table)[other] == scores(table)[third] == 1
    next_round(table)
    assert table.tournament.drawn == 2


def test_a_match_is_raced_again_before_the_next_draw_by_two_who_are_there() -> None:
    table = drawn(plan=SWISS)
    one, other = table.tournament.rounds[1].pairs[0]
    assert why(table, replay(one)) == "no-round"
    begin(table)
    assert why(table, replay(one)) == "no-round"
    play(table, one)
    assert why(table, to_server.ReplayMatch(1, one, "")) == "no-reason"
    assert why(table, replay(1)) == "result-seat"
    table.do(1, to_server.Withdraw(1, other))
    assert why(table, replay(one)) == "result-seat"


def test_a_match_that_cannot_be_raced_again_because_one_left_holds_nobody_up() -> None:
    table = in_round(plan=SWISS)
    one, other = table.tournament.rounds[1].pairs[0]
    play(table, one)
    table.do(1, replay(one))
    table.do(1, to_server.Withdraw(1, other))
    table.settle()
    next_round(table)
    assert table.tournament.drawn == 2
    assert scores(table)[one] == 0


# Half-point byes


def half_bye(seat: int, number: int, *, on: bool = True) -> to_server.HalfBye:
    return to_server.HalfBye(1, seat, number, on)


def asked(table: Table) -> object:
    """Who is to have a half-point bye, as everybody sees."""
    return table.tournament.shown["half_byes"]


def test_an_entrant_asks_to_sit_a_round_out_and_gets_half_a_point_for_it() -> None:
    table = entered(5, SWISS)
    table.do(3, half_bye(3, 1))
    assert table.do(3, half_bye(3, 1)) == []
    assert asked(table) == {"3": [1]} and table.tournament.desk == ()
    next_round(table)
    done = table.tournament.rounds[1]
    assert (done.half_byes, set(done.seats), done.byes) == ((3,), {2, 4, 5, 6}, ())
    assert table.tournament.shown["rounds"]["1"]["half_byes"] == [3] and asked(table) == {}
    play(table, 2)
    assert scores(table)[3] == 0.5
    next_round(table)
    assert 3 in table.tournament.rounds[2].everybody and table.tournament.rounds[2].half_byes == ()


def test_a_half_point_bye_is_taken_back_until_the_draw() -> None:
    table = entered(4, SWISS)
    table.do(3, half_bye(3, 1))
    table.do(3, half_bye(3, 1, on=False))
    assert table.do(3, half_bye(3, 1, on=False)) == [] and asked(table) == {}
    table.do(3, half_bye(3, 2))
    next_round(table)
    assert asked(table) == {"3": [2]} and 3 in table.tournament.rounds[1].seats
    assert why(table, half_bye(3, 1)) == why(table, half_bye(3, 1, on=False)) == "half-bye-drawn"
    play(table, 2)
    next_round(table)
    assert table.tournament.rounds[2].half_byes == (3,)


def test_a_round_that_is_played_again_has_the_same_half_point_byes() -> None:
    table = entered(5, SWISS)
    table.do(3, half_bye(3, 1))
    next_round(table)
    play(table, 2)
    do(table, "replay")
    next_round(table)
    assert set(table.race.racers) == {2, 4, 5, 6} and table.tournament.rounds[1].half_byes == (3,)


def test_nobody_has_more_half_point_byes_than_the_plan_allows_nor_later_ones() -> None:
    table = entered(5, {"format": "swiss", "rounds": 5, "half_byes": 2, "by_timer": False})
    assert why(table, half_bye(3, 5)) == "half-byes-until"
    table.do(1, to_server.ChangePlan(1, {"half_byes_until": 3}))
    assert why(table, half_bye(3, 4)) == "half-byes-until"
    table.do(3, half_bye(3, 1))
    next_round(table)
    play(table, 2)
    table.do(3, half_bye(3, 3))
    assert why(table, half_bye(3, 2)) == "half-byes-most"
    do(table, "skip")
    assert table.do(3, half_bye(3, 2)), "the one of a skipped round gave nothing"
    assert why(table, half_bye(1, 2)) == "unknown-seat"
    table.do(1, to_server.Withdraw(1, 4))
    assert why(table, half_bye(4, 2)) == "half-bye-out"
    assert table.refuses(2, half_bye(3, 2, on=False)) == "not-host"


@pytest.mark.parametrize("plan", [{}, CUP, {**SWISS, "half_byes": 0}, {**SWISS, "rounds": 1}])
def test_there_are_half_point_byes_only_in_a_swiss_that_allows_them(plan: dict[str, object]) -> None:
    assert why(entered(4, plan), half_bye(3, 1)) == "half-byes-none"


def test_a_host_gives_a_half_point_bye_and_takes_it_back() -> None:
    table = entered(5, SWISS)
    table.do(1, half_bye(3, 1))
    assert table.tournament.desk[-1][1:5] == (1, "half_bye", 3, "1")
    undo(table)
    assert asked(table) == {} and table.tournament.desk[-2].undone
    table.wait(SECOND)
    table.do(4, half_bye(4, 1))
    table.do(1, half_bye(4, 1, on=False))
    assert table.tournament.desk[-1][1:5] == (1, "no_half_bye", 4, "1") and asked(table) == {}
    undo(table)
    assert asked(table) == {"4": [1]}
    table.wait(SECOND)
    table.do(1, half_bye(5, 1))
    table.do(5, half_bye(5, 1, on=False))
    assert undoable(table) == Ms(0), "the entrant has changed the same since"


def test_if_nearly_all_ask_for_a_half_point_bye_all_race() -> None:
    table = entered(3, SWISS)
    for seat in (2, 3):
        table.do(seat, half_bye(seat, 1))
    next_round(table)
    assert set(table.tournament.rounds[1].everybody) == {2, 3, 4} and table.tournament.rounds[1].half_byes == ()


def test_after_the_end_there_is_no_half_point_bye() -> None:
    table = in_round(plan={**SWISS, "rounds": 1})
    play(table, 2)
    table.settle()
    assert why(table, half_bye(2, 2)) == "ended"


# The running round


def test_a_round_is_ended_for_all_who_still_race() -> None:
    table = drawn()
    assert table.refuses(1, to_server.Round(1, "end")) == "no-round"
    begin(table)
    table.moves(2, home=3)
    table.wait(10 * SECOND)
    do(table, "end", reason="The hall closes.")
    table.settle()
    assert phase(table) == "pause"
    assert table.tournament.standings[0].seat == 2
    assert {table.racer(seat).state for seat in (3, 4, 5)} == {"did_not_start"}
    assert (table.tournament.desk[-1].what, table.tournament.desk[-1].reason) == ("round_stopped", "The hall closes.")
    assert undoable(table) == Ms(0), "races that are over cannot begin again"


def cut_off(plan: dict[str, object]) -> Table:
    """A round of two pairs that a host has ended: one entrant of the first had won the deal, nobody of the second."""
    table = in_round(plan=plan)
    (winner, loser), (third, fourth) = table.tournament.rounds[1].pairs
    table.wait(10 * SECOND)
    table.moves(winner, to=200, home=104, outcome="solved")
    table.settle()
    for home, seat in ((30, loser), (20, third), (10, fourth)):
        table.moves(seat, to=50, home=home)
    do(table, "end", reason="The hall closes.")
    table.settle()
    return table


@pytest.mark.parametrize("plan", [SWISS, CUP])
def test_the_matches_that_were_cut_off_race_again_by_one_request_and_those_that_were_decided_do_not(
    plan: dict[str, object],
) -> None:
    table = cut_off(plan)
    decided, cut = table.tournament.rounds[1].pairs
    assert table.tournament.shown["unfinished"] == [cut]
    assert undoable(table) == Ms(0), "the deal is known to everybody by now"
    do(table, "replay_unfinished", reason="The fire alarm.")
    assert do(table, "replay_unfinished") == [] and table.tournament.shown["unfinished"] == []
    assert table.tournament.desk[-1].reason == "The fire alarm."
    next_round(table)
    assert set(table.race.racers) == {*cut}
    play(table, cut[1])
    assert scores(table)[cut[1]] == scores(table)[decided[0]] == 1


def test_letting_the_cut_off_matches_race_again_is_taken_back() -> None:
    table = cut_off(SWISS)
    cut = table.tournament.rounds[1].pairs[1]
    table.wait(SECOND)
    do(table, "replay_unfinished")
    undo(table)
    assert table.tournament.shown["unfinished"] == [cut] and not table.tournament.again
    assert scores(table)[cut[0]] == 1


def test_all_matches_of_a_round_that_nobody_has_finished_race_again() -> None:
    table = in_round(6, plan=SWISS)
    pairs = table.tournament.rounds[1].pairs
    table.wait(10 * SECOND)
    do(table, "end")
    table.settle()
    do(table, "replay_unfinished")
    assert {who for pair in pairs for who in pair} == {*table.tournament.rounds[1].replayed}
    next_round(table)
    assert len(table.race.racers) == 6
    play(table, 2)
    assert table.tournament.shown["unfinished"] == []


def test_what_a_host_has_corrected_or_who_has_left_does_not_race_again_and_nor_does_what_was_not_cut_off() -> None:
    table = cut_off(SWISS)
    one, other = table.tournament.rounds[1].pairs[1]
    table.do(1, correct(1, (one, 0.5), (other, 0.5)))
    assert do(table, "replay_unfinished") == []
    table = cut_off(SWISS)
    table.do(1, to_server.Withdraw(1, table.tournament.rounds[1].pairs[1][0]))
    assert do(table, "replay_unfinished") == []
    table = in_round(plan=SWISS)
    play(table, 2)
    assert do(table, "replay_unfinished") == []
    assert entered().refuses(1, to_server.Round(1, "replay_unfinished")) == "no-round"


def test_a_round_is_not_ended_before_it_has_started() -> None:
    table = drawn()
    table.now = (table.tournament.next_at or Ms(0)) - 2 * SECOND
    table.settle()
    assert table.race.on
    assert table.refuses(1, to_server.Round(1, "end")) == "not-started"


# Pairs


def swap(table: Table, one: int, other: int) -> to_server.Swap:
    """The request of a host who sees the round as it is now."""
    last = table.tournament.last
    pairs = last.pairs if last else ()
    return to_server.Swap(1, one, other, next((sum(pair) - one for pair in pairs if one in pair), 0))


def test_a_swap_that_arrives_twice_is_one_and_what_another_host_has_swapped_is_not_swapped_back() -> None:
    table = drawn(5, plan=SWISS)
    (one, _), (other, _) = table.tournament.rounds[1].pairs
    [bye] = table.tournament.rounds[1].byes
    for to in (other, bye):
        before, request = table.tournament.rounds[1], swap(table, one, to)
        assert table.refuses(1, msgspec.structs.replace(request, against=99)) == "no-swap"
        table.do(1, request)
        after = table.tournament.rounds[1]
        assert after != before
        assert table.do(1, request) == []
        table.do(1, swap(table, one, to))
        table.do(1, swap(table, one, to))
        assert table.tournament.rounds[1] == after


def test_two_byes_are_not_swapped() -> None:
    table = drawn(6, plan=CUP)
    one, other = table.tournament.rounds[1].byes
    assert table.refuses(1, swap(table, one, other)) == "no-swap"


def test_two_entrants_of_a_drawn_round_are_swapped() -> None:
    table = drawn(5, plan=SWISS)
    before = table.tournament.rounds[1]
    (one, _), (other, _) = before.pairs
    [bye] = before.byes
    table.do(1, swap(table, one, other))
    after = table.tournament.rounds[1]
    assert [pair[0] for pair in after.pairs] == [other, one]
    assert [pair[1] for pair in after.pairs] == [pair[1] for pair in before.pairs]
    table.do(1, swap(table, one, bye))
    assert table.tournament.rounds[1].byes == (one,)
    begin(table)
    assert set(table.race.racers) == {2, 3, 4, 5, 6} - {one}
    assert table.refuses(1, swap(table, one, bye)) == "no-round"


def test_a_swap_in_the_first_round_of_a_cup_is_another_seeding() -> None:
    table = drawn(plan=CUP)
    (one, other), (third, _) = table.tournament.rounds[1].pairs
    assert table.do(1, swap(table, one, other)) == []
    table.do(1, swap(table, other, third))
    begin(table)
    play(table, one, other)
    table.settle()
    do(table, "start")
    table.settle()
    assert set(table.tournament.rounds[2].pairs[0]) == {one, other}
    assert table.refuses(1, swap(table, one, third)) == "no-swap"
    assert misdrawn(table.tournament.plan, list(table.tournament.rounds.values())) is None


@pytest.mark.parametrize(("one", "other"), [(2, 2), (2, 1), (2, 99), (0, -1)])
def test_only_two_who_are_drawn_are_swapped(one: int, other: int) -> None:
    table = drawn(plan=SWISS)
    assert table.refuses(1, swap(table, one, other)) == "no-swap"


def test_without_pairs_nobody_is_swapped() -> None:
    assert drawn().refuses(1, to_server.Swap(1, 2, 3, 0)) == "no-swap"


# Names


def test_a_host_renames_an_entrant_also_of_a_list_whose_line_is_renamed_too() -> None:
    table = Table({"entry": "list", "listed": ["Dora", "Zoe"]}, seats=20)
    for guest in ("host", "dora"):
        table.join(guest)
    table.do(1, to_server.RenameEntrant(1, 2, "Dora Ionescu"))
    assert table.person(2).name == table.tournament.entrants[2].name == "Dora Ionescu"
    assert table.tournament.plan.listed == ("Dora Ionescu", "Zoe")
    with pytest.raises(Refused, match="not on it"):
        table.join("another", name="Dora")
    assert table.refuses(1, to_server.RenameEntrant(1, 2, "zoe")) == "name-used"
    undo(table)
    assert table.person(2).name == "Dora" and table.tournament.plan.listed == ("Dora", "Zoe")


def test_nobody_gets_the_name_of_somebody_else() -> None:
    table = entered()
    for name, code in (("guest 2", "name-used"), ("Host", "name-used"), ("\u200b", "bad-name"), ("W" * 25, "bad-name")):
        assert table.refuses(1, to_server.RenameEntrant(1, 2, name)) == code
    assert table.refuses(1, to_server.RenameEntrant(1, 9, "Zoe")) == "unknown-seat"
    assert table.refuses(2, to_server.RenameEntrant(1, 2, "Zoe")) == "not-host"
    assert table.do(1, to_server.RenameEntrant(1, 2, "Guest 1")) == []


def test_an_entrant_who_has_left_can_be_renamed() -> None:
    table = in_round()
    table.do(3, to_server.Leave(1))
    table.do(1, to_server.RenameEntrant(1, 3, "Zoe"))
    assert table.tournament.entrants[3].name == "Zoe"


# Announcements


def test_what_a_host_announces_is_there_for_all_until_there_is_something_else() -> None:
    table = entered()
    table.do(1, to_server.Announce(1, "  Lunch\u202e until two. "))
    assert told(table) == (table.now, "Lunch until two.")
    assert table.do(1, to_server.Announce(1, "Lunch until two.")) == []
    assert table.refuses(1, to_server.Announce(1, "Lunch until three.")) == "too-fast"
    table.wait(ANNOUNCE_EVERY)
    table.do(1, to_server.Announce(1, "Lunch until three."))
    table.do(1, to_server.Announce(1, ""))
    assert told(table) is None
    assert table.refuses(1, to_server.Announce(1, "W" * 281)) == "bad-announcement"
    assert table.refuses(2, to_server.Announce(1, "Hello.")) == "not-host"


# Taking back


def test_a_round_that_was_skipped_or_is_to_be_played_again_is_taken_back() -> None:
    for what in ("skip", "replay"):
        table = in_round(plan={"rounds": 2, "pause": 60})
        play(table, 2)
        before = table.tournament
        table.wait(10 * SECOND)
        do(table, what)
        table.settle()
        assert scores(table)[2] == 0
        table.wait(10 * SECOND)
        undo(table)
        table.settle()
        after = table.tournament
        assert (after.rounds, after.races, after.decided, after.phase) == (
            before.rounds,
            before.races,
            before.decided,
            before.phase,
        )
        assert after.next_at == table.now + MINUTE, "the pause begins anew"
        assert [(deed.what, deed.undone) for deed in after.desk][-2:] == [
            ({"skip": "skipped", "replay": "annulled"}[what], True),
            ("undone", False),
        ]


def test_the_last_round_is_over_again_when_its_replay_is_taken_back() -> None:
    table = in_round(plan={"rounds": 1})
    play(table, 2)
    do(table, "replay")
    assert phase(table) == "pause"
    undo(table)
    table.settle()
    assert phase(table) == "over" and scores(table)[2] == 25


def test_actions_are_taken_back_one_after_the_other_and_each_once() -> None:
    table = entered(plan={"starts_at": None})
    actions = (
        to_server.ChangePlan(1, {"rounds": 7}),
        to_server.Timer(1, table.now + 30 * MINUTE),
        to_server.Round(1, "pause"),
        to_server.Judge(1, 2, True, "Two browsers."),
        to_server.Withdraw(1, 3),
        to_server.RenameEntrant(1, 4, "Zoe"),
        to_server.Announce(1, "Lunch."),
    )
    states = []
    for action in actions:
        table.wait(SECOND)
        states.append((table.tournament, table.person(4).name))
        table.do(1, action)
    for state, name in reversed(states):
        at = undoable(table)
        request = to_server.Undo(1, at)
        assert table.do(1, request) == [events.Undone(at, 1)]
        assert table.do(1, request) == [], "it was the same action"
        now = table.tournament
        assert (now.plan, now.entrants, now.next_at, now.paused) == (
            state.plan,
            state.entrants,
            state.next_at,
            state.paused,
        )
        assert (now.announcement, table.person(4).name) == (state.announcement, name)
    assert undoable(table) == Ms(0)
    assert table.refuses(1, to_server.Undo(1, Ms(0))) == "no-undo"


def test_the_next_draw_settles_what_was_before() -> None:
    table = entered()
    do(table, "pause")
    at = undoable(table)
    do(table, "start")
    table.settle()
    assert undoable(table) == Ms(0)
    assert table.refuses(1, to_server.Undo(1, at)) == "no-undo"


def test_a_swap_is_taken_back_until_the_countdown_and_other_things_also_later() -> None:
    table = drawn(plan=SWISS)
    (one, _), (other, _) = before = table.tournament.rounds[1].pairs
    table.do(1, swap(table, one, other))
    undo(table)
    assert table.tournament.rounds[1].pairs == before
    table.wait(SECOND)
    table.do(1, to_server.Announce(1, "Good luck."))
    table.wait(SECOND)
    table.do(1, swap(table, one, other))
    begin(table)
    undo(table)
    assert table.tournament.announcement is None and table.tournament.rounds[1].pairs != before


def test_what_somebody_else_has_changed_since_is_not_taken_back() -> None:
    table = entered()
    table.do(1, to_server.RenameEntrant(1, 3, "Zoe"))
    at = undoable(table)
    table.do(3, to_server.Rename(1, "Dora"))
    assert undoable(table) == Ms(0)
    assert table.refuses(1, to_server.Undo(1, at)) == "no-undo"


def test_a_name_that_somebody_has_taken_since_is_not_given_back() -> None:
    table = entered()
    table.do(1, to_server.RenameEntrant(1, 3, "Zoe"))
    table.join("stranger", name="Guest 2")
    assert table.refuses(1, to_server.Undo(1, undoable(table))) == "name-used"


def test_a_released_line_is_held_again() -> None:
    table = Table({"entry": "list", "listed": ["Dora"]}, seats=20)
    for guest in ("host", "dora"):
        table.join(guest)
    table.do(1, to_server.Release(1, "Dora"))
    assert table.person(2).name == "Dora (released)"
    undo(table)
    assert (table.person(2).name, table.tournament.entrants[2].state) == ("Dora", "in")
    assert table.tournament.released == {}


def test_co_hosts_take_back_what_hosts_did_but_appoint_nobody() -> None:
    table = entered()
    table.do(1, to_server.CoHost(1, 2, True))
    assert undoable(table) == Ms(0)
    do(table, "pause")
    assert table.refuses(3, to_server.Undo(1, undoable(table))) == "not-host"
    undo(table, seat=2)
    assert not table.tournament.paused and table.tournament.co_hosts == {2}


def test_a_co_host_does_not_take_back_what_the_organiser_decided_for_themselves() -> None:
    table = entered()
    table.do(1, to_server.CoHost(1, 2, True))
    table.do(1, to_server.Enter(1, True))
    table.wait(SECOND)
    table.do(1, to_server.Withdraw(1, 1))
    assert table.refuses(2, to_server.Undo(1, undoable(table))) == "creator"
    undo(table)
    assert table.tournament.entrants[1].state == "in"


def test_the_replayed_log_of_a_busy_desk_is_the_live_tournament() -> None:
    table = in_round(plan=SWISS)
    one, other = table.tournament.rounds[1].pairs[0]
    play(table, one)
    for request in (
        correct(1, (one, 0), (other, 1)),
        replay(one),
        to_server.Announce(1, "Lunch."),
        to_server.RenameEntrant(1, one, "Zoe"),
    ):
        table.wait(SECOND)
        table.do(1, request)
    undo(table)
    next_round(table)
    play(table, other)
    again = evolve.replay(table.log)
    assert again == table.room
    assert again.tournament is not None
    assert again.tournament.shown == table.tournament.shown


def any_action(table: Table, random: Random) -> to_server.Command:
    """Something that a host asks for, whether it is possible or not."""
    tournament = table.tournament
    one, other = (random.choice([*tournament.entrants, 1, 99]) for _ in range(2))
    number = random.randint(0, len(tournament.rounds) + 1)
    done = tournament.rounds.get(number)
    pair = random.choice(done.pairs) if done and done.pairs else (one, other)
    values: tuple[float, float] = random.choice([(1, 0), (0, 1), (0.5, 0.5), (0, 0)])
    given = (
        ((one, random.choice([None, 7.5])),)
        if tournament.plan.format == "points"
        else tuple(zip(pair, values, strict=True))
    )
    do = random.choice(["start", "start", "pause", "resume", "end", "skip", "replay", "replay_unfinished", "confirm"])
    return random.choice(
        [
            to_server.Round(1, do, "why", random.choice([None, number])),  # type: ignore[arg-type]
            to_server.RenameEntrant(1, one, f"Name {random.randint(0, 20)}"),
            correct(number, *given),
            replay(one),
            swap(table, one, other),
            to_server.Announce(1, random.choice(["", "One.", "Two."])),
            to_server.Judge(1, one, random.random() < 0.5, "why"),
            to_server.Withdraw(1, one),
            to_server.Timer(1, random.choice([None, table.now + MINUTE])),
            to_server.ChangePlan(1, {"pause": random.randint(20, 99)}),
        ]
    )


def races_on(table: Table, random: Random) -> None:
    """A round that is drawn begins, or one that runs ends."""
    if phase(table) == "drawn":
        begin(table)
    elif phase(table) == "racing":
        play(table, *random.sample(table.race.active, random.randint(0, len(table.race.active))))


@pytest.mark.parametrize("seed", range(30))
def test_whatever_hosts_do_and_take_back_leaves_no_trace_but_in_the_list_of_what_they_did(seed: int) -> None:
    random = Random(seed)
    plan: dict[str, object] = random.choice([SWISS, CUP, GROUPS, {"rounds": 3, "by_timer": False}])
    table = entered(random.randint(2, 7), plan=plan)
    for _ in range(40):
        table.wait(Ms(random.randint(1, 9_000)))
        if random.random() < 0.2:
            races_on(table, random)
        table.settle()
        before = table.tournament
        try:
            ended = table.do(1, any_action(table, random))
        except Refused:
            continue
        finally:
            table.settle()
        has_raced = before.races != table.tournament.races or any(isinstance(one, events.Finished) for one in ended)
        if undoable(table) == table.now and not has_raced and random.random() < 0.3:
            undo(table)
            table.settle()
            after = table.tournament
            assert (after.plan, after.entrants, after.rounds) == (before.plan, before.entrants, before.rounds)
            assert (after.next_at, after.paused, after.drawn, after.announcement) == (
                before.next_at,
                before.paused,
                before.drawn,
                before.announcement,
            )
    again = evolve.replay(table.log)
    assert again == table.room
    assert again.tournament is not None and again.tournament.shown == table.tournament.shown
    assert misdrawn(table.tournament.plan, list(table.tournament.rounds.values())) is None
