"""The host's desk: results, matches and pairs that a host changes, names, announcements, and taking actions back."""

from collections.abc import Callable

import msgspec
import pytest

from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves.tournament.standings import FORMATS
from fortythieves_server.core import events
from fortythieves_server.core.decide_host_desk import ANNOUNCE_EVERY
from tests.refusals import refusal
from tests.server.tables import MINUTE, SECOND, Table, begin, drawn, entered, in_round, play

SWISS = {"format": "swiss", "rounds": 3, "by_timer": False}
CUP = {"format": "knockout", "by_timer": False}
GROUPS = {"format": "roundrobin", "groups": 2, "advance": 1, "by_timer": False}


def correct(number: int, *points: tuple[int, float | None], reason: str = "Seen by all.") -> say.Correct:
    return say.Correct(1, number, points, reason)


def replay(seat: int) -> say.ReplayMatch:
    return say.ReplayMatch(1, seat, "The network\u202e was down.")


def pairs(table: Table, number: int = 1) -> tuple[tuple[int, int], ...]:
    return table.tournament.rounds[number].pairs


def misdrawn(table: Table) -> int | None:
    """The first round with pairs that do not follow from the first draw."""
    tournament = table.tournament
    return FORMATS[tournament.plan.format].misdrawn(tournament.plan, list(tournament.rounds.values()))


# Results


def test_a_host_sets_the_points_of_a_round_with_a_public_reason() -> None:
    table = in_round(plan={"rounds": 2, "by_timer": False})
    assert table.why(1, correct(1, (2, 5))) == "no-round"
    play(table, 2, 3)
    late = table.join("late")
    table.check_refusals(
        (1, correct(2, (2, 5)), "no-round"),
        (1, correct(1, (late, 5)), "result-seat"),
        (1, correct(1, (2, 5.125)), "result-points"),
        (1, correct(1, (2, 5), reason=" \u200b"), "no-reason"),
        (2, correct(1, (2, 5)), "not-host"),
    )
    request = correct(1, (4, 20.25), reason="  Seen\u202e by all.\u200b ")
    assert table.do(1, request) and not table.do(1, request)
    assert table.scores() == {2: 25, 4: 20.25, 3: 18, 5: 13.5}
    assert table.tournament.shown["rounds"]["1"]["corrections"] == [(4, 20.25, "Seen by all.")]
    assert table.last_entry()[1] == "corrected"
    table.next_round()
    play(table, 3)
    table.do(1, correct(1, (4, None)))
    assert table.scores()[4] >= 13.5 + 8
    table.round("skip")
    assert table.why(1, correct(2, (2, 6))) == "no-round"


def test_a_host_sets_the_result_of_a_pair() -> None:
    table = in_round(plan=SWISS)
    (one, other), (third, _) = pairs(table)
    play(table, one)
    results = (([0.0, 1.0], [0, 1]), ([0.5, 0.5], [0.5, 0.5]), ([0.0, 0.0], [0, 0]), ([None, None], [1, 0]))
    for (first, second), scores in results:
        table.do(1, correct(1, (one, first), (other, second)))
        assert [table.scores()[one], table.scores()[other]] == scores
    bad = ((1.0, 1.0), (1.0, 0.5), (2.0, 0.0), (1.0, None))
    table.check_refusals(*((1, correct(1, (one, first), (other, second)), "result-pair") for first, second in bad))
    wrong_seats = (correct(1, (one, 1)), correct(1, (one, 1), (third, 0)))
    table.check_refusals(*((1, request, "result-seat") for request in wrong_seats))


def test_the_corrected_winner_of_a_cup_advances_until_the_next_draw() -> None:
    table = in_round(plan=CUP)
    (one, other), (third, _) = pairs(table)
    play(table, one, third)
    no_winner = (correct(1, (one, 0.5), (other, 0.5)), correct(1, (one, 0), (other, 0)))
    table.check_refusals(*((1, request, "result-knockout") for request in no_winner))
    table.do(1, correct(1, (one, 0), (other, 1)))
    table.next_round()
    assert set(pairs(table, 2)[0]) == {other, third}
    play(table, other)
    assert table.why(1, correct(1, (one, 1), (other, 0))) == "bracket-drawn"
    assert table.tournament.standings[0].seat == other
    table.do(1, correct(2, (other, 0), (third, 1)))
    assert table.tournament.standings[0].seat == third


def test_results_of_groups_are_corrected_until_the_knock_out_is_drawn() -> None:
    table = in_round(6, plan=GROUPS)
    (one, other), (third, _) = pairs(table)
    play(table, one, third)
    for _ in range(2):
        table.next_round()
        play(table)
    table.do(1, correct(1, (one, 0.5), (other, 0.5)))
    table.next_round()
    assert table.why(1, correct(1, (one, 1), (other, 0))) == "bracket-drawn"
    (one, other) = pairs(table, 4)[0]
    play(table, one, other)
    assert table.why(1, correct(4, (one, 0.5), (other, 0.5))) == "result-knockout"
    table.do(1, correct(4, (one, 0), (other, 1)))
    assert table.tournament.standings[0].seat == other


def test_a_tie_that_a_host_decides_is_not_replayed() -> None:
    table = in_round(2, plan=CUP)
    play(table)
    assert table.tournament.again
    table.do(1, correct(1, (2, 1), (3, 0)))
    table.settle()
    assert table.tournament.over and table.tournament.standings[0].seat == 2


# Replayed matches


@pytest.mark.parametrize("plan", [SWISS, CUP])
def test_only_the_replayed_match_races(plan: dict[str, object]) -> None:
    table = in_round(plan=plan)
    (one, other), (third, _) = pairs(table)
    play(table, one, third)
    table.do(1, replay(other))
    assert table.do(1, replay(one)) == []
    assert table.tournament.again and table.last_entry()[3] == "The network was down."
    table.next_round()
    assert (table.tournament.drawn, set(table.race.racers)) == (1, {one, other})
    play(table, other)
    shown = table.tournament.shown["rounds"]["1"]
    assert shown["races"] == [1, 2] and shown["results"].keys() == {"2", "3", "4", "5"}
    assert table.scores()[one] == 0 and table.scores()[other] == table.scores()[third] == 1
    table.next_round()
    assert table.tournament.drawn == 2


def test_a_match_is_replayed_only_after_its_race_by_two_present_entrants() -> None:
    table = drawn(plan=SWISS)
    one, other = pairs(table)[0]
    assert table.why(1, replay(one)) == "no-round"
    begin(table)
    assert table.why(1, replay(one)) == "no-round"
    play(table, one)
    table.check_refusals((1, say.ReplayMatch(1, one, ""), "no-reason"), (1, replay(1), "result-seat"))
    table.do(1, replay(one))
    table.do(1, say.Withdraw(1, other))
    assert table.why(1, replay(one)) == "result-seat"
    table.settle()
    table.next_round()
    assert table.tournament.drawn == 2 and table.scores()[one] == 0, "the next round does not wait for it"


# Half-point byes


def half_bye(seat: int, number: int, *, on: bool = True) -> say.HalfBye:
    return say.HalfBye(1, seat, number, on)


def asked(table: Table) -> object:
    """The requested half-point byes in the view."""
    return table.tournament.shown["half_byes"]


def test_an_entrant_gets_half_a_point_for_a_requested_bye() -> None:
    table = entered(5, SWISS)
    table.do(3, half_bye(3, 1))
    assert table.do(3, half_bye(3, 1)) == []
    assert asked(table) == {"3": [1]} and table.tournament.desk == ()
    for _ in range(2):
        table.next_round()
        done = table.tournament.rounds[1]
        assert (done.half_byes, set(done.seats), done.byes) == ((3,), {2, 4, 5, 6}, ())
        assert table.tournament.shown["rounds"]["1"]["half_byes"] == [3] and asked(table) == {}
        play(table, 2)
        assert table.scores()[3] == 0.5
        if table.race.number == 1:
            table.round("replay")  # it keeps its byes
    table.next_round()
    assert 3 in table.tournament.rounds[2].everybody and table.tournament.rounds[2].half_byes == ()


def test_a_half_point_bye_can_be_taken_back_until_the_draw() -> None:
    table = entered(4, SWISS)
    table.do(3, half_bye(3, 1))
    table.do(3, half_bye(3, 1, on=False))
    assert table.do(3, half_bye(3, 1, on=False)) == [] and asked(table) == {}
    table.do(3, half_bye(3, 2))
    table.next_round()
    assert asked(table) == {"3": [2]} and 3 in table.tournament.rounds[1].seats
    table.check_refusals(*((3, half_bye(3, 1, on=on), "half-bye-drawn") for on in (True, False)))
    play(table, 2)
    table.next_round()
    assert table.tournament.rounds[2].half_byes == (3,)


def test_half_point_byes_are_limited_by_the_plan() -> None:
    table = entered(5, {"format": "swiss", "rounds": 5, "half_byes": 2, "by_timer": False})
    assert table.why(3, half_bye(3, 5)) == "half-byes-until"
    table.do(1, say.ChangePlan(1, {"half_byes_until": 3}))
    assert table.why(3, half_bye(3, 4)) == "half-byes-until"
    table.do(3, half_bye(3, 1))
    table.next_round()
    play(table, 2)
    table.do(3, half_bye(3, 3))
    assert table.why(3, half_bye(3, 2)) == "half-byes-most"
    table.round("skip")
    assert table.do(3, half_bye(3, 2)), "the bye of a skipped round gave nothing"
    table.do(1, say.Withdraw(1, 4))
    table.check_refusals(
        (1, half_bye(1, 2), "unknown-seat"),
        (4, half_bye(4, 2), "half-bye-out"),
        (2, half_bye(3, 2, on=False), "not-host"),
    )
    over = in_round(plan={**SWISS, "rounds": 1})
    play(over, 2)
    over.settle()
    assert over.why(2, half_bye(2, 2)) == "ended"


@pytest.mark.parametrize("plan", [{}, CUP, {**SWISS, "half_byes": 0}, {**SWISS, "rounds": 1}])
def test_without_half_point_byes_in_the_plan_they_are_refused(plan: dict[str, object]) -> None:
    assert entered(4, plan).why(3, half_bye(3, 1)) == "half-byes-none"


def test_a_host_gives_a_half_point_bye_and_takes_it_back() -> None:
    table = entered(5, SWISS)
    table.do(1, half_bye(3, 1))
    assert table.last_entry() == (1, "half_bye", 3, "1")
    table.undo()
    assert asked(table) == {} and table.tournament.desk[-2].undone
    table.wait(SECOND)
    table.do(4, half_bye(4, 1))
    table.do(1, half_bye(4, 1, on=False))
    assert table.last_entry() == (1, "no_half_bye", 4, "1") and asked(table) == {}
    table.undo()
    assert asked(table) == {"4": [1]}
    table.wait(SECOND)
    table.do(1, half_bye(5, 1))
    table.do(5, half_bye(5, 1, on=False))
    assert table.undoable == Ms(0), "the entrant has changed the same since"


def test_all_race_if_nearly_all_ask_for_a_half_point_bye() -> None:
    table = entered(3, SWISS)
    for seat in (2, 3):
        table.do(seat, half_bye(seat, 1))
    table.next_round()
    assert set(table.tournament.rounds[1].everybody) == {2, 3, 4} and table.tournament.rounds[1].half_byes == ()


# The running round


def test_a_host_ends_a_running_round_for_all() -> None:
    table = drawn()
    assert table.refuses(1, say.Round(1, "end")) == "no-round"
    table.settle_at((table.tournament.next_at or Ms(0)) - 2 * SECOND)
    assert table.race.on and table.refuses(1, say.Round(1, "end")) == "not-started"
    begin(table)
    table.moves(2, home=3)
    table.wait(10 * SECOND)
    table.round("end", reason="The hall closes.")
    table.settle()
    assert table.phase() == "pause" and table.tournament.standings[0].seat == 2
    assert {table.racer(seat).state for seat in (3, 4, 5)} == {"did_not_start"}
    assert table.last_entry() == (1, "round_stopped", 1, "The hall closes.")
    assert table.undoable == Ms(0), "races that are over cannot continue"


def cut_off(plan: dict[str, object]) -> Table:
    """A round of two pairs that a host has ended: only the first pair has a winner."""
    table = in_round(plan=plan)
    (winner, loser), (third, fourth) = pairs(table)
    table.wait(10 * SECOND)
    table.moves(winner, to=200, home=104, outcome="solved")
    table.settle()
    for home, seat in ((30, loser), (20, third), (10, fourth)):
        table.moves(seat, to=50, home=home)
    table.round("end", reason="The hall closes.")
    table.settle()
    return table


@pytest.mark.parametrize("plan", [SWISS, CUP])
def test_one_request_replays_the_matches_that_were_cut_off(plan: dict[str, object]) -> None:
    table = cut_off(plan)
    decided, cut = pairs(table)
    assert table.tournament.shown["unfinished"] == [cut]
    assert table.undoable == Ms(0), "the deal is public by now"
    table.wait(SECOND)
    table.round("replay_unfinished", reason="The fire alarm.")
    table.undo()
    assert table.tournament.shown["unfinished"] == [cut] and not table.tournament.again
    table.round("replay_unfinished", reason="The fire alarm.")
    assert table.round("replay_unfinished") == [] and table.tournament.shown["unfinished"] == []
    assert table.last_entry()[3] == "The fire alarm."
    table.next_round()
    assert set(table.race.racers) == {*cut}
    play(table, cut[1])
    assert table.scores()[cut[1]] == table.scores()[decided[0]] == 1


def test_all_matches_of_an_unfinished_round_are_replayed() -> None:
    table = in_round(6, plan=SWISS)
    table.wait(10 * SECOND)
    table.round("end")
    table.settle()
    table.round("replay_unfinished")
    assert {seat for pair in pairs(table) for seat in pair} == {*table.tournament.rounds[1].replayed}


def test_decided_matches_are_not_replayed() -> None:
    corrected, withdrawn, played = cut_off(SWISS), cut_off(SWISS), in_round(plan=SWISS)
    one, other = pairs(corrected)[1]
    corrected.do(1, correct(1, (one, 0.5), (other, 0.5)))
    withdrawn.do(1, say.Withdraw(1, pairs(withdrawn)[1][0]))
    play(played, 2)
    assert [table.round("replay_unfinished") for table in (corrected, withdrawn, played)] == [[], [], []]
    assert entered().refuses(1, say.Round(1, "replay_unfinished")) == "no-round"


# Pairs


def swap(table: Table, one: int, other: int) -> say.Swap:
    """The request of a host that sees the round as it is now."""
    last = table.tournament.last
    drawn_pairs = last.pairs if last else ()
    return say.Swap(1, one, other, next((sum(pair) - one for pair in drawn_pairs if one in pair), 0))


def test_a_host_swaps_two_entrants_of_a_drawn_round() -> None:
    table = drawn(5, plan=SWISS)
    before = table.tournament.rounds[1]
    (one, _), (other, _) = before.pairs
    [bye] = before.byes
    table.do(1, swap(table, one, other))
    assert [pair[0] for pair in pairs(table)] == [other, one]
    assert [pair[1] for pair in pairs(table)] == [pair[1] for pair in before.pairs]
    table.do(1, swap(table, one, bye))
    assert table.tournament.rounds[1].byes == (one,)
    begin(table)
    assert set(table.race.racers) == {2, 3, 4, 5, 6} - {one}
    assert table.refuses(1, swap(table, one, bye)) == "no-round"


def test_a_repeated_or_outdated_swap_does_not_swap_back() -> None:
    table = drawn(5, plan=SWISS)
    (one, _), (other, _) = pairs(table)
    [bye] = table.tournament.rounds[1].byes
    for to in (other, bye):
        before, request = table.tournament.rounds[1], swap(table, one, to)
        assert table.refuses(1, msgspec.structs.replace(request, against=99)) == "no-swap"
        table.do(1, request)
        after = table.tournament.rounds[1]
        assert after != before
        assert table.do(1, request) == []
        for _ in range(2):
            table.do(1, swap(table, one, to))
        assert table.tournament.rounds[1] == after


def test_a_swap_in_the_first_round_of_a_cup_is_another_seeding() -> None:
    table = drawn(plan=CUP)
    (one, other), (third, _) = pairs(table)
    assert table.do(1, swap(table, one, other)) == []
    table.do(1, swap(table, other, third))
    begin(table)
    play(table, one, other)
    table.settle()
    table.start_round()
    assert set(pairs(table, 2)[0]) == {one, other}
    assert table.refuses(1, swap(table, one, third)) == "no-swap"
    assert misdrawn(table) is None


def test_other_swaps_are_refused() -> None:
    table = drawn(plan=SWISS)
    table.check_refusals(*((1, swap(table, *seats), "no-swap") for seats in ((2, 2), (2, 1), (2, 99), (0, -1))))
    byes = drawn(6, plan=CUP)
    byes.check_refusals((1, swap(byes, *byes.tournament.rounds[1].byes), "no-swap"))
    drawn().check_refusals((1, say.Swap(1, 2, 3, 0), "no-swap"))


# Names and announcements


def test_a_host_renames_an_entrant_and_the_row_of_the_list() -> None:
    table = Table({"entry": "list", "listed": ["Dora", "Zoe"]}, seats=20)
    for guest in ("host", "dora"):
        table.join(guest)
    table.do(1, say.RenameEntrant(1, 2, "Dora Ionescu"))
    assert table.person(2).name == table.tournament.entrants[2].name == "Dora Ionescu"
    assert table.tournament.plan.listed == ("Dora Ionescu", "Zoe")
    assert refusal(table.join, "another", name="Dora") == "not-listed"
    assert table.refuses(1, say.RenameEntrant(1, 2, "zoe")) == "name-used"
    table.undo()
    assert table.person(2).name == "Dora" and table.tournament.plan.listed == ("Dora", "Zoe")


def test_a_host_gives_no_taken_or_bad_name() -> None:
    table = in_round()
    bad = (("guest 2", "name-used"), ("Host", "name-used"), ("\u200b", "bad-name"), ("W" * 25, "bad-name"))
    table.check_refusals(
        *((1, say.RenameEntrant(1, 2, name), code) for name, code in bad),
        (1, say.RenameEntrant(1, 9, "Zoe"), "unknown-seat"),
        (2, say.RenameEntrant(1, 2, "Zoe"), "not-host"),
    )
    assert table.do(1, say.RenameEntrant(1, 2, "Guest 1")) == []
    table.do(3, say.Leave(1))
    table.do(1, say.RenameEntrant(1, 3, "Zoe"))
    assert table.tournament.entrants[3].name == "Zoe", "also of an absent entrant"


def announced(table: Table) -> object:
    return table.tournament.shown["announcement"]


def test_an_announcement_stays_until_the_next_one() -> None:
    table = entered()
    table.do(1, say.Announce(1, "  Lunch\u202e until two. "))
    assert announced(table) == (table.now, "Lunch until two.")
    assert table.do(1, say.Announce(1, "Lunch until two.")) == []
    assert table.refuses(1, say.Announce(1, "Lunch until three.")) == "too-fast"
    table.wait(ANNOUNCE_EVERY)
    table.do(1, say.Announce(1, "Lunch until three."), say.Announce(1, ""))
    assert announced(table) is None
    table.check_refusals(
        (1, say.Announce(1, "W" * 281), "bad-announcement"), (2, say.Announce(1, "Hello."), "not-host")
    )


# Taking back


@pytest.mark.parametrize(("what", "entry"), [("skip", "skipped"), ("replay", "annulled")])
def test_a_skipped_or_annulled_round_is_taken_back(what: str, entry: str) -> None:
    table = in_round(plan={"rounds": 2, "pause": 60})
    play(table, 2)
    before = table.tournament
    table.wait(10 * SECOND)
    table.round(what)
    table.settle()
    assert table.scores()[2] == 0
    table.wait(10 * SECOND)
    table.undo()
    table.settle()
    after = table.tournament
    assert (after.rounds, after.races, after.decided) == (before.rounds, before.races, before.decided)
    assert after.phase == before.phase and after.next_at == table.now + MINUTE, "the pause begins anew"
    assert [(one.what, one.undone) for one in after.desk][-2:] == [(entry, True), ("undone", False)]


def test_the_tournament_is_over_when_the_replay_of_its_last_round_is_taken_back() -> None:
    table = in_round(plan={"rounds": 1})
    play(table, 2)
    table.round("replay")
    assert table.phase() == "pause"
    table.undo()
    table.settle()
    assert table.phase() == "over" and table.scores()[2] == 25


def test_actions_are_taken_back_from_the_last_one_on_and_each_once() -> None:
    table = entered(plan={"starts_at": None})
    actions: tuple[say.Command, ...] = (
        say.ChangePlan(1, {"rounds": 7}),
        say.Timer(1, table.now + 30 * MINUTE),
        say.Round(1, "pause"),
        say.Judge(1, 2, True, "Two browsers."),
        say.Withdraw(1, 3),
        say.RenameEntrant(1, 4, "Zoe"),
        say.Announce(1, "Lunch."),
    )

    def state() -> tuple[object, ...]:
        one = table.tournament
        return one.plan, one.entrants, one.next_at, one.paused, one.announcement, table.person(4).name

    states = []
    for action in actions:
        table.wait(SECOND)
        states.append(state())
        table.do(1, action)
    for before in reversed(states):
        request = say.Undo(1, table.undoable)
        assert table.do(1, request) == [events.Undone(request.at, 1)]
        assert table.do(1, request) == [], "it was the same action"
        assert state() == before
    assert table.undoable == Ms(0)
    assert table.refuses(1, say.Undo(1, Ms(0))) == "no-undo"


def test_a_draw_settles_all_actions_before_it() -> None:
    table = entered()
    table.round("pause")
    at = table.undoable
    table.start_round()
    assert table.undoable == Ms(0)
    assert table.refuses(1, say.Undo(1, at)) == "no-undo"


def test_a_swap_can_be_taken_back_until_the_countdown() -> None:
    table = drawn(plan=SWISS)
    (one, _), (other, _) = before = pairs(table)
    table.do(1, swap(table, one, other))
    table.undo()
    assert pairs(table) == before
    table.wait(SECOND)
    table.do(1, say.Announce(1, "Good luck."))
    table.wait(SECOND)
    table.do(1, swap(table, one, other))
    begin(table)
    table.undo()
    assert table.tournament.announcement is None and pairs(table) != before


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda table: table.do(3, say.Rename(1, "Dora")), "no-undo"),
        (lambda table: table.join("stranger", name="Guest 2"), "name-used"),
    ],
)
def test_an_action_is_not_taken_back_after_another_person_changed_the_same(
    change: Callable[[Table], object], code: str
) -> None:
    table = entered()
    table.do(1, say.RenameEntrant(1, 3, "Zoe"))
    request = say.Undo(1, table.undoable)
    change(table)
    assert table.refuses(1, request) == code


def test_a_release_is_taken_back() -> None:
    table = Table({"entry": "list", "listed": ["Dora"]}, seats=20)
    for guest in ("host", "dora"):
        table.join(guest)
    table.do(1, say.Release(1, "Dora"))
    table.undo()
    assert (table.person(2).name, table.states()[2], table.tournament.released) == ("Dora", "in", {})


def test_a_co_host_takes_back_actions_of_hosts_except_those_about_the_creator() -> None:
    table = entered()
    table.do(1, say.CoHost(1, 2, True))
    assert table.undoable == Ms(0)
    table.round("pause")
    assert table.refuses(3, say.Undo(1, table.undoable)) == "not-host"
    table.undo(seat=2)
    assert not table.tournament.paused and table.tournament.co_hosts == {2}
    table.do(1, say.Enter(1, True))
    table.wait(SECOND)
    table.do(1, say.Withdraw(1, 1))
    assert table.refuses(2, say.Undo(1, table.undoable)) == "creator"
    table.undo()
    assert table.states()[1] == "in"
