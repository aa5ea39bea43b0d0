"""Entrants of a tournament: the entry list and its links, registration, check-in, and teams."""

from typing import Any

import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves.tournament.plan import Plan
from fortythieves_server.core import decide, decide_entrants, events, room_list
from fortythieves_server.core.decide_tournament import changed
from fortythieves_server.core.tournament import CHECK_IN_FOR, CHECK_IN_LEAST, DRAWN_FOR
from tests.refusals import refusal
from tests.server.tables import MINUTE, NOON, SECOND, Table, begin, drawn, entered, play

#: A name that starts with a Cyrillic letter.
FALSE_ANN = "\u0410nn"
#: The first round starts in two hours; check-in ends ten minutes before it.
START = NOON + 120 * MINUTE
PLAN = {"starts_at": START, "check_in": 600, "rounds": 4}
ENDS = START - 10 * MINUTE
SWISS = {"format": "swiss", "team_size": 2, "rounds": 4, "by_timer": False}
POINTS = {**SWISS, "format": "points"}
CLOSES = {"starts_at": START, "entry_closes": 1800}


# The entry list


def listed(*names: str, people: tuple[str, ...] = (), **plan: Any) -> Table:
    table = Table({"entry": "list", "listed": names or ("Ann", "Bob", "Cleo"), **plan}, seats=100)
    for name in ("Hilda", *people):
        table.join("host" if name == "Hilda" else name.lower(), name=name)
    return table


def join(table: Table, guest: str, name: str = "", ticket: str = "") -> str:
    try:
        seat = table.join(guest, name=name or "Nobody", ticket=ticket)
    except Refused as refused:
        return refused.code
    return table.person(seat).name


def tickets(table: Table) -> dict[str, str]:
    table.do(1, say.ShowList(1))
    return {name: ticket for name, _, ticket, _ in decide_entrants.rows(table.room)}


def names(table: Table) -> dict[str, str]:
    return {entrant.name: entrant.state for entrant in table.tournament.entrants.values()}


@pytest.mark.parametrize("spelling", ["Ann", "ANN", " ann ", FALSE_ANN, "A\u200bnn"])
def test_a_row_of_the_list_is_claimed_once_in_any_spelling(spelling: str) -> None:
    table = listed()
    assert join(table, "ann", spelling) == "Ann", "the name is as on the list"
    assert {join(table, "eve", other) for other in ("Ann", "ann", FALSE_ANN)} == {"name-taken"}
    assert join(table, "eve", "Eve") == "not-listed"
    assert names(table) == {"Ann": "in"}


def test_an_entrant_keeps_the_listed_name_and_only_the_creator_may_use_it_unclaimed() -> None:
    table = listed(people=("Ann",))
    assert table.refuses(2, say.Rename(1, "Mallory")) == "listed-name"
    table.do(2, say.Leave(1))
    assert join(table, "bob", "Ann") == "name-taken", "the row is kept for the absent entrant"
    assert join(table, "ann", "Bob") == "Ann", "and the entrant has no other row"
    table.do(2, say.Enter(1, True))
    assert names(table) == {"Ann": "in"}
    table = listed()
    table.do(1, say.Rename(1, "Ann"))
    assert table.person(1).name == "Ann"
    table = listed(people=("Ann",))
    for name in ("Bob", "Zoe"):
        table.chat_from("eve", table.watch("eve", name), name)
    said = [message.name for message in table.room.chat.values()]
    assert said == ["Bob 2", "Zoe 2"], "the number does not tell who is on the list"


def test_an_entrant_from_before_the_list_stays_in() -> None:
    table = Table(plan={}, seats=100)
    for name in ("Host", "Ann", "Zoe"):
        table.join(name.lower(), name=name)
    table.do(1, say.ChangePlan(1, {"entry": "list", "listed": ["Ann", "Bob"]}))
    assert join(table, "eve", "Ann") == "name-taken"
    assert table.refuses(2, say.Rename(1, "Anna")) == "listed-name"
    table.do(3, say.Rename(1, "Bob"))
    assert table.person(3).name == "Bob 2", "renaming claims no row"
    assert join(table, "bob", "Bob") == "Bob"


def test_a_personal_link_works_for_one_guest_and_may_be_the_only_way_in() -> None:
    table = listed()
    links = tickets(table)
    assert join(table, "bob", ticket=links["Bob"]) == "Bob"
    assert join(table, "eve", ticket=links["Bob"]) == "link-used"
    assert join(table, "bob", ticket=links["Bob"]) == "Bob", "the same guest is that entrant"
    assert join(table, "bob", ticket=links["Ann"]) == "Bob", "a second link gives no second name"
    table.do(2, say.Leave(1))
    assert join(table, "bob", ticket=links["Ann"]) == "Bob"
    assert join(table, "eve", ticket=links["Bob"]) == "link-used"
    assert join(table, "ann", ticket=links["Ann"]) == "Ann"
    assert names(table) == {"Bob": "withdrawn", "Ann": "in"}
    table = listed(links_only=True)
    assert join(table, "eve", "Ann") == "links-only"
    assert join(table, "ann", ticket=tickets(table)["Ann"]) == "Ann"
    assert join(table, "ann", "Whatever") == "Ann", "an entrant needs the link only once"


@pytest.mark.parametrize("ticket", ["x", "é", "0" * 22, "=" * 22])
def test_an_unknown_link_is_refused(ticket: str) -> None:
    table = listed()
    assert join(table, "eve", "Ann", ticket) == "wrong-link", "also before there are links"
    links = tickets(table)
    assert join(table, "eve", "Ann", ticket) == "wrong-link"
    assert {len(link) for link in links.values()} == {22} and len(set(links.values())) == 3


def test_only_hosts_see_and_change_the_list() -> None:
    table = listed(people=("Ann",))
    table.check_refusals((2, say.ShowList(1), "not-host"), (2, say.Release(1, "Ann"), "not-host"))
    table.do(1, say.CoHost(1, 2, True))
    table.do(2, say.ShowList(1))
    assert {name: seat for name, seat, *_ in decide_entrants.rows(table.room)} == {"Ann": 2, "Bob": None, "Cleo": None}
    assert decide_entrants.holder(table.room, "Ann") == "ann"
    assert entered(1).refuses(1, say.ShowList(1)) == "no-list"


def test_a_released_row_has_another_link_and_its_holder_is_out() -> None:
    table = listed()
    before = tickets(table)
    join(table, "eve", ticket=before["Ann"])
    table.do(1, say.Release(1, "ann"))
    after = tickets(table)
    assert [name for name in before if before[name] != after[name]] == ["Ann"]
    assert table.refuses(2, say.Enter(1, True)) == "not-listed"
    assert join(table, "zoe", ticket=before["Ann"]) == "wrong-link"
    assert join(table, "ann", ticket=after["Ann"]) == "Ann"
    assert names(table) == {"Ann (released)": "withdrawn", "Ann": "in"}
    assert table.last_entry() == (1, "released", 2, "Ann")
    assert table.refuses(1, say.Release(1, "Zoe")) == "not-on-list"
    table.do(1, say.Release(1, "Bob"))
    assert tickets(table)["Bob"] != after["Bob"], "also of a free row"


@pytest.mark.parametrize("is_present", [True, False])
def test_a_former_holder_of_a_released_row_claims_another_one(is_present: bool) -> None:
    table = listed()
    links = tickets(table)
    join(table, "bob", "Ann")
    table.do(1, say.Release(1, "Ann"))
    if not is_present:
        table.do(2, say.Leave(1))
        assert join(table, "bob", "Ann (released)") == "not-listed"
    assert join(table, "bob", ticket=links["Bob"]) == "Bob"
    assert table.room.seat_of("bob") == 2
    assert names(table) == {"Bob": "in"}


def test_the_row_of_an_entrant_that_is_out_or_races_can_be_released() -> None:
    table = listed(people=("Ann",))
    table.do(1, say.Kick(1, 2))
    assert join(table, "another", "Ann") == "name-taken"
    table.do(1, say.Release(1, "Ann"))
    assert join(table, "another", "Ann") == "Ann"
    table = listed(people=("Ann", "Bob", "Cleo"))
    table.next_round()
    table.moves(2)
    table.do(1, say.Release(1, "Ann"))
    assert not table.race.is_racing(2)
    table = listed(people=("Ann",))
    table.do(1, say.Judge(1, 2, True, "released"))
    assert table.refuses(2, say.Rename(1, "Eve")) == "listed-name"
    assert join(table, "eve", "Ann") == "name-taken"
    table.do(1, say.Release(1, "Ann"))
    assert names(table) == {"Ann (released)": "disqualified"}
    assert join(table, "eve", "Ann") == "Ann"


def test_a_co_host_does_not_release_the_creator() -> None:
    table = listed("Hilda", "Ann")
    table.do(1, say.Enter(1, True))
    assert join(table, "eve", "Hilda") == "name-taken"
    join(table, "ann", "Ann")
    table.do(1, say.CoHost(1, 2, True))
    assert table.refuses(2, say.Release(1, "Hilda")) == "creator"


def test_a_link_stays_unused_if_the_creator_tries_it_out() -> None:
    table = listed()
    ticket = tickets(table)["Ann"]
    join(table, "host", "Hilda", ticket)
    table.do(1, say.Leave(1))
    join(table, "host", "Hilda", ticket)
    assert names(table) == {}
    assert join(table, "ann", ticket=ticket) == "Ann"


# Check-in


def check_in(table: Table, *seats: int, by: int = 0) -> None:
    for seat in seats:
        table.do(by or seat, say.CheckIn(1, seat))


def checking_in(people: int, plan: dict[str, Any] | None = None) -> Table:
    """A tournament one minute before check-in ends."""
    return entered(people, {**PLAN, **(plan or {})}).settle_at(ENDS - MINUTE)


def out(table: Table) -> set[int]:
    return {seat for seat, state in table.states().items() if state != "in"}


def first_draw(table: Table) -> set[int]:
    table.settle_at((table.tournament.next_at or Ms(0)) - DRAWN_FOR)
    return set(table.tournament.rounds[1].everybody)


def started_early(table: Table) -> set[int]:
    table.start_round()
    return set(table.tournament.rounds[1].seats)


def may_enter(table: Table) -> bool:
    shown = table.tournament_view()["may_enter"]
    assert shown == room_list.preview(table.room)["tournament"]["may_enter"]
    return shown


def test_an_entrant_that_does_not_check_in_in_time_is_not_in_the_first_draw() -> None:
    table = entered(3, PLAN).settle_at(ENDS - CHECK_IN_FOR - Ms(1))
    assert table.refuses(2, say.CheckIn(1, 2)) == "no-check-in"
    table.wait(Ms(1))
    check_in(table, 2)
    table.settle_at(ENDS)
    assert table.refuses(3, say.CheckIn(1, 3)) == "no-check-in"
    table = checking_in(4)
    check_in(table, 2, 3, 4)
    assert table.do(2, say.CheckIn(1, 2)) == []
    here = {"2": True, "3": True, "4": True}
    expected = {"opens": ENDS - CHECK_IN_FOR, "ends": ENDS, "over": False, "here": here}
    assert table.tournament_view()["check_in"] == expected
    assert decide.next_due(table.room, {}) == ENDS
    table.settle_at(ENDS)
    assert decide.next_due(table.room, {}) == START - DRAWN_FOR
    assert out(table) == {5} and table.tournament.entrants[5].reason == "check_in"
    assert table.last_entry() == (None, "check_in_ended", None, "1")
    assert first_draw(table) == {2, 3, 4}
    assert table.tournament_view()["check_in"] is None


def test_an_entrant_after_check_in_races_from_the_second_round_on() -> None:
    table = checking_in(5)
    check_in(table, 2, 3, 4)
    during = table.join("during")
    table.settle_at(ENDS)
    table.do(5, say.Enter(1, True))
    new = table.join("new")
    table.do(4, say.Enter(1, False), say.Enter(1, True))
    since = {seat: entrant.since for seat, entrant in table.tournament.entrants.items() if entrant.state == "in"}
    assert since == {2: 1, 3: 1, 4: 1, during: 1, 5: 2, new: 2}, "to enter during check-in is to check in"
    assert first_draw(table) == {2, 3, 4, during}
    begin(table)
    play(table, 2)
    table.settle_at((table.tournament.next_at or Ms(0)) - DRAWN_FOR)
    assert {5, new} < set(table.tournament.rounds[2].seats)


@pytest.mark.parametrize("plan", [{"format": "knockout"}, {"late": 0}])
def test_without_late_entry_only_a_host_can_check_in_late(plan: dict[str, object]) -> None:
    table = checking_in(4, plan)
    check_in(table, 2, 3)
    table.settle_at(ENDS)
    assert table.refuses(4, say.Enter(1, True)) == "too-late" and not may_enter(table)
    check_in(table, 4, by=1)
    assert first_draw(table) == {2, 3, 4}


def test_a_host_checks_in_entrants_until_the_draw_and_takes_it_back() -> None:
    table = entered(4, PLAN)
    check_in(table, 2, by=1)
    assert table.last_entry()[:3] == (1, "checked_in", 2)
    table.undo()
    assert table.tournament.checked_in == set()
    table.settle_at(ENDS)
    assert out(table) == {2, 3, 4, 5}
    check_in(table, 3, 4, by=1)
    assert first_draw(table) == {3, 4}
    assert table.refuses(1, say.CheckIn(1, 5)) == "no-check-in"


def test_check_in_is_refused_for_others_and_for_absent_entrants() -> None:
    table = checking_in(4)
    table.do(4, say.Enter(1, False))
    table.do(1, say.Judge(1, 5, True, "Two browsers."))
    rows = ((2, 3, "not-host"), (1, 9, "unknown-seat"), (4, 4, "no-check-in"), (1, 5, "no-check-in"))
    table.check_refusals(*((by, say.CheckIn(1, seat), code) for by, seat, code in rows))
    assert entered(4).refuses(1, say.CheckIn(1, 2)) == "no-check-in", "there is none"


def test_an_early_start_by_the_host_ends_check_in_or_there_is_none() -> None:
    assert started_early(entered(3, PLAN)) == {2, 3, 4}, "no entrant could check in before"
    table = checking_in(3)
    check_in(table, 2)
    assert table.refuses(1, say.Round(1, "start")) == "too-few" and out(table) == set()
    check_in(table, 4)
    assert started_early(table) == {2, 4} and out(table) == {3}
    table = entered(3, {"check_in": 600})
    assert table.tournament_view()["check_in"] == {"opens": None, "ends": None, "over": False, "here": {}}
    assert started_early(table) == {2, 3, 4}


def test_check_in_moves_with_the_start() -> None:
    table = entered(3, PLAN)
    assert room_list.preview(table.room)["tournament"]["check_in"] == {"opens": ENDS - CHECK_IN_FOR, "ends": ENDS}
    for wait, ends in ((5 * MINUTE, NOON + CHECK_IN_LEAST), (MINUTE, NOON + MINUTE - DRAWN_FOR)):
        table.do(1, say.Timer(1, table.now + wait))
        assert table.tournament.check_in_times == (ends - CHECK_IN_FOR, ends)
    table = entered(3, PLAN).settle_at(ENDS)
    assert out(table) == {2, 3, 4}
    table.do(1, say.Timer(1, START + 30 * MINUTE))
    for seat in (2, 3):
        table.do(seat, say.Enter(1, True))
    table.settle_at(ENDS + 30 * MINUTE)
    assert out(table) == {4} and first_draw(table) == {2, 3}


def test_with_too_few_checked_in_or_while_paused_the_event_waits_for_its_host() -> None:
    table = checking_in(3)
    check_in(table, 2)
    table.settle_at(START)
    assert not table.tournament.rounds and table.tournament.next_at is None
    new = table.join("new")
    assert started_early(table) == {2, new}
    table = checking_in(3)
    table.round("pause")
    table.settle_at(ENDS)
    assert out(table) == set()
    table.round("resume")
    table.settle()
    assert out(table) == {2, 3, 4}


# Registration


def test_registration_closes_at_its_time_and_opens_no_more_after_the_end() -> None:
    table = entered(3, CLOSES)
    assert table.tournament_view()["closes_at"] == START - 30 * MINUTE == decide.next_due(table.room, {})
    assert room_list.preview(table.room)["tournament"]["closes_at"] == START - 30 * MINUTE
    table.do(3, say.Enter(1, False))
    table.settle_at(START - 30 * MINUTE)
    assert table.tournament.closed == "closed" and not may_enter(table) and table.tournament.closes_at is None
    assert table.last_entry()[:3] == (None, "entry_closed", None)
    stranger = table.join("stranger")
    assert table.refuses(stranger, say.Enter(1, True)) == "entry-closed"
    assert table.do(3, say.Enter(1, True)), "a former entrant may return"
    first_draw(table)
    begin(table)
    assert table.refuses(stranger, say.Enter(1, True)) == "entry-closed", "nor late"
    table = entered(3, {"rounds": 1})
    table.next_round()
    table.wait(SECOND)
    play(table, 2)
    table.settle()
    assert table.tournament.over
    assert table.refuses(1, say.Registration(1, True)) == "ended"


def test_a_host_reopens_registration_for_good_or_closes_it_by_hand() -> None:
    table = entered(3, CLOSES).settle_at(START - 30 * MINUTE)
    stranger = table.join("stranger")
    table.do(1, say.Registration(1, True))
    assert table.do(1, say.Registration(1, True)) == [] and table.tournament.closed is None
    table.settle_at(START - 10 * MINUTE)
    table.do(stranger, say.Enter(1, True))
    assert stranger in first_draw(table)
    table = entered(3, {"starts_at": START}, public=True)
    assert room_list.summary(table.room)["open"]
    assert table.refuses(2, say.Registration(1, False)) == "not-host"
    table.do(1, say.Registration(1, False))
    assert table.do(1, say.Registration(1, False)) == [] and not may_enter(table)
    assert not room_list.summary(table.room)["open"]
    table.undo()
    assert may_enter(table) and table.tournament.desk[-2].undone


def test_a_full_tournament_admits_an_entrant_only_for_another_one() -> None:
    table = entered(3, {"most": 3})
    assert (table.tournament.closed, may_enter(table)) == ("full", False)
    fourth = table.join("fourth")
    assert table.refuses(fourth, say.Enter(1, True)) == "entry-full"
    table.do(2, say.Enter(1, False))
    table.do(fourth, say.Enter(1, True))
    assert table.refuses(2, say.Enter(1, True)) == "entry-full", "the place is taken"
    table.do(1, say.Registration(1, True))
    table.do(2, say.Enter(1, True))
    assert out(table) == set()
    table.start_round()
    table.do(2, say.Enter(1, False))
    table.do(1, say.ChangePlan(1, {"most": 2}))
    assert table.do(2, say.Enter(1, True)) == [events.Entered(2)], "after the first draw entrants still return"


# Teams


def team(seat: int, name: str, board: int = 0) -> say.Team:
    return say.Team(1, seat, name, board)


def choose(table: Table, teams: dict[int, str]) -> None:
    for seat, name in teams.items():
        table.do(seat, team(seat, name))


def teams_of(table: Table) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for seat, entrant in sorted(table.tournament.entrants.items(), key=lambda item: item[1].board):
        found.setdefault(entrant.team, []).append(seat)
    found.pop("", None)
    return found


def in_teams(plan: dict[str, Any], teams: dict[int, str]) -> Table:
    table = entered(max(teams) - 1, plan)
    choose(table, teams)
    return table


def test_an_entrant_chooses_a_team() -> None:
    table = entered(3, SWISS)
    choose(table, {2: "Red", 3: "  Blue\u202e ", 4: "Red"})
    assert teams_of(table) == {"Red": [2, 4], "Blue": [3]}
    assert table.do(2, team(2, "Red")) == []
    table.do(2, team(2, "Blue"))
    assert teams_of(table) == {"Red": [4], "Blue": [3, 2]}
    table.do(2, team(2, ""))
    assert teams_of(table) == {"Red": [4], "Blue": [3]}
    for n in range(100):
        table.do(2, team(2, f"Team {n}"))
    assert {one.team for one in table.tournament.entrants.values()} == {"Team 99", "Red", "Blue"}, "no others are kept"
    for name in ("RED", " red ", "R\u0435d", "R\u200bed"):
        assert teams_of(in_teams(SWISS, {2: "Red", 3: name})) == {"Red": [2, 3]}, "these names look alike"


def test_only_hosts_move_others_and_order_a_team() -> None:
    table = in_teams(SWISS, {2: "Red", 3: "Red", 4: "Red", 5: ""})
    table.check_refusals((5, team(2, "Blue"), "not-host"), (4, team(4, "Red", 1), "not-host"))
    for request, after in (
        (team(4, "Red", 1), {"Red": [4, 2, 3]}),
        (team(2, "Blue"), {"Red": [4, 3], "Blue": [2]}),
        (team(5, "Red", 2), {"Red": [4, 5, 3], "Blue": [2]}),
        (team(4, "Red", 900), {"Red": [5, 3, 4], "Blue": [2]}),
    ):
        table.do(1, request)
        assert teams_of(table) == after
    assert table.do(1, team(4, "Red", 900)) == []
    assert [entry.what for entry in table.tournament.desk] == ["teamed"] * 4, "only actions of hosts are listed"


def test_a_full_team_admits_no_other_entrant() -> None:
    table = in_teams(SWISS, {**dict.fromkeys(range(2, 8), "Red"), 9: ""})
    table.check_refusals((8, team(8, "red"), "team-full"), (1, team(8, "Red"), "team-full"))
    table.do(2, say.Enter(1, False))
    table.do(8, team(8, "Red"))
    table.do(2, say.Enter(1, True))
    assert len(teams_of(table)["Red"]) == 7, "a returning entrant is still in the team"
    table.do(1, say.ChangePlan(1, {"team_most": 9}))
    table.do(9, team(9, "Red"))
    table = in_teams(POINTS, {**dict.fromkeys(range(2, 20), "5b"), 20: ""})
    table.do(1, say.ChangePlan(1, {"team_most": 18}))
    assert table.why(20, team(20, "5b")) == "team-full"


def test_teams_and_their_size_are_fixed_by_the_first_draw() -> None:
    table = in_teams(SWISS, {2: "Red", 3: "Red", 4: "Blue", 5: "Blue", 6: "Red"})
    table.start_round()
    table.check_refusals(*((by, team(2, name), "team-drawn") for by in (1, 2) for name in ("Blue", "")))
    assert table.refuses(1, say.Swap(1, 2, 3, 4)) == "no-swap"
    table.do(6, team(6, "Blue"))  # a reserve was in no draw
    table.do(1, team(5, "Blue", 1))
    assert teams_of(table) == {"Red": [2, 3], "Blue": [5, 4, 6]}
    assert table.tournament.rounds[1].pairs in {((2, 4), (3, 5)), ((4, 2), (5, 3))}, "the drawn boards stay"
    table = in_teams(SWISS, {2: "Red", 3: "Blue"})
    table.do(1, say.ChangePlan(1, {"team_size": 3}))
    table.start_round()
    table.check_refusals(*((1, say.ChangePlan(1, {"team_size": size}), "team-fixed") for size in (2, 0)))
    table.do(1, say.ChangePlan(1, {"team_most": 5}))


def test_only_entrants_of_teams_race_and_the_view_has_their_table() -> None:
    table = in_teams(POINTS, {2: "Red", 3: "Blue", 4: ""})
    table.start_round()
    assert table.tournament.rounds[1].seats == (2, 3)
    assert in_teams(SWISS, {2: "Red", 3: "Red"}).refuses(1, say.Round(1, "start")) == "too-few"
    assert entered(2).why(2, team(2, "Red")) == "team-none"
    entered(2, SWISS).check_refusals((1, team(9, "Red"), "unknown-seat"), (2, team(2, "\u200b"), "bad-name"))
    table = in_teams(SWISS, {2: "Red", 3: "Red", 4: "Blue", 5: "Blue"})
    assert "teams" not in table.tournament_view()
    table.next_round()
    play(table, 2, 3)
    rows = [(row.place, row.team, row.score) for row in table.tournament_view()["teams"]]
    assert rows == [(1, "Red", 1), (2, "Blue", 0)]
    assert "teams" not in drawn(2).tournament_view()


def test_a_co_host_takes_back_the_order_of_the_creators_team() -> None:
    table = entered(3, SWISS)
    table.do(1, say.CoHost(1, 2, True), say.Enter(1, True))
    choose(table, {1: "Red", 2: "Red", 3: "Red"})
    table.wait(MINUTE)
    table.do(2, team(3, "Red", 1))
    assert teams_of(table) == {"Red": [3, 1, 2]}
    table.undo(seat=2)
    assert teams_of(table) == {"Red": [1, 2, 3]}


FOUR = ("Ann", "Bob", "Cleo", "Dan")


def test_a_row_of_the_list_has_the_team_and_its_order() -> None:
    table = listed(*FOUR, people=("Cleo", "Bob", "Ann", "Dan"), listed_teams=("Red", "Blue", "Red"), **SWISS)
    assert teams_of(table) == {"Red": [4, 2], "Blue": [3]}, "Ann is before Cleo on the list"
    assert table.why(2, team(2, "Blue")) == "team-line"
    table.do(5, team(5, "blue"))
    assert teams_of(table)["Blue"] == [3, 5], "an entrant without a team in the list chooses one"
    table.do(1, team(2, "Blue"))
    assert teams_of(table) == {"Red": [4], "Blue": [3, 2, 5]}, "Cleo is before Dan on the list"


def test_a_new_list_moves_the_entrants_that_were_not_drawn_to_clean_teams() -> None:
    table = listed(*FOUR, people=FOUR, **SWISS)
    table.wait(MINUTE)
    table.do(1, say.ChangePlan(1, {"listed_teams": ["Red", "Blue", "RED", ""]}))
    assert table.tournament.plan.listed_teams == ("Red", "Blue", "Red", ""), "look-alikes are one team"
    assert teams_of(table) == {"Red": [2, 4], "Blue": [3]}
    table.undo()
    assert teams_of(table) == {}
    table.do(1, say.ChangePlan(1, {"listed_teams": ["Red", "Blue", "Red"]}))
    table.start_round()
    table.do(1, say.ChangePlan(1, {"listed_teams": ["Blue", "Red", "Red", "Red"]}))
    assert teams_of(table) == {"Red": [2, 4, 5], "Blue": [3]}, "only Dan was not drawn"
    plan = Plan().changed({"entry": "list", "listed": ["Ann", "Bob"]})
    assert changed(plan, {"listed_teams": [" Red\u202e ", ""]}).listed_teams == ("Red", "")
    assert refusal(changed, plan, {"listed_teams": ["\u200b"]}) == "bad-plan"
