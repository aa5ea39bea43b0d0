"""An arena: matching, the rooms of its races, and their results."""

from typing import Any

import msgspec
import pytest

from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves.tournament.matching import GATHER, PATIENCE
from fortythieves_server.core import decide, decide_arena, event_limits, events, evolve, finished_race
from fortythieves_server.core.decide_arena import COME_WITHIN, OVERDUE
from fortythieves_server.core.room_list import summary
from fortythieves_server.core.tournament import Tournament
from tests.refusals import refusal
from tests.server.tables import MINUTE, NOON, SECOND, Table, entered, sign

ARENA = {"format": "arena", "points": [2, 1], "minutes": 30}


class Hall:
    def __init__(self, people: int = 4, **changes: Any) -> None:
        self.arena = entered(people, {**ARENA, **changes}, time_limit=120, countdown=3)
        self.rooms: dict[str, Table] = {}

    @property
    def tournament(self) -> Tournament:
        return self.arena.tournament

    def open(self) -> "Hall":
        self.arena.do(1, say.Round(1, "start"))
        self.arena.settle()
        return self

    def match(self, wait: Ms = GATHER) -> list[tuple[int, ...]]:
        """Let so much time pass, and begin the races that are due, as `rooms.heats` does."""
        self.arena.wait(wait)
        races = []
        for n, seats in enumerate(decide_arena.picks(self.arena.room, self.arena.context), start=1):
            code = f"R{len(self.rooms) + 1}"
            number = self.tournament.arena.count + n
            self.rooms[code] = table = Table()
            table.now = self.arena.now
            settings, of_arena = decide_arena.room_of(self.arena.room, self.tournament, seats, number)
            promise = sign(code, 1, "5e" * 32, table.now)
            created = events.Created(code, settings, "5e" * 32, promise=promise, of_arena=of_arena)
            table.log, table.room = [(table.now, created)], evolve.begin(table.now, created)
            races.append((code, seats))
        self.arena.ask(lambda room, context: decide_arena.matched(room, races, context))
        return [seats for _, seats in races]

    def room_of(self, seat: int) -> Table:
        number = self.tournament.arena.racing[seat]
        return self.rooms[self.tournament.arena.under_way[number].code]

    def race(self, table: Table, *best: int, idle: tuple[int, ...] = ()) -> None:
        """Let all racers join a race and its time run out, report the result, and let all return to the arena."""
        come(table, *table.room.people)
        begin(table)
        for home, seat in enumerate(reversed(best), start=1):
            table.moves(seat, to=10, home=home)
        for seat in table.race.active:
            if seat not in {*best, *idle}:
                table.moves(seat)
        table.run_out()
        self.tell(table)

    def tell(self, table: Table) -> None:
        self.arena.now = max(self.arena.now, table.now)
        if over := decide_arena.result_to_report(table.room, table.progress):
            self.arena.ask(lambda room, context: decide_arena.heat_ended(room, table.room.code, over))
            table.happen(events.ResultReported(1))
        for seat in table.room.people:
            self.arena.join(self.arena.room.guest_at(seat))

    def points(self) -> dict[int, list[float]]:
        return {seat: [*map(float, sheet.points)] for seat, sheet in self.tournament.arena.sheets.items()}


def come(table: Table, *seats: int) -> None:
    for seat in seats:
        table.join(table.room.people[seat].guest)
        table.ready(seat)


def begin(table: Table) -> None:
    table.settle()
    table.reveal(*table.race.commitments)
    table.settle()
    table.now = table.race.starts_at or Ms(0)


def running(hall: Hall) -> Table:
    """The room of seat 2 in an arena that opens, in which a race has just started."""
    hall.open().match()
    table = hall.room_of(2)
    come(table, *table.room.people)
    begin(table)
    return table


def raced(times: int) -> Hall:
    """An arena of two after some races that seat 2 has won."""
    hall = Hall(2).open()
    for _ in range(times):
        hall.match(PATIENCE)
        hall.race(hall.room_of(2), 2)
    return hall


def test_free_entrants_are_matched_and_called_to_a_room() -> None:
    hall = Hall().open()
    assert sorted(map(len, hall.match())) == [2, 2]
    assert {*hall.tournament.arena.racing} == {2, 3, 4, 5}
    assert not any(hall.arena.person(seat).here for seat in (2, 3, 4, 5))
    assert hall.match() == []
    table = hall.room_of(2)
    assert [*table.room.people] == sorted(hall.tournament.arena.under_way[hall.tournament.arena.racing[2]].round.seats)
    assert all(table.person(seat).name == hall.tournament.entrants[seat].name for seat in table.room.people)
    assert table.view()["arena"] == hall.arena.room.code


def test_the_clock_knows_the_start_the_next_match_and_the_end_of_an_arena() -> None:
    hall = Hall(3).open()
    opened = hall.arena.now
    assert decide.next_due(hall.arena.room, {}) == opened + GATHER
    [(one, other)] = hall.match()
    # The third one is alone, so the next event is the end of an overdue race.
    at = hall.arena.now
    assert decide.next_due(hall.arena.room, {}) == at + COME_WITHIN + 3 * SECOND + 120 * SECOND + OVERDUE
    hall.race(hall.room_of(one), one)
    assert decide.next_due(hall.arena.room, {}) == hall.arena.now
    assert {*hall.match(Ms(0))[0]} & {one, other}
    alone = Hall(0).open()
    assert decide.next_due(alone.arena.room, {}) == alone.arena.now + 30 * MINUTE
    hall = Hall(2, starts_at=NOON + MINUTE)
    assert decide.next_due(hall.arena.room, {}) == NOON + MINUTE
    hall.arena.now = NOON + MINUTE
    assert hall.arena.settle() == [events.ArenaOpened()]


def test_a_race_begins_with_all_its_racers_or_after_some_seconds() -> None:
    hall = Hall(4).open()
    hall.match()
    table, slow = hall.room_of(2), next(room for room in hall.rooms.values() if 2 not in room.room.people)
    come(table, *table.room.people)
    table.settle()
    assert {*table.race.racers} == {*table.room.people}
    assert decide.next_due(slow.room, {}) == slow.room.opened_at + COME_WITHIN
    assert slow.settle() == []
    slow.after(COME_WITHIN)
    assert {*slow.race.racers} == {*slow.room.people}


def test_a_finished_race_gives_points_and_two_racers_wait_for_others_after_it() -> None:
    hall = raced(3)
    assert hall.points() == {2: [2, 2, 4], 3: [1, 1, 1]}
    shown = hall.arena.tournament_view()["arena"]
    assert shown["sheets"]["2"][:4] == (8, 3, 3, 3)
    assert shown["under_way"] == {} and [*shown["ended"]] == ["1", "2", "3"]
    # The result is reported once.
    assert decide_arena.result_to_report(hall.rooms["R1"].room, {}) is None
    assert hall.arena.ask(lambda room, context: decide_arena.heat_ended(room, "R1", events.HeatEnded(1))) == []
    hall = Hall(2).open()
    hall.match()
    hall.race(hall.room_of(2), 2)
    assert hall.match() == []
    assert decide.next_due(hall.arena.room, {}) == hall.arena.now - GATHER + PATIENCE
    hall.arena.join("late")
    assert hall.match() != []


def test_a_no_show_is_withdrawn_until_entering() -> None:
    hall = Hall(2, no_show=30)
    table = running(hall)
    table.moves(2)
    assert decide.next_due(table.room, table.progress) == table.now + 30 * SECOND
    table.after(30 * SECOND)
    assert table.racer(3).state == "did_not_start"
    assert table.race.over_at is not None and table.race.places == {2: 1}
    hall.tell(table)
    assert hall.points() == {2: [0], 3: [0]}, "a win needs a rival"
    assert (hall.tournament.entrants[3].state, hall.tournament.entrants[3].reason) == ("withdrawn", "no_show")
    assert hall.match(PATIENCE) == []
    hall.arena.do(3, say.Enter(1, True))
    assert hall.match(PATIENCE) != []
    hall = Hall(2, no_show=30)
    table = running(hall)
    table.after(30 * SECOND)
    hall.tell(table)
    assert {hall.arena.states()[seat] for seat in (2, 3)} == {"withdrawn"}


@pytest.mark.parametrize(
    ("cards", "after", "points"),
    [(20, 6, {2: [0], 3: [0]}), (9, 60, {2: [0], 3: [0]}), (20, 12, {2: [2], 3: [1]})],
    ids=["in the first tenth", "with nine cards", "after both"],
)
def test_a_rival_who_gives_up_too_early_gives_no_points(cards: int, after: int, points: dict[int, list[float]]) -> None:
    hall = Hall(2, streak=1)
    table = running(hall)
    table.moves(2, to=20, home=2)
    table.moves(3, to=120, revealed=cards)
    table.wait(after * SECOND)
    table.do(3, say.GiveUp(1))
    table.after(10 * SECOND)
    assert table.race.over_at is None or points[2] == [0], "nobody races on for nothing"
    table.run_out()
    hall.tell(table)
    assert hall.points() == points
    assert hall.tournament.arena.sheets[2].row == (points[2] != [0])


@pytest.mark.parametrize(("after", "points"), [(6, {2: [0], 3: [0]}), (12, {2: [2], 3: [1]})])
def test_a_rival_who_is_stuck_in_the_first_tenth_gives_no_points(after: int, points: dict[int, list[float]]) -> None:
    hall = Hall(2)
    table = running(hall)
    table.moves(2, to=20, home=2)
    table.wait(after * SECOND)
    table.moves(3, to=70, outcome="stuck")
    table.run_out()
    hall.tell(table)
    assert hall.points() == points


def test_a_race_without_a_rival_neither_goes_on_with_a_streak_nor_ends_it() -> None:
    hall = raced(2)
    hall.match(PATIENCE)
    table = hall.room_of(2)
    come(table, 2, 3)
    begin(table)
    table.moves(2, to=20)
    table.moves(3)
    table.wait(6 * SECOND)
    table.do(3, say.GiveUp(1))
    table.after(10 * SECOND)
    assert table.race.over_at is not None
    hall.tell(table)
    hall.match(PATIENCE)
    hall.race(hall.room_of(2), 2)
    assert hall.points() == {2: [2, 2, 0, 4], 3: [1, 1, 0, 1]}


def test_seats_of_one_address_race_against_others_as_long_as_there_are_others() -> None:
    hall = Hall(0)
    for n in range(5):
        hall.arena.join(f"puppet {n}", "puppets")
    for n in range(2):
        hall.arena.join(f"pupil {n}", f"home {n}")
    hall.open()
    address = {seat: person.address for seat, person in hall.arena.room.people.items()}
    met = [{address[seat] for seat in seats} for seats in hall.match()]
    assert sum(len(addresses) == 2 for addresses in met) == 2


def test_entries_that_cost_nothing_do_not_hide_a_no_show() -> None:
    hall = Hall(3, no_show=30, race_size=3)
    table = running(hall)
    table.moves(2)
    table.moves(3, to=120, revealed=0)
    table.moves(4, to=1, home=1, revealed=0)
    assert decide.next_due(table.room, table.progress) == table.now + 30 * SECOND
    table.after(30 * SECOND)
    assert [table.racer(seat).state for seat in (2, 3, 4)] == ["racing", "timed_out", "racing"]
    table.run_out()
    hall.tell(table)
    assert (hall.tournament.entrants[3].state, hall.tournament.entrants[3].reason) == ("withdrawn", "no_show")
    assert {hall.arena.states()[seat] for seat in (2, 4)} == {"in"}
    hall = Hall(2, no_show=30)
    table = running(hall)
    table.moves(2)
    table.moves(3, to=120, revealed=0)
    table.after(30 * SECOND)
    hall.tell(table)
    assert hall.points() == {2: [0], 3: [0]}, "a win needs a rival"


def test_an_entrant_on_a_break_or_absent_is_not_matched() -> None:
    hall = Hall(2).open()
    hall.arena.do(2, say.Enter(1, False))
    assert hall.match() == []
    assert [deed.what for deed in hall.tournament.desk] == ["started"], "a break is nothing that a host does"
    hall.arena.do(2, say.Enter(1, True))
    assert hall.match(Ms(0)) != []
    hall.arena.do(2, say.Enter(1, False))
    hall.race(hall.room_of(2), 2)
    assert hall.points() == {2: [2], 3: [1]}
    assert hall.match(PATIENCE) == []
    hall = Hall(3).open()
    hall.arena.hang_up(2)
    assert [{*race} for race in hall.match()] == [{3, 4}]


def test_races_under_way_at_the_end_still_count() -> None:
    hall = Hall(2, minutes=5).open()
    hall.arena.wait(5 * MINUTE - GATHER - SECOND)
    table = running(hall)
    assert hall.arena.after(2 * SECOND) == []
    table.moves(2, to=3, home=3)
    table.moves(3)
    table.run_out()
    hall.tell(table)
    assert hall.match(PATIENCE) == []
    assert hall.arena.settle() == [events.Decided(0, True)]
    assert hall.tournament.phase == "over"
    assert hall.points() == {2: [2], 3: [1]}
    assert not hall.tournament.may_enter()
    assert decide.next_due(hall.arena.room, {}) is None


def test_a_host_pauses_resumes_and_ends_an_arena() -> None:
    hall = Hall(2).open()
    hall.arena.round("pause")
    assert hall.match(PATIENCE) == []
    hall.arena.round("start")
    assert hall.match(Ms(0)) != []
    assert hall.arena.round("end", reason="Lunch.")[0] == events.RoundStopped(0, 1, "Lunch.")
    assert hall.arena.round("end") == []
    assert hall.tournament.phase == "racing"
    assert not hall.tournament.may_enter()
    hall.race(hall.room_of(2), 2)
    assert hall.arena.settle() == [events.Decided(0, True)]
    whats: tuple[Any, ...] = ("start", "end", "replay", "confirm")
    hall.arena.check_refusals(*((1, say.Round(1, what), "no-round") for what in whats))


def test_a_skipped_race_and_a_disqualified_entrant_do_not_count() -> None:
    hall = raced(3)
    hall.arena.round("skip", reason="The wrong deck.", number=2)
    assert hall.points() == {2: [2, 2], 3: [1, 1]}
    assert hall.arena.round("skip", number=2) == []
    assert hall.arena.refuses(1, say.Round(1, "skip", "", 9)) == "no-race"
    hall = raced(1)
    hall.arena.do(1, say.Judge(1, 2, True, "Two phones."))
    assert hall.points() == {3: [2]}
    hall.arena.do(1, say.Judge(1, 2, False, "It was her sister."))
    assert hall.points() == {2: [2], 3: [1]}


def test_a_host_corrects_points_and_takes_it_back() -> None:
    hall = raced(3)
    hall.arena.do(1, say.Correct(1, 3, ((2, 2.5),), "A wrong count."))
    hall.arena.do(1, say.Correct(2, 1, ((3, 7),), "Two cards were lost."))
    assert hall.points() == {2: [2, 2, 2.5], 3: [7, 1, 1]}, "a host's points are not doubled"
    shown = hall.arena.tournament_view()["arena"]["ended"]
    assert shown["3"].corrections == [(2, 2.5, "A wrong count.")]
    desk = [deed[2:5] for deed in hall.tournament.desk]
    assert desk[-2:] == [("corrected", 3, "A wrong count."), ("corrected", 1, "Two cards were lost.")]
    assert hall.arena.do(1, say.Correct(3, 1, ((3, 7),), "Again.")) == []
    hall.arena.do(1, say.Correct(4, 1, ((3, None),), "They were found."))
    hall.arena.do(1, say.Correct(5, 3, ((2, None),), "It was right."))
    assert hall.points() == {2: [2, 2, 4], 3: [1, 1, 1]}


def test_a_bad_correction_of_an_arena_is_refused() -> None:
    hall = Hall(4).open()
    hall.match(PATIENCE)
    seat, *_ = seats = hall.tournament.arena.under_way[1].round.seats
    other = next(seat for seat in (2, 3, 4, 5) if seat not in seats)
    correct = say.Correct(1, 1, ((seat, 1),), "A wrong count.")
    assert hall.arena.refuses(1, correct) == "no-race", "it is under way"
    hall.race(hall.room_of(seat), seat)
    assert hall.arena.why(1, say.Correct(1, 1, ((other, 1),), "Not in it.")) == "result-seat"
    hall.arena.round("skip", number=1)
    assert hall.arena.refuses(1, correct) == "no-race"


def test_a_race_without_a_room_does_not_count() -> None:
    hall = Hall(2).open()
    hall.match()
    [code] = hall.rooms
    assert decide_arena.overdue(hall.tournament, hall.arena.now) == []
    hall.arena.now = decide.next_due(hall.arena.room, {}) or Ms(0)
    assert decide_arena.overdue(hall.tournament, hall.arena.now) == [code]
    hall.arena.ask(lambda room, context: decide_arena.heat_ended(room, code, None))
    assert hall.points() == {} and hall.tournament.arena.under_way == {}
    assert all(hall.tournament.entrants[seat].state == "in" for seat in (2, 3))


def test_two_processes_match_an_entrant_once_and_a_full_log_none() -> None:
    hall = Hall(2).open()
    hall.arena.wait(GATHER)
    races = [("R1", (2, 3)), ("R2", (3, 2)), ("R3", (2, 9))]
    begun = hall.arena.ask(lambda room, context: decide_arena.matched(room, races, context))
    assert begun == [events.Matched((events.Match(1, "R1", (2, 3)),))]
    hall = Hall(2).open()
    counts = [*hall.arena.room.counts.of_kind]
    counts[event_limits.Kind.ARENA] = event_limits.MOST[event_limits.Kind.ARENA]
    hall.arena.room = msgspec.structs.replace(hall.arena.room, counts=event_limits.Counts(tuple(counts)))
    assert hall.match(PATIENCE) == []


def test_the_rules_of_the_score_are_fixed_when_the_arena_opens() -> None:
    hall = Hall(2)
    hall.arena.do(1, say.ChangePlan(1, {"streak": 3}))
    hall.open()
    for changes in ({"streak": 2}, {"race_size": 3}, {"points": [3]}, {"format": "points"}):
        assert hall.arena.refuses(1, say.ChangePlan(1, changes)) == "bad-plan"
    hall.arena.do(1, say.ChangePlan(1, {"minutes": 45}))
    assert hall.tournament.arena.closes_at(hall.tournament.plan) == hall.arena.now + 45 * MINUTE


def test_the_room_of_a_race_has_no_host_and_no_other_players() -> None:
    table = running(Hall(2))
    assert table.room.host is None
    assert refusal(table.join, "stranger") == "full"
    for request in (say.Rename(1, "Zoe"), say.AgreeToEnd(1, True), say.Rematch(1, "")):
        assert table.refuses(2, request) in {"tournament", "racing"}
    table.wait(10 * SECOND)
    table.moves(2)
    table.do(2, say.Leave(1))
    assert 2 in table.room.people and not table.race.is_racing(2)


def test_the_rooms_of_an_arena_are_not_listed_and_its_organiser_has_their_records() -> None:
    hall = Hall(2)
    hall.arena.do(1, say.ChangeSettings(1, {"watching": "everyone", "public": True}))
    shown = summary(running(hall).room)
    assert (shown["open"], shown["watchable"]) == (False, False)
    hall = Hall(2)
    hall.arena.do(1, say.ChangeSettings(1, {"watching": "nobody"}))
    table = running(hall)
    assert finished_race.is_for_racers(table.race)
    allowed = [finished_race.may_have(table.room, table.race, guest) for guest in ("host", "guest 1", "stranger", "")]
    assert allowed == [True, True, False, False]


def test_the_replayed_logs_are_the_live_arena_and_its_rooms() -> None:
    hall = Hall(5, race_size=3).open()
    for seats in hall.match():
        hall.race(hall.room_of(seats[0]), seats[0], idle=seats[2:])
    hall.match(PATIENCE)
    hall.arena.do(1, say.Round(1, "skip", "", 1))
    for table in (hall.arena, *hall.rooms.values()):
        log = [(at, events.decode(events.encode(event))) for at, event in table.log]
        assert evolve.replay(log) == table.room
    assert len(hall.tournament.arena.heats()) == 1
