"""shared/vectors/standings.json, by which the page that works tournaments out again is tested."""

import json
from collections.abc import Callable
from typing import Any

import pytest

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
    ],
)
def test_whatever_happens_in_a_cup_happens_in_several(happened: Callable[[dict[str, Any]], bool]) -> None:
    assert sum(happened(cup) for cup in CUPS if cup["rounds"]) >= 5
