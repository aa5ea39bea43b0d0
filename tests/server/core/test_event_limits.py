"""A log that nobody fills for others: by whatever a stranger does, racers race on and hosts run their room."""

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol.to_server import (
    Announce,
    ChangePlan,
    ChangeSettings,
    Chat,
    Correct,
    Enter,
    GiveUp,
    HalfBye,
    HandOver,
    Judge,
    Kick,
    Leave,
    Lock,
    Ready,
    Rematch,
    Rename,
    RenameEntrant,
    Round,
    Start,
    TakeBack,
    Team,
    Undo,
    Unready,
    Withdraw,
)
from fortythieves.times import Ms
from fortythieves_server.core import decide, event_limits, events
from fortythieves_server.core.event_limits import MOST, RESERVE, RETURNS, TAKEN_BACK, Kind
from tests.server.tables import SECOND, Table, entered, in_round, lobby, play, racing


def test_every_event_counts_under_some_kind() -> None:
    assert set(event_limits.KINDS) == set(events.KINDS)


@pytest.fixture(autouse=True)
def small_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is true of thousands is true of dozens."""
    monkeypatch.setattr(event_limits, "MOST", dict.fromkeys(Kind, 60))
    monkeypatch.setattr(event_limits, "RESERVE", 20)
    monkeypatch.setattr(event_limits, "RETURNS", 10)


def until_refused(table: Table, *what: Callable[[], object]) -> int:
    """Do these in turn until one is refused because the log is full; how long the log is then."""
    for _ in range(1_000):
        for one in what:
            try:
                one()
            except Refused as refused:
                assert refused.code == "log-full"
                return table.room.n
        table.wait(Ms(1))
    raise AssertionError("the log takes anything, for ever")


def come_and_go(table: Table, guest: str) -> None:
    table.do(table.join(guest), Leave(1))


def fill_with_lines_of_watchers(table: Table) -> None:
    """From several guests, as many as there are lines."""
    until_refused(
        table,
        lambda: table.ask(
            lambda room, context: decide.spectator_chats(room, f"w{room.n}", "Wanda", Chat(1, f"{room.n}", "hi"))
        ),
    )


def fill_with_chat(table: Table) -> None:
    until_refused(table, lambda: table.do(2, Chat(1, f"{table.room.n}", "hi")))


def fill_with_strangers(table: Table) -> None:
    until_refused(table, lambda: come_and_go(table, f"stranger {table.room.n}"))


FILLED: dict[str, Callable[[Table], object]] = {
    "lines of watchers": fill_with_lines_of_watchers,
    "chat": fill_with_chat,
    "names": lambda table: until_refused(table, lambda: table.do(2, Rename(1, f"N{table.room.n}"))),
    "ready and not": lambda table: until_refused(
        table, lambda: table.do(2, Ready(1, "")), lambda: table.do(2, Unready(1))
    ),
    "strangers who come and go": fill_with_strangers,
    "a seat that goes and comes back": lambda table: until_refused(
        table, lambda: table.hang_up(2), lambda: table.join("bob")
    ),
}


def fill(table: Table, *means: str) -> None:
    for one in means:
        FILLED[one](table)


@pytest.mark.parametrize("means", [*((one,) for one in FILLED), tuple(FILLED)], ids=", ".join)
def test_whatever_strangers_fill_a_log_with_its_host_runs_the_room_and_its_racers_race(means: tuple[str, ...]) -> None:
    table = lobby(3, auto_start=False)
    fill(table, *means)
    table.do(1, ChangeSettings(1, {"game": "lucas"}))
    table.do(1, Lock(1, True))
    table.do(1, Kick(1, 2))
    table.do(1, Start(1))
    table.hang_up(3)
    assert table.join("cem") == 3, "who sits there comes back"
    table.now = (table.race.starts_at or Ms(0)) + 5 * SECOND
    table.do(1, GiveUp(1))
    table.do(1, TakeBack(1))
    table.do(3, Leave(1))
    table.moves(1)
    table.run_out()
    assert table.race.over_at is not None and table.race.places == {1: 1}
    table.do(1, Lock(1, False))
    table.do(1, HandOver(1, 1))


def test_whoever_fills_one_kind_leaves_all_others_as_they_are() -> None:
    table = lobby(2, auto_start=False)
    fill_with_lines_of_watchers(table)
    table.do(2, Chat(1, "k", "hi"))
    fill_with_chat(table)
    assert table.refuses(1, Chat(1, "k", "hi")) == "log-full"
    for request in (Ready(1, ""), Unready(1), ChangeSettings(1, {"game": "maria"})):
        table.do(1, request)
    assert table.join("cem") == 3


def test_giving_up_and_thinking_better_of_it_comes_to_an_end_and_the_race_does_too() -> None:
    table = racing(2)
    table.wait(5 * SECOND)
    for _ in range(TAKEN_BACK):
        table.do(1, GiveUp(1))
        table.do(1, TakeBack(1))
    table.do(1, GiveUp(1))
    assert table.refuses(1, TakeBack(1)) == "not-given-up"
    table.wait(10 * SECOND)
    table.settle()
    assert table.racer(1).state == "gave_up"


def test_a_race_ends_and_no_other_begins_where_there_were_too_many() -> None:
    table = racing(2)
    while table.room.counts[Kind.RACES] < event_limits.MOST[Kind.RACES]:
        table.happen(events.GaveUp(1), events.TookBack(1))
    table.wait(5 * SECOND)
    table.do(2, GiveUp(1))
    assert table.refuses(2, TakeBack(1)) == "log-full"
    table.run_out()
    assert table.race.over_at is not None
    assert table.refuses(1, Rematch(1, "")) == "log-full"


def test_hosts_who_have_done_too_much_can_still_put_things_right() -> None:
    table = in_round(4)
    until_refused(table, lambda: table.do(1, Lock(1, not table.room.locked)))
    assert table.refuses(1, ChangeSettings(1, {"watch": "progress"})) == "log-full"
    table.do(1, Judge(1, 2, True, "Two browsers."))
    table.do(1, Kick(1, 3))
    table.do(1, Withdraw(1, 4))
    table.do(1, Round(1, "skip"))
    assert not table.race.on and table.tournament.rounds[1].skipped
    table.do(1, Round(1, "replay"))
    table.do(1, Round(1, "pause"))


def test_a_host_who_announces_renames_and_takes_back_for_ever_comes_to_an_end_and_can_still_put_things_right() -> None:
    table = in_round(plan={"rounds": 3})
    play(table, 2)
    texts = iter(range(1_000))

    def announce_and_take_back() -> None:
        table.wait(Ms(6_000))
        table.do(1, Announce(1, f"Number {next(texts)}."))
        table.do(1, Undo(1, table.tournament.undoable or Ms(0)))

    def rename() -> None:
        table.do(1, RenameEntrant(1, 2, f"Name {next(texts)}"))

    assert until_refused(table, announce_and_take_back, rename) < 500
    table.do(1, Correct(1, 1, ((3, 9.5),), "A wrong click."))
    table.wait(Ms(1))
    table.do(1, Round(1, "skip"))
    table.do(1, Undo(1, table.tournament.undoable or Ms(0)))
    assert until_refused(table, lambda: table.do(1, Correct(1, 1, ((3, next(texts) % 999),), "Again."))) < 500


def test_an_entrant_who_enters_and_withdraws_for_ever_keeps_nobody_from_it() -> None:
    table = in_round(4)
    play(table, 2)
    until_refused(table, lambda: table.do(3, Enter(1, False)), lambda: table.do(3, Enter(1, True)))
    table.do(1, Round(1, "confirm"))
    table.do(1, Round(1, "start"))
    table.settle()
    assert table.tournament.last is not None and table.tournament.last.number == 2


def test_a_log_is_bounded_however_often_its_people_come_back() -> None:
    table = lobby(4, seats=5, auto_start=False)
    fill(table, *FILLED)
    before = table.room.n
    for _ in range(500):
        for seat, guest in ((2, "bob"), (3, "cem")):
            if seat in table.room.people:
                table.hang_up(seat)
            try:
                table.join(guest)
            except Refused as refused:
                assert refused.code == "log-full"
    assert table.room.n - before <= 2 * (2 * event_limits.RETURNS + 1)


def test_the_creator_is_let_in_longer_than_others_and_not_for_ever() -> None:
    table = lobby(2)
    fill_with_strangers(table)
    assert table.join("ann") == 1
    until_refused(table, lambda: come_and_go(table, "ann"))


def test_a_stored_log_of_before_is_counted_when_it_is_read() -> None:
    table = lobby(3)
    assert replace(table.room, counts=event_limits.NONE).counts != table.room.counts
    assert sum(table.room.counts) == table.room.n - 1


def test_no_kind_is_so_small_that_a_big_tournament_meets_its_end() -> None:
    """30 rounds of 600: each is ready once, ends once, and loads the page again in each third of them."""
    rounds, entrants = 30, 600
    assert MOST[Kind.READIES] >= rounds * entrants
    assert MOST[Kind.RACES] >= rounds * entrants + 4 * rounds
    assert MOST[Kind.COMINGS] >= entrants * (2 + 2 * rounds // 3 * 2)
    assert entrants <= RESERVE and 2 * rounds <= RETURNS


def test_an_entrant_who_asks_for_a_half_point_bye_for_ever_keeps_nobody_from_anything() -> None:
    table = in_round(4, plan={"format": "swiss"})
    play(table, 2)
    until_refused(table, lambda: table.do(3, HalfBye(1, 3, 2, True)), lambda: table.do(3, HalfBye(1, 3, 2, False)))
    table.do(1, HalfBye(1, 4, 2, True))
    table.do(1, Round(1, "confirm"))
    table.do(1, Round(1, "start"))
    table.settle()
    assert table.tournament.drawn == 2


def test_an_entrant_who_changes_the_team_for_ever_keeps_nobody_from_anything() -> None:
    table = entered(4, {"format": "swiss", "team_size": 2})
    for seat in (2, 4, 5):
        table.do(seat, Team(1, seat, f"Team {seat % 2}"))
    until_refused(table, lambda: table.do(3, Team(1, 3, "Red")), lambda: table.do(3, Team(1, 3, "Blue")))
    table.do(1, Team(1, 3, "Team 1"))
    table.do(1, Round(1, "start"))
    table.settle()
    assert table.tournament.drawn == 1


def test_plans_with_a_thousand_names_fill_no_log() -> None:
    names = [f"{'😀' * 20}{n:04}" for n in range(1000)]
    table = entered(plan={"format": "swiss"})
    sizes: list[int] = []

    def change() -> None:
        (planned,) = table.do(1, ChangePlan(1, {"listed": names[len(sizes) % 2 :]}))
        sizes.append(len(msgspec.json.encode(planned)))

    until_refused(table, change)
    assert sum(sizes) < 2_000 * event_limits.MOST[Kind.PLANS] + max(sizes)
    table.do(1, Round(1, "start"))
    table.settle()
    assert table.tournament.drawn == 1
