"""Tournaments in a room: their clock, their entrants, and their hosts."""

from typing import Any

import msgspec
import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_tournament, events
from fortythieves_server.core.decide_hosts import HOST_AWAY
from fortythieves_server.core.decide_tournament import BACK_WITHIN
from fortythieves_server.core.tournament import DRAWN_FOR
from fortythieves_server.core.view_types import Tournament
from tests.server.tables import MINUTE, NOON, SECOND, Table, begin, drawn, entered, in_round, play

CUP = {"format": "knockout"}
ROBIN = {"format": "roundrobin", "by_timer": False}


def shown(table: Table) -> Tournament:
    return table.tournament.shown


def draw_next(table: Table) -> None:
    """Let the time of the next draw come."""
    table.settle_at((table.tournament.next_at or Ms(0)) - DRAWN_FOR)


def play_rounds(table: Table, rounds: int, *best: int) -> None:
    """Some rounds, each with the same winners."""
    for _ in range(rounds):
        if table.tournament.drawn is None:
            table.next_round()
        else:
            begin(table)
        play(table, *best)


def podium(table: Table) -> list[tuple[int | None, int]]:
    return [(row.place, row.seat) for row in table.tournament.standings]


# The clock


def test_a_round_is_drawn_fifteen_seconds_before_its_cards_are_dealt() -> None:
    table = entered(plan={"starts_at": NOON + MINUTE})
    table.now = NOON + MINUTE - DRAWN_FOR - Ms(1)
    assert table.settle() == []
    assert [type(event) for event in table.after(Ms(1))] == [events.Drawn]
    begin(table)
    assert table.race.starts_at == NOON + MINUTE
    assert set(table.race.racers) == {2, 3, 4, 5}


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


def test_a_late_draw_still_gives_all_entrants_time() -> None:
    table = entered(plan={"starts_at": NOON + MINUTE}).settle_at(NOON + 10 * MINUTE)
    assert table.tournament.next_at == table.now + DRAWN_FOR


def test_the_start_waits_for_two_entrants() -> None:
    table = entered(1, plan={"starts_at": NOON + MINUTE}).settle_at(NOON + MINUTE)
    assert (table.phase(), table.tournament.next_at) == ("entry", None)
    assert table.refuses(1, say.Round(1, "start")) == "too-few"


# No-shows


def test_an_absent_entrant_without_a_move_is_withdrawn_until_returning() -> None:
    table = drawn(plan={"no_show": 30})
    table.hang_up(3, 4)
    begin(table)
    table.moves(2, 4)
    assert table.settle() == []
    assert events.Withdrawn(3, "no_show") in table.after(30 * SECOND)
    assert table.racer(3).state == "did_not_start"
    assert table.racer(4).racing, "this entrant has made a move"
    assert table.racer(5).racing, "this entrant is present"
    table.join("guest 2")
    table.do(3, say.Enter(1, True))
    assert table.states()[3] == "in"


@pytest.mark.parametrize("returns", [True, False])
def test_an_entrant_that_reloads_the_page_is_not_a_no_show(*, returns: bool) -> None:
    table = in_round(plan={"no_show": 30})
    table.moves(2, 4, 5)
    table.wait(29 * SECOND)
    table.hang_up(3)
    left_at = table.now
    assert table.after(BACK_WITHIN - Ms(1)) == []
    assert decide_tournament.next_due(table.room, table.progress) == left_at + BACK_WITHIN
    if returns:
        table.join("guest 2")
    assert (events.Withdrawn(3, "no_show") in table.after(Ms(1))) is not returns


def test_a_tournament_without_entrants_ends() -> None:
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


# Brackets


def test_the_number_of_rounds_of_a_knock_out_follows_from_the_first_draw() -> None:
    table = entered(5, plan=CUP)
    table.do(6, say.Leave(1))
    assert shown(table)["rounds_planned"] == 2
    table.start_round()
    table.join("late")
    assert shown(table)["rounds_planned"] == 2


def test_a_tied_pair_of_a_knock_out_replays_the_same_round() -> None:
    table = in_round(2, plan=CUP)
    play(table)
    assert (table.phase(), shown(table)["again"]) == ("pause", True)
    table.next_round()
    assert table.race.number == 2 and set(table.race.racers) == {2, 3}
    play(table, 3)
    assert table.tournament.over and podium(table) == [(1, 3), (2, 2)]
    assert table.tournament.races == {1: (1, 2)}
    before = table.tournament.standings
    table.check_refusals((3, say.Enter(1, False), "ended"), (1, say.Withdraw(1, 3), "ended"))
    table.do(3, say.Leave(1))
    assert table.tournament.standings == before and table.states()[3] == "in", "leaving after the end changes nothing"


def play_without(table: Table, *seats: int) -> None:
    """Let the drawn round be raced without these seats; the lower seats are better."""
    table.hang_up(*seats)
    begin(table)
    for seat in {*table.race.racers} - {*seats}:
        table.moves(seat, to=10, home=20 - seat)
    table.run_out()


def test_an_unplayed_semi_final_has_no_winner_and_the_other_one_decides_the_cup() -> None:
    table = drawn(4, plan=CUP)
    gone, (best, other) = table.tournament.rounds[1].pairs[0], sorted(table.tournament.rounds[1].pairs[1])
    play_without(table, *gone)
    assert table.tournament.over
    assert podium(table) == [(1, best), (2, other), *((3, seat) for seat in sorted(gone))]
    assert {table.states()[seat] for seat in gone} == {"withdrawn"}
    results = shown(table)["rounds"]["1"]["results"]
    assert [results[str(seat)][0] for seat in gone] == [2, 2], "both have lost"


def test_a_knock_out_ends_when_the_host_starts_a_round_without_a_match() -> None:
    table = in_round(plan={**CUP, "by_timer": False})
    pairs = table.tournament.rounds[1].pairs
    best = [pair[0] for pair in pairs]
    play(table, *best)
    for seat in (best[1], *(pair[1] for pair in pairs)):
        table.do(1, say.Withdraw(1, seat))
    table.round("start")
    assert table.phase() == "over" and podium(table)[0][1] == best[0]


def test_a_double_elimination_is_played_to_its_second_final() -> None:
    table = in_round(4, plan={"format": "double"})
    assert shown(table)["rounds_planned"] == 5
    first = table.tournament.rounds[1]
    while not table.tournament.over:
        # An entrant with a loss wins the final, so there is a second one.
        last = table.tournament.rounds[len(table.tournament.rounds)]
        is_final = len(last.lost) == 1
        play(table, *sorted(table.race.racers, key=lambda seat: (seat not in last.lost if is_final else 0, seat)))
        if not table.tournament.over:
            table.next_round()
    assert [len(done.lost) for done in table.tournament.rounds.values()] == [0, 2, 2, 1, 2]
    losers = sorted((max(pair) for pair in first.pairs), key=[*first.seats].index)
    assert shown(table)["rounds"]["2"]["lost"] == losers and "lost" not in shown(table)["rounds"]["1"]
    assert [place for place, _ in podium(table)] == [1, 2, 3, 4]


# Groups


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


def test_a_round_robin_is_full_when_the_groups_have_no_places() -> None:
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


def test_a_round_robin_with_one_entrant_left_waits() -> None:
    table = in_round(3, plan=ROBIN)
    play(table, 2)
    for seat in (3, 4):
        table.do(seat, say.Enter(1, False))
    assert table.refuses(1, say.Round(1, "start")) == "too-few"
    table.do(3, say.Enter(1, True))
    table.round("start")


@pytest.mark.parametrize(
    ("plan", "fixed", "skip"),
    [
        ({"format": "double"}, [({"second_final": False}, "second-final-fixed")], "knockout-skip"),
        ({**ROBIN, "groups": 2}, [({"groups": 1}, "groups-fixed"), ({"advance": 1}, "groups-fixed")], "groups-skip"),
    ],
)
def test_a_schedule_is_fixed_by_the_first_draw(plan: Any, fixed: list[tuple[dict[str, Any], str]], skip: str) -> None:
    table = in_round(6, plan=plan)
    changes = ((1, say.ChangePlan(1, change), detail) for change, detail in fixed)
    table.check_refusals(*changes, (1, say.Round(1, "skip"), skip))
    table.do(1, say.ChangePlan(1, {"pause": 90}))


# Entrants


def test_the_host_races_only_after_entering() -> None:
    table = entered(2)
    assert set(table.tournament.entrants) == {2, 3}
    table.do(1, say.Enter(1, True))
    assert set(table.tournament.entrants) == {1, 2, 3}


def test_late_entry_is_open_until_the_last_round_of_the_plan_for_it() -> None:
    table = in_round(plan={"rounds": 4, "late": 2})
    late = table.join("late")
    assert late not in table.race.racers
    play(table, 2)
    between = table.join("between")
    table.next_round()
    last = table.join("during the last")
    assert [table.tournament.entrants[seat].since for seat in (late, between, last)] == [2, 2, 3]
    assert shown(table)["may_enter"]
    play(table, 2)
    assert not shown(table)["may_enter"]
    later = table.join("later")
    assert table.refuses(later, say.Enter(1, True)) == "too-late" and later not in table.tournament.entrants
    table.round("replay")
    assert shown(table)["may_enter"], "an annulled round has not ended"


def test_a_returning_entrant_gets_the_same_seat() -> None:
    table = in_round()
    table.do(3, say.Leave(1))
    assert table.states()[3] == "withdrawn" and 3 not in table.room.people
    assert table.join("guest 2") == 3
    table.do(3, say.Enter(1, True))
    assert table.states()[3] == "in"
    table.hang_up(4)
    table.after(30 * MINUTE)
    assert 4 in table.room.people, "also after a long absence"


def test_requests_of_a_race_among_friends_are_refused() -> None:
    table = entered()
    rows = (
        (2, say.Round(1, "start"), "not-host"),
        (1, say.Start(1), "tournament"),
        (2, say.Rematch(1, ""), "tournament"),
    )
    table.check_refusals(*rows)


# Hosts


def test_a_host_pauses_and_resumes() -> None:
    table = in_round(plan={"pause": 60})
    play(table, 2)
    table.round("pause")
    assert table.after(60 * MINUTE) == []
    table.round("resume")
    table.settle()
    assert table.phase() == "drawn" and table.tournament.next_at == table.now + DRAWN_FOR


def test_a_host_sets_the_time_of_the_next_round() -> None:
    table = in_round()
    play(table, 2)
    for at in (table.now + 60 * MINUTE, None):
        table.do(1, say.Timer(1, at))
        assert table.tournament.next_at == at
    assert table.refuses(1, say.Timer(1, table.now)) == "bad-plan"
    in_2199 = Ms(7_226_582_400_000)
    for request in (say.ChangePlan(1, {"starts_at": in_2199}), say.Timer(1, in_2199)):
        assert table.why(1, request) == "start-far"


def test_a_replayed_round_counts_only_with_its_last_race() -> None:
    table = in_round(plan={"rounds": 2})
    table.wait(10 * SECOND)
    table.round("replay", reason="A false start.")
    assert not table.race.on and table.phase() == "pause", "a running round is stopped"
    assert table.tournament.races == {1: ()} and shown(table)["again"]
    table.next_round()
    assert (table.tournament.drawn, shown(table)["again"]) == (1, False)
    play(table, 2)
    table.round("replay", reason="The network was down.")
    table.next_round()
    assert table.race.number == 3 and set(table.race.racers) == {2, 3, 4, 5}
    play(table, 3)
    assert table.tournament.races == {1: (3,)} and podium(table)[0][1] == 3
    assert [entry.reason for entry in table.tournament.desk][-2:] == ["A false start.", "The network was down."]


def test_a_skipped_round_does_not_count() -> None:
    table = in_round(plan={"rounds": 2})
    play(table, 2)
    table.round("skip")
    assert set(table.scores().values()) == {0}
    table.settle()
    play_rounds(table, 1, 3)
    assert table.tournament.over and podium(table)[0][1] == 3


def test_a_host_confirms_rounds_one_by_one() -> None:
    table = in_round(plan={"rounds": 4})
    assert table.refuses(1, say.Round(1, "confirm")) == "no-round"
    play(table, 2)
    play_rounds(table, 1, 2)
    assert shown(table)["rounds"]["2"]["state"] == "played"
    assert table.round("confirm") == [events.Confirmed(2, 1)], "without a number, the last one"
    assert shown(table)["rounds"]["2"]["state"] == "confirmed"
    table.next_round()
    refused = (say.Round(1, "confirm", "", number) for number in (0, 3, 9))
    table.check_refusals(*((1, request, "no-round") for request in refused))
    table.round("skip")
    assert table.refuses(1, say.Round(1, "confirm", "", 3)) == "no-round"
    assert table.round("confirm", number=1) == [events.Confirmed(1, 1)]
    assert table.round("confirm", number=1) == []


# Disqualification


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


@pytest.mark.parametrize("form", ["knockout", "double", "roundrobin"])
def test_an_entrant_that_was_out_at_the_first_draw_has_no_place_in_the_schedule(form: str) -> None:
    table = entered(5, plan={"format": form})
    for seat in (4, 5):
        table.do(1, say.Judge(1, seat, True, "Two accounts."))
    table.do(1, say.Judge(1, 5, False, "It was a mistake."))
    table.start_round()
    assert table.tournament.was_drawn(5)
    assert table.refuses(1, say.Judge(1, 4, False, "It was a mistake.")) == "too-late"
    for out in (True, False):
        table.do(1, say.Judge(1, 3, out, "Two accounts, or not."))
    assert (table.states()[4], table.states()[3]) == ("disqualified", "in")


@pytest.mark.parametrize("form", ["points", "swiss"])
def test_a_reinstated_entrant_is_in_the_next_draw(form: str) -> None:
    table = entered(5, plan={"format": form, "rounds": 3})
    table.do(1, say.Judge(1, 4, True, "Two accounts."))
    table.start_round()
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
    assert msgspec.to_builtins(shown(table)["plan"])["apart"] == 2, "the names are private"
    bad: tuple[dict[str, object], ...] = ({"listed": ["Bo\u200bb", "Bob"]}, {"listed": ["\u200b"]}, {"about": 7})
    table.check_refusals(*((1, say.ChangePlan(2, change), "bad-plan") for change in bad))
    assert table.refuses(1, say.ChangePlan(2, {"about": "W" * 2001})) == "bad-about"
    for long in ("Wolfeschlegelsteinhausenbergerdorff", "W" * 1_000):
        with pytest.raises(Refused, match=f"{long[:48]} cannot be a name"):
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
    assert "salt" not in str(table.tournament.shown)
    assert set(table.states().values()) == {"in"}


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
    assert [one["game"] for one in shown(table)["rounds"].values()] == [*games, "streets"], "earlier games stay"


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


def test_co_hosts_help_but_appoint_no_host() -> None:
    table = entered()
    table.do(1, say.CoHost(1, 2, True))
    table.round("pause", seat=2)
    assert table.tournament.paused
    table.check_refusals((2, say.CoHost(1, 3, True), "not-host"), (2, say.HandOver(1, 3), "not-host"))
    table.do(1, say.CoHost(1, 2, False))
    assert table.refuses(2, say.Round(1, "resume")) == "not-host"


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
    entries = [(entry.by, entry.what, entry.about) for entry in table.tournament.desk]
    assert entries == [
        (1, "co_hosted", 4),
        (None, "hosted", 4),
        (None, "hosted", 1),
        (1, "timed", None),
        (1, "paused", None),
        (4, "resumed", None),
        (4, "started", 1),
    ]
