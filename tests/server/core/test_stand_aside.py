"""Whoever agrees to it is waited for no longer, and nobody comes back after more was shown than they had reached."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.protocol.to_server import GiveUp, StandAside, TakeBack
from fortythieves.times import Ms
from fortythieves_server.core import decide, events, visibility
from fortythieves_server.core.event_limits import END_VOTES
from fortythieves_server.core.race_end import ABSENT, IDLE
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events
from fortythieves_server.core.visibility import Ledger
from tests.examples import examples
from tests.server.tables import SECOND, Table, in_round, racing

ASIDE, HERE = StandAside(1, True), StandAside(1, False)


def watched(table: Table) -> Events:
    """Do what the clock asks for while somebody watches."""

    def due(room: Room, context: Context) -> Events:
        return decide.due(room, context._replace(watched=True))

    return table.ask(due)


def one_behind(people: int = 2, **settings: object) -> Table:
    """A race in which seat 1 has made five moves, and all others ten."""
    table = racing(people, **settings)
    table.wait(10 * SECOND)
    table.moves(1, to=5)
    for seat in range(2, people + 1):
        table.moves(seat, to=10)
    return table


def test_whoever_agrees_gives_up_once_all_others_have_passed_and_nobody_else_does() -> None:
    table = one_behind(3)
    last_move = table.now
    assert table.do(1, ASIDE) == [events.StoodAside(1, 5)]
    assert table.do(1, ASIDE) == [], "that is known"
    table.now = last_move + IDLE - Ms(1)
    assert watched(table) == []
    assert decide.next_due(table.room, table.progress, watched=True) == last_move + IDLE
    table.wait(Ms(1))
    assert table.tick() == [], "nobody watches, so nobody waits"
    assert watched(table) == [events.GaveUp(1)] and watched(table) == []
    table.wait(10 * SECOND)
    assert [type(event) for event in watched(table)] == [events.Finished]
    assert table.racer(1).state == "gave_up" and table.racer(2).racing


def test_somebody_who_is_away_is_waited_for_no_longer_than_at_the_end_of_a_race() -> None:
    table = one_behind()
    table.do(1, ASIDE)
    table.hang_up(1)
    table.wait(ABSENT)
    assert events.GaveUp(1) in watched(table)


def test_a_move_or_a_word_ends_it() -> None:
    table = one_behind()
    table.do(1, ASIDE)
    table.moves(1, to=6)
    table.wait(IDLE)
    assert watched(table) == []
    table.do(1, ASIDE)
    assert table.do(1, HERE) == [events.StoodAside(1, None)]
    assert watched(table) == [] and table.racer(1).aside is None


def test_whoever_takes_it_back_is_in_the_race_again_and_has_to_agree_anew() -> None:
    table = one_behind()
    table.do(1, ASIDE)
    table.wait(IDLE)
    watched(table)
    assert table.do(1, TakeBack(1)) == [events.TookBack(1)]
    assert watched(table) == [] and table.racer(1).plays


def test_who_is_not_the_slowest_holds_nobody_back() -> None:
    table = one_behind()
    table.do(2, ASIDE)
    table.wait(IDLE)
    assert watched(table) == [] and decide.next_due(table.room, table.progress, watched=True) == table.race.ends_at


def test_when_all_stand_aside_the_race_ends_for_those_who_watch() -> None:
    table = one_behind()
    for seat in (1, 2):
        table.do(seat, ASIDE)
    table.wait(IDLE)
    assert watched(table) == [events.GaveUp(1), events.GaveUp(2)]


@pytest.mark.parametrize("settings", [{"watch": "open"}, {"watch": "progress"}, {"late": "join"}])
def test_where_the_boards_wait_for_nobody_nobody_gives_up(settings: dict[str, str]) -> None:
    table = one_behind(2, **settings)
    table.do(1, ASIDE)
    table.wait(IDLE)
    assert watched(table) == []


def test_nobody_fills_the_log_by_it() -> None:
    table = one_behind()
    for n in range(END_VOTES):
        table.do(1, HERE if n % 2 else ASIDE)
    assert table.refuses(1, ASIDE) == "voted-too-often"


def test_a_round_of_a_tournament_waits_for_everybody() -> None:
    table = in_round(2)
    assert table.refuses(table.race.active[0], ASIDE) == "tournament"


def test_rooms_from_before_it_existed_have_nobody_aside() -> None:
    assert racing().racer(1).aside is None


STEPS = st.lists(
    st.tuples(st.integers(1, 3), st.sampled_from(["move", "move", "aside", "here", "back", "give up", "wait"])),
    max_size=40,
)


@given(STEPS)
@examples(150)
def test_nobody_who_may_still_make_a_move_has_been_shown_past(steps: list[tuple[int, str]]) -> None:
    """Whatever they agree to: what is shown stays within what each seat has that can still play, or take back."""
    table = racing(3)
    table.wait(10 * SECOND)
    ledgers = {seat: Ledger() for seat in (1, 2, 3)}
    most_shown = 0
    for seat, what in steps:
        if table.race.over_at is not None:
            return
        racer, made = table.racer(seat), len(ledgers[seat].entries)
        if what == "wait":
            table.wait(31 * SECOND)
        elif what == "move" and racer.plays:
            ledgers[seat].add("draw", "TH", table.now)
            table.moves(seat, to=made + 1)
        elif what == "give up" and racer.racing:
            table.do(seat, GiveUp(1))
        elif what == "back" and racer.gave_up_at and racer.racing and table.now < racer.gave_up_at + 10 * SECOND:
            before = table.race.racers[seat]
            if before.taken_back < 10:
                table.do(seat, TakeBack(1))
        elif what in {"aside", "here"} and racer.racing and racer.end_votes < END_VOTES:
            table.do(seat, ASIDE if what == "aside" else HERE)
        while watched(table):
            pass
        seen = visibility.shown(table.room.settings, ledgers, table.race.active, Ms(0), table.now).entries
        most_shown = max(most_shown, *seen.values())
        if table.race.over_at is None:
            assert all(most_shown <= len(ledgers[one].entries) for one in table.race.active)
