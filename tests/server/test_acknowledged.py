"""An acknowledged request has its effect, with any numbers: `ok` means that the room is as the request wanted."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves.tournament.rounds import Round
from fortythieves_server.core import decide, decide_entrants
from fortythieves_server.core.decide import RULES
from fortythieves_server.core.names_and_texts import clean_announcement, clean_chat, clean_name, lookalike_forms
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.tournament import Tournament
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

#: Numbers that exist, and numbers that cannot exist.
SEATS = st.sampled_from([*range(-2, 9), 2**31, 2**53, 2**64 - 1])
TIMES = st.sampled_from([0, 1, NOON - Ms(1), NOON, NOON + MINUTE, NOON + 60 * MINUTE, 2**53])
SMALL = st.integers(-1, 6) | st.sampled_from([60, 900, 14_400, 10**6, 2**53])
COMMITMENTS = st.sampled_from(["", "5e" * 32, commitment_of(1)])
NONCES = st.sampled_from(["00" * 16, nonce_of(1), nonce_of(2), nonce_of(3)])
WORDS = st.sampled_from(["", " ", "hi", "hello", "guest 1", "Two browsers."])
KEYS = st.sampled_from(["1", "k"])
SETTINGS = st.dictionaries(st.sampled_from(["time_limit", "countdown", "seats", "delay"]), SMALL, max_size=2)
PLANS = st.dictionaries(st.sampled_from(["rounds", "pause", "no_show", "late", "starts_at"]), SMALL | TIMES, max_size=2)


def _has_line(room: Room, seat: int, key: str, text: str) -> bool:
    return any((line.seat, line.key, line.text) == (seat, key, text) for line in room.chat.values())


def _is_in_team(room: Room, asked: to_server.Team) -> bool:
    """In a team that looks like this, and at the position, or at the end if there are not as many."""
    entrant = _tournament(room).entrants[asked.seat]
    last = max((one.board for one in _tournament(room).entrants.values() if one.team == entrant.team), default=0)
    is_there = (
        not lookalike_forms(entrant.team).isdisjoint(lookalike_forms(asked.team)) if asked.team else entrant.team == ""
    )
    return is_there and (not asked.team or asked.board == 0 or entrant.board == min(asked.board, last))


def _is_named(room: Room, seat: int, name: str) -> bool:
    """With that name, or with a number behind it if another player has the name."""
    return room.people[seat].name.rstrip("0123456789 ").startswith(clean_name(name).rstrip("0123456789 ")[:20])


def _has_given_up(room: Room, seat: int) -> bool:
    racer = room.race.racers[seat]
    return racer.gave_up_at is not None or racer.state == "gave_up" or racer.result is not None


def _last_round(room: Room) -> Round:
    assert room.tournament is not None and room.tournament.last is not None
    return room.tournament.last


def _is_corrected(room: Room, asked: to_server.Correct) -> bool:
    corrected = _tournament(room).rounds[asked.round].corrected
    return all(corrected.get(seat) == value for seat, value in dict(asked.given).items())


def _have_swapped(room: Room, asked: to_server.Swap) -> bool:
    """The other one has the opponent now, or these two are a pair."""
    pairs = [{*pair} for pair in _last_round(room).pairs]
    has_bye = asked.against == 0 and asked.other in _last_round(room).byes
    return has_bye or {asked.other, asked.against} in pairs or {asked.one, asked.other} in pairs


def _announced(room: Room) -> str:
    announcement = _tournament(room).announcement
    return announcement.text if announcement else ""


def _rounds(room: Room, do: str, now: Ms) -> bool:
    held = _tournament(room)
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


def _tournament(room: Room) -> Tournament:
    assert room.tournament is not None
    return room.tournament


#: The values of each field. `FIELDS` of a request come first. Fields that are in neither keep their defaults.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "c": st.just(1),
    **dict.fromkeys(("seat", "one", "other", "against"), SEATS),
    **dict.fromkeys(("on", "open", "out", "locked"), st.booleans()),
    **dict.fromkeys(("name", "text", "reason"), WORDS),
    "line": SEATS | st.integers(4, 30),
    "level": st.integers(1, 3),
    "round": st.integers(0, 5),
    "team": st.sampled_from(["", "Red", "red", "R\u0435d", "Blue"]),
    "board": SMALL,
    "key": KEYS,
    "nonce": NONCES,
    "commitment": COMMITMENTS,
    "settings": SETTINGS,
    "plan": PLANS,
    "at": TIMES,
    "do": st.sampled_from(["start", "pause", "resume", "skip", "replay", "replay_unfinished", "confirm"]),
    "given": st.lists(st.tuples(SEATS, st.sampled_from([None, 0.0, 0.5, 1.0, 7.25])), min_size=1, max_size=2).map(
        tuple
    ),
}
FIELDS: dict[type[to_server.Command], dict[str, st.SearchStrategy[Any]]] = {
    to_server.Timer: {"at": st.none() | TIMES},
    to_server.HalfBye: {"round": st.integers(1, 5)},
    to_server.Correct: {"round": st.integers(0, 3)},
}


def requests(kind: type[to_server.Command]) -> st.SearchStrategy[Any]:
    values = {**VALUES, **FIELDS.get(kind, {})}
    return st.builds(kind, **{name: values[name] for name in kind.__struct_fields__ if name in values})


#: Whether the room is as the request wanted. None: the answer is not kept in the log.
Holds = Callable[[Room, int, Any, Ms], bool]
EFFECTS: dict[type[to_server.Command], Holds | None] = {
    to_server.ChangeSettings: lambda room, seat, asked, now: all(
        getattr(room.settings, name) == value for name, value in asked.settings.items()
    ),
    to_server.Ready: lambda room, seat, asked, now: room.people[seat].commitment == asked.commitment,
    to_server.Reveal: lambda room, seat, asked, now: room.race.nonces[seat] == asked.nonce,
    to_server.Unready: lambda room, seat, asked, now: not room.people[seat].ready,
    to_server.Start: lambda room, seat, asked, now: room.race.on,
    to_server.Lock: lambda room, seat, asked, now: room.locked == asked.locked,
    to_server.Kick: lambda room, seat, asked, now: (
        asked.seat not in room.people and 1 <= asked.seat <= room.seats_given
    ),
    to_server.HandOver: lambda room, seat, asked, now: room.host == asked.seat,
    to_server.ShowList: None,
    to_server.Release: lambda room, seat, asked, now: decide_entrants.holder(room, asked.name) is None,
    to_server.AddBot: None,
    to_server.Chat: lambda room, seat, asked, now: _has_line(room, seat, asked.key, clean_chat(asked.text)),
    to_server.Mute: lambda room, seat, asked, now: (
        room.is_muted((room.muted.get(asked.line) or room.chat[asked.line]).guest) == asked.on
    ),
    to_server.Remove: lambda room, seat, asked, now: room.chat[asked.line].guest in room.banned,
    to_server.Rename: lambda room, seat, asked, now: _is_named(room, seat, asked.name),
    to_server.GiveUp: lambda room, seat, asked, now: _has_given_up(room, seat),
    to_server.TakeBack: lambda room, seat, asked, now: (
        room.race.racers[seat].racing and room.race.racers[seat].gave_up_at is None
    ),
    to_server.AgreeToEnd: lambda room, seat, asked, now: (
        room.race.over_at is not None or room.race.racers[seat].wants_end == asked.on
    ),
    to_server.StandAside: lambda room, seat, asked, now: (room.race.racers[seat].aside is not None) == asked.on,
    to_server.EndRace: lambda room, seat, asked, now: not room.race.on,
    to_server.Rematch: lambda room, seat, asked, now: (
        not room.race.over_at and room.people[seat].commitment == asked.commitment
    ),
    to_server.Leave: lambda room, seat, asked, now: seat not in room.people,
    to_server.Enter: lambda room, seat, asked, now: _is_in(room, seat) == asked.on,
    to_server.CheckIn: lambda room, seat, asked, now: (
        asked.seat in _tournament(room).checked_in and _is_in(room, asked.seat)
    ),
    to_server.Registration: lambda room, seat, asked, now: (_tournament(room).closed is None) == asked.open,
    to_server.HalfBye: lambda room, seat, asked, now: (
        (asked.round in _tournament(room).half_byes.get(asked.seat, ())) == asked.on
    ),
    to_server.Team: lambda room, seat, asked, now: _is_in_team(room, asked),
    to_server.ChangePlan: lambda room, seat, asked, now: (
        _tournament(room).plan == _tournament(room).plan.changed(asked.plan)
    ),
    to_server.Round: lambda room, seat, asked, now: _rounds(room, asked.do, now),
    to_server.Timer: lambda room, seat, asked, now: _tournament(room).timed and _tournament(room).at == asked.at,
    to_server.Judge: lambda room, seat, asked, now: (
        (_tournament(room).entrants[asked.seat].state == "disqualified") == asked.out
    ),
    to_server.Withdraw: lambda room, seat, asked, now: (
        asked.seat in _tournament(room).entrants and not _is_in(room, asked.seat)
    ),
    to_server.RenameEntrant: lambda room, seat, asked, now: (
        _tournament(room).entrants[asked.seat].name == clean_name(asked.name)
    ),
    to_server.Correct: lambda room, seat, asked, now: _is_corrected(room, asked),
    to_server.ReplayMatch: lambda room, seat, asked, now: asked.seat in _last_round(room).replayed,
    to_server.Swap: lambda room, seat, asked, now: _have_swapped(room, asked),
    to_server.Announce: lambda room, seat, asked, now: _announced(room) == clean_announcement(asked.text),
    to_server.Undo: None,
    to_server.CoHost: lambda room, seat, asked, now: (
        asked.seat in room.people and (asked.seat in room.co_hosts) == asked.on
    ),
}


def _is_in(room: Room, seat: int) -> bool:
    entrant = room.tournament.entrants.get(seat) if room.tournament else None
    return entrant is not None and entrant.state == "in"


def test_every_request_has_a_check_of_its_acknowledgement() -> None:
    assert set(EFFECTS) == set(RULES)


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
#: A seat, its request, and the time since the request before.
ASKED = st.tuples(
    st.sampled_from([1, 1, 2, 3]), st.sampled_from(list(EFFECTS)).flatmap(lambda kind: requests(kind)), WAIT
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
        holds = EFFECTS[type(request)]
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
