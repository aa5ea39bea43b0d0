"""shared/vectors/standings.json, by which the page that works tournaments out again is tested."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from fortythieves.tournament.plan import DEFAULT_TIEBREAKS, RULES, TIEBREAKS, Format
from fortythieves.tournament.teams import TIEBREAKS as TEAM_TIEBREAKS
from tests.shared.tournament import make_standings

VECTORS: list[dict[str, Any]] = json.loads(make_standings.FILE.read_text("utf-8"))
CUPS = [vector for vector in VECTORS if vector["plan"]["format"] == "knockout"]


def test_the_file_is_what_its_generator_writes() -> None:
    written = make_standings.FILE.read_text("utf-8")
    assert written == make_standings.text(), "python -m tests.shared.tournament.make_standings"


def test_there_are_cups_of_every_size() -> None:
    assert {*range(2, 34)} <= {len(cup["states"]) for cup in CUPS}


@pytest.mark.parametrize(
    "happened",
    [
        lambda cup: "withdrawn" in cup["states"].values(),
        lambda cup: "disqualified" in cup["states"].values(),
        lambda cup: any(drawn["byes"] for drawn in cup["rounds"][1:]),
        lambda cup: any(drawn["skipped"] for drawn in cup["rounds"]),
        lambda cup: any(len(drawn["races"]) == 4 for drawn in cup["rounds"]),
        lambda cup: not cup["rounds"][-1]["races"],
        lambda cup: cup["misdrawn"] == 1,
        lambda cup: (cup["misdrawn"] or 0) > 1,
        lambda cup: any(score % 1 for _, _, score, _, _ in cup["standings"]),
        lambda cup: cup["standings"][0][0] == 2,
        lambda cup: any(tiebreaks == [-1] for _, _, _, tiebreaks, _ in cup["standings"]),
        lambda cup: cup["plan"]["rules"] == 1,
    ],
    ids=[
        "withdrawn",
        "disqualified",
        "a late bye",
        "skipped",
        "tied to the end",
        "only drawn",
        "misdrawn at first",
        "misdrawn later",
        "a third place",
        "nobody won",
        "somebody did not start",
        "the first rules",
    ],
)
def test_whatever_happens_in_a_cup_happens_in_several(happened: Callable[[dict[str, Any]], bool]) -> None:
    assert sum(happened(cup) for cup in CUPS if cup["rounds"]) >= 5


DOUBLES = [vector for vector in VECTORS if vector["plan"]["format"] == "double" and vector["rounds"]]


@pytest.mark.parametrize(
    "happened",
    [
        lambda made: "withdrawn" in made["states"].values(),
        lambda made: "disqualified" in made["states"].values(),
        lambda made: any(drawn["skipped"] for drawn in made["rounds"]),
        lambda made: any(len(drawn["races"]) == 4 for drawn in made["rounds"]),
        lambda made: not made["rounds"][-1]["races"],
        lambda made: made["misdrawn"] == 1,
        lambda made: (made["misdrawn"] or 0) > 1,
        lambda made: any("corrections" in drawn for drawn in made["rounds"]),
        lambda made: any("replayed" in drawn for drawn in made["rounds"]),
        lambda made: made["standings"][0][0] == 2,
        lambda made: not made["plan"]["second_final"],
        lambda made: len(made["rounds"][-1].get("lost", ())) == 2 == len(made["rounds"][-1]["seats"]),
    ],
    ids=[
        "withdrawn",
        "disqualified",
        "skipped",
        "tied to the end",
        "only drawn",
        "misdrawn at first",
        "misdrawn later",
        "corrected",
        "replayed",
        "nobody won",
        "without a second final",
        "a second final",
    ],
)
def test_whatever_happens_in_a_double_elimination_happens_in_several(
    happened: Callable[[dict[str, Any]], bool],
) -> None:
    assert sum(happened(made) for made in DOUBLES) >= 3


ROBINS = [vector for vector in VECTORS if vector["plan"]["format"] == "roundrobin" and vector["rounds"]]


@pytest.mark.parametrize(
    "happened",
    [
        lambda made: any(
            place is None and made["states"][str(seat)] == "withdrawn" for place, seat, *_ in made["standings"]
        ),
        lambda made: "disqualified" in made["states"].values(),
        lambda made: any(drawn["skipped"] for drawn in made["rounds"]),
        lambda made: (made["misdrawn"] or 0) > 1,
        lambda made: any("corrections" in drawn for drawn in made["rounds"]),
        lambda made: made["standings"][0][0] == 2,
        lambda made: not made["rounds"][-1]["races"],
        lambda made: made["plan"]["advance"] == 4,
    ],
    ids=[
        "annulled",
        "disqualified",
        "skipped",
        "misdrawn",
        "corrected",
        "nobody won",
        "only drawn",
        "a knock-out of one group",
    ],
)
def test_whatever_happens_in_a_round_robin_happens_in_several(happened: Callable[[dict[str, Any]], bool]) -> None:
    assert sum(happened(made) for made in ROBINS) >= 2


@pytest.mark.parametrize("kind", ["points", "swiss", "arena"])
def test_every_tie_break_is_different_for_some_who_are_equal_so_far(kind: Format) -> None:
    decides = set()
    for vector in VECTORS:
        if vector["plan"]["format"] == kind and vector["plan"]["rules"] == RULES:
            rows = [(score, *tiebreaks) for place, _, score, tiebreaks, _ in vector["standings"] if place]
            for n, name in enumerate(vector["plan"]["tiebreaks"] or DEFAULT_TIEBREAKS[kind], start=1):
                if len({row[: n + 1] for row in rows}) > len({row[:n] for row in rows}):
                    decides.add(name)
    assert decides == {*TIEBREAKS[kind]}


def test_there_are_half_point_byes() -> None:
    assert sum(bool(drawn["half_byes"]) for vector in VECTORS for drawn in vector["rounds"]) >= 5


def test_there_are_streaks_that_are_broken_and_races_in_which_nobody_started() -> None:
    arenas = [vector for vector in VECTORS if vector["plan"]["format"] == "arena"]
    doubled = [
        vector
        for vector in arenas
        if vector["plan"]["streak"] and any(4 in row[4] and row[4][-1] < 4 for row in vector["standings"])
    ]
    assert len(doubled) >= 5
    assert sum(any(drawn["races"] == [] for drawn in vector["rounds"]) for vector in arenas) >= 5


TEAMS = [vector for vector in VECTORS if "teams" in vector and vector["rounds"]]


@pytest.mark.parametrize(
    "happened",
    [
        lambda made: "withdrawn" in made["states"].values(),
        lambda made: "disqualified" in made["states"].values(),
        lambda made: len(made["in_teams"]) < len(made["states"]),
        lambda made: any(place is None for place, *_ in made["teams"]),
        lambda made: len({place for place, *_ in made["teams"]}) < len(made["teams"]),
        lambda made: any("corrections" in drawn for drawn in made["rounds"]),
        lambda made: len({len(counted) for *_, rounds in made["teams"] for counted in rounds}) > 2,
        lambda made: any(drawn["skipped"] for drawn in made["rounds"]),
    ],
    ids=["withdrawn", "disqualified", "in no team", "a team without a place", "ties", "corrected", "sizes", "skipped"],
)
@pytest.mark.parametrize("kind", ["points", "swiss"])
def test_whatever_happens_in_teams_happens_in_several(kind: Format, happened: Callable[[dict[str, Any]], bool]) -> None:
    assert sum(happened(made) for made in TEAMS if made["plan"]["format"] == kind) >= 2


def test_each_tie_break_of_teams_decides_somewhere() -> None:
    for kind, names in TEAM_TIEBREAKS.items():
        rows = [made["teams"] for made in TEAMS if made["plan"]["format"] == kind]
        for n in range(1, len(names) + 1):
            assert any(
                len({(score, *ties[:n]) for _, _, score, ties, *_ in of})
                > len({(score, *ties[: n - 1]) for _, _, score, ties, *_ in of})
                for of in rows
            ), names[n - 1]
