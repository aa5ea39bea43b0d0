"""Series of tournaments. JavaScript makes the same tables of random ones (shared/vectors/series.json)."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from fortythieves.tournament.series import Series, table
from tests.shared.tournament.make_series import file_of

#: Lists of tournaments, each with the places of some people.
EVENTS = st.lists(
    st.dictionaries(st.sampled_from("ABCDEF"), st.integers(1, 5), min_size=1).map(
        lambda places: file_of([(name, place) for name, place in sorted(places.items(), key=lambda one: one[1])])
    ),
    min_size=1,
    max_size=4,
)


def test_one_person_may_have_entered_under_several_names() -> None:
    events = [file_of([("Ann", 1)]), file_of([("ANN ", 1)]), file_of([("Anna B.", 1), ("ann", 2)])]
    series = Series((10, 6), same=[("Ann", "anna b.")])
    [row] = table(series, events)
    assert (row.name, row.score) == ("Ann", 30)
    assert [row.name for row in table(Series((10, 6)), events)] == ["ann", "Anna B."], "the latest name is shown"


@given(events=EVENTS, best=st.integers(1, 4))
def test_a_score_is_the_sum_of_the_best_and_places_follow_from_scores(events: list, best: int) -> None:  # type: ignore[type-arg]
    rows = table(Series((7, 5, 3, 1), best), events)
    for row in rows:
        points = sorted((Fraction(cell.points).limit_denominator(6) for cell in row.cells if cell), reverse=True)
        assert Fraction(row.score).limit_denominator(6) == sum(points[:best])
        assert sum(cell.counts for cell in row.cells if cell) == min(best, len(points))
        assert row.place > sum(other.score > row.score for other in rows)
    assert [row.place for row in rows] == sorted(row.place for row in rows)
