import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.solver.effort import EFFORT, LADDER, MEASURED, PREPARED, solve, stars
from fortythieves.solver.search import search
from tests.examples import examples

KEYS = st.sampled_from(list(GAMES))
NUMBERS = st.integers(32_001, 33_000)


def dealt(key: str, number: int) -> Board:
    return Board.deal(GAMES[key], deck_of_number(number))


@given(KEYS, NUMBERS)
@examples(8)
def test_the_narrowest_search_wins_and_the_best_line_is_that_of_all_searches(key: str, number: int) -> None:
    solved, board = solve(dealt(key, number), 8), dealt(key, number)
    for move in solved.moves:
        board.play(move)
    assert (board.home, board.outcome == "won") == (solved.home, solved.won)
    tried = {width: search(dealt(key, number), width) for width in LADDER if width <= (solved.rung or 8)}
    winners = [width for width, found in tried.items() if found.won]
    assert winners == ([solved.rung] if solved.won else [])
    assert solved.home == max(found.home for found in tried.values())
    assert solved.positions == sum(found.positions for found in tried.values())


def test_whoever_stops_it_gets_the_best_line_so_far() -> None:
    left = iter([False] * 5)
    solved = solve(dealt("forty-thieves", 32_001), should_stop=lambda: next(left, True))
    assert not solved.won
    assert solved.home > 0
    assert solved.positions < 1000


def test_an_effort_is_at_least_one() -> None:
    with pytest.raises(ValueError, match="effort"):
        solve(dealt("lucas", 32_001), 0)


def test_every_game_was_measured() -> None:
    assert list(MEASURED) == list(GAMES)
    for key, measured in MEASURED.items():
        assert 0 < measured.won <= 100, key


@pytest.mark.parametrize("key", PREPARED)
def test_every_number_of_stars_has_its_searches_and_more_work_is_more_stars(key: str) -> None:
    given = [stars(key, width) for width in LADDER if width <= EFFORT]
    assert given == sorted(given)
    assert {*given} == {1, 2, 3}


def test_a_game_whose_deals_are_equally_hard_has_no_prepared_deals() -> None:
    assert {"lucas", "forty-thieves"} <= {*PREPARED} and not {"zebra", "roosevelt"} & {*PREPARED}
    assert stars("zebra", EFFORT) == 1
