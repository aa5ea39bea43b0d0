"""Standings recomputed from the records: valid files, and the errors found in wrong ones."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.record import proof, race_record
from fortythieves.tournament.audit import audit
from fortythieves.tournament.export import Drawn, Event, File, file_of, read, written
from fortythieves.tournament.plan import Format
from fortythieves.tournament.rounds import Correction, Round
from tests.shared.make_records import (
    NOON,
    OTHER,
    SERVER,
    Seat,
    Some,
    changed,
    public,
    secret_deal,
    signed_record,
)
from tests.shared.tournament.bundles import PLANS, RECORDS, bundle, event, event_of_teams, held, results
from tests.shared.tournament.play import entrants_of, plan_of

LETTERS = "BCDFGH"
BUNDLE = bundle()
PLAIN = json.loads(written(replace(BUNDLE, records=None)))


def failed(file: File, key: bytes | None = public(SERVER)) -> list[tuple[str, str]]:
    return [(finding.about, finding.reason) for finding in audit(file, key) if not finding.ok]


def with_record(number: int, data: bytes) -> File:
    return replace(BUNDLE, records={**(BUNDLE.records or {}), number: data})


def with_row(**changes: Any) -> File:
    first, *rest = BUNDLE.standings
    return replace(BUNDLE, standings=(replace(first, **changes), *rest))


def with_team(**changes: Any) -> File:
    first, *rest = OF_TEAMS.teams
    return replace(OF_TEAMS, teams=(replace(first, **changes), *rest))


def with_value(path: str, value: Any) -> File:
    return read(json.dumps(changed(PLAIN, [(path, value)])).encode())


def as_pairs(kind: Format, **changes: Any) -> File:
    """The bundle with another format, and a first round of one pair."""
    first = replace(BUNDLE.rounds[0], seats=(1, 2), pairs=((1, 2),), **changes)
    return replace(BUNDLE, plan=replace(BUNDLE.plan, format=kind), rounds=(first, *BUNDLE.rounds[1:]))


OF_TEAMS = bundle(event_of_teams())
ROWS, TEAMS = BUNDLE.standings, OF_TEAMS.teams
FIRST, *OTHERS = BUNDLE.rounds
BEST = f"{BUNDLE.entrants[ROWS[0].seat].name} (seat {ROWS[0].seat})"
LIE = replace(FIRST, results=(replace(FIRST.results[0], home=104), *FIRST.results[1:]))


def test_a_true_bundle_passes_with_a_line_for_each_part() -> None:
    abouts = ["rounds", "records", "race 1", "race 3", "names", "results", "standings"]
    assert [(one.about, one.ok) for one in audit(BUNDLE, public(SERVER))] == [(about, True) for about in abouts]
    assert ("teams", True) in [(one.about, one.ok) for one in audit(OF_TEAMS, public(SERVER))]
    assert failed(read(written(OF_TEAMS))) == failed(BUNDLE, None) == []


#: What the records do not say, as patterns of paths: the decisions of hosts and lots, and the code of an arena, whose
#: races have rooms of their own. Other fields of a plan are noticed only if the results depend on them.
DECIDED = r"plan\..*|entrants\.\d+\.(reason|team|board)|rounds\.\d+\.(confirmed|corrections\.\d+\.reason)"
OF_ONE = {"arena": r"|code|entrants\.\d+\.since", "roundrobin": r"|rounds\.\d+\.byes"}


def changes(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from changes(inner, f"{path}.{key}" if path else str(key))
    if isinstance(value, list) and value:
        yield path, value[:-1]
    elif not isinstance(value, (list, dict)):
        yield (
            path,
            not value if isinstance(value, bool) else f"{value}x" if isinstance(value, str) else (value or 0) + 1,
        )


def is_accepted(plain: Any, path: str, value: Any, records: dict[int, bytes] | None) -> bool:
    try:
        file = read(json.dumps(changed(plain, [(path, value)])).encode())
    except Refused:
        return False
    return failed(replace(file, records=records)) == []


@pytest.fixture
def proofs_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The records of all files of a test are the same, and to verify them takes most of the time."""
    verify, known = proof.verify, dict[str, list[proof.Check]]()

    def verify_once(record: Mapping[str, Any], key: Any = None) -> list[proof.Check]:
        if record["signature"] not in known:
            known[record["signature"]] = verify(record, key)
        return known[record["signature"]]

    monkeypatch.setattr(proof, "verify", verify_once)


@pytest.mark.usefixtures("proofs_are_kept")
@pytest.mark.parametrize("kind", PLANS)
def test_a_file_with_any_changed_or_missing_value_is_refused(kind: str) -> None:
    file = held(kind)
    assert failed(read(written(file))) == []
    plain = json.loads(written(replace(file, records=None)))
    # Two places of each kind, the first and the last: there are hundreds of results.
    places: dict[str, list[tuple[str, Any]]] = {}
    for path, value in changes(plain):
        places.setdefault(re.sub(r"\d+", "N", path), []).append((path, value))
    tried = [change for many in places.values() for change in {many[0][0]: many[0], many[-1][0]: many[-1]}.values()]
    accepted = [path for path, value in tried if is_accepted(plain, path, value, file.records)]
    decided = re.compile(DECIDED + OF_ONE.get(kind, ""))
    assert [path for path in accepted if not decided.fullmatch(path)] == []
    assert len(tried) > 100
    for place in ("", "standings.0.", "entrants.1.", "rounds.0.", "rounds.0.results.0."):
        assert not is_accepted(plain, f"{place}winner", "N1", file.records)
    more = {**(file.records or {}), 99: (file.records or {})[1]}
    assert failed(replace(file, records=more)) == [("race 99", "its record belongs to no round")]


def test_links_that_lead_elsewhere_are_named_and_so_are_names_of_others() -> None:
    file = held("points")
    first, *others = file.rounds[0].results
    for record in ("https://cards.example.org/api/races/KQXWVD/2", "https://evil.example/api/races/KQXWVD/1"):
        wrong = replace(file.rounds[0], results=(replace(first, record=record), *others))
        [(about, why)] = failed(replace(file, rounds=(wrong, *file.rounds[1:])))
        assert (about, record in why) == ("results", True)
    assert next(one.reason for one in audit(file) if one.about == "names") == "seat 1 is N1, and was Ann in race 2"


#: By what a finding is about: the beginning of its reason, and a file with this mistake.
WRONG: list[tuple[str, str, File]] = [
    ("standings", f"{BEST}: place 2, not 1", with_row(place=2)),
    ("standings", f"{BEST}: score 99.5, not {ROWS[0].score:g}", with_row(score=99.5)),
    ("standings", f"{BEST}: rounds -, -, -, not ", with_row(rounds=(None, None, None))),
    ("standings", f"{BEST}: tiebreaks 0, 0, 0, not ", with_row(tiebreaks=(0.0, 0.0, 0.0))),
    ("standings", f"{BEST} is missing", replace(BUNDLE, standings=ROWS[1:])),
    ("standings", "a row is there twice", replace(BUNDLE, standings=(*ROWS, ROWS[0]))),
    ("standings", "? (seat 9) does not belong there", replace(BUNDLE, standings=(*ROWS, replace(ROWS[0], seat=9)))),
    ("standings", "the rows are not in order", replace(BUNDLE, standings=ROWS[::-1])),
    ("standings", "these are not the tie-breaks of this format", replace(BUNDLE, tiebreaks=("wins",))),
    ("results", "round 1, race 1, seat 1: home 104, not ", replace(BUNDLE, rounds=(LIE, *OTHERS))),
    # teams
    ("teams", "Red: place 2, not 1", with_team(place=2)),
    ("teams", "Red: counted , , , not ", with_team(counted=((), (), ()))),
    ("teams", "Red is missing", with_team(team="Green")),
    ("teams", "a row is there twice", replace(OF_TEAMS, teams=(TEAMS[0], TEAMS[0]))),
    ("teams", "the rows are not in order", replace(OF_TEAMS, teams=TEAMS[::-1])),
    ("teams", "Red does not belong there", replace(BUNDLE, teams=TEAMS)),
    # records
    ("race 3", "it is the record of another race", with_record(3, race_record.packed(RECORDS[1]))),
    ("race 3", "This is not the record of a race.", with_record(3, b"GIF89a")),
    ("race 3", "format: ", with_record(3, race_record.packed(changed(RECORDS[3], [("deck-", None)])))),
    ("race 3", "results: seat 1: ", with_record(3, race_record.packed(changed(RECORDS[3], [("racers.0.home", 104)])))),
    ("race 1", "its record is not there", replace(BUNDLE, records=None)),
    ("standings", "they cannot be worked out without all records", replace(BUNDLE, records=None)),
    # rounds
    ("rounds", "they are not numbered through from 1", with_value("rounds.0.number", 2)),
    ("rounds", "a race is counted twice", with_value("rounds.2.races.0", 1)),
    ("rounds", "round 1: somebody is drawn twice", with_value("rounds.0.seats.1", 1)),
    ("rounds", "round 1: somebody is drawn who has not entered", with_value("rounds.0.seats.1", 9)),
    ("rounds", "round 1: somebody is drawn who has not entered", with_value("rounds.0.half_byes", [9])),
    ("rounds", "round 1: it has pairs, and all are compared with all", with_value("rounds.0.pairs", [[1, 2]])),
    ("rounds", "round 1: it has a room, or says who gave up early", with_value("rounds.0.early", [1])),
    ("rounds", "round 1: somebody is named twice", with_value("rounds.0.corrections", 2 * [{"seat": 1, "value": 1}])),
    ("rounds", "there are more than the plan has", with_value("plan.rounds", 2)),
    ("rounds", "round 1: the pairs are not of those who are drawn", with_value("plan.format", "swiss")),
    ("rounds", "round 1: it has half-point byes, which are for a Swiss", as_pairs("knockout", half_byes=(3,))),
    ("rounds", "round 1: it says who has lost once, which is for a double", as_pairs("swiss", lost=(3,))),
    ("plan", "No place gets more points than", with_value("plan.points", [1, 2])),
]


@pytest.mark.parametrize(("about", "reason", "wrong"), WRONG, ids=[f"{about} {why[:40]}" for about, why, _ in WRONG])
def test_what_is_wrong_is_named_with_what_it_is_about(about: str, reason: str, wrong: File) -> None:
    found = failed(wrong)
    assert any(where == about and why.startswith(reason) for where, why in found), found


def test_what_a_host_corrected_is_named_and_counts() -> None:
    held = event()
    first = replace(held.rounds[0], corrections=(Correction(3, 99.5, "A wrong click."),))
    file = file_of(held._replace(rounds=[first, *held.rounds[1:]]), BUNDLE.records)
    assert failed(read(written(file))) == []
    assert "round 1: a host gave seat 3 99.5, because: A wrong click." in [one.reason for one in audit(file)]
    silent = replace(file, rounds=(replace(file.rounds[0], corrections=()), *file.rounds[1:]))
    assert any(about == "standings" and ": score " in why for about, why in failed(silent))
    stranger = replace(file.rounds[0], corrections=(Correction(9, 1, "?"),))
    found = failed(replace(file, rounds=(stranger, *file.rounds[1:])))
    assert found[0][1].startswith("round 1: something is corrected")


def test_who_is_moved_to_another_team_changes_its_standings() -> None:
    moved = {**OF_TEAMS.entrants, 3: replace(OF_TEAMS.entrants[3], team="+Blue")}
    assert {about for about, _ in failed(replace(OF_TEAMS, entrants=moved))} == {"teams"}
    alone = {**OF_TEAMS.entrants, 3: replace(OF_TEAMS.entrants[3], team="")}
    assert "somebody is drawn who is in no team" in failed(replace(OF_TEAMS, entrants=alone))[0][1]


def test_a_file_of_a_server_without_corrections_is_read() -> None:
    plain = json.loads(written(BUNDLE))
    for drawn in plain["rounds"]:
        del drawn["corrections"], drawn["replayed"]
    assert read(json.dumps(plain).encode()) == BUNDLE


def test_records_are_signed_by_one_server_and_by_the_one_that_is_expected() -> None:
    foreign = with_record(3, race_record.packed(race_record.sign(RECORDS[3], OTHER)))
    assert failed(foreign, None) == [("records", "they are not all signed with the same key")]
    assert {about for about, _ in failed(BUNDLE, public(OTHER))} == {"race 1", "race 3"}


CUP = replace(BUNDLE, plan=replace(BUNDLE.plan, format="knockout"))
SKIPPED = replace(OTHERS[0], seats=())


def as_drawn(file: File, first: Drawn, last: Drawn) -> list[tuple[str, str]]:
    return failed(replace(file, rounds=(first, SKIPPED, last)))


def test_what_does_not_follow_from_the_bracket_of_a_knock_out_is_named() -> None:
    first, last = (replace(one, seats=(1, 2), pairs=((1, 2),)) for one in (FIRST, OTHERS[1]))
    later = replace(last, seats=(1, 3), pairs=((1, 3),))
    assert ("rounds", "round 3: somebody is drawn who was not in the first round") in as_drawn(CUP, first, later)
    first = replace(FIRST, seats=(2, 3), pairs=((2, 3),), byes=(1,))
    wrong = as_drawn(CUP, first, replace(later, pairs=((3, 1),)))
    assert wrong[0] == ("rounds", "round 3: others met than the bracket says")
    assert "rounds" not in [about for about, _ in as_drawn(CUP, first, later)]


def arena(*races: tuple[int, ...], numbers: tuple[int, ...] = (1, 2, 3)) -> File:
    """An arena with these races, each in a separate room, and all at the same time."""
    records = {}
    for n, seats in zip(numbers, races, strict=False):
        code = f"BCDFG{LETTERS[n]}"
        logs = {seat: Seat(Some(10 * n + seat, 30 + seat)) for seat in seats}
        records[n] = signed_record(code, {"game": "lucas"}, secret_deal(n, code, 1, seats), logs)
    held = Event(
        code=BUNDLE.code,
        plan=plan_of(format="arena", race_size=3, points=(3, 2, 1)),
        entrants=entrants_of(4),
        rounds=[Round(n, seats, races=(results(records[n]),)) for n, seats in zip(records, races, strict=True)],
        races={n: (n,) for n in records},
        starts=dict.fromkeys(records, NOON),
        link=lambda number: f"https://cards.example.org/r/{records[number]['code']}/1",
        rooms={n: one["code"] for n, one in records.items()},
    )
    return file_of(held, {number: race_record.packed(one) for number, one in records.items()})


def test_an_arena_is_compared_with_the_records_of_its_races_in_other_rooms() -> None:
    assert failed(arena((1, 2), (3, 4), numbers=(2, 4))) == [], "another race never began"
    assert failed(arena((1, 2), (3, 4), numbers=(2, 1)))[0] == ("rounds", "their numbers do not rise")
    file = read(written(arena((1, 2), (3, 4))))
    assert failed(file) == []
    assert sorted(len(row.rounds) for row in file.standings) == [1, 1, 1, 1]
    swapped = [replace(drawn, room=other.room) for drawn, other in zip(file.rounds, file.rounds[::-1], strict=True)]
    wrong = failed(replace(file, rounds=tuple(swapped)))
    assert wrong[:2] == [(f"race {n}", "it is the record of another race") for n in (1, 2)]
    same = tuple(replace(drawn, room=file.rounds[0].room) for drawn in file.rounds)
    assert ("rounds", "two races have the same room") in failed(replace(file, rounds=same))
    forged = replace(file, rounds=(replace(file.rounds[0], early=(1,)), file.rounds[1]))
    assert ("race 1", "the file names others who gave up early") in failed(forged)
    alone = replace(file, rounds=(replace(file.rounds[0], seats=(1,)), file.rounds[1]))
    assert ("rounds", "round 1: these are not as many as are in a race") in failed(alone)


def test_nobody_is_in_two_races_of_an_arena_at_once() -> None:
    found = failed(arena((1, 2), (3, 4), (1, 3)))
    wrong = [("race 3", f"seat {seat} still raced in an earlier one") for seat in (1, 3)]
    assert [one for one in found if one[0] == "race 3"] == wrong
