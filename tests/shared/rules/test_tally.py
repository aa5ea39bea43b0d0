"""How a race ended for one racer. The vectors of test_proof.py test the logs."""

import pytest

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.rules.moves import DRAW
from fortythieves.rules.race_rules import TAKE_BACK_WITHIN, Outcome
from fortythieves.rules.settings import Undo
from fortythieves.rules.tally import End, Race, Run, Story, end_of, run_of
from fortythieves.times import Ms

START, LIMIT = Ms(1_000_000), Ms(600_000)
END = START + LIMIT


def race(undo: Undo = "turned") -> Race:
    return Race(game("lucas"), deck_of_number(32001), undo, START, END)


def some_run(entries: int = 5, outcome: Outcome = "") -> Run:
    return Run(20, START + Ms(300), outcome, START + Ms(400), entries, None)


# runs


@pytest.mark.parametrize(("undo", "may"), [("none", False), ("turned", False), ("free", True)])
def test_a_draw_is_taken_back_only_where_all_is(undo: Undo, may: bool) -> None:
    assert (run_of(race(undo), [(Ms(1), "draw"), (Ms(2), "undo")]).wrong is None) == may


@pytest.mark.parametrize(("undo", "may"), [("none", False), ("turned", True), ("free", True)])
def test_a_move_that_turned_nothing_is_taken_back_where_any_is(undo: Undo, may: bool) -> None:
    board = Board.deal(race().game, race().deck)
    move = next(str(move) for move in board.legal_moves if move != DRAW)
    assert (run_of(race(undo), [(Ms(1), move), (Ms(2), "undo")]).wrong is None) == may


# ends


def test_who_is_solved_or_stuck_is_so_whatever_happened_then() -> None:
    story = Story(gave_up=START, left=START, kicked=START)
    outcomes: tuple[Outcome, ...] = ("solved", "stuck")
    for outcome in outcomes:
        assert end_of(race(), story, some_run(outcome=outcome)) == End(outcome, START + Ms(400), 20, 5, START + Ms(300))


def test_who_is_stopped_is_out_of_time_then_or_did_not_start() -> None:
    story = Story(stopped=START + Ms(500))
    assert end_of(race(), story, some_run())[:2] == ("timed_out", START + Ms(500))
    assert end_of(race(), story, some_run(entries=0))[:2] == ("did_not_start", START + Ms(500))


def test_who_is_kicked_is_disqualified_at_that_time() -> None:
    assert end_of(race(), Story(gave_up=START, kicked=START + Ms(9)), some_run())[:2] == ("disqualified", START + Ms(9))


def test_giving_up_that_was_final_is_not_undone_by_a_removal_after_it() -> None:
    for story in (Story(gave_up=START, kicked=START + TAKE_BACK_WITHIN), Story(gave_up=START, left=END)):
        assert end_of(race(), story, some_run())[:2] == ("gave_up", START)
    early = Story(gave_up=START, kicked=START + TAKE_BACK_WITHIN - Ms(1))
    assert end_of(race(), early, some_run())[0] == "disqualified"


def test_who_leaves_gives_up_at_once_or_has_not_started() -> None:
    assert end_of(race(), Story(left=START), some_run())[:2] == ("gave_up", START)
    assert end_of(race(), Story(left=START - Ms(1)), some_run(0))[:2] == ("did_not_start", START - Ms(1))


def test_giving_up_counts_if_it_was_final_before_the_time_was_up() -> None:
    last = END - TAKE_BACK_WITHIN
    assert end_of(race(), Story(gave_up=last), some_run())[:2] == ("gave_up", last)
    assert end_of(race(), Story(gave_up=last + Ms(1)), some_run())[:2] == ("timed_out", END)


def test_the_time_runs_out_for_those_who_moved_and_for_those_who_did_not() -> None:
    assert end_of(race(), Story(), some_run())[:2] == ("timed_out", END)
    assert end_of(race(), Story(), some_run(0))[:2] == ("did_not_start", END)
