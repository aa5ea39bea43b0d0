"""A person that fills the log of a room does not stop its racers and hosts."""

from collections.abc import Callable

import msgspec
import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves_server.core import event_limits, events
from fortythieves_server.core.decide_hosts import HOST_AWAY
from fortythieves_server.core.event_limits import MOST, RESERVE, RETURNS, TAKEN_BACK, Kind
from tests.server.tables import SECOND, Table, entered, in_round, lobby, play, racing


def test_every_event_has_a_kind_and_a_big_tournament_stays_below_all_limits() -> None:
    assert set(event_limits.KINDS) == set(events.KINDS)
    # Each is ready and ends once a round, and reloads the page in every third one.
    rounds, entrants = 30, 600
    # A school behind one address gets three quarters of what strangers can use up.
    assert MOST[Kind.READIES] * 3 / 4 >= rounds * entrants
    assert MOST[Kind.RACES] >= rounds * entrants + 4 * rounds
    assert MOST[Kind.RETURNS] >= entrants * (2 * rounds // 3 * 2)
    assert MOST[Kind.COMINGS] >= entrants * 4
    assert entrants <= RESERVE and 2 * rounds <= RETURNS


@pytest.fixture(autouse=True)
def small_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few dozens of events show the same as thousands."""
    monkeypatch.setattr(event_limits, "MOST", dict.fromkeys(Kind, 60))
    monkeypatch.setattr(event_limits, "RESERVE", 20)
    monkeypatch.setattr(event_limits, "RETURNS", 10)


def until_refused(table: Table, *what: Callable[[], object]) -> int:
    for _ in range(1_000):
        for one in what:
            try:
                one()
            except Refused as refused:
                assert refused.code == "log-full"
                return table.room.n
        table.wait(Ms(1))
    raise AssertionError("the log takes any number of events")


def join_and_leave(table: Table, guest: str) -> None:
    table.do(table.join(guest), say.Leave(1))


#: How a person can fill a log: actions to repeat in turn.
FILLED: dict[str, Callable[[Table], tuple[Callable[[], object], ...]]] = {
    "messages of spectators": lambda table: (lambda: table.chat_from(f"w{table.room.n}", "Wanda", f"{table.room.n}"),),
    "chat": lambda table: (lambda: table.do(2, say.Chat(1, f"{table.room.n}", "hi")),),
    "names": lambda table: (lambda: table.do(2, say.Rename(1, f"N{table.room.n}")),),
    "readiness": lambda table: (lambda: table.do(2, say.Ready(1, "")), lambda: table.do(2, say.Unready(1))),
    "strangers that join and leave": lambda table: (lambda: join_and_leave(table, f"stranger {table.room.n}"),),
    "a seat that leaves and returns": lambda table: (lambda: table.hang_up(2), lambda: table.join("bob")),
}


def fill(table: Table, *means: str) -> None:
    for one in means:
        until_refused(table, *FILLED[one](table))


@pytest.mark.parametrize("means", [*((one,) for one in FILLED), tuple(FILLED)], ids=", ".join)
def test_the_host_and_the_racers_continue_in_a_room_with_a_full_log(means: tuple[str, ...]) -> None:
    table = lobby(3, auto_start=False)
    fill(table, *means)
    table.do(1, say.ChangeSettings(1, {"game": "lucas"}), say.Lock(1, True), say.Kick(1, 2), say.Start(1))
    table.hang_up(3)
    assert table.join("cem") == 3, "who sits there comes back"
    table.now = (table.race.starts_at or Ms(0)) + 5 * SECOND
    table.do(1, say.GiveUp(1), say.TakeBack(1))
    table.do(3, say.Leave(1))
    table.moves(1)
    table.run_out()
    assert table.race.over_at is not None and table.race.places == {1: 1}
    table.do(1, say.Lock(1, False), say.HandOver(1, 1))


def come_and_go(table: Table, address: str) -> Callable[[], object]:
    return lambda: table.do(table.join(f"stranger {table.room.n}", address), say.Leave(1))


def test_leaving_at_once_costs_an_address_twice_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_limits, "MOST", dict.fromkeys(Kind, 600))
    visits = []
    for stay in (Ms(1), event_limits.BRIEF):
        table = lobby(2, auto_start=False)

        def visit(table: Table = table, stay: Ms = stay) -> None:
            seat = table.join(f"stranger {table.room.n}", "stranger")
            table.wait(stay)
            table.do(seat, say.Leave(1))

        until_refused(table, visit)
        visits.append(table.room.counts.of_kind[Kind.COMINGS] - 300)
    brief, long = visits
    assert long == 150
    assert brief == 100, "the third of the second half, and not the half of it"


def test_strangers_of_one_address_leave_others_half_of_the_chat_and_of_readiness() -> None:
    table = lobby(1, auto_start=False, seats=10)
    mine, other = table.join("eve", "stranger"), table.join("tim", "school")
    until_refused(table, lambda: table.chat_from(f"w{table.room.n}", "Wanda", f"{table.room.n}", "stranger"))
    until_refused(table, lambda: table.do(mine, say.Chat(1, f"{table.room.n}", "hi")))
    until_refused(table, lambda: table.do(mine, say.Ready(1, "")), lambda: table.do(mine, say.Unready(1)))
    table.chat_from("wim", "Wim", "Hello.", "school")
    table.do(other, say.Chat(1, "k", "Hello."), say.Ready(1, ""))


def test_a_stranger_with_many_seats_leaves_others_a_part_of_the_races() -> None:
    table = lobby(1, auto_start=False, seats=20, countdown=3)
    puppets = [table.join(f"puppet {n}", "stranger") for n in range(10)]

    def race() -> None:
        table.do(puppets[0], *([say.Rematch(1, "")] if table.race.starts_at else []))
        table.do(1, say.Start(1))
        table.now = (table.race.starts_at or Ms(0)) + 5 * SECOND
        for one in puppets:
            table.do(one, *(2 * [say.GiveUp(1), say.TakeBack(1)]))
        table.run_out()

    until_refused(table, race)
    table.run_out()
    table.do(1, say.Rematch(1, ""), say.Start(1))


def test_a_stranger_who_stands_in_leaves_the_owner_half_of_what_hosts_can_do() -> None:
    table = lobby(1, auto_start=False, seats=5)
    stranger = table.join("eve", "stranger")
    table.hang_up(1)
    table.after(HOST_AWAY)
    assert table.room.host == stranger
    until_refused(table, lambda: table.do(stranger, say.Lock(1, not table.room.locked)))
    message = table.chat_from("puppet", address="stranger")
    # Removing has a reserve, and can be repeated.
    until_refused(
        table,
        lambda: table.do(stranger, say.Remove(1, message)),
        lambda: table.do(stranger, say.Admit(1, *table.room.removed)),
    )
    table.join("ann", "home")
    table.do(1, say.ChangeSettings(1, {"game": "lucas"}), say.Lock(1, not table.room.locked))


def test_five_addresses_that_use_up_their_shares_leave_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_limits, "MOST", dict.fromkeys(Kind, 6_000))
    table = lobby(1, auto_start=False, seats=100)
    for n in range(5):
        while True:
            try:
                come_and_go(table, f"stranger {n}")()
            except Refused:
                break
            table.wait(Ms(1))
    for n in range(60):
        table.join(f"pupil {n}", "school")


def test_a_racer_takes_giving_up_back_a_limited_number_of_times() -> None:
    table = racing(2)
    table.wait(5 * SECOND)
    for _ in range(TAKEN_BACK):
        table.do(1, say.GiveUp(1), say.TakeBack(1))
    table.do(1, say.GiveUp(1))
    assert table.refuses(1, say.TakeBack(1)) == "not-given-up"
    table.after(10 * SECOND)
    assert table.racer(1).state == "gave_up"


def test_a_race_ends_and_no_other_begins_after_too_many_events() -> None:
    table = racing(2)
    while table.room.counts.of_kind[Kind.RACES] < event_limits.MOST[Kind.RACES]:
        table.happen(events.GaveUp(1), events.TookBack(1))
    table.wait(5 * SECOND)
    table.do(2, say.GiveUp(1))
    assert table.refuses(2, say.TakeBack(1)) == "log-full"
    table.run_out()
    assert table.race.over_at is not None
    assert table.refuses(1, say.Rematch(1, "")) == "log-full"


def test_hosts_can_still_repair_a_room_with_a_full_log() -> None:
    table = in_round(4)
    until_refused(table, lambda: table.do(1, say.Lock(1, not table.room.locked)))
    assert table.refuses(1, say.ChangeSettings(1, {"watch": "progress"})) == "log-full"
    table.do(1, say.Judge(1, 2, True, "Two browsers."), say.Kick(1, 3), say.Withdraw(1, 4), say.Round(1, "skip"))
    assert not table.race.on and table.tournament.rounds[1].skipped
    table.do(1, say.Round(1, "replay"), say.Round(1, "pause"))


def test_a_host_that_announces_and_undoes_all_the_time_is_stopped_but_can_repair() -> None:
    table = in_round(plan={"rounds": 3})
    play(table, 2)
    texts = iter(range(1_000))

    def announce_and_take_back() -> None:
        table.wait(Ms(6_000))
        table.do(1, say.Announce(1, f"Number {next(texts)}."))
        table.undo()

    def rename() -> None:
        table.do(1, say.RenameEntrant(1, 2, f"Name {next(texts)}"))

    assert until_refused(table, announce_and_take_back, rename) < 500
    table.do(1, say.Correct(1, 1, ((3, 9.5),), "A wrong click."))
    table.wait(Ms(1))
    table.do(1, say.Round(1, "skip"))
    table.undo()
    assert until_refused(table, lambda: table.do(1, say.Correct(1, 1, ((3, next(texts) % 999),), "Again."))) < 500


def test_an_entrant_that_enters_and_withdraws_all_the_time_stops_no_round() -> None:
    table = in_round(4)
    play(table, 2)
    until_refused(table, lambda: table.do(3, say.Enter(1, False)), lambda: table.do(3, say.Enter(1, True)))
    table.do(1, say.Round(1, "confirm"))
    table.start_round()
    assert table.tournament.last is not None and table.tournament.last.number == 2


def test_returning_players_do_not_fill_a_log_and_the_creator_is_admitted_longer() -> None:
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
    table = lobby(2)
    fill(table, "strangers that join and leave")
    assert table.join("ann") == 1
    until_refused(table, lambda: join_and_leave(table, "ann"))


@pytest.mark.parametrize(
    ("plan", "one", "other", "last"),
    [
        ({"format": "swiss"}, say.HalfBye(1, 3, 1, True), say.HalfBye(1, 3, 1, False), say.HalfBye(1, 4, 1, True)),
        ({"format": "swiss", "team_size": 2}, say.Team(1, 3, "Red"), say.Team(1, 3, "Blue"), say.Team(1, 3, "Team 1")),
    ],
)
def test_an_entrant_that_repeats_a_choice_stops_no_host(
    plan: dict[str, object], one: say.Command, other: say.Command, last: say.Command
) -> None:
    table = entered(4, plan)
    for seat in (2, 4, 5) if "team_size" in plan else ():
        table.do(seat, say.Team(1, seat, f"Team {seat % 2}"))
    until_refused(table, lambda: table.do(3, one), lambda: table.do(3, other))
    table.do(1, last)
    table.start_round()
    assert table.tournament.drawn == 1


def test_plans_with_a_thousand_names_do_not_fill_a_log() -> None:
    names = [f"{'😀' * 20}{n:04}" for n in range(1000)]
    table = entered(plan={"format": "swiss"})
    sizes: list[int] = []

    def change() -> None:
        (planned,) = table.do(1, say.ChangePlan(1, {"listed": names[len(sizes) % 2 :]}))
        sizes.append(len(msgspec.json.encode(planned)))

    until_refused(table, change)
    assert sum(sizes) < 2_000 * event_limits.MOST[Kind.PLANS] + max(sizes)
    table.start_round()
    assert table.tournament.drawn == 1
