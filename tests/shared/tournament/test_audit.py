"""Standings recomputed from the records: valid files, and the errors found in wrong ones."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.record import race_record
from fortythieves.tournament.audit import audit
from fortythieves.tournament.export import Event, File, file_of, read, written
from fortythieves.tournament.rounds import Correction, Round
from fortythieves.tournament.standings import Row
from fortythieves.tournament.teams import TeamRow
from tests.examples import examples
from tests.shared.make_records import (
    NOON,
    OTHER,
    SERVER,
    Seat,
    changed,
    leaves,
    played,
    public,
    secret_deal,
    signed_record,
)
from tests.shared.tournament.bundles import RECORDS, bundle, event, event_of_teams, results
from tests.shared.tournament.play import entrants_of, plan_of

LETTERS = "BCDFGH"
BUNDLE = bundle()
PLAIN = json.loads(written(replace(BUNDLE, records=None)))


def failed(file: File, key: bytes | None = public(SERVER)) -> list[tuple[str, str]]:
    return [(finding.about, finding.reason) for finding in audit(file, key) if not finding.ok]


def with_record(number: int, data: bytes) -> File:
    return replace(BUNDLE, records={**(BUNDLE.records or {}), number: data})


def with_row(n: int, change: Callable[[Row], Row]) -> File:
    rows = list(BUNDLE.standings)
    rows[n] = change(rows[n])
    return replace(BUNDLE, standings=tuple(rows))


def test_a_true_bundle_passes_with_a_line_for_each_part() -> None:
    findings = audit(BUNDLE, public(SERVER))
    assert [(finding.about, finding.ok) for finding in findings] == [
        ("rounds", True),
        ("records", True),
        ("race 1", True),
        ("race 3", True),
        ("results", True),
        ("standings", True),
    ]


def test_what_a_host_corrected_is_named_and_counts() -> None:
    held = event()
    first = replace(held.rounds[0], corrections=(Correction(3, 99.5, "A wrong click."),))
    file = file_of(held._replace(rounds=[first, *held.rounds[1:]]), BUNDLE.records)
    assert failed(read(written(file))) == []
    assert "round 1: a host gave seat 3 99.5, because: A wrong click." in [one.reason for one in audit(file)]
    silent = replace(file, rounds=(replace(file.rounds[0], corrections=()), *file.rounds[1:]))
    assert ("place 1", "has a score of") in [(about, why[why.index("has") :][:14]) for about, why in failed(silent)]
    stranger = replace(file.rounds[0], corrections=(Correction(9, 1, "?"),))
    assert failed(replace(file, rounds=(stranger, *file.rounds[1:])))[0][1].startswith(
        "round 1: something is corrected"
    )


OF_TEAMS = bundle(event_of_teams())


def with_team(n: int, change: Callable[[TeamRow], TeamRow]) -> File:
    rows = list(OF_TEAMS.teams)
    rows[n] = change(rows[n])
    return replace(OF_TEAMS, teams=tuple(rows))


def test_the_standings_of_teams_are_checked_too() -> None:
    assert ("teams", True) in [(one.about, one.ok) for one in audit(OF_TEAMS, public(SERVER))]
    assert failed(read(written(OF_TEAMS))) == []


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (with_team(0, lambda row: replace(row, place=2)), "Red is at place 2, and should be 1"),
        (with_team(0, lambda row: replace(row, score=99.0)), "Red has a score of 99, and should be"),
        (with_team(0, lambda row: replace(row, tiebreaks=(1.0, 1.0))), "Red has the tie-breaks 1, 1, and should be"),
        (with_team(0, lambda row: replace(row, rounds=(None, None, None))), "Red has by rounds -, -, -, and should be"),
        (with_team(0, lambda row: replace(row, counted=((), (), ()))), "Red is said to have had others who counted"),
        (with_team(0, lambda row: replace(row, team="Green")), "Red is missing"),
        (with_team(1, lambda row: OF_TEAMS.teams[0]), "a team is in them twice"),
        (replace(OF_TEAMS, teams=()), "Red is missing"),
        (replace(OF_TEAMS, teams=OF_TEAMS.teams[::-1]), "they are not in order"),
        (replace(BUNDLE, teams=OF_TEAMS.teams), "Red does not belong there"),
    ],
)
def test_what_is_wrong_with_the_standings_of_teams_is_named(wrong: File, reason: str) -> None:
    assert any(about == "teams" and why.startswith(reason) for about, why in failed(wrong)), failed(wrong)


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


def test_a_wrong_place_is_named_with_what_it_should_be() -> None:
    best = BUNDLE.standings[0]
    name = BUNDLE.entrants[best.seat].name
    found = failed(with_row(0, lambda row: replace(row, place=2)))
    assert found == [("place 1", f"{name} (seat {best.seat}) is at place 2, and should be 1")]
    found = failed(with_row(0, lambda row: replace(row, score=99.5)))
    assert found == [("place 1", f"{name} (seat {best.seat}) has a score of 99.5, and should be {best.score:g}")]
    (found_one,) = failed(with_row(0, lambda row: replace(row, rounds=(None, None, None))))
    assert "has by rounds -, -, -, and should be" in found_one[1]
    (found_one,) = failed(with_row(0, lambda row: replace(row, tiebreaks=(0.0, 0.0, 0.0))))
    assert "has the tie-breaks 0, 0, 0, and should be" in found_one[1]


def test_somebody_who_is_missing_or_there_twice_or_does_not_belong_there_is_named() -> None:
    rows = BUNDLE.standings
    assert "is missing" in failed(replace(BUNDLE, standings=rows[:2]))[0][1]
    assert ("standings", "somebody is in them twice") in failed(replace(BUNDLE, standings=(*rows, rows[0])))
    stranger = replace(rows[0], seat=9)
    assert ("standings", "seat 9 does not belong there") in failed(replace(BUNDLE, standings=(*rows, stranger)))
    assert failed(replace(BUNDLE, standings=rows[::-1])) == [("standings", "they are not in order")]
    assert failed(replace(BUNDLE, tiebreaks=("wins",))) == [
        ("standings", "these are not the tie-breaks of this format")
    ]


def test_a_record_that_is_wrong_is_named() -> None:
    wrong = changed(RECORDS[3], [("racers.0.home", 104)])
    found = failed(with_record(3, race_record.packed(wrong)))
    assert ("race 3", "signature: the signature is not one of this record") in found
    assert any(about == "race 3" and reason.startswith("results: seat 1: ") for about, reason in found)


def test_a_result_that_its_record_does_not_have_is_named() -> None:
    first = BUNDLE.rounds[0]
    lie = replace(first, results=(replace(first.results[0], home=104), *first.results[1:]))
    assert failed(replace(BUNDLE, rounds=(lie, *BUNDLE.rounds[1:]))) == [
        ("results", "round 1: what it says of seat 1 is not in the record")
    ]


def test_a_record_of_another_race_is_not_taken_for_this_one() -> None:
    assert ("race 3", "it is the record of another race") in failed(with_record(3, race_record.packed(RECORDS[1])))


def test_a_record_that_is_not_there_or_cannot_be_read_is_named() -> None:
    rest = {1: (BUNDLE.records or {})[1]}
    assert failed(replace(BUNDLE, records=rest)) == [
        ("race 3", "its record is not there"),
        ("standings", "they cannot be worked out without all records"),
    ]
    assert failed(with_record(3, b"GIF89a"))[0] == ("race 3", "This is not the record of a race.")
    broken = {name: value for name, value in RECORDS[3].items() if name != "deck"}
    assert failed(with_record(3, race_record.packed(broken)))[0][1].startswith("format: ")
    assert failed(replace(BUNDLE, records=None))[0] == ("race 1", "its record is not there")


def test_records_are_signed_by_one_server_and_by_the_one_that_is_expected() -> None:
    foreign = with_record(3, race_record.packed(race_record.sign(RECORDS[3], OTHER)))
    assert failed(foreign, None) == [("records", "they are not all signed with the same key")]
    assert {about for about, _ in failed(BUNDLE, public(OTHER))} == {"race 1", "race 3"}
    assert failed(BUNDLE, None) == []


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("rounds.0.number", 2, "they are not numbered through from 1"),
        ("rounds.2.races.0", 1, "a race is counted twice"),
        ("rounds.0.seats.1", 1, "round 1: somebody is drawn twice"),
        ("rounds.0.seats.1", 9, "round 1: somebody is drawn who has not entered"),
        ("rounds.0.pairs", [[1, 2]], "round 1: it has pairs, and all are compared with all"),
        ("rounds.0.half_byes", [9], "round 1: somebody is drawn who has not entered"),
        ("plan.format", "swiss", "round 1: the pairs are not of those who are drawn"),
        ("plan.points", [1, 2], "This plan does not work: no place gets more points than the place before it."),
    ],
)
def test_rounds_that_cannot_be_are_named(path: str, value: Any, words: str) -> None:
    found = failed(read(json.dumps(changed(PLAIN, [(path, value)])).encode()))
    assert words in [reason for _, reason in found]
    assert found[-1] == ("standings", "they cannot be worked out")


def test_somebody_who_comes_into_a_knock_out_later_is_named() -> None:
    first = replace(BUNDLE.rounds[0], seats=(1, 2), pairs=((1, 2),))
    last = replace(BUNDLE.rounds[2], seats=(1, 3), pairs=((1, 3),))
    plan = replace(BUNDLE.plan, format="knockout")
    found = failed(replace(BUNDLE, plan=plan, rounds=(first, BUNDLE.rounds[1], last)))
    assert ("rounds", "round 3: somebody is drawn who was not in the first round") in found


def test_who_meets_another_one_in_a_knock_out_than_the_bracket_says_is_named() -> None:
    first = replace(BUNDLE.rounds[0], seats=(2, 3), pairs=((2, 3),), byes=(1,))
    last = replace(BUNDLE.rounds[2], seats=(1, 3), pairs=((3, 1),))
    skipped = replace(BUNDLE.rounds[1], seats=())
    cup = replace(BUNDLE, plan=replace(BUNDLE.plan, format="knockout"))
    found = failed(replace(cup, rounds=(first, skipped, last)))
    assert found[0] == ("rounds", "round 3: others met than the bracket says")
    right = replace(last, pairs=((1, 3),))
    assert "rounds" not in [about for about, _ in failed(replace(cup, rounds=(first, skipped, right)))]


def test_what_does_not_follow_from_the_brackets_of_a_double_elimination_is_named() -> None:
    first = replace(BUNDLE.rounds[0], seats=(2, 3), pairs=((2, 3),), byes=(1,))
    last = replace(BUNDLE.rounds[2], seats=(1, 2), pairs=((1, 2),), byes=(3,), lost=(3,))
    skipped = replace(BUNDLE.rounds[1], seats=())
    cup = replace(BUNDLE, plan=replace(BUNDLE.plan, format="double"))
    assert "rounds" not in [about for about, _ in failed(replace(cup, rounds=(first, skipped, last)))]
    for wrong in (replace(last, lost=()), replace(last, lost=(1,)), replace(last, pairs=((2, 1),))):
        found = failed(replace(cup, rounds=(first, skipped, wrong)))
        assert found[0] == ("rounds", "round 3: others met than the bracket says")
    for kind in ("points", "swiss", "knockout"):
        found = failed(replace(cup, plan=replace(BUNDLE.plan, format=kind), rounds=(first, skipped, last)))
        assert any("it has pairs" in reason or "lost once" in reason for _, reason in found)


def test_half_point_byes_are_for_a_swiss_alone() -> None:
    pairs = replace(BUNDLE.rounds[0], seats=(1, 2), pairs=((1, 2),), half_byes=(3,))
    for kind, wrong in (("points", True), ("knockout", True), ("swiss", False)):
        plan = replace(BUNDLE.plan, format=kind)
        found = failed(replace(BUNDLE, plan=plan, rounds=(pairs, *BUNDLE.rounds[1:])))
        assert any("it has" in reason for about, reason in found if about == "rounds") == wrong


def arena(*races: tuple[int, ...]) -> File:
    """An arena with these races, each in a separate room, and all at the same time."""
    records = {}
    for n, seats in enumerate(races, start=1):
        code, settings = f"BCDFG{LETTERS[n]}", {"game": "lucas"}
        dealt = secret_deal(n, code, 1, seats)
        logs = {seat: Seat(played(dealt, settings, 10 * n + seat, 30 + seat)) for seat in seats}
        records[n] = signed_record(code, settings, dealt, logs)
    held = Event(
        code=BUNDLE.code,
        plan=plan_of(format="arena", race_size=3, points=(3, 2, 1)),
        entrants=entrants_of(4),
        rounds=[Round(n, seats, races=(results(records[n]),)) for n, seats in enumerate(races, start=1)],
        races={n: (n,) for n in records},
        starts=dict.fromkeys(records, NOON),
        link=lambda number: f"https://cards.example.org/r/{records[number]['code']}/1",
        rooms={n: one["code"] for n, one in records.items()},
    )
    return file_of(held, {number: race_record.packed(one) for number, one in records.items()})


def test_an_arena_is_held_against_the_records_of_its_races_which_have_rooms_of_their_own() -> None:
    file = read(written(arena((1, 2), (3, 4))))
    assert failed(file) == []
    assert sorted(len(row.rounds) for row in file.standings) == [1, 1, 1, 1]
    swapped = [replace(drawn, room=other.room) for drawn, other in zip(file.rounds, file.rounds[::-1], strict=True)]
    assert failed(replace(file, rounds=tuple(swapped)))[:2] == [
        ("race 1", "it is the record of another race"),
        ("race 2", "it is the record of another race"),
    ]
    same = tuple(replace(drawn, room=file.rounds[0].room) for drawn in file.rounds)
    assert ("rounds", "two races have the same room") in failed(replace(file, rounds=same))
    small = replace(file, plan=replace(file.plan, race_size=2))
    alone = replace(file.rounds[0], seats=(1,))
    assert ("rounds", "round 1: these are not as many as are in a race") in failed(
        replace(small, rounds=(alone, file.rounds[1]))
    )


def test_nobody_is_in_two_races_of_an_arena_at_once() -> None:
    found = failed(arena((1, 2), (3, 4), (1, 3)))
    assert [one for one in found if one[0] == "race 3"] == [
        ("race 3", "seat 1 still raced in an earlier one"),
        ("race 3", "seat 3 still raced in an earlier one"),
    ]


#: The path of every value in the file, without its records.
LEAVES = [path for path, _ in leaves(PLAIN)]


@examples(150)
@given(
    st.sampled_from(LEAVES),
    st.sampled_from([None, 0, 1, 2, 3, 4, -1, 10**18, "x", "swiss", "knockout", "arena", [], {}, True]),
)
def test_whatever_is_changed_is_refused_or_found_or_bears_on_nothing(path: str, value: Any) -> None:
    plain = changed(copy.deepcopy(PLAIN), [(path, value)])
    try:
        file = read(json.dumps(plain).encode())
    except Refused:
        return
    findings = audit(replace(file, records=BUNDLE.records), public(SERVER))
    if path.startswith("standings.") and file != replace(BUNDLE, records=None):
        assert not all(finding.ok for finding in findings)
