"""Nobody waits for somebody who has left, and nobody is stopped who plays on without agreeing to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.protocol.to_server import AgreeToEnd, EndRace, GiveUp, Leave, TakeBack
from fortythieves.times import Ms
from fortythieves_server.core import decide, events
from fortythieves_server.core.event_limits import END_VOTES
from fortythieves_server.core.race_end import ABSENT
from fortythieves_server.core.rule_context import Events
from tests.refusals import refusal
from tests.server.tables import MINUTE, SECOND, Table, entered, in_round, racing

AGREE, PLAY_ON, END = AgreeToEnd(1, True), AgreeToEnd(1, False), EndRace(1)


def moved(people: int = 2, **settings: object) -> Table:
    """A race of half a minute in which everybody has made moves."""
    table = racing(people, **settings)
    table.wait(30 * SECOND)
    for seat in range(1, people + 1):
        table.moves(seat, to=9, home=seat)
    return table


def win(table: Table, seat: int) -> None:
    table.moves(seat, to=150, home=104, outcome="solved")
    table.settle()


def ends(decided: Events) -> list[tuple[int, str]]:
    return [(event.seat, event.end) for event in decided if isinstance(event, events.Finished)]


# After the first win


def test_after_the_first_win_the_others_play_on_for_as_long_as_the_settings_say() -> None:
    table = moved(3, after_win=120)
    assert table.race.stops_at == table.race.ends_at
    win(table, 2)
    won_at = table.now
    assert table.race.stops_at == won_at + 2 * MINUTE == decide.next_due(table.room, table.progress)
    table.wait(2 * MINUTE - Ms(1))
    assert table.tick() == []
    decide.check_may_move(table.room, 1, 1, table.now)
    table.wait(Ms(1))
    assert refusal(decide.check_may_move, table.room, 1, 1, table.now) == "over"
    assert table.refuses(1, GiveUp(1)) == "over"
    assert ends(table.tick()) == [(1, "timed_out"), (3, "timed_out")]
    assert table.race.places == {2: 1, 3: 2, 1: 3}


def test_a_later_win_does_not_put_the_end_off() -> None:
    table = moved(3, after_win=120)
    win(table, 2)
    stops_at = table.race.stops_at
    table.wait(MINUTE)
    win(table, 1)
    assert table.race.stops_at == stops_at


@pytest.mark.parametrize(("after_win", "left"), [(0, 10 * MINUTE), (600, 30 * SECOND)])
def test_a_win_never_takes_the_end_past_the_time_limit(after_win: int, left: Ms) -> None:
    table = moved(after_win=after_win)
    table.now = (table.race.ends_at or Ms(0)) - left
    win(table, 2)
    assert table.race.stops_at == table.race.ends_at
    table.run_out()
    assert table.racer(1).result is not None and table.race.over_at == table.race.ends_at


def test_a_board_that_is_stuck_is_no_win() -> None:
    table = moved(3, after_win=120)
    table.moves(2, to=150, home=50, outcome="stuck")
    table.settle()
    assert table.racer(2).state == "stuck" and table.race.stops_at == table.race.ends_at


def test_rooms_from_before_the_setting_existed_race_to_the_time_limit() -> None:
    assert racing().room.settings.after_win == 0


# The host


def test_the_host_ends_the_race_and_what_everybody_has_got_by_then_counts() -> None:
    table = moved(3)
    assert ends(table.do(1, END)) == [(1, "timed_out"), (2, "timed_out"), (3, "timed_out")]
    assert table.race.over_at == table.now and table.race.places == {3: 1, 2: 2, 1: 3}
    assert table.do(1, END) == [], "it is over already"


def test_whoever_has_won_or_given_up_by_then_has_done_so() -> None:
    table = moved(4)
    table.moves(2, to=150, home=104, outcome="solved")
    table.do(3, GiveUp(1))
    table.wait(10 * SECOND)
    assert sorted(ends(table.do(1, END))) == [(1, "timed_out"), (2, "solved"), (3, "gave_up"), (4, "timed_out")]


def test_only_the_host_ends_the_race_for_all_and_only_once_it_runs() -> None:
    table = racing(2)
    table.now -= Ms(1)
    assert table.refuses(1, END) == "not-started"
    table.wait(Ms(1))
    assert table.refuses(2, END) == "not-host"


def test_in_a_tournament_a_round_ends_by_its_plan() -> None:
    table = in_round(2)
    seat = table.race.active[0]
    assert table.refuses(1, END) == "tournament"
    assert table.refuses(seat, AGREE) == "tournament"
    assert entered(2).refuses(1, END) == "tournament"


# Agreeing


def test_the_race_ends_once_all_who_still_race_agree() -> None:
    table = moved(3)
    win(table, 3)
    assert table.do(1, AGREE) == [events.EndVoted(1, True)]
    assert table.do(1, AGREE) == [], "that is known"
    decided = table.do(2, AGREE)
    assert decided[0] == events.EndVoted(2, True) and ends(decided) == [(1, "timed_out"), (2, "timed_out")]
    assert table.race.over_at == table.now


def test_whoever_agrees_can_think_better_of_it() -> None:
    table = moved()
    table.do(1, AGREE)
    assert table.do(1, PLAY_ON) == [events.EndVoted(1, False)]
    assert table.do(1, PLAY_ON) == []
    table.do(2, AGREE)
    assert table.race.over_at is None


def test_nobody_fills_the_log_by_thinking_better_of_it() -> None:
    table = moved()
    for n in range(END_VOTES):
        table.do(1, PLAY_ON if n % 2 else AGREE)
    assert table.refuses(1, AGREE) == "voted-too-often"
    assert table.do(1, PLAY_ON) == []


def test_agreeing_ends_when_one_has_finished() -> None:
    table = moved(3)
    table.do(1, AGREE)
    table.do(1, Leave(1))
    table.do(2, AGREE)
    assert table.race.over_at is None, "the third plays on"


def test_bots_agree_when_somebody_has_but_end_nothing_by_themselves() -> None:
    table = Table()
    for guest in ("ann", "robot"):
        table.join(guest, bot=guest == "robot")
    table.ready(1, 2)
    table.settle()
    table.reveal(*table.race.commitments)
    table.settle()
    table.now = (table.race.starts_at or Ms(0)) + MINUTE
    for seat in (1, 2):
        table.moves(seat)
    assert table.tick() == []
    assert ends(table.do(1, AGREE)) == [(1, "timed_out"), (2, "timed_out")]


def test_whoever_has_given_up_holds_nobody_up_and_may_still_take_it_back_if_somebody_plays_on() -> None:
    table = moved(3)
    table.do(1, GiveUp(1))
    table.do(2, AGREE)
    assert table.race.over_at is None
    table.do(1, TakeBack(1))
    assert table.racer(1).racing
    table.do(3, AGREE)
    assert table.race.over_at is None, "who has taken it back plays on"


# Absence


def test_who_has_finished_does_not_wait_for_those_who_have_left() -> None:
    table = moved(2)
    table.hang_up(1)
    left_at = table.now
    table.wait(10 * SECOND)
    win(table, 2)
    table.now = left_at + ABSENT - Ms(1)
    table.settle()
    assert table.racer(1).racing and decide.next_due(table.room, table.progress) == left_at + ABSENT
    table.wait(Ms(1))
    assert ends(table.tick()) == [(1, "timed_out")]


def test_who_comes_back_in_time_races_on() -> None:
    table = moved(2)
    table.hang_up(1)
    win(table, 2)
    table.wait(ABSENT - Ms(1))
    table.join("ann")
    table.wait(MINUTE)
    table.settle()
    assert table.racer(1).racing


def test_a_race_of_one_waits_for_who_has_left() -> None:
    table = moved(1)
    table.hang_up(1)
    stranger = table.join("stranger")
    table.wait(5 * MINUTE)
    table.settle()
    assert table.racer(1).racing, "nobody takes it by coming into the room"
    assert table.room.host == stranger and table.refuses(stranger, END) == "not-racing", "nor by standing in as host"


def test_when_everybody_has_left_the_race_waits_for_all() -> None:
    table = moved(2)
    win(table, 2)
    for seat in (1, 2):
        table.hang_up(seat)
    table.wait(5 * MINUTE)
    table.settle()
    assert table.racer(1).racing


def test_of_those_who_race_on_absent_ones_are_not_asked() -> None:
    table = moved(3)
    table.hang_up(3)
    table.wait(ABSENT)
    table.do(1, AGREE)
    assert table.race.over_at is None
    assert len(ends(table.do(2, AGREE))) == 3


def test_who_agreed_waits_a_minute_for_one_who_was_just_lost() -> None:
    table = moved(2)
    table.hang_up(2)
    left_at = table.now
    table.wait(SECOND)
    table.do(1, AGREE)
    assert table.race.over_at is None and decide.next_due(table.room, table.progress) == left_at + ABSENT
    table.now = left_at + ABSENT
    assert len(ends(table.tick())) == 2


@given(
    st.lists(st.tuples(st.integers(1, 3), st.sampled_from(["agree", "on", "away", "back", "win", "wait"])), max_size=25)
)
def test_nobody_is_stopped_who_is_here_and_has_not_agreed(happenings: list[tuple[int, str]]) -> None:
    table = moved(3)
    for seat, what in happenings:
        if table.race.over_at is not None:
            return
        before = table.room
        racing_on = set(table.race.active)
        if what == "wait":
            table.wait(25 * SECOND)
        elif what == "away":
            table.hang_up(seat)
        elif what == "back":
            table.join(("ann", "bob", "cem")[seat - 1])
        elif seat in racing_on:
            if what == "win":
                table.moves(seat, to=150, home=104, outcome="solved")
            elif before.race.racers[seat].end_votes < END_VOTES:
                table.do(seat, AGREE if what == "agree" else PLAY_ON)
        table.settle()
        stopped = {one for one in racing_on if table.racer(one).state == "timed_out"}
        for one in stopped:
            racer, person = before.race.racers[one], table.person(one)
            gone_for = table.now - person.away_at if person.away_at is not None else Ms(0)
            assert racer.wants_end or (one == seat and what == "agree") or gone_for >= ABSENT
