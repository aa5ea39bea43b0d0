"""How a race went for one racer."""

import pytest

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.rules.moves import DRAW
from fortythieves.rules.race_rules import TAKE_BACK_WITHIN, Outcome
from fortythieves.rules.settings import Undo
from fortythieves.rules.tally import End, Happened, Race, Run, Story, Wrong, end_of, run_of, stories
from tests.shared.make_records import Log, won

START, LIMIT = 1_000_000, 600_000
END = START + LIMIT


def race(undo: Undo = "turned", key: str = "lucas", number: int = 32001) -> Race:
    return Race(game(key), deck_of_number(number), undo, START, END)


def log(*texts: str) -> Log:
    """One entry a second."""
    return [(1000 * n, text) for n, text in enumerate(texts, start=1)]


def some_run(entries: int = 5, outcome: Outcome = "") -> Run:
    return Run(20, START + 300, outcome, START + 400, entries, None)


# runs


def test_nobody_who_does_nothing_gets_anywhere() -> None:
    assert run_of(race(), []) == Run(8, START, "", START, 0, None)


def test_the_count_of_cards_home_is_reached_when_it_changes_last() -> None:
    number, line = won("lucas")
    lucas = race("free", number=int(number))
    home = [n for n, (_, text) in enumerate(line) if text.endswith("-F")]
    first, second = home[:2]
    assert run_of(lucas, line[:second]).reached_at == START + line[first][0]
    taken_back = [*line[: first + 1], (line[first][0] + 1, "undo")]
    assert run_of(lucas, taken_back)[:2] == (8, START + line[first][0] + 1)


def test_a_line_that_wins_is_solved_with_its_last_move() -> None:
    number, line = won("lucas")
    result = run_of(race(number=int(number)), line)
    assert result == Run(104, START + line[-1][0], "solved", START + line[-1][0], len(line), None)


def test_after_the_end_nothing_more_comes() -> None:
    number, line = won("lucas")
    for text, wrong in (
        ("undo", Wrong("after-end", "undo", "solved", len(line))),
        ("draw", Wrong("after-end", "draw", "solved", len(line))),
        ("1-2", Wrong("illegal-move", "1-2", "", len(line))),
    ):
        more = [*line, (line[-1][0], text)]
        result = run_of(race("free", number=int(number)), more)
        assert result.wrong == wrong


@pytest.mark.parametrize(
    ("texts", "wrong"),
    [
        (["draw", "redeal"], Wrong("illegal-move", "redeal", "", 1)),
        (["draw", "14-1"], Wrong("bad-move", "14-1", "", 1)),
        (["draw", "Draw"], Wrong("bad-move", "Draw", "", 1)),
        (["undo"], Wrong("illegal-move", "undo", "", 0)),
        (["draw", "undo"], Wrong("illegal-move", "undo", "", 1)),
    ],
)
def test_the_first_entry_that_cannot_be_is_wrong(texts: list[str], wrong: Wrong) -> None:
    assert run_of(race(), log(*texts, "draw", "nonsense")).wrong == wrong


@pytest.mark.parametrize(("undo", "may"), [("none", False), ("turned", False), ("free", True)])
def test_a_draw_is_taken_back_only_where_all_is(undo: Undo, may: bool) -> None:
    assert (run_of(race(undo), log("draw", "undo")).wrong is None) == may


@pytest.mark.parametrize(("undo", "may"), [("none", False), ("turned", True), ("free", True)])
def test_a_move_that_turned_nothing_is_taken_back_where_any_is(undo: Undo, may: bool) -> None:
    board = Board.deal(race().game, race().deck)
    move = next(str(move) for move in board.legal_moves if move != DRAW)
    assert (run_of(race(undo), log(move, "undo")).wrong is None) == may


# stories


def test_giving_up_stands_until_it_is_taken_back() -> None:
    told = stories([Happened(1, "gave_up", 1), Happened(2, "gave_up", 2), Happened(3, "took_back", 1)])
    assert told == {1: Story(), 2: Story(gave_up=2)}


def test_who_takes_back_what_was_not_given_is_astray() -> None:
    assert stories([Happened(1, "took_back", 1), Happened(2, "gave_up", 1)]) == {1: Story(gave_up=2, astray=True)}


def test_a_story_has_everything_that_happened() -> None:
    events = [
        Happened(at, name, 7)
        for at, name in enumerate(("started_late", "gave_up", "left", "kicked", "stopped"), start=1)
    ]
    assert stories(events) == {7: Story(1, 2, 3, 4, 5)}


# ends


def test_who_is_solved_or_stuck_is_so_whatever_happened_then() -> None:
    story = Story(gave_up=START, left=START, kicked=START)
    outcomes: tuple[Outcome, ...] = ("solved", "stuck")
    for outcome in outcomes:
        assert end_of(race(), story, some_run(outcome=outcome)) == End(outcome, START + 400, 20, 5, START + 300)


def test_who_is_stopped_is_out_of_time_then_or_did_not_start() -> None:
    story = Story(stopped=START + 500)
    assert end_of(race(), story, some_run())[:2] == ("timed_out", START + 500)
    assert end_of(race(), story, some_run(entries=0))[:2] == ("did_not_start", START + 500)


def test_who_is_kicked_is_disqualified_at_that_time() -> None:
    assert end_of(race(), Story(gave_up=START, kicked=START + 9), some_run())[:2] == ("disqualified", START + 9)


def test_giving_up_that_was_final_is_not_undone_by_a_removal_after_it() -> None:
    for story in (Story(gave_up=START, kicked=START + TAKE_BACK_WITHIN), Story(gave_up=START, left=END)):
        assert end_of(race(), story, some_run())[:2] == ("gave_up", START)
    early = Story(gave_up=START, kicked=START + TAKE_BACK_WITHIN - 1)
    assert end_of(race(), early, some_run())[0] == "disqualified"


def test_who_leaves_gives_up_at_once_or_has_not_started() -> None:
    assert end_of(race(), Story(left=START), some_run())[:2] == ("gave_up", START)
    assert end_of(race(), Story(left=START - 1), some_run(0))[:2] == ("did_not_start", START - 1)


def test_giving_up_counts_if_it_was_final_before_the_time_was_up() -> None:
    last = END - TAKE_BACK_WITHIN
    assert end_of(race(), Story(gave_up=last), some_run())[:2] == ("gave_up", last)
    assert end_of(race(), Story(gave_up=last + 1), some_run())[:2] == ("timed_out", END)


def test_the_time_runs_out_for_those_who_moved_and_for_those_who_did_not() -> None:
    assert end_of(race(), Story(), some_run())[:2] == ("timed_out", END)
    assert end_of(race(), Story(), some_run(0))[:2] == ("did_not_start", END)
