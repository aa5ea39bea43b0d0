"""A finished tournament of two rounds and three entrants, and one of each format, with their signed records."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from fortythieves.record import race_record
from fortythieves.record.race_record import Plain
from fortythieves.rules.ranking import Result
from fortythieves.tournament.draw import draw
from fortythieves.tournament.export import Event, File, file_of
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.rounds import Correction, Drawing, Entrant, Round
from tests.shared.make_records import NOON, Seat, Some, secret_deal, signed_record
from tests.shared.tournament.play import chance_of, plan_of

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


#: A plan of each format, and the races of the arena.
PLANS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "points": {"format": "points", "rounds": 2},
        "knockout": {"format": "knockout"},
        "double": {"format": "double"},
        "swiss": {"format": "swiss", "rounds": 2},
        "roundrobin": {"format": "roundrobin"},
        "arena": {"format": "arena", "race_size": 2},
        "teams of points": {"format": "points", "rounds": 2, "team_size": 2},
        "teams of a Swiss": {"format": "swiss", "rounds": 2, "team_size": 2},
    }
)
_RACES = ((1, 2), (3, 4))


def held(kind: str) -> File:
    """The bundle of a short tournament: four or five entrants or two teams. Without pairs, one result is corrected."""
    plan = plan_of(**PLANS[kind])
    teams = [f"T{seat % 2}" if plan.team_size else "" for seat in range(6)]
    seats = range(1, 5 if plan.team_size or plan.format == "arena" else 6)
    entrants = {seat: Entrant(f"N{seat}", team=teams[seat], board=(seat + 1) // 2) for seat in seats}
    rounds: list[Round] = []
    records: dict[int, Plain] = {}
    while (drawn := _drawing(plan, entrants, rounds)) is not None:
        number = len(rounds) + 1
        code, own = (f"BCDFG{'HJ'[number - 1]}", 1) if plan.format == "arena" else (CODE, number)
        logs = {seat: Seat(Some(10 * number + seat, 12 + seat)) for seat in drawn.seats}
        records[number] = signed_record(code, {"game": "lucas"}, secret_deal(number, code, own, drawn.seats), logs, own)
        raced, of = (results(records[number]),), drawn
        rounds.append(Round(number, of.seats, of.pairs, of.byes, raced, half_byes=of.half_byes, lost=of.lost))
    if not rounds[0].pairs:
        rounds[0] = replace(rounds[0], corrections=(Correction(rounds[0].seats[0], 7.5, "A reason."),))
    event = Event(
        CODE,
        plan,
        entrants,
        rounds,
        {number: (number,) for number in records},
        dict.fromkeys(records, NOON),
        lambda number: f"https://cards.example.org/api/races/{records[number]['code']}/{records[number]['race']}",
        {number: one["code"] for number, one in records.items() if plan.format == "arena"},
    )
    return file_of(event, {number: race_record.packed(one) for number, one in records.items()})


def _drawing(plan: Plan, entrants: Mapping[int, Entrant], rounds: Sequence[Round]) -> Drawing | None:
    if plan.format == "arena":
        return Drawing(_RACES[len(rounds)]) if len(rounds) < len(_RACES) else None
    return draw(plan, entrants, rounds, chance_of(len(rounds)))
