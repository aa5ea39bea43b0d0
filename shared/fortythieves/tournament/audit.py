"""Check the results and standings of a bundle by computing them from the records of the races.

The records are signed and prove the results. The bundle is made once more from them, and everything that follows is
compared. Four things are taken from the bundle as they are: the plan, the draws, the skipped or corrected rounds, and
the entrants with their names. The host decides these in public. In a knock-out, the pairs follow from the bracket.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from fortythieves.bot.par import par
from fortythieves.errors import Refused
from fortythieves.record import proof, race_record, shape
from fortythieves.record.reasons import sentence
from fortythieves.rules.cards import parse_cards
from fortythieves.rules.games import game
from fortythieves.rules.ranking import Result
from fortythieves.tournament import arena
from fortythieves.tournament.export import OF_A_ROUND, Drawn, Event, File, file_of
from fortythieves.tournament.export import Result as Stated
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.standings import FORMATS, Row, misdrawn
from fortythieves.tournament.teams import wrong_with


class Finding(NamedTuple):
    """A result of the audit, about one part of the bundle."""

    #: ``plan``, ``rounds``, ``records``, ``race N``, ``names``, ``results``, ``standings``, or ``teams``.
    about: str
    ok: bool
    reason: str


def audit(file: File, key: bytes | proof.Keys | None = None) -> list[Finding]:
    """Check everything that can be checked in a bundle. ``key``: of its records, or all that the server has had."""
    unfit = [*_plan_wrongs(file.plan), *_round_wrongs(file)] or [*_bracket_wrongs(file)]
    if unfit:
        return [*unfit, Finding("standings", False, "they cannot be worked out")]
    records, read = _read(file)
    found = [
        Finding("rounds", True, f"the plan and its rounds fit together, {len(file.rounds)} in number"),
        *read,
        *_keys(records, None if key is None or isinstance(key, bytes) else key),
        *(
            finding
            for drawn in file.rounds
            for number in drawn.races
            if number in records
            for finding in _about_race(file, drawn, number, records[number], key)
        ),
        *_corrected(file),
        *_renamed(file, records),
    ]
    if any(number not in records for drawn in file.rounds for number in drawn.races):
        return [*found, Finding("standings", False, "they cannot be worked out without all records")]
    right = file_of(_event(file, records))
    return [*found, *_in_turn(file, records), *_compared(file, right)]


# The plan and the rounds


def _plan_wrongs(plan: Plan) -> Iterator[Finding]:
    try:
        plan.check()
    except Refused as refused:
        yield Finding("plan", False, str(refused))


def _round_wrongs(file: File) -> Iterator[Finding]:
    numbers = [drawn.number for drawn in file.rounds]
    if file.plan.format == "arena":  # without races that never began, or that still run
        if numbers != sorted({*numbers}):
            yield Finding("rounds", False, "their numbers do not rise")
    elif numbers != list(range(1, len(numbers) + 1)):
        yield Finding("rounds", False, "they are not numbered through from 1")
    elif not file.plan.has_schedule and len(numbers) > file.plan.rounds:
        yield Finding("rounds", False, "there are more than the plan has")
    numbers = [number for drawn in file.rounds for number in drawn.races]
    if len(set(numbers)) < len(numbers):
        yield Finding("rounds", False, "a race is counted twice")
    rooms = [drawn.room or file.code for drawn in file.rounds]
    if file.plan.format == "arena" and len({*rooms, file.code}) <= len(rooms):
        yield Finding("rounds", False, "two races have the same room")
    for drawn in file.rounds:
        if wrong := _wrong_with(file, drawn):
            yield Finding("rounds", False, f"round {drawn.number}: {wrong}")


def _wrong_with(file: File, drawn: Drawn) -> str | None:
    """The fault of a round, as a sentence, or None."""
    plan, has_pairs = file.plan, FORMATS[file.plan.format].has_pairs
    paired = [seat for pair in drawn.pairs for seat in pair]
    everybody = [*drawn.seats, *drawn.byes, *drawn.half_byes]
    first = next((one for one in file.rounds if not one.skipped), drawn)
    there = {*first.seats, *first.byes}
    given = [one.seat for one in drawn.corrections]
    corrected = {*given} | drawn.replayed.keys()
    faults = {
        "somebody is drawn twice": len(set(everybody)) < len(everybody),
        "somebody is named twice": any(len({*seats}) < len(seats) for seats in (drawn.lost, drawn.early, given)),
        "somebody is drawn who has not entered": not {*everybody} <= file.entrants.keys(),
        "something is corrected for somebody who was not drawn": not corrected <= {*drawn.seats},
        "somebody is drawn before entering": any(
            file.entrants[seat].since > drawn.number for seat in everybody if seat in file.entrants
        ),
        "these are not as many as are in a race": plan.format == "arena"
        and not 2 <= len(drawn.seats) <= plan.race_size,
        "it has pairs, and all are compared with all": not has_pairs
        and any((paired, drawn.byes, drawn.half_byes, drawn.lost)),
        "it has a room, or says who gave up early, which is for an arena": plan.format != "arena"
        and (drawn.room or drawn.early),
        "it has half-point byes, which are for a Swiss": drawn.half_byes and plan.format != "swiss",
        "it says who has lost once, which is for a double elimination": drawn.lost and plan.format != "double",
        "the pairs are not of those who are drawn": has_pairs and sorted(paired) != sorted(drawn.seats),
        "somebody is drawn who was not in the first round": plan.has_schedule and not {*everybody} <= there,
    }
    found = next((fault for fault, is_wrong in faults.items() if is_wrong), None)
    return found or wrong_with(plan, file.entrants, _drawn(drawn))


def _bracket_wrongs(file: File) -> Iterator[Finding]:
    if (number := misdrawn(file.plan, [_drawn(one) for one in file.rounds])) is not None:
        yield Finding("rounds", False, f"round {number}: others met than the bracket says")


# The records


def _read(file: File) -> tuple[dict[int, dict[str, Any]], list[Finding]]:
    """The readable records by race number, and the faults of the others."""
    records: dict[int, dict[str, Any]] = {}
    counted = [number for drawn in file.rounds for number in drawn.races]
    others = sorted({*(file.records or {})} - {*counted})
    wrong = [Finding(f"race {number}", False, "its record belongs to no round") for number in others]
    for number in counted:
        data = (file.records or {}).get(number)
        if data is None:
            wrong.append(Finding(f"race {number}", False, "its record is not there"))
            continue
        try:
            one = race_record.read(data)
        except Refused as refused:
            wrong.append(Finding(f"race {number}", False, str(refused)))
            continue
        if fault := shape.fault(one):
            wrong.append(Finding(f"race {number}", False, f"format: {sentence('format', *fault[:2])}"))
        else:
            records[number] = one
    return records, wrong


def _keys(records: Mapping[int, Mapping[str, Any]], known: proof.Keys | None) -> Iterator[Finding]:
    keys = {one["key"] for one in records.values()}
    if known is not None and keys <= known.keys():
        yield Finding("records", True, f"they are signed with keys of the server: {', '.join(sorted(keys))}")
    elif len(keys) > 1:
        yield Finding("records", False, "they are not all signed with the same key")
    elif keys:
        yield Finding("records", True, f"they are signed with the key {keys.pop()}")


def _about_race(
    file: File, drawn: Drawn, number: int, one: Mapping[str, Any], key: bytes | proof.Keys | None
) -> Iterator[Finding]:
    wrong = [f"{check.check}: {check.sentence}" for check in proof.verify(one, key) if not check.ok]
    # In an arena, each race has its own room.
    if (one["code"], one["race"]) != ((drawn.room, 1) if drawn.room else (file.code, number)):
        wrong.append("it is the record of another race")
    if drawn.room and not wrong:
        limits = one["starts_at"], one["settings"]["time_limit"]
        if drawn.early != arena.early(_results_of(one), proof.advances(one), *limits):
            wrong.append("the file names others who gave up early")
    if not {racer["seat"] for racer in one["racers"]} <= {*drawn.seats}:
        wrong.append(f"somebody raced who was not drawn for round {drawn.number}")
    yield from _findings(f"race {number}", wrong, f"round {drawn.number}: its record is right")


def _results_of(one: Mapping[str, Any]) -> dict[int, Result]:
    return {racer["seat"]: Result(*(racer[name] for name in Result._fields)) for racer in one["racers"]}


def par_of(record: Mapping[str, Any]) -> int:
    """The par of the deal of a record."""
    return par(game(record["game"]), parse_cards(record["deck"]))[0]


def _event(file: File, records: Mapping[int, Mapping[str, Any]]) -> Event:
    """The tournament of a bundle, with the results of its records."""
    races = {number: _results_of(one) for number, one in records.items()}
    pars = {number: par_of(one) for number, one in records.items()} if "par" in file.plan.tiebreak_order else {}
    ends = {number: f"/{one['code']}/{one['race']}" for number, one in records.items()}
    # The records do not say where their server is. All links must lead to the same place.
    stated = [one for drawn in file.rounds for one in drawn.results if one.race in ends]
    sites = Counter(one.record.removesuffix(ends[one.race]) for one in stated if one.record.endswith(ends[one.race]))
    site = max(sites, key=sites.__getitem__, default="")

    def played(drawn: Drawn) -> Round:
        after = _drawn(drawn).with_races([races[number] for number in drawn.races])
        return replace(after, pars=tuple(pars[number] for number in drawn.races) if pars else ())

    return Event(
        file.code,
        file.plan,
        file.entrants,
        [played(drawn) for drawn in file.rounds],
        {drawn.number: drawn.races for drawn in file.rounds},
        {number: one["starts_at"] for number, one in records.items()},
        lambda number: f"{site}{ends[number]}",
        {drawn.number: drawn.room for drawn in file.rounds},
    )


# Corrections, results and standings


def _corrected(file: File) -> Iterator[Finding]:
    """The hosts' decisions instead of races, for readers to judge."""
    for drawn in file.rounds:
        for one in drawn.corrections:
            words = f"round {drawn.number}: a host gave seat {one.seat} {_plain(one.value)}, because: {one.reason}"
            yield Finding("rounds", True, words)
        if drawn.replayed:
            seats = ", ".join(map(str, sorted(drawn.replayed)))
            yield Finding("rounds", True, f"round {drawn.number}: a host let these seats race again: {seats}")


def _renamed(file: File, records: Mapping[int, Mapping[str, Any]]) -> Iterator[Finding]:
    """The entrants who had another name in a race. Hosts may change names, so readers must judge this, too."""
    was = {(racer["seat"], racer["name"]): n for n, one in records.items() for racer in one["racers"]}
    for (seat, name), number in sorted(was.items()):
        if seat in file.entrants and file.entrants[seat].name != name:
            reason = f"seat {seat} is {file.entrants[seat].name}, and was {name} in race {number}"
            yield Finding("names", True, reason)


def _in_turn(file: File, records: Mapping[int, Mapping[str, Any]]) -> Iterator[Finding]:
    """Arena: whether each entrant raced one race after the other, in the order of their numbers. Streaks need that."""
    if file.plan.format != "arena":
        return
    ended: dict[int, int] = {}
    for number, one in records.items():
        for racer in one["racers"]:
            if one["starts_at"] < ended.get(racer["seat"], 0):
                yield Finding(f"race {number}", False, f"seat {racer['seat']} still raced in an earlier one")
        over = max((racer["when"] for racer in one["racers"]), default=0)
        ended |= dict.fromkeys((racer["seat"] for racer in one["racers"]), over)


def _compared(file: File, right: File) -> Iterator[Finding]:
    """Whether the results and the standings are as they follow from the records."""

    def result(one: Stated) -> str:
        return f"round {one.round}, race {one.race}, seat {one.seat}"

    def entrant(row: Row) -> str:
        return f"{file.entrants[row.seat].name if row.seat in file.entrants else '?'} (seat {row.seat})"

    rounds = zip(file.rounds, right.rounds, strict=True)
    results = [wrong for stated, should in rounds for wrong in _wrong_rows(stated.results, should.results, result)]
    yield from _findings("results", results, "every result is as its record has it")
    rows = [*_wrong_rows(file.standings, right.standings, entrant)]
    if file.tiebreaks != right.tiebreaks:
        rows.append("these are not the tie-breaks of this format")
    yield from _findings("standings", rows, f"they follow from the records, for {len(right.standings)} entrants")
    if file.teams or right.teams:
        teams = [*_wrong_rows(file.teams, right.teams, lambda row: row.team)]
        yield from _findings("teams", teams, f"their standings follow from the records, for {len(right.teams)} teams")


def _findings(about: str, wrong: Sequence[str], right: str) -> Iterator[Finding]:
    """One finding for each fault, or if there is none, that it is right."""
    yield from (Finding(about, False, reason) for reason in wrong)
    if not wrong:
        yield Finding(about, True, right)


_AnyRow = TypeVar("_AnyRow", bound=Struct)


def _wrong_rows(stated: Sequence[_AnyRow], right: Sequence[_AnyRow], title: Callable[[_AnyRow], str]) -> Iterator[str]:
    """The mistakes in the stated rows. ``title``: differs for all right rows."""
    told = {title(row): row for row in stated}
    known = {title(row): row for row in right}
    if len(told) < len(stated):
        yield "a row is there twice"
    for name, row in known.items():
        if name in told:
            for field, said, should in zip(row.__struct_fields__, astuple(told[name]), astuple(row), strict=True):
                if said != should:
                    yield f"{name}: {field} {_plain(said)}, not {_plain(should)}"
        else:
            yield f"{name} is missing"
    yield from (f"{name} does not belong there" for name in told if name not in known)
    if told.keys() == known.keys() and [*told] != [*known]:
        yield "the rows are not in order"


def _drawn(drawn: Drawn) -> Round:
    """The round without its races."""
    return Round(**{name: getattr(drawn, name) for name in OF_A_ROUND})


def _plain(value: object) -> str:
    """A number as people write it."""
    if isinstance(value, tuple):
        return ", ".join(map(_plain, value))
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
