"""Events that are due by the clock, allowed moves, and the rights of spectators."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, product
from typing import Literal

import pytest
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves_server.core import decide, events
from fortythieves_server.core.decide import SEAT_AWAY, SEEKER_AWAY
from tests.refusals import refusal
from tests.server.tables import MINUTE, NOON, SECOND, Table, counting, entered, in_round, lobby, over, racing
from tests.shared.protocol.test_wire import REQUESTS


def test_every_request_of_a_seat_has_its_rule() -> None:
    commands = {kind for kind in say.MESSAGES if issubclass(kind, say.Command)}
    assert commands - {*decide.RULES} == {say.Look, say.Predict, say.React, say.Review}, "these are answered elsewhere"


def asked_about_others(kind: type[say.Command], people: Iterable[str]) -> Iterator[say.Command]:
    """The examples of PROTOCOL.md of a request, about each of three seats, and with the names of these people."""
    about = {"seat": (1, 2, 3), "one": (1, 3), "name": tuple(people), "board": (0,)}
    fields = [name for name in about if name in kind.__struct_fields__]
    for example in (request for request in REQUESTS if type(request) is kind):
        for values in product(*(about[name] for name in fields)):
            yield replace(example, **dict(zip(fields, values, strict=True)))


TEAMS = {"format": "swiss", "team_size": 2, "check_in": 60, "starts_at": NOON + 120 * MINUTE}
SITUATIONS: dict[str, Callable[[], Table]] = {
    "lobby": lambda: lobby(3),
    "race": lambda: racing(3),
    "teams and check-in": lambda: entered(3, TEAMS).settle_at(NOON + 90 * MINUTE),
    "half-point byes": lambda: entered(3, {"format": "swiss"}),
    "round": lambda: in_round(3),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_request_counts_for_the_seat_of_its_connection_and_no_refusal_names_a_person(situation: str) -> None:
    table = SITUATIONS[situation]()
    names = [person.name for person in table.room.people.values()]
    for seat, request in product((1, 2), chain(*(asked_about_others(kind, names) for kind in decide.RULES))):
        try:
            decided = decide.decide(table.room, seat, request, table.context)
        except Refused as refused:
            said = f"{refused} {refused.parameters}"
            assert not [name for name in names if name in said], said
        else:
            assert seat == 1 or {getattr(event, "seat", 2) for event in decided} <= {2}, decided


def test_a_player_loses_the_seat_after_ten_minutes_away_but_not_in_a_race() -> None:
    table = racing(2)
    table.hang_up(2)
    table.wait(SEAT_AWAY + SECOND)
    assert table.tick() == []
    table.run_out()
    assert 2 not in table.room.people
    assert table.racer(2).state == "did_not_start"
    table = lobby(2)
    table.hang_up(2)
    assert table.after(SEAT_AWAY - Ms(1)) == [] and table.after(Ms(1)) == [events.Left(2)]
    assert table.join("bob") == 3
    table.hang_up(1, 3)
    table.after(SEAT_AWAY)
    assert table.room.people == {} and table.room.host is None
    assert table.join("dan") == table.room.host == 4


def test_a_seeker_of_opponents_who_is_away_soon_frees_the_seat_until_the_first_race() -> None:
    table = lobby(2, seeking=True)
    table.hang_up(1)
    assert table.after(SEEKER_AWAY - Ms(1)) == [] and table.after(Ms(1)) == [events.Left(1)]
    assert table.room.host == 2, "who came to them gets the bot"
    table = over(2, seeking=True)
    table.hang_up(1)
    assert table.after(SEEKER_AWAY) == [] and 1 in table.room.people


def test_a_racer_may_move_only_in_a_running_race_on_an_open_board() -> None:
    table = counting()
    start, end = table.race.starts_at or Ms(0), table.race.ends_at or Ms(0)
    for now, code in ((start - Ms(1), "not-started"), (end, "over")):
        assert refusal(decide.check_may_move, table.room, 1, 1, now) == code
    for now in (start, end - Ms(1)):
        decide.check_may_move(table.room, 1, 1, now)
    table = racing(late="watch")
    spectator = table.join("cem")
    table.moves(1, to=150, home=104, outcome="solved")
    table.settle()
    for seat, race, code in ((2, 0, "over"), (2, 2, "not-started"), (spectator, 1, "not-racing"), (1, 1, "finished")):
        assert refusal(decide.check_may_move, table.room, seat, race, table.now) == code


@pytest.mark.parametrize("outcome", ["solved", "stuck"])
def test_a_finished_board_ends_the_race_of_its_racer_with_its_last_move(outcome: Literal["solved", "stuck"]) -> None:
    table = racing()
    table.wait(50 * SECOND)
    at = table.now
    table.moves(1, to=90, home=40, reached_at=at - Ms(7), outcome=outcome)
    table.wait(Ms(3))
    assert decide.next_due(table.room, table.progress) == at
    assert table.tick() == [events.Finished(1, outcome, at, 40, 90, at - Ms(7))]
    assert table.race.over_at is None


def test_at_the_end_racers_time_out_and_those_without_a_move_are_no_shows() -> None:
    table = racing(3)
    table.moves(1, to=41, home=1)
    table.now = (table.race.ends_at or Ms(0)) - Ms(1)
    assert table.tick() == []
    table.moves(3, to=150, home=104, outcome="solved")
    table.wait(10 * SECOND)
    assert decide.sealed(decide.due(table.room, table.context)) == {1: 41, 2: 0, 3: 150}
    ends = [(event.seat, event.end) for event in table.tick() if isinstance(event, events.Finished)]
    assert ends == [(1, "timed_out"), (2, "did_not_start"), (3, "solved")], "the win was in time"
    assert table.race.over_at == table.race.ends_at and table.race.places == {3: 1, 1: 2}


def test_racers_and_removed_guests_cannot_watch_and_nobody_if_the_host_says_so() -> None:
    table = racing(3)
    table.do(1, say.Kick(1, 3))
    assert table.watch("wanda", " Wanda ") == "Wanda"
    for guest, name, code in (("bob", "", "racing"), ("cem", "", "kicked"), ("wanda", "\u200b", "bad-name")):
        assert refusal(table.watch, guest, name) == code
    table.do(2, say.Leave(1))
    table.watch("bob")
    table = racing(2, watching="nobody", late="watch")
    assert refusal(table.watch, "wanda") == "not-watchable"
    table.join("cem")
    assert refusal(decide.check_may_watch, table.room, "cem") == "not-watchable"


def test_a_racer_sees_no_other_board_until_the_racers_own_race_is_over() -> None:
    table = racing(2, late="watch")
    table.join("cem")
    decide.check_may_watch(table.room, "cem")
    table.wait(5 * SECOND)
    for request in (None, say.GiveUp(1)):  # giving up can still be taken back
        if request is not None:
            table.do(1, request)
        assert refusal(decide.check_may_watch, table.room, "ann") == refusal(table.watch, "ann") == "racing"
    table.after(10 * SECOND)
    decide.check_may_watch(table.room, "ann")
    table.do(2, say.Leave(1))
    table.join("bob")
    decide.check_may_watch(table.room, "bob")  # that race is over for good
