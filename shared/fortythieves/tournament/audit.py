"""Check the standings of a bundle by computing them from the records of the races.

The records are signed and prove the results. Three things are taken from the bundle as they are: the draws, the
skipped or corrected rounds, and the withdrawn or disqualified entrants. The host decides these in public. In a
knock-out, the pairs follow from the bracket.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from fortythieves.errors import Refused
from fortythieves.record import proof, race_record, shape
from fortythieves.record.reasons import sentence
from fortythieves.rules.ranking import Result
from fortythieves.tournament import arena
from fortythieves.tournament.export import OF_A_ROUND, Drawn, File
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.standings import FORMATS, Row, misdrawn, standings
from fortythieves.tournament.teams import TeamRow, table, wrong_with


class Finding(NamedTuple):
    """A result of the audit, about one part of the bundle."""

    #: ``plan``, ``rounds``, ``race N``, ``results``, ``place N``, ``standings``, or ``teams``.
    about: str
    ok: bool
    reason: str


#: The results of each race by seat, as its record has them; by race number.
_Races = dict[int, dict[int, Result]]


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
    ]
    races = {number: _results_of(one) for number, one in records.items()}
    if any(number not in races for drawn in file.rounds for number in drawn.races):
        return [*found, Finding("standings", False, "they cannot be worked out without all records")]
    return [*found, *_in_turn(file, records), *_results(file, races), *_standings(file, races)]


# The plan and the rounds


def _plan_wrongs(plan: Plan) -> Iterator[Finding]:
    try:
        plan.check()
    except Refused as refused:
        yield Finding("plan", False, str(refused))


def _round_wrongs(file: File) -> Iterator[Finding]:
    if [drawn.number for drawn in file.rounds] != list(range(1, len(file.rounds) + 1)):
        yield Finding("rounds", False, "they are not numbered through from 1")
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
    corrected = {one.seat for one in drawn.corrections} | drawn.replayed.keys()
    faults = {
        "somebody is drawn twice": len(set(everybody)) < len(everybody),
        "somebody is drawn who has not entered": not {*everybody} <= file.entrants.keys(),
        "something is corrected for somebody who was not drawn": not corrected <= {*drawn.seats},
        "these are not as many as are in a race": plan.format == "arena"
        and not 2 <= len(drawn.seats) <= plan.race_size,
        "it has pairs, and all are compared with all": not has_pairs
        and any((paired, drawn.byes, drawn.half_byes, drawn.lost)),
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
    wrong: list[Finding] = []
    for number in (number for drawn in file.rounds for number in drawn.races):
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
    if drawn.room and drawn.early != arena.early(_results_of(one), one["starts_at"], one["settings"]["time_limit"]):
        wrong.append("the file names others who gave up early")
    if not {racer["seat"] for racer in one["racers"]} <= {*drawn.seats}:
        wrong.append(f"somebody raced who was not drawn for round {drawn.number}")
    yield from (Finding(f"race {number}", False, reason) for reason in wrong)
    if not wrong:
        yield Finding(f"race {number}", True, f"round {drawn.number}: its record is right")


def _results_of(one: Mapping[str, Any]) -> dict[int, Result]:
    return {racer["seat"]: Result(*(racer[name] for name in Result._fields)) for racer in one["racers"]}


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


def _results(file: File, races: _Races) -> Iterator[Finding]:
    wrong = 0
    for drawn in file.rounds:
        for stated in drawn.results:
            played = races.get(stated.race, {}).get(stated.seat) if stated.race in drawn.races else None
            told = (stated.state, stated.home, stated.moves)
            if played is None or told != (played.state, played.home, played.moves):
                wrong += 1
                reason = f"round {drawn.number}: what it says of seat {stated.seat} is not in the record"
                yield Finding("results", False, reason)
    if not wrong:
        yield Finding("results", True, "every result is as its record has it")


def _standings(file: File, races: _Races) -> Iterator[Finding]:
    rounds = [_drawn(drawn).with_races([races[number] for number in drawn.races]) for drawn in file.rounds]
    right = standings(file.plan, file.entrants, rounds)

    def title(row: Row) -> str:
        return f"{file.entrants[row.seat].name} (seat {row.seat})"

    def place(row: Row) -> str:
        return f"place {row.place}" if row.place is not None else "disqualified"

    wrong = [*_wrong_rows("standings", file.standings, right, lambda row: f"seat {row.seat}", title, place)]
    if file.tiebreaks != file.plan.tiebreak_order:
        wrong.append(Finding("standings", False, "these are not the tie-breaks of this format"))
    yield from wrong
    if not wrong:
        yield Finding("standings", True, f"they follow from the records, for {len(right)} entrants")
    teams = table(file.plan, file.entrants, rounds)
    wrong = [*_wrong_rows("teams", file.teams, teams, lambda row: row.team, lambda row: row.team, lambda row: "teams")]
    yield from wrong
    if teams and not wrong:
        yield Finding("teams", True, f"their standings follow from the records, for {len(teams)} teams")


_AnyRow = TypeVar("_AnyRow", Row, TeamRow)


def _wrong_rows(
    about: str,
    stated: Sequence[_AnyRow],
    right: Sequence[_AnyRow],
    key: Callable[[_AnyRow], str],
    title: Callable[[_AnyRow], str],
    place: Callable[[_AnyRow], str],
) -> Iterator[Finding]:
    """The rows that are stated and do not follow. ``place``: what a finding about one row is about."""
    told: dict[str, _AnyRow] = {key(row): row for row in stated}
    known = {key(row) for row in right}
    if len(told) < len(stated):
        yield Finding(about, False, f"{'a team' if about == 'teams' else 'somebody'} is in them twice")
    for row in right:
        if key(row) not in told:
            yield Finding(place(row), False, f"{title(row)} is missing")
        elif told[key(row)] != row:
            yield Finding(place(row), False, f"{title(row)} {_difference(told[key(row)], row)}")
    yield from (Finding(about, False, f"{one} does not belong there") for one in told if one not in known)
    if not {*told} ^ known and [*map(key, stated)] != [*map(key, right)]:
        yield Finding(about, False, "they are not in order")


def _drawn(drawn: Drawn) -> Round:
    """The round without its races."""
    return Round(**{name: getattr(drawn, name) for name in OF_A_ROUND})


def _difference(stated: Row | TeamRow, right: Row | TeamRow) -> str:
    if isinstance(stated, TeamRow) and isinstance(right, TeamRow) and stated.counted != right.counted:
        return "is said to have had others who counted"
    for words, told, should in (
        ("is at place", stated.place, right.place),
        ("has a score of", stated.score, right.score),
        ("has the tie-breaks", stated.tiebreaks, right.tiebreaks),
    ):
        if told != should:
            return f"{words} {_plain(told)}, and should be {_plain(should)}"
    return f"has by rounds {_plain(stated.rounds)}, and should be {_plain(right.rounds)}"


def _plain(value: object) -> str:
    """A number as people write it."""
    if isinstance(value, tuple):
        return ", ".join(map(_plain, value))
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
