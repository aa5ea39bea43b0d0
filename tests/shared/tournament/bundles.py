"""A finished tournament of two rounds and three entrants, with its signed records."""

from collections.abc import Mapping

from msgspec.structs import replace

from fortythieves.record import race_record
from fortythieves.record.race_record import Plain
from fortythieves.rules.ranking import Result
from fortythieves.tournament.export import Event, File, file_of
from fortythieves.tournament.rounds import Entrant, Round
from tests.shared.make_records import NOON, Seat, Some, secret_deal, signed_record
from tests.shared.tournament.play import plan_of

CODE = "KQXWVD"
NAMES = {1: "Ann", 2: "=Bob()", 3: "Çem"}


def race(number: int) -> Plain:
    logs = {seat: Seat(Some(10 * number + seat, 30 + seat)) for seat in NAMES}
    return signed_record(CODE, {"game": "lucas"}, secret_deal(number, CODE, number, (1, 2, 3)), logs, number)


RECORDS: Mapping[int, Plain] = {1: race(1), 3: race(3)}


def results(one: Plain) -> dict[int, Result]:
    return {racer["seat"]: Result(*(racer[name] for name in Result._fields)) for racer in one["racers"]}


#: The team of each entrant, and the board in it.
TEAMS = {1: ("Red", 1), 2: ("+Blue", 1), 3: ("Red", 2)}


def event_of_teams() -> Event:
    """The same with two teams; one of them has one member."""
    held = event()
    entrants = {seat: replace(held.entrants[seat], team=team, board=board) for seat, (team, board) in TEAMS.items()}
    return held._replace(plan=replace(held.plan, team_size=2), entrants=entrants)


def event() -> Event:
    """Race 2 was skipped before it began, and has no number here."""
    rounds = [
        Round(1, (1, 2, 3), races=(results(RECORDS[1]),), confirmed=True),
        Round(2, (1, 2, 3), skipped=True),
        Round(3, (1, 2, 3), races=(results(RECORDS[3]),)),
    ]
    return Event(
        code=CODE,
        plan=plan_of(name="Club night", rounds=3, entry="list", listed=tuple(NAMES.values())),
        entrants={seat: Entrant(name) for seat, name in NAMES.items()},
        rounds=rounds,
        races={1: (1,), 3: (3,)},
        starts={1: NOON, 3: NOON},
        link=lambda number: f"https://cards.example.org/r/{CODE}/{number}",
    )


def bundle(held: Event | None = None) -> File:
    return file_of(held or event(), {number: race_record.packed(one) for number, one in RECORDS.items()})
