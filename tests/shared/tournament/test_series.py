"""Series of tournaments: points by place, the best results, and people who entered under several names."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from fortythieves.tournament.series import Cell, Series, table
from tests.shared.tournament.make_series import file_of

#: Lists of tournaments, each with the places of some people.
EVENTS = st.lists(
    st.dictionaries(st.sampled_from("ABCDEF"), st.integers(1, 5), min_size=1).map(
        lambda places: file_of([(name, place) for name, place in sorted(places.items(), key=lambda one: one[1])])
    ),
    min_size=1,
    max_size=4,
)


def scores(series: Series, *events: list[tuple[str, int | None]]) -> list[tuple[int, str, float]]:
    return [(row.place, row.name, row.score) for row in table(series, [file_of(event) for event in events])]


def test_a_place_gives_points_and_tied_entrants_share_the_mean() -> None:
    event: list[tuple[str, int | None]] = [("Ann", 1), ("Bob", 2), ("Cy", 2), ("Dee", 4)]
    assert scores(Series((10, 6, 3)), event) == [(1, "Ann", 10), (2, "Bob", 4.5), (2, "Cy", 4.5), (4, "Dee", 0)]


def test_only_the_best_tournaments_count_and_of_equal_ones_the_earlier() -> None:
    [row] = table(Series((10, 6, 3), best=2), [file_of([("Ann", 1)]), file_of([("Ann", 3)]), file_of([("Ann", 1)])])
    assert row.cells == (Cell(1, 10, True), Cell(3, 3, False), Cell(1, 10, True))
    [row] = table(Series((10, 6, 3), best=1), [file_of([("Ann", 2)])] * 2)
    assert [cell and cell.counts for cell in row.cells] == [True, False]


def test_the_better_of_the_best_tournaments_decides_between_equals() -> None:
    first: list[tuple[str, int | None]] = [("Ann", 1), ("Bob", 2), ("Cy", 3)]
    second: list[tuple[str, int | None]] = [("Bob", 2), ("Ann", 4), ("Cy", 3)]
    assert scores(Series((6, 3, 0)), first, second) == [(1, "Ann", 6), (2, "Bob", 6), (3, "Cy", 0)]


def test_who_is_disqualified_or_did_not_start_gets_nothing() -> None:
    file = file_of([("Ann", 1), ("Bob", 2), ("Cy", None)], started={1, 3})
    assert [(row.name, row.score, row.cells[0]) for row in table(Series((10, 6)), [file])] == [
        ("Ann", 10, Cell(1, 10, True)),
        ("Bob", 0, Cell(2, 0, True)),
        ("Cy", 0, Cell(None, 0, True)),
    ]


def test_a_host_s_correction_is_a_start_and_a_skipped_round_is_none() -> None:
    file = file_of([("Ann", 1), ("Bob", 2)], started={2}, corrected={1: 1.0})
    assert [row.score for row in table(Series((10, 6)), [file])] == [10, 6]
    skipped = file_of([("Ann", 1)], started={1}, skipped=True)
    assert [row.score for row in table(Series((10, 6)), [skipped])] == [0]


def test_one_person_may_have_entered_under_several_names() -> None:
    events = [file_of([("Ann", 1)]), file_of([("ANN ", 1)]), file_of([("Anna B.", 1), ("ann", 2)])]
    series = Series((10, 6), same=[("Ann", "anna b.")])
    [row] = table(series, events)
    assert (row.name, row.score) == ("Ann", 30)
    assert [row.name for row in table(Series((10, 6)), events)] == ["ann", "Anna B."]


def test_the_name_of_the_latest_tournament_is_shown() -> None:
    assert [row.name for row in table(Series(), [file_of([("bob", 1)]), file_of([("Bob", 1)])])] == ["Bob"]


@given(events=EVENTS, best=st.integers(1, 4))
def test_a_score_is_the_sum_of_the_best_and_places_follow_from_scores(events: list, best: int) -> None:  # type: ignore[type-arg]
    rows = table(Series((7, 5, 3, 1), best), events)
    for row in rows:
        points = sorted((Fraction(cell.points).limit_denominator(6) for cell in row.cells if cell), reverse=True)
        assert Fraction(row.score).limit_denominator(6) == sum(points[:best])
        assert sum(cell.counts for cell in row.cells if cell) == min(best, len(points))
        assert row.place > sum(other.score > row.score for other in rows)
    assert [row.place for row in rows] == sorted(row.place for row in rows)
