"""How a race ended for one racer. The vectors of test_proof.py test the logs."""

import pytest

from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.rules.race_rules import TAKE_BACK_WITHIN, Ending, Outcome
from fortythieves.rules.ranking import Result
from fortythieves.rules.settings import Undo
from fortythieves.rules.tally import Race, Run, Story, end_of
from fortythieves.times import Ms

START, LIMIT = Ms(1_000_000), Ms(600_000)
END = START + LIMIT


def race(undo: Undo = "turned") -> Race:
    return Race(game("lucas"), deck_of_number(32001), undo, START, END)


def some_run(entries: int = 5, outcome: Outcome = "") -> Run:
    return Run(20, START + Ms(300), outcome, START + Ms(400), entries, 9, None)


LAST = END - TAKE_BACK_WITHIN


@pytest.mark.parametrize(
    ("story", "run", "state", "when"),
    [
        # the board decides, whatever happened then
        (Story(gave_up=START, left=START, kicked=START), some_run(outcome="solved"), "solved", START + Ms(400)),
        (Story(gave_up=START, left=START, kicked=START), some_run(outcome="stuck"), "stuck", START + Ms(400)),
        # removals
        (Story(stopped=START + Ms(500)), some_run(), "timed_out", START + Ms(500)),
        (Story(stopped=START + Ms(500)), some_run(0), "did_not_start", START + Ms(500)),
        (Story(gave_up=START, kicked=START + Ms(9)), some_run(), "disqualified", START + Ms(9)),
        (Story(left=START), some_run(), "gave_up", START),
        (Story(left=START - Ms(1)), some_run(0), "did_not_start", START - Ms(1)),
        # giving up counts if it was final before the removal, and before the time was up
        (Story(gave_up=START, kicked=START + TAKE_BACK_WITHIN), some_run(), "gave_up", START),
        (Story(gave_up=START, left=END), some_run(), "gave_up", START),
        (Story(gave_up=START, kicked=START + Ms(9_999)), some_run(), "disqualified", START + Ms(9_999)),
        (Story(gave_up=LAST), some_run(), "gave_up", LAST),
        (Story(gave_up=LAST + Ms(1)), some_run(), "timed_out", END),
        # the time runs out
        (Story(), some_run(), "timed_out", END),
        (Story(), some_run(0), "did_not_start", END),
    ],
)
def test_a_race_ends_for_a_racer_by_the_first_final_event(story: Story, run: Run, state: Ending, when: Ms) -> None:
    assert end_of(race(), story, run) == Result(state, when, 20, run.moves, START + Ms(300))
