"""What is acknowledged is so: whatever the numbers in a request, `ok` means that the room is as it was asked to be."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves.tournament.rounds import Round
from fortythieves_server.core import decide, entrants
from fortythieves_server.core.clean_text import clean_announcement, clean_chat, clean_name
from fortythieves_server.core.decide import RULES
from fortythieves_server.core.names import lookalike_forms
from fortythieves_server.core.room_state import Room
from tests.examples import examples
from tests.server.tables import (
    MINUTE,
    NOON,
    SECOND,
    Table,
    commitment_of,
    counting,
    drawn,
    entered,
    in_round,
    lobby,
    nonce_of,
    over,
    play,
    racing,
    second_race,
    started,
)

#: The numbers of things that there are, and of things that there cannot be.
SEATS = st.sampled_from([*range(-2, 9), 2**31, 2**53, 2**64 - 1])
TIMES = st.sampled_from([0, 1, NOON - Ms(1), NOON, NOON + MINUTE, NOON + 60 * MINUTE, 2**53])
SMALL = st.integers(-1, 6) | st.sampled_from([60, 900, 14_400, 10**6, 2**53])
COMMITMENTS = st.sampled_from(["", "5e" * 32, commitment_of(1)])
NONCES = st.sampled_from(["00" * 16, nonce_of(1), nonce_of(2), nonce_of(3)])
WORDS = st.sampled_from(["", " ", "hi", "hello", "guest 1", "Two browsers."])
KEYS = st.sampled_from(["1", "k"])
SETTINGS = st.dictionaries(st.sampled_from(["time_limit", "countdown", "seats", "delay"]), SMALL, max_size=2)
PLANS = st.dictionaries(st.sampled_from(["rounds", "pause", "no_show", "late", "starts_at"]), SMALL | TIMES, max_size=2)


def _a_line(room: Room, seat: int, key: str, text: str) -> bool:
    return any((line.seat, line.key, line.text) == (seat, key, text) for line in room.chat.values())


def _is_in_team(room: Room, said: to_server.Team) -> bool:
    """In a team that looks like this, and at the position, or at the end if there are not as many."""
    assert room.tournament is not None
    entrant = room.tournament.entrants[said.seat]
    last = max((one.board for one in room.tournament.entrants.values() if one.team == entrant.team), default=0)
    is_there = (
        not lookalike_forms(entrant.team).isdisjoint(lookalike_forms(said.team)) if said.team else entrant.team == ""
    )
    return is_there and (not said.team or said.board == 0 or entrant.board == min(said.board, last))


def _is_named(room: Room, seat: int, name: str) -> bool:
    """By that name, or by it with a number, if somebody else has it."""
    return room.people[seat].name.rstrip("0123456789 ").startswith(clean_name(name).rstrip("0123456789 ")[:20])


def _has_given_up(room: Room, seat: int) -> bool:
    racer = room.race.racers[seat]
    return racer.gave_up_at is not None or racer.state == "gave_up" or racer.result is not None


def _last_round(room: Room) -> Round:
    assert room.tournament is not None and room.tournament.last is not None
    return room.tournament.last


def _is_corrected(room: Room, said: to_server.Correct) -> bool:
    assert room.tournament is not None
    corrected = room.tournament.rounds[said.round].corrected
    return all(corrected.get(seat) == value for seat, value in dict(said.given).items())


def _have_swapped(room: Room, said: to_server.Swap) -> bool:
    """The other one has the opponent now, or these two are a pair."""
    pairs = [{*pair} for pair in _last_round(room).pairs]
    has_bye = said.against == 0 and said.other in _last_round(room).byes
    return has_bye or {said.other, said.against} in pairs or {said.one, said.other} in pairs


def _announced(room: Room) -> str:
    assert room.tournament is not None
    announcement = room.tournament.announcement
    return announcement.text if announcement else ""


def _rounds(room: Room, do: str, now: Ms) -> bool:
    held = room.tournament
    assert held is not None
    last = held.last
    match do:
        case "start":
            return (
                held.over or held.phase == "racing" or (held.next_at is not None and held.next_at <= now + 15 * SECOND)
            )
        case "pause" | "resume":
            return held.paused == (do == "pause")
        case "skip":
            return last is not None and last.skipped
        case "replay_unfinished":
            return not held.unfinished
        case "replay":
            return last is not None and held.annulled == last.number
        case _:
            return all(held.rounds[number].confirmed for number in held.decided if not held.rounds[number].skipped)


#: By request: what is asked, and whether that is how the room is now. None: the answer is not kept in the log.
Holds = Callable[[Room, int, Any, Ms], bool]
VOCABULARY: dict[type[to_server.Command], tuple[st.SearchStrategy[Any], Holds | None]] = {
    to_server.ChangeSettings: (
        st.builds(to_server.ChangeSettings, st.just(1), SETTINGS),
        lambda room, seat, said, now: all(getattr(room.settings, name) == to for name, to in said.settings.items()),
    ),
    to_server.Ready: (
        st.builds(to_server.Ready, st.just(1), COMMITMENTS),
        lambda room, seat, said, now: room.people[seat].commitment == said.commitment,
    ),
    to_server.Reveal: (
        st.builds(to_server.Reveal, st.just(1), NONCES),
        lambda room, seat, said, now: room.race.nonces[seat] == said.nonce,
    ),
    to_server.Unready: (
        st.just(to_server.Unready(1)),
        lambda room, seat, said, now: not room.people[seat].ready,
    ),
    to_server.Start: (st.just(to_server.Start(1)), lambda room, seat, said, now: room.race.on),
    to_server.Lock: (
        st.builds(to_server.Lock, st.just(1), st.booleans()),
        lambda room, seat, said, now: room.locked == said.locked,
    ),
    to_server.Kick: (
        st.builds(to_server.Kick, st.just(1), SEATS),
        lambda room, seat, said, now: said.seat not in room.people and 1 <= said.seat <= room.seats_given,
    ),
    to_server.HandOver: (
        st.builds(to_server.HandOver, st.just(1), SEATS),
        lambda room, seat, said, now: room.host == said.seat,
    ),
    to_server.ShowList: (st.just(to_server.ShowList(1)), None),
    to_server.Release: (
        st.builds(to_server.Release, st.just(1), WORDS),
        lambda room, seat, said, now: entrants.holder(room, said.name) is None,
    ),
    to_server.AddBot: (st.builds(to_server.AddBot, st.just(1), st.integers(1, 3)), None),
    to_server.Chat: (
        st.builds(to_server.Chat, st.just(1), KEYS, WORDS),
        lambda room, seat, said, now: _a_line(room, seat, said.key, clean_chat(said.text)),
    ),
    to_server.Mute: (
        st.builds(to_server.Mute, st.just(1), SEATS | st.integers(4, 30), st.booleans()),
        lambda room, seat, said, now: (
            room.is_muted((room.muted.get(said.line) or room.chat[said.line]).guest) == said.on
        ),
    ),
    to_server.Remove: (
        st.builds(to_server.Remove, st.just(1), SEATS | st.integers(4, 30), st.booleans()),
        lambda room, seat, said, now: room.chat[said.line].guest in room.banned,
    ),
    to_server.Rename: (
        st.builds(to_server.Rename, st.just(1), WORDS),
        lambda room, seat, said, now: _is_named(room, seat, said.name),
    ),
    to_server.GiveUp: (st.just(to_server.GiveUp(1)), lambda room, seat, said, now: _has_given_up(room, seat)),
    to_server.TakeBack: (
        st.just(to_server.TakeBack(1)),
        lambda room, seat, said, now: room.race.racers[seat].racing and room.race.racers[seat].gave_up_at is None,
    ),
    to_server.AgreeToEnd: (
        st.builds(to_server.AgreeToEnd, st.just(1), st.booleans()),
        lambda room, seat, said, now: room.race.over_at is not None or room.race.racers[seat].wants_end == said.on,
    ),
    to_server.StandAside: (
        st.builds(to_server.StandAside, st.just(1), st.booleans()),
        lambda room, seat, said, now: (room.race.racers[seat].aside is not None) == said.on,
    ),
    to_server.EndRace: (st.just(to_server.EndRace(1)), lambda room, seat, said, now: not room.race.on),
    to_server.Rematch: (
        st.builds(to_server.Rematch, st.just(1), COMMITMENTS),
        lambda room, seat, said, now: not room.race.over_at and room.people[seat].commitment == said.commitment,
    ),
    to_server.Leave: (st.just(to_server.Leave(1)), lambda room, seat, said, now: seat not in room.people),
    to_server.Enter: (
        st.builds(to_server.Enter, st.just(1), st.booleans()),
        lambda room, seat, said, now: _is_in(room, seat) == said.on,
    ),
    to_server.CheckIn: (
        st.builds(to_server.CheckIn, st.just(1), SEATS),
        lambda room, seat, said, now: (
            room.tournament is not None and said.seat in room.tournament.checked_in and _is_in(room, said.seat)
        ),
    ),
    to_server.Registration: (
        st.builds(to_server.Registration, st.just(1), st.booleans()),
        lambda room, seat, said, now: room.tournament is not None and (room.tournament.closed is None) == said.open,
    ),
    to_server.HalfBye: (
        st.builds(to_server.HalfBye, st.just(1), SEATS, st.integers(1, 5), st.booleans()),
        lambda room, seat, said, now: (
            room.tournament is not None and (said.round in room.tournament.half_byes.get(said.seat, ())) == said.on
        ),
    ),
    to_server.Team: (
        st.builds(to_server.Team, st.just(1), SEATS, st.sampled_from(["", "Red", "red", "R\u0435d", "Blue"]), SMALL),
        lambda room, seat, said, now: _is_in_team(room, said),
    ),
    to_server.ChangePlan: (
        st.builds(to_server.ChangePlan, st.just(1), PLANS),
        lambda room, seat, said, now: (
            room.tournament is not None and room.tournament.plan == room.tournament.plan.changed(said.plan)
        ),
    ),
    to_server.Round: (
        st.builds(
            to_server.Round,
            st.just(1),
            st.sampled_from(["start", "pause", "resume", "skip", "replay", "replay_unfinished", "confirm"]),
            WORDS,
        ),
        lambda room, seat, said, now: _rounds(room, said.do, now),
    ),
    to_server.Timer: (
        st.builds(to_server.Timer, st.just(1), st.none() | TIMES),
        lambda room, seat, said, now: (
            room.tournament is not None and room.tournament.timed and room.tournament.at == said.at
        ),
    ),
    to_server.Judge: (
        st.builds(to_server.Judge, st.just(1), SEATS, st.booleans(), WORDS),
        lambda room, seat, said, now: (
            room.tournament is not None and (room.tournament.entrants[said.seat].state == "disqualified") == said.out
        ),
    ),
    to_server.Withdraw: (
        st.builds(to_server.Withdraw, st.just(1), SEATS),
        lambda room, seat, said, now: (
            room.tournament is not None and said.seat in room.tournament.entrants and not _is_in(room, said.seat)
        ),
    ),
    to_server.RenameEntrant: (
        st.builds(to_server.RenameEntrant, st.just(1), SEATS, WORDS),
        lambda room, seat, said, now: (
            room.tournament is not None and room.tournament.entrants[said.seat].name == clean_name(said.name)
        ),
    ),
    to_server.Correct: (
        st.builds(
            to_server.Correct,
            st.just(1),
            st.integers(0, 3),
            st.lists(st.tuples(SEATS, st.sampled_from([None, 0.0, 0.5, 1.0, 7.25])), min_size=1, max_size=2).map(tuple),
            WORDS,
        ),
        lambda room, seat, said, now: _is_corrected(room, said),
    ),
    to_server.ReplayMatch: (
        st.builds(to_server.ReplayMatch, st.just(1), SEATS, WORDS),
        lambda room, seat, said, now: said.seat in _last_round(room).replayed,
    ),
    to_server.Swap: (
        st.builds(to_server.Swap, st.just(1), SEATS, SEATS, SEATS),
        lambda room, seat, said, now: _have_swapped(room, said),
    ),
    to_server.Announce: (
        st.builds(to_server.Announce, st.just(1), WORDS),
        lambda room, seat, said, now: _announced(room) == clean_announcement(said.text),
    ),
    to_server.Undo: (st.builds(to_server.Undo, st.just(1), TIMES), None),
    to_server.CoHost: (
        st.builds(to_server.CoHost, st.just(1), SEATS, st.booleans()),
        lambda room, seat, said, now: said.seat in room.people and (said.seat in room.co_hosts) == said.on,
    ),
}


def _is_in(room: Room, seat: int) -> bool:
    entrant = room.tournament.entrants.get(seat) if room.tournament else None
    return entrant is not None and entrant.state == "in"


def test_every_request_has_a_check_of_its_acknowledgement() -> None:
    assert set(VOCABULARY) == set(RULES)


def _a_round_over(**plan: int) -> Table:
    table = in_round(4, plan)
    play(table, 2, 3)
    return table


BEGINNINGS: dict[str, Callable[[], Table]] = {
    "lobby": lambda: lobby(3),
    "numbers are revealed": started,
    "countdown": lambda: counting(3),
    "race": lambda: racing(3),
    "over": lambda: over(3),
    "second race": lambda: second_race(3),
    "entry": lambda: entered(4),
    "entry of teams": lambda: entered(4, {"format": "swiss", "team_size": 2}),
    "drawn": lambda: drawn(4),
    "round": lambda: in_round(4),
    "between rounds": _a_round_over,
    "tournament over": lambda: _a_round_over(rounds=1),
}

WAIT = st.sampled_from([0, 1, SECOND, 6 * SECOND, 10 * SECOND, 30 * SECOND])
#: Whoever asks, what is asked, and how long that is after the one before.
ASKED = st.tuples(
    st.sampled_from([1, 1, 2, 3]), st.sampled_from(list(VOCABULARY)).flatmap(lambda kind: VOCABULARY[kind][0]), WAIT
)


@pytest.mark.parametrize("beginning", BEGINNINGS)
@examples(150)
@given(st.lists(ASKED, min_size=1, max_size=12))
def test_every_acknowledged_request_has_its_effect(
    beginning: str, asked: list[tuple[int, to_server.Command, int]]
) -> None:
    table = BEGINNINGS[beginning]()
    for seat, request, wait in asked:
        table.wait(Ms(wait))
        try:
            table.do(seat, request)
        except Refused:
            continue
        holds = VOCABULARY[type(request)][1]
        assert holds is None or holds(table.room, seat, request, table.now), f"{request} of seat {seat} is not so"
        table.settle()


@given(st.lists(st.tuples(st.sampled_from(["Wanda", "Walt", "Ann"]), KEYS, WORDS), max_size=8))
def test_an_acknowledged_chat_message_of_a_spectator_is_stored(said: list[tuple[str, str, str]]) -> None:
    table = lobby(2)
    for name, key, text in said:
        request = to_server.Chat(1, key, text)
        try:
            table.ask(
                lambda room, context, name=name, request=request: decide.spectator_chats(
                    room, name.lower(), name, request
                )  # type: ignore[misc]
            )
        except Refused:
            continue
        found = [line for line in table.room.chat.values() if (line.guest, line.key) == (name.lower(), key)]
        assert any(line.seat == 0 and line.text == clean_chat(text) for line in found)
