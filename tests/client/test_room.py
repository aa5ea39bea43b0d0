from typing import Any

import pytest

from fortythieves.times import Ms
from fortythieves_client.room import Room, merge


def room(**race: Any) -> Room:
    people = {"1": {"name": "Ann", "here": True}, "2": {"name": "Bob", "here": True}}
    view = {"code": "KQXWVD", "host": 1, "settings": {"game": "lucas"}, "people": people, "race": {"number": 1, **race}}
    return Room("epoch", 3, 2, view)


def test_the_phase_follows_from_the_times() -> None:
    assert room().phase(now=Ms(0)) == "lobby"
    assert room(starts_at=1_000).phase(now=Ms(999)) == "countdown"
    assert room(starts_at=1_000).phase(now=Ms(1_000)) == "racing"
    assert room(starts_at=1_000, over_at=2_000).phase(now=Ms(1_500)) == "over"


def test_people_and_racers_are_found_by_seat() -> None:
    place = room(racers={"2": {"name": "Bob", "state": "racing"}})
    assert place.people[1]["name"] == "Ann"
    assert place.me is not None and place.me["name"] == "Bob"
    assert place.my_race is not None and place.my_race["state"] == "racing"
    assert room(racers={"1": {"name": "Ann", "state": "racing"}}).my_race is None


def test_the_ranking_has_equal_places_and_only_ranked_racers() -> None:
    places = {"1": {"place": 2}, "2": {"place": 1}, "3": {"place": 2}, "4": {"state": "disqualified"}}
    assert room(racers=places).ranking == [(1, 2), (2, 1), (2, 3)]


def test_a_patch_changes_the_view_and_its_number() -> None:
    place = room()
    place.patch(4, {"people": {"1": None}, "host": 2})
    assert (place.n, place.host, list(place.people)) == (4, 2, [2])


# Patches: the examples of RFC 7396, appendix A


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"a": "foo"}, None, None),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_a_patch_follows_the_standard(target: Any, patch: Any, result: Any) -> None:
    assert merge(target, patch) == result
