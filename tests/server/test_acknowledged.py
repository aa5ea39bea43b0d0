"""An acknowledged request has its effect, with any numbers: `ok` means that the room is as the request wanted."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves.tournament.rounds import Round
from fortythieves_server.core import decide, decide_entrants
from fortythieves_server.core.decide import RULES
from fortythieves_server.core.names_and_texts import clean_announcement, clean_chat, clean_name, lookalike_forms
from fortythieves_server.core.room_state import Racer, Room
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


class Done(NamedTuple):
    room: Room
    seat: int
    asked: Any
    now: Ms

    @property
    def tournament(self) -> Tournament:
        assert self.room.tournament is not None
        return self.room.tournament

    @property
    def last_round(self) -> Round:
        assert self.tournament.last is not None
        return self.tournament.last

    @property
    def racer(self) -> Racer:
        return self.room.race.racers[self.seat]

    def is_in(self, seat: int) -> bool:
        entrant = self.room.tournament.entrants.get(seat) if self.room.tournament else None
        return entrant is not None and entrant.state == "in"


def _has_line(done: Done) -> bool:
    said = done.seat, done.asked.key, clean_chat(done.asked.text)
    return any((line.seat, line.key, line.text) == said for line in done.room.chat.values())


def _is_in_team(done: Done) -> bool:
    """In a team that looks like this, and at the position, or at the end if there are not as many."""
    asked, entrants = done.asked, done.tournament.entrants
    entrant = entrants[asked.seat]
    if not asked.team:
        return entrant.team == ""
    last = max((one.board for one in entrants.values() if one.team == entrant.team), default=0)
    is_there = not lookalike_forms(entrant.team).isdisjoint(lookalike_forms(asked.team))
    return is_there and (asked.board == 0 or entrant.board == min(asked.board, last))


def _is_named(done: Done) -> bool:
    """With that name, or with a number behind it if another player has the name."""
    wanted = clean_name(done.asked.name).rstrip("0123456789 ")[:20]
    return done.room.people[done.seat].name.rstrip("0123456789 ").startswith(wanted)


def _have_swapped(done: Done) -> bool:
    """The other one has the opponent now, or these two are a pair."""
    asked, last = done.asked, done.last_round
    pairs = [{*pair} for pair in last.pairs]
    has_bye = asked.against == 0 and asked.other in last.byes
    return has_bye or {asked.other, asked.against} in pairs or {asked.one, asked.other} in pairs


def _rounds(done: Done) -> bool:
    held, do = done.tournament, str(done.asked.do)
    match do:
        case "start":
            is_due = held.next_at is not None and held.next_at <= done.now + 15 * SECOND
            return held.over or held.phase == "racing" or is_due
        case "pause" | "resume":
            return held.paused == (do == "pause")
        case "skip":
            return done.last_round.skipped
        case "replay_unfinished":
            return not held.unfinished
        case "replay":
            return held.annulled == done.last_round.number
        case _:
            return all(held.rounds[number].confirmed for number in held.decided if not held.rounds[number].skipped)


#: The values of each field. `FIELDS` of a request come first. Fields that are in neither keep their defaults.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "c": st.just(1),
    **dict.fromkeys(("seat", "one", "other", "against"), SEATS),
    **dict.fromkeys(("on", "open", "out", "locked"), st.booleans()),
    **dict.fromkeys(("name", "text", "reason"), WORDS),
    "number": st.integers(4, 30),
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
Holds = Callable[[Done], bool]
EFFECTS: dict[type[to_server.Command], Holds | None] = {
    to_server.ChangeSettings: lambda it: it.asked.settings.items() <= asdict(it.room.settings).items(),
    to_server.Ready: lambda it: it.room.people[it.seat].commitment == it.asked.commitment,
    to_server.Reveal: lambda it: it.room.race.nonces[it.seat] == it.asked.nonce,
    to_server.Unready: lambda it: not it.room.people[it.seat].ready,
    to_server.Start: lambda it: it.room.race.on,
    to_server.Lock: lambda it: it.room.locked == it.asked.locked,
    to_server.Kick: lambda it: it.asked.seat not in it.room.people and 1 <= it.asked.seat <= it.room.seats_given,
    to_server.HandOver: lambda it: it.room.host == it.asked.seat,
    to_server.ShowList: None,
    to_server.Release: lambda it: decide_entrants.holder(it.room, it.asked.name) is None,
    to_server.AddBot: None,
    to_server.Chat: _has_line,
    to_server.Mute: lambda it: (
        it.room.is_muted((it.room.muted.get(it.asked.line) or it.room.chat[it.asked.line]).guest) == it.asked.on
    ),
    to_server.Remove: lambda it: it.room.chat[it.asked.line].guest in it.room.banned,
    to_server.Admit: lambda it: it.asked.number not in it.room.removed,
    to_server.Rename: _is_named,
    to_server.GiveUp: lambda it: (
        it.racer.gave_up_at is not None or it.racer.state == "gave_up" or it.racer.result is not None
    ),
    to_server.TakeBack: lambda it: it.racer.racing and it.racer.gave_up_at is None,
    to_server.AgreeToEnd: lambda it: it.room.race.over_at is not None or it.racer.wants_end == it.asked.on,
    to_server.StandAside: lambda it: (it.racer.aside is not None) == it.asked.on,
    to_server.EndRace: lambda it: not it.room.race.on,
    to_server.Rematch: lambda it: (
        not it.room.race.over_at and it.room.people[it.seat].commitment == it.asked.commitment
    ),
    to_server.Leave: lambda it: it.seat not in it.room.people,
    to_server.Enter: lambda it: it.is_in(it.seat) == it.asked.on,
    to_server.CheckIn: lambda it: it.asked.seat in it.tournament.checked_in and it.is_in(it.asked.seat),
    to_server.Registration: lambda it: (it.tournament.closed is None) == it.asked.open,
    to_server.HalfBye: lambda it: (it.asked.round in it.tournament.half_byes.get(it.asked.seat, ())) == it.asked.on,
    to_server.Team: _is_in_team,
    to_server.ChangePlan: lambda it: it.tournament.plan == it.tournament.plan.changed(it.asked.plan),
    to_server.Round: _rounds,
    to_server.Timer: lambda it: it.tournament.timed and it.tournament.at == it.asked.at,
    to_server.Judge: lambda it: (it.tournament.entrants[it.asked.seat].state == "disqualified") == it.asked.out,
    to_server.Withdraw: lambda it: it.asked.seat in it.tournament.entrants and not it.is_in(it.asked.seat),
    to_server.RenameEntrant: lambda it: it.tournament.entrants[it.asked.seat].name == clean_name(it.asked.name),
    to_server.Correct: lambda it: all(
        it.tournament.rounds[it.asked.round].corrected.get(seat) == value
        for seat, value in dict(it.asked.given).items()
    ),
    to_server.ReplayMatch: lambda it: it.asked.seat in it.last_round.replayed,
    to_server.Swap: _have_swapped,
    to_server.Announce: lambda it: (
        (it.tournament.announcement.text if it.tournament.announcement else "") == clean_announcement(it.asked.text)
    ),
    to_server.Undo: None,
    to_server.CoHost: lambda it: it.asked.seat in it.room.people and (it.asked.seat in it.room.co_hosts) == it.asked.on,
}


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
        assert holds is None or holds(Done(table.room, seat, request, table.now)), f"{request} of seat {seat} is not so"
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
