"""How a race ends early: giving up, a win, the host, an agreement, or racers that stand aside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves_server.core import decide, events, visibility
from fortythieves_server.core.decide_race_end import ABSENT, IDLE
from fortythieves_server.core.event_limits import END_VOTES
from fortythieves_server.core.rule_context import Events
from fortythieves_server.core.visibility import Ledger
from tests.examples import examples
from tests.refusals import refusal
from tests.server.tables import MINUTE, NOON, SECOND, Table, entered, in_round, lobby, racing

AGREE, PLAY_ON, END = say.AgreeToEnd(1, True), say.AgreeToEnd(1, False), say.EndRace(1)
ASIDE, HERE = say.StandAside(1, True), say.StandAside(1, False)


def moved(people: int = 2, **settings: object) -> Table:
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


def next_due(table: Table, *, watched: bool = False) -> Ms | None:
    return decide.next_due(table.room, table.progress, watched=watched)


def test_a_racer_gives_up_after_five_seconds_and_that_is_final_ten_seconds_later() -> None:
    table = racing()
    table.moves(1, to=7, home=2)
    table.wait(5 * SECOND - Ms(1))
    assert table.refuses(1, say.GiveUp(1)) == "too-early"
    table.wait(Ms(1))
    assert table.do(1, say.GiveUp(1), say.GiveUp(1)) == [events.GaveUp(1)]
    assert refusal(decide.check_may_move, table.room, 1, 1, table.now) == "finished"
    assert table.after(10 * SECOND - Ms(1)) == []
    assert table.do(1, say.TakeBack(1), say.TakeBack(1)) == [events.TookBack(1)]
    decide.check_may_move(table.room, 1, 1, table.now)
    gave_up_at = table.now
    table.do(1, say.GiveUp(1))
    table.wait(10 * SECOND)
    assert table.refuses(1, say.TakeBack(1)) == "not-given-up"
    assert table.tick() == [events.Finished(1, "gave_up", gave_up_at, 2, 7, NOON + 5 * SECOND)]
    table.check_refusals((1, say.TakeBack(1), "not-given-up"), (1, say.GiveUp(1), "finished"))
    table = racing()
    table.moves(1)
    table.now = (table.race.ends_at or Ms(0)) - SECOND
    table.do(1, say.GiveUp(1))
    table.after(SECOND)
    assert table.racer(1).state == "timed_out"


def test_after_the_first_win_the_others_play_on_as_long_as_the_settings_allow() -> None:
    assert racing().room.settings.after_win == 0
    table = moved(4, after_win=120)
    assert table.race.stops_at == table.race.ends_at
    table.moves(3, to=9, home=50, outcome="stuck")
    table.settle()
    assert table.race.stops_at == table.race.ends_at, "only a win counts"
    win(table, 2)
    stops_at = table.now + 2 * MINUTE
    table.wait(MINUTE)
    win(table, 4)
    assert table.race.stops_at == stops_at == next_due(table), "a later win does not put the end off"
    assert table.after(MINUTE - Ms(1)) == []
    decide.check_may_move(table.room, 1, 1, table.now)
    table.wait(Ms(1))
    assert refusal(decide.check_may_move, table.room, 1, 1, table.now) == "over"
    assert table.refuses(1, say.GiveUp(1)) == "over"
    assert ends(table.tick()) == [(1, "timed_out")]
    assert table.race.places == {2: 1, 4: 2, 3: 3, 1: 4}


@pytest.mark.parametrize(("after_win", "left"), [(0, 10 * MINUTE), (600, 30 * SECOND)])
def test_a_win_never_moves_the_end_past_the_time_limit(after_win: int, left: Ms) -> None:
    table = moved(after_win=after_win)
    table.now = (table.race.ends_at or Ms(0)) - left
    win(table, 2)
    assert table.race.stops_at == table.race.ends_at
    table.run_out()
    assert table.racer(1).result is not None and table.race.over_at == table.race.ends_at


def test_the_host_ends_the_race_with_the_results_so_far() -> None:
    table = moved(4)
    table.moves(2, to=150, home=104, outcome="solved")
    table.do(3, say.GiveUp(1))
    table.wait(10 * SECOND)
    assert sorted(ends(table.do(1, END))) == [(1, "timed_out"), (2, "solved"), (3, "gave_up"), (4, "timed_out")]
    assert table.race.places == {2: 1, 4: 2, 3: 3, 1: 4}
    assert table.view()["race"]["ended_by"] == 1
    assert table.do(1, END) == []


def test_a_host_calls_a_countdown_off_and_everybody_is_in_the_lobby_again() -> None:
    table = racing(2)
    table.now -= Ms(1)
    ended = table.race
    table.do(1, END)
    assert (table.race.number, table.race.starts_at, table.race.secret != ended.secret) == (2, None, True)
    assert {racer.state for racer in table.room.past[1].racers.values()} == {"did_not_start"}
    assert not any(person.ready for person in table.room.people.values())


def test_only_the_host_of_a_race_among_friends_ends_it() -> None:
    table = racing(2)
    assert table.refuses(2, END) == "not-host"
    table = in_round(2)
    seat = table.race.active[0]
    table.check_refusals((1, END, "tournament"), (seat, AGREE, "tournament"), (seat, ASIDE, "tournament"))
    entered(2).check_refusals(*((1, request, "tournament") for request in (END, say.Start(1), say.Rematch(1, ""))))


def test_a_racer_can_take_the_agreement_back_some_times() -> None:
    table = moved()
    for n in range(END_VOTES):
        assert table.do(1, PLAY_ON if n % 2 else AGREE) == [events.EndVoted(1, n % 2 == 0)]
    assert table.do(1, PLAY_ON) == []
    assert table.refuses(1, AGREE) == "voted-too-often"
    table.do(2, AGREE)
    assert table.race.over_at is None


def test_bots_agree_with_people_but_not_by_themselves() -> None:
    table = lobby(1)
    table.join("robot", bot=True)
    table.do(1, say.Start(1))
    table.now = (table.race.starts_at or Ms(0)) + MINUTE
    table.moves(1, 2)
    assert table.tick() == []
    assert ends(table.do(1, AGREE)) == [(1, "timed_out"), (2, "timed_out")]


def test_a_racer_that_has_given_up_is_not_asked_until_taking_it_back() -> None:
    table = moved(3)
    table.do(1, say.GiveUp(1))
    table.do(2, AGREE)
    assert table.race.over_at is None
    table.do(1, say.TakeBack(1))
    table.do(3, AGREE)
    assert table.racer(1).racing


def test_a_finished_racer_waits_one_minute_for_absent_ones() -> None:
    table = moved(3)
    table.hang_up(1)
    table.hang_up(3)
    left_at = table.now
    table.wait(10 * SECOND)
    win(table, 2)
    table.settle_at(left_at + ABSENT - Ms(1))
    assert table.racer(1).racing and next_due(table) == left_at + ABSENT
    table.join("cem")
    table.wait(Ms(1))
    assert table.tick() == [], "the third has returned"
    table.hang_up(3)
    table.wait(ABSENT)
    assert ends(table.tick()) == [(1, "timed_out"), (3, "timed_out")]


def test_only_racers_can_make_an_absent_racer_lose_time() -> None:
    table = moved(1)
    table.hang_up(1)
    stranger = table.join("stranger")
    table.after(5 * MINUTE)
    assert table.racer(1).racing
    assert table.room.host == stranger and table.refuses(stranger, END) == "not-racing"
    table = moved(2)
    win(table, 2)
    table.hang_up(1, 2)
    table.after(5 * MINUTE)
    assert table.racer(1).racing, "no person waits"


def test_racers_that_are_absent_for_a_minute_need_not_agree() -> None:
    table = moved(3)
    table.hang_up(3)
    table.wait(ABSENT)
    table.do(1, AGREE)
    assert table.race.over_at is None
    assert len(ends(table.do(2, AGREE))) == 3
    table = moved(2)
    table.hang_up(2)
    left_at = table.now
    table.wait(SECOND)
    table.do(1, AGREE)
    assert table.race.over_at is None and next_due(table) == left_at + ABSENT
    table.now = left_at + ABSENT
    assert len(ends(table.tick())) == 2


HAPPENINGS = st.tuples(st.integers(1, 3), st.sampled_from(["agree", "on", "away", "back", "win", "wait"]))


@examples(60)
@given(st.lists(HAPPENINGS, max_size=25))
def test_a_present_racer_is_never_stopped_without_agreeing(happenings: list[tuple[int, str]]) -> None:
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
        for one in racing_on:
            racer, person = before.race.racers[one], table.person(one)
            gone_for = table.now - person.away_at if person.away_at is not None else Ms(0)
            has_agreed = racer.wants_end or (one == seat and what == "agree")
            assert table.racer(one).state != "timed_out" or has_agreed or gone_for >= ABSENT


def watched(table: Table) -> Events:
    return table.ask(lambda room, context: decide.due(room, context._replace(watched=True)))


def one_behind(people: int = 2, **settings: object) -> Table:
    """A race in which seat 1 has made five moves, and all others ten."""
    table = racing(people, **settings)
    table.wait(10 * SECOND)
    table.moves(1, to=5)
    table.moves(*range(2, people + 1), to=10)
    return table


def test_a_racer_that_stands_aside_gives_up_once_all_others_have_passed() -> None:
    table = one_behind(3)
    last_move = table.now
    assert table.do(1, ASIDE, ASIDE) == [events.StoodAside(1, 5)]
    table.now = last_move + IDLE - Ms(1)
    assert watched(table) == [] and next_due(table, watched=True) == last_move + IDLE
    table.wait(Ms(1))
    assert table.tick() == [], "without spectators there is no need"
    assert watched(table) == [events.GaveUp(1)] and watched(table) == []
    table.wait(10 * SECOND)
    assert [type(event) for event in watched(table)] == [events.Finished]
    assert table.racer(1).state == "gave_up" and table.racer(2).racing
    table = one_behind()
    table.do(1, ASIDE)
    table.hang_up(1)
    table.wait(ABSENT)
    assert events.GaveUp(1) in watched(table)


def test_moves_that_reveal_nothing_do_not_pass_a_racer_that_stands_aside() -> None:
    table = one_behind(3)
    table.moves(2, 3, to=1_000, revealed=5)
    table.do(1, ASIDE)
    table.wait(IDLE)
    assert watched(table) == [] and next_due(table, watched=True) == table.race.ends_at
    table.moves(2, 3, to=1_001, home=1, revealed=5)
    assert watched(table) == [events.GaveUp(1)]


def test_a_move_or_a_request_ends_standing_aside() -> None:
    table = one_behind()
    table.do(1, ASIDE)
    table.moves(1, to=6)
    table.wait(IDLE)
    assert watched(table) == []
    table.do(1, ASIDE)
    assert table.do(1, HERE) == [events.StoodAside(1, None)]
    assert watched(table) == [] and table.racer(1).aside is None
    table.do(1, ASIDE)
    watched(table)
    assert table.do(1, say.TakeBack(1)) == [events.TookBack(1)]
    assert watched(table) == [] and table.racer(1).plays, "taking it back needs a new agreement"
    for request in (ASIDE, HERE) * 3:
        table.do(1, request)
    assert table.refuses(1, ASIDE) == "voted-too-often"


def test_only_the_slowest_racers_give_up_for_spectators() -> None:
    table = one_behind()
    table.do(2, ASIDE)
    table.wait(IDLE)
    assert watched(table) == [] and next_due(table, watched=True) == table.race.ends_at
    table.do(1, ASIDE)
    assert watched(table) == [events.GaveUp(1), events.GaveUp(2)], "all stand aside"
    for settings in ({"watch": "open"}, {"watch": "progress"}, {"late": "join"}, {"undo": "free"}):
        table = one_behind(2, **settings)
        table.do(1, ASIDE)
        table.wait(IDLE)
        assert watched(table) == [], "the boards do not wait"


STEPS = st.tuples(st.integers(1, 3), st.sampled_from(["move", "move", "aside", "here", "back", "give up", "wait"]))


@given(st.lists(STEPS, max_size=40))
@examples(80)
def test_the_boards_never_show_more_than_a_racer_that_may_still_move_has(steps: list[tuple[int, str]]) -> None:
    table = racing(3)
    table.wait(10 * SECOND)
    ledgers = {seat: Ledger(table.race.game) for seat in (1, 2, 3)}
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
            table.do(seat, say.GiveUp(1))
        elif what == "back" and racer.gave_up_at and racer.racing and table.now < racer.gave_up_at + 10 * SECOND:
            if racer.taken_back < 10:
                table.do(seat, say.TakeBack(1))
        elif what in {"aside", "here"} and racer.racing and racer.end_votes < END_VOTES:
            table.do(seat, ASIDE if what == "aside" else HERE)
        while watched(table):
            pass
        seen = visibility.shown(table.room.settings, ledgers, table.race.active, Ms(0), table.now).entries
        most_shown = max(most_shown, *seen.values())
        if table.race.over_at is None:
            assert all(most_shown <= len(ledgers[one].entries) for one in table.race.active)
