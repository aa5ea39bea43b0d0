"""A tournament as a file, and files that are refused."""

import json

import pytest
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.tournament.export import SIZE_LIMIT, file_of, read, written
from tests.shared.make_records import NOON
from tests.shared.tournament.bundles import RECORDS, bundle, event


def test_a_file_that_is_read_is_the_one_that_was_written() -> None:
    for file in (bundle(), file_of(event())):
        assert read(written(file)) == file


def test_records_are_in_it_only_if_they_are_asked_for() -> None:
    assert json.loads(written(file_of(event())))["records"] is None
    assert list(json.loads(written(bundle()))["records"]) == ["1", "3"]


def test_nobody_learns_who_is_on_the_list() -> None:
    held = event()._replace(plan=replace(event().plan, listed_teams=("Red",), apart=(("Ann", "Dee"),)))
    assert (file_of(held).plan.listed, file_of(held).plan.listed_teams, file_of(held).plan.apart) == ((), (), ())


def test_every_result_has_its_line_with_the_address_of_its_record() -> None:
    first = bundle().rounds[0]
    assert [result.seat for result in first.results] == [1, 2, 3]
    racer, one = RECORDS[1]["racers"][0], first.results[0]
    found = (one.name, one.state, one.home, one.place, one.ms)
    assert found == ("Ann", racer["state"], racer["home"], racer["place"], racer["when"] - NOON)
    assert one.points is not None
    assert one.record == "https://cards.example.org/r/KQXWVD/1"
    assert bundle().rounds[1].results == ()


def test_a_later_version_and_a_file_without_end_are_refused() -> None:
    later = {**json.loads(written(bundle())), "version": 2}
    with pytest.raises(Refused, match="version 1"):
        read(json.dumps(later).encode())
    with pytest.raises(Refused, match="256 MB"):
        read(bytes(SIZE_LIMIT + 1))
