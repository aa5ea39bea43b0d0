"""Tournaments in a room: their clock, their entrants, and their hosts."""

import msgspec
import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves.tournament import standings
from fortythieves.tournament.plan import Plan
from fortythieves_server.core import decide, events
from fortythieves_server.core.decide_hosts import HOST_AWAY
from fortythieves_server.core.decide_tournament import ANNOUNCE_EVERY, BACK_WITHIN, changed
from fortythieves_server.core.tournament import DRAWN_FOR
from tests.refusals import refusal
from tests.server.tables import MINUTE, NOON, SECOND, Table, begin, drawn, entered, in_round, play

SWISS = {"format": "swiss", "rounds": 3, "by_timer": False}
CUP = {"format": "knockout", "by_timer": False}
GROUPS = {"format": "roundrobin", "groups": 2, "advance": 1, "by_timer": False}
ROBIN = {"format": "roundrobin", "by_timer": False}


def play_rounds(table: Table, rounds: int, *best: int) -> None:
    for _ in range(rounds):
        table.next_round()
        play(table, *best)


def podium(table: Table) -> list[tuple[int | None, int]]:
    return [(row.place, row.seat) for row in table.tournament.standings]


# The clock


def test_a_round_is_drawn_fifteen_seconds_before_its_cards_are_dealt_also_if_late() -> None:
    table = entered(plan={"starts_at": NOON + MINUTE})
    assert table.after(MINUTE - DRAWN_FOR - Ms(1)) == []
    assert [type(event) for event in table.after(Ms(1))] == [events.Drawn]
    begin(table)
    assert table.race.starts_at == NOON + MINUTE
    assert set(table.race.racers) == {2, 3, 4, 5}
    table = entered(plan={"starts_at": NOON + MINUTE}).settle_at(NOON + 10 * MINUTE)
    assert table.tournament.next_at == table.now + DRAWN_FOR


def test_rounds_follow_each_other_by_the_timer_or_by_the_host() -> None:
    table = in_round(plan={"rounds": 3, "pause": 120})
    play(table, 2, 3)
    assert table.phase() == "pause"
    assert table.tournament.next_at == (table.race.over_at or Ms(0)) + 120 * SECOND
    play_rounds(table, 2, 2, 3)
    assert table.phase() == "over" and [seat for _, seat in podium(table)][:2] == [2, 3]
    table = in_round(plan={"rounds": 2, "by_timer": False})
    play(table, 2)
    assert table.after(60 * MINUTE) == []
    table.start_round()
    assert table.phase() == "drawn"
    table.wait(SECOND)
    table.round("start")
    assert [type(event) for event in table.settle()] == [events.Counted], "a drawn round need not wait"


def test_an_absent_entrant_without_a_move_is_withdrawn_until_returning() -> None:
    table = in_round(6, plan={"no_show": 30})
    table.hang_up(3, 4)
    table.moves(2, 4)
    table.wait(29 * SECOND)
    table.hang_up(5, 6)
    left_at = table.now
    assert events.Withdrawn(3, "no_show") in table.after(SECOND)
    assert table.racer(3).state == "did_not_start"
    assert table.racer(4).racing, "this entrant has made a move"
    assert decide.next_due(table.room, table.progress) == left_at + BACK_WITHIN, "reloading a page takes some time"
    assert table.after(BACK_WITHIN - SECOND - Ms(1)) == []
    table.join("guest 4")
    withdrawn = [event for event in table.after(Ms(1)) if isinstance(event, events.Withdrawn)]
    assert withdrawn == [events.Withdrawn(6, "no_show")] and table.racer(7).racing, "the last one is present"
    table.join("guest 2")
    table.do(3, say.Enter(1, True))
    table.hang_up(3)
    table.after(30 * MINUTE)
    assert table.states()[3] == "in" and 3 in table.room.people, "a long absence costs no seat"


def test_a_tournament_waits_for_two_entrants_and_ends_without_any() -> None:
    table = drawn(plan={"no_show": 30})
    table.hang_up(2, 3, 4, 5)
    begin(table)
    table.after(30 * SECOND)
    assert table.tournament.over and set(table.states().values()) == {"withdrawn"}
    table = drawn()
    for seat in (2, 3, 4, 5):
        table.do(seat, say.Leave(1))
    table.settle_at(table.tournament.next_at or Ms(0))
    assert table.tournament.over and table.tournament.rounds[1].skipped and not table.race.on
    table = entered(1, plan={"starts_at": NOON + MINUTE}).settle_at(NOON + MINUTE)
    assert (table.phase(), table.tournament.next_at) == ("entry", None)
    assert table.refuses(1, say.Round(1, "start")) == "too-few"


def test_a_tied_pair_of_a_knock_out_replays_the_same_round() -> None:
    table = in_round(2, plan={"format": "knockout"})
    play(table)
    assert (table.phase(), table.tournament_view()["again"]) == ("pause", True)
    table.next_round()
    assert table.race.number == 2 and set(table.race.racers) == {2, 3}
    play(table, 3)
    assert table.tournament.over and podium(table) == [(1, 3), (2, 2)]
    assert table.tournament.races == {1: (1, 2)}
    before = table.tournament.standings
    table.check_refusals((3, say.Enter(1, False), "ended"), (1, say.Withdraw(1, 3), "ended"))
    table.do(3, say.Leave(1))
    assert table.tournament.standings == before and table.states()[3] == "in", "leaving after the end changes nothing"


def test_a_cup_is_decided_without_the_matches_that_nobody_plays() -> None:
    table = drawn(4, plan={"format": "knockout"})
    gone, (best, other) = table.tournament.rounds[1].pairs[0], sorted(table.tournament.rounds[1].pairs[1])
    table.hang_up(*gone)
    begin(table)
    for home, seat in ((2, best), (1, other)):
        table.moves(seat, to=10, home=home)
    table.run_out()
    assert table.tournament.over
    assert podium(table) == [(1, best), (2, other), *((3, seat) for seat in sorted(gone))]
    assert {table.states()[seat] for seat in gone} == {"withdrawn"}
    results = table.tournament_view()["rounds"]["1"]["results"]
    assert [results[str(seat)][0] for seat in gone] == [2, 2], "both have lost"
    table = in_round(plan=CUP)
    (best, other), (third, fourth) = pairs(table)
    play(table, best, third)
    for seat in (third, other, fourth):
        table.do(1, say.Withdraw(1, seat))
    table.round("start")
    assert table.phase() == "over" and podium(table)[0][1] == best


@pytest.mark.parametrize("form", ["knockout", "roundrobin"])
def test_with_a_schedule_no_entrant_enters_after_the_first_draw(form: str) -> None:
    table = entered(5, plan={"format": form, "by_timer": False})
    for on in (False, True, False):
        table.do(6, say.Enter(1, on))
    table.start_round()
    late = table.join("late")
    table.check_refusals((late, say.Enter(1, True), "too-late"), (6, say.Enter(1, True), "too-late"))
    for on in (False, True):
        table.do(5, say.Enter(1, on))


def test_a_round_robin_is_full_without_places_and_waits_with_one_entrant_left() -> None:
    table = entered(30, plan=ROBIN)
    assert not table.tournament.may_enter()
    late = table.join("late")
    assert table.refuses(late, say.Enter(1, True)) == "entry-full"
    table.do(2, say.Enter(1, False))
    table.do(late, say.Enter(1, True))
    assert table.states()[late] == "in"
    table.do(1, say.ChangePlan(1, {"groups": 2}))
    table.do(2, say.Enter(1, True))
    with pytest.raises(Refused) as refused:
        table.do(1, say.ChangePlan(1, {"groups": 1}))
    assert refused.value.parameters == {"detail": "groups-full", "entrants": 31, "groups": 1, "most": 30}
    table = in_round(3, plan=ROBIN)
    play(table, 2)
    for seat in (3, 4):
        table.do(seat, say.Enter(1, False))
    assert table.refuses(1, say.Round(1, "start")) == "too-few"
    table.do(3, say.Enter(1, True))
    table.round("start")


def test_a_schedule_is_fixed_by_the_first_draw() -> None:
    double, groups = in_round(6, plan={"format": "double"}), in_round(6, plan={**ROBIN, "groups": 2})
    for table, skip in ((double, "knockout-skip"), (groups, "groups-skip")):
        assert table.why(1, say.Round(1, "skip")) == skip
        table.do(1, say.ChangePlan(1, {"pause": 90}))
    assert double.why(1, say.ChangePlan(1, {"second_final": False})) == "second-final-fixed"
    changes: tuple[dict[str, object], ...] = ({"groups": 1}, {"advance": 1})
    groups.check_refusals(*((1, say.ChangePlan(1, change), "groups-fixed") for change in changes))


# Entrants


def test_late_entry_is_open_until_the_last_round_of_the_plan_for_it() -> None:
    table = in_round(plan={"rounds": 4, "late": 2})
    late = table.join("late")
    assert late not in table.race.racers
    play(table, 2)
    between = table.join("between")
    table.next_round()
    last = table.join("during the last")
    assert [table.tournament.entrants[seat].since for seat in (late, between, last)] == [2, 2, 3]
    assert table.tournament_view()["may_enter"]
    play(table, 2)
    assert not table.tournament_view()["may_enter"]
    later = table.join("later")
    assert table.refuses(later, say.Enter(1, True)) == "too-late" and later not in table.tournament.entrants
    table.round("replay")
    assert table.tournament_view()["may_enter"], "an annulled round has not ended"


# Hosts


def test_a_host_pauses_and_sets_the_time_of_the_next_round() -> None:
    table = in_round(plan={"pause": 60})
    play(table, 2)
    table.round("pause")
    assert table.after(60 * MINUTE) == []
    table.round("resume")
    table.settle()
    assert table.phase() == "drawn" and table.tournament.next_at == table.now + DRAWN_FOR
    table = in_round()
    play(table, 2)
    for at in (table.now + 60 * MINUTE, None):
        table.do(1, say.Timer(1, at))
        assert table.tournament.next_at == at
    assert table.refuses(1, say.Timer(1, table.now)) == "bad-plan"
    in_2199 = Ms(7_226_582_400_000)
    for request in (say.ChangePlan(1, {"starts_at": in_2199}), say.Timer(1, in_2199)):
        assert table.why(1, request) == "start-far"


def test_a_replayed_round_counts_only_with_its_last_race_and_a_skipped_one_never() -> None:
    table = in_round(plan={"rounds": 2})
    table.wait(10 * SECOND)
    table.round("replay", reason="A false start.")
    assert not table.race.on and table.phase() == "pause", "a running round is stopped"
    assert table.tournament.races == {1: ()} and table.tournament_view()["again"]
    play_rounds(table, 1, 2)
    table.round("replay", reason="The network was down.")
    table.next_round()
    assert table.race.number == 3 and set(table.race.racers) == {2, 3, 4, 5}
    play(table, 3)
    assert table.tournament.races == {1: (3,)} and podium(table)[0][1] == 3
    play_rounds(table, 1, 2)
    table.round("skip")
    assert podium(table)[0][1] == 3


def test_a_host_confirms_rounds_one_by_one() -> None:
    table = in_round(plan={"rounds": 4})
    assert table.refuses(1, say.Round(1, "confirm")) == "no-round"
    play(table, 2)
    play_rounds(table, 1, 2)
    assert table.tournament_view()["rounds"]["2"]["state"] == "played"
    assert table.round("confirm") == [events.Confirmed(2, 1)], "without a number, the last one"
    assert table.tournament_view()["rounds"]["2"]["state"] == "confirmed"
    table.next_round()
    refused = (say.Round(1, "confirm", "", number) for number in (0, 3, 9))
    table.check_refusals(*((1, request, "no-round") for request in refused))
    table.round("skip")
    assert table.refuses(1, say.Round(1, "confirm", "", 3)) == "no-round"
    assert table.round("confirm", number=1) == [events.Confirmed(1, 1)]
    assert table.round("confirm", number=1) == []


def test_a_disqualification_has_a_reason_and_can_be_reversed() -> None:
    table = in_round(plan={"rounds": 1})
    for reason in ("  ", " \u200b\u202e"):
        assert table.refuses(1, say.Judge(1, 2, True, reason)) == "no-reason"
    table.do(1, say.Judge(1, 3, True, "Two browsers."))
    assert table.last_entry() == (1, "disqualified", 3, "Two browsers.")
    assert table.racer(3).state == "disqualified"
    assert table.refuses(3, say.Enter(1, True)) == "disqualified"
    play(table, 2, 4)
    table.do(1, say.Judge(1, 2, True, "Two browsers."))
    assert podium(table)[0] == (1, 4) and (None, 2) in podium(table)
    table.do(1, say.Judge(1, 2, False, "It was her sister."))
    assert podium(table)[0] == (1, 2)


@pytest.mark.parametrize("form", ["knockout", "roundrobin", "swiss"])
def test_a_reinstated_entrant_is_in_the_next_draw_but_in_no_fixed_schedule(form: str) -> None:
    table = entered(5, plan={"format": form, "rounds": 3})
    for seat in (4, 5):
        table.do(1, say.Judge(1, seat, True, "Two accounts."))
    table.do(1, say.Judge(1, 5, False, "It was a mistake."))
    table.start_round()
    assert table.tournament.was_drawn(5)
    for out in (True, False):
        table.do(1, say.Judge(1, 3, out, "Two accounts, or not."))
    assert table.states()[3] == "in"
    if form != "swiss":
        assert table.refuses(1, say.Judge(1, 4, False, "It was a mistake.")) == "too-late"
        return
    table.do(1, say.Judge(1, 4, False, "It was a mistake."))
    begin(table)
    play(table, 2)
    table.next_round()
    assert table.tournament.was_drawn(4)


# The plan


def test_the_texts_of_a_plan_are_clean() -> None:
    table = entered()
    for given, clean in (
        ({"name": "  Club\u202e night\u200b "}, "Club night"),
        ({"name": "\u200b"}, ""),
        ({"listed": ["Bo\u200bb", "Ann"]}, ("Bob", "Ann")),
        ({"about": "First prize:\u202e a cup.\r\n\n\u200b\n  Bring\tpens.\n\n"}, "First prize: a cup.\n\nBring pens."),
        ({"apart": [["Bo\u200bb", " Ann "], ["Cem", "Dan"]]}, (("Bob", "Ann"), ("Cem", "Dan"))),
    ):
        table.do(1, say.ChangePlan(1, given))
        assert getattr(table.tournament.plan, next(iter(given))) == clean
    assert msgspec.to_builtins(table.tournament_view()["plan"])["apart"] == 2, "the names are private"
    bad: tuple[dict[str, object], ...] = ({"listed": ["Bo\u200bb", "Bob"]}, {"listed": ["\u200b"]}, {"about": 7})
    strange = {"entry": "list", "apart": [["Ann", "Nobody"]]}
    assert table.why(1, say.ChangePlan(2, strange)) == "apart-unknown"
    table.check_refusals(*((1, say.ChangePlan(2, change), "bad-plan") for change in bad))
    assert table.refuses(1, say.ChangePlan(2, {"about": "W" * 2001})) == "bad-about"
    assert table.why(1, say.ChangePlan(2, {"listed": ["Ann", "\u0410nn"]})) == "names-alike", "one of them is Cyrillic"
    for long in ("Wolfeschlegelsteinhausenbergerdorff", "W" * 1_000):
        with pytest.raises(Refused, match=f"“{long[:48]}” cannot be a name"):
            table.do(1, say.ChangePlan(1, {"listed": ["Ann", long]}))


def test_the_rules_of_the_score_are_fixed_by_the_first_draw() -> None:
    table = entered(plan={"rounds": 3, "format": "points"})
    table.do(1, say.ChangePlan(1, {"points": [3, 2, 1]}))
    table.next_round()
    table.do(1, say.ChangePlan(1, {"rounds": 5, "pause": 90}))
    assert (table.tournament.plan.rounds, table.tournament.plan.pause) == (5, 90)
    table.do(1, say.ChangePlan(1, {"tiebreaks": ["wins", "solved", "home"]}))  # the default
    refused: tuple[tuple[dict[str, object], str], ...] = (
        ({"format": "swiss"}, "bad-plan"),
        ({"points": [9, 2, 1]}, "points-fixed"),
        ({"tiebreaks": ["home", "wins"]}, "tiebreaks-fixed"),
        ({"rounds": 0}, "bad-plan"),
        ({"starts_at": NOON - Ms(1)}, "start-past"),
        ({"blind": True}, "blind-fixed"),
        ({"deadly": True}, "deadly-fixed"),
        ({"entry": "password"}, "password-needed"),
    )
    table.check_refusals(*((1, say.ChangePlan(1, change), detail) for change, detail in refused))
    play(table, 2)
    table.do(1, say.ChangePlan(1, {"rounds": 1}))
    table.settle()
    assert table.phase() == "over" and table.scores()[2] == 3, "fewer rounds may end it"
    assert table.why(1, say.ChangePlan(1, {"points": [9, 2, 1]})) == "points-fixed"
    table.wait(10 * MINUTE)
    table.do(1, say.ChangePlan(1, {"rounds": 2}))
    table.settle()
    assert table.phase() == "pause" and table.tournament.next_at == table.now + 90 * SECOND, "more rounds continue it"
    play_rounds(table, 1, 3)
    assert table.phase() == "over"


def test_a_password_stays_until_the_next_one() -> None:
    table = entered()

    def change(changes: dict[str, object], hashed: str = "") -> list[events.Event]:
        request = say.ChangePlan(1, changes)
        return table.ask(lambda room, context: decide.decide(room, 1, request, context._replace(password=hashed)))

    change({"entry": "password"}, "salt:one")
    for entry in ("open", "password"):
        change({"entry": entry})
        assert (table.tournament.plan.entry, table.tournament.password) == (entry, "salt:one")
    assert [type(event) for event in change({}, "salt:two")] == [events.Planned]
    assert table.tournament.password == "salt:two" and change({}) == []
    assert "salt" not in str(table.tournament_view())
    assert set(table.states().values()) == {"in"}


def test_a_name_with_invisible_characters_is_the_same_when_a_plan_is_checked() -> None:
    """Hundreds of entrants would be kept apart from one of them, and no pairing would exist."""
    groups = [["p\u200b" + "\u200c" * n + "1", *(f"p{n}/{k}" for k in range(49))] for n in range(20)]
    with pytest.raises(Refused, match="49") as refused:
        changed(Plan(format="swiss"), {"apart": groups})
    assert refused.value.details["detail"] == "apart-many"


@pytest.mark.parametrize("change", [{"pause": 90}, {"apart": [["Cem", "Dan"]]}])
def test_a_change_of_the_plan_does_not_store_the_unchanged_names(change: dict[str, object]) -> None:
    names = [f"{'W' * 20}{n:04}" for n in range(1000)]
    table = entered(plan={"listed": names, "apart": [["Ann", "Bob"]]})
    before = table.tournament.plan
    (changed,) = table.do(1, say.ChangePlan(1, change))
    assert len(msgspec.json.encode(changed)) < 2_000
    assert table.tournament.plan == before.changed(change)
    table.do(1, say.ChangePlan(2, {"listed": ["Ann"]}))
    assert table.tournament.plan == before.changed({**change, "listed": ["Ann"]})


def test_each_round_has_the_settings_of_its_plan() -> None:
    ladder = [{"game": "lucas"}, {"game": "maria", "time_limit": 300}]
    table = in_round(plan={"rounds": 4, "ladder": ladder}, game="streets")
    games = [table.race.settings.game]
    for _ in range(2):
        play(table, 2)
        table.next_round()
        games.append(table.race.settings.game)
    assert games == ["lucas", "maria", "lucas"] and table.race.settings.time_limit == 1200
    play(table, 2)
    table.do(1, say.ChangePlan(1, {"ladder": []}))
    table.next_round()
    assert [one["game"] for one in table.tournament_view()["rounds"].values()] == [*games, "streets"], (
        "earlier games stay"
    )


def test_a_narrower_view_does_not_undo_the_settings_of_the_plan() -> None:
    table = drawn(plan={"ladder": [{"game": "maria"}], "deadly": True, "blind": True}, watch="open", undo="free")
    table.do(1, say.ChangeSettings(1, {"watch": "frontier"}))
    for settings in (table.race.settings, table.room.settings):
        assert (settings.game, settings.undo, settings.watch) == ("maria", "none", "progress")
    begin(table)
    table.wait(10 * SECOND)
    table.do(2, say.GiveUp(1))
    assert table.racer(2).state == "gave_up", "giving up is final in a deadly tournament"


# Co-hosts and audit entries


def test_the_actions_of_hosts_are_listed() -> None:
    table = entered()
    table.do(1, say.CoHost(1, 4, True))
    table.hang_up(1)
    assert table.after(HOST_AWAY) == [events.Hosted(4)]
    table.do(4, say.Lock(1, True))
    table.join("host")
    table.do(1, say.Timer(1, table.now + MINUTE))
    table.round("pause")
    table.round("start", seat=4)
    by_the_clock = [(None, "hosted", 4), (None, "hosted", 1)]
    by_hosts = [(1, "timed", None), (1, "paused", None), (4, "resumed", None), (4, "started", 1)]
    entries = [(entry.by, entry.what, entry.about) for entry in table.tournament.desk]
    assert entries == [(1, "co_hosted", 4), *by_the_clock, *by_hosts]


# The desk of hosts: results


def correct(number: int, *points: tuple[int, float | None], reason: str = "Seen by all.") -> say.Correct:
    return say.Correct(1, number, points, reason)


def replay(seat: int) -> say.ReplayMatch:
    return say.ReplayMatch(1, seat, "The network\u202e was down.")


def pairs(table: Table, number: int = 1) -> tuple[tuple[int, int], ...]:
    return table.tournament.rounds[number].pairs


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
    assert table.tournament_view()["rounds"]["1"]["corrections"] == [(4, 20.25, "Seen by all.")]
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
    table = in_round(2, plan=CUP)
    play(table)
    assert table.tournament.again
    table.do(1, correct(1, (2, 1), (3, 0)))
    table.settle()
    assert table.tournament.over and table.tournament.standings[0].seat == 2


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
    shown = table.tournament_view()["rounds"]["1"]
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
    return table.tournament_view()["half_byes"]


def test_an_entrant_gets_half_a_point_for_a_requested_bye() -> None:
    table = entered(5, SWISS)
    table.do(3, half_bye(3, 1))
    assert table.do(3, half_bye(3, 1)) == []
    assert asked(table) == {"3": [1]} and table.tournament.desk == ()
    for _ in range(2):
        table.next_round()
        done = table.tournament.rounds[1]
        assert (done.half_byes, set(done.seats), done.byes) == ((3,), {2, 4, 5, 6}, ())
        assert table.tournament_view()["rounds"]["1"]["half_byes"] == [3] and asked(table) == {}
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
    table = entered(3, SWISS)
    for seat in (2, 3):
        table.do(seat, half_bye(seat, 1))
    table.next_round()
    assert set(table.tournament.rounds[1].everybody) == {2, 3, 4} and table.tournament.rounds[1].half_byes == ()


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
    plans: tuple[dict[str, object], ...] = ({}, CUP, {**SWISS, "half_byes": 0}, {**SWISS, "rounds": 1})
    assert {entered(4, plan).why(3, half_bye(3, 1)) for plan in plans} == {"half-byes-none"}
    over = in_round(plan={**SWISS, "rounds": 1})
    play(over, 2)
    over.settle()
    assert over.why(2, half_bye(2, 2)) == "ended"


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
    assert table.tournament_view()["unfinished"] == [cut]
    assert table.undoable == Ms(0), "the deal is public by now"
    table.wait(SECOND)
    table.round("replay_unfinished", reason="The fire alarm.")
    table.undo()
    assert table.tournament_view()["unfinished"] == [cut] and not table.tournament.again
    table.round("replay_unfinished", reason="The fire alarm.")
    assert table.round("replay_unfinished") == [] and table.tournament_view()["unfinished"] == []
    assert table.last_entry()[3] == "The fire alarm."
    table.next_round()
    assert set(table.race.racers) == {*cut}
    play(table, cut[1])
    assert table.scores()[cut[1]] == table.scores()[decided[0]] == 1


def test_all_undecided_matches_of_an_unfinished_round_are_replayed() -> None:
    table = in_round(6, plan=SWISS)
    table.wait(10 * SECOND)
    table.round("end")
    table.settle()
    table.round("replay_unfinished")
    assert {seat for pair in pairs(table) for seat in pair} == {*table.tournament.rounds[1].replayed}
    corrected, withdrawn, played = cut_off(SWISS), cut_off(SWISS), in_round(plan=SWISS)
    one, other = pairs(corrected)[1]
    corrected.do(1, correct(1, (one, 0.5), (other, 0.5)))
    withdrawn.do(1, say.Withdraw(1, pairs(withdrawn)[1][0]))
    play(played, 2)
    assert [table.round("replay_unfinished") for table in (corrected, withdrawn, played)] == [[], [], []]
    assert entered().refuses(1, say.Round(1, "replay_unfinished")) == "no-round"


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


def test_a_repeated_or_outdated_swap_does_not_swap_back_and_others_are_refused() -> None:
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
    table = drawn(plan=SWISS)
    table.check_refusals(*((1, swap(table, *seats), "no-swap") for seats in ((2, 2), (2, 1), (2, 99), (0, -1))))
    byes = drawn(6, plan=CUP)
    byes.check_refusals((1, swap(byes, *byes.tournament.rounds[1].byes), "no-swap"))
    drawn().check_refusals((1, say.Swap(1, 2, 3, 0), "no-swap"))


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
    assert standings.misdrawn(table.tournament.plan, [*table.tournament.rounds.values()]) is None


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
    table.wait(SECOND)
    table.do(1, say.Release(1, "Dora"))
    table.undo()
    assert (table.person(2).name, table.states()[2], table.tournament.released) == ("Dora", "in", {})


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


def test_an_announcement_stays_until_the_next_one() -> None:
    table = entered()
    table.do(1, say.Announce(1, "  Lunch\u202e until two. "))
    assert table.tournament_view()["announcement"] == (table.now, "Lunch until two.")
    assert table.do(1, say.Announce(1, "Lunch until two.")) == []
    assert table.refuses(1, say.Announce(1, "Lunch until three.")) == "too-fast"
    table.wait(ANNOUNCE_EVERY)
    table.do(1, say.Announce(1, "Lunch until three."), say.Announce(1, ""))
    assert table.tournament_view()["announcement"] is None
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


def test_a_draw_settles_all_actions_before_it_and_the_countdown_the_swaps() -> None:
    table = entered(plan=SWISS)
    table.round("pause")
    at = table.undoable
    table.start_round()
    assert table.undoable == Ms(0)
    assert table.refuses(1, say.Undo(1, at)) == "no-undo"
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


def test_an_action_is_not_taken_back_after_another_person_changed_the_same() -> None:
    table = entered()
    table.do(1, say.RenameEntrant(1, 3, "Zoe"))
    request = say.Undo(1, table.undoable)
    table.join("stranger", name="Guest 2")
    assert table.refuses(1, request) == "name-used"
    table.do(3, say.Rename(1, "Dora"))
    assert table.refuses(1, request) == "no-undo"


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
