"""A room is a fold over its log: held against random walks through everything that can happen."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.protocol.to_server import (
    ChangeSettings,
    Chat,
    GiveUp,
    HandOver,
    Kick,
    Leave,
    Lock,
    Mute,
    Ready,
    Rematch,
    Remove,
    Rename,
    Reveal,
    Start,
    TakeBack,
    Unready,
)
from fortythieves.rules import deal
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_lobby, events, evolve, room_state, views
from fortythieves_server.core.evolve import CHAT_KEPT
from fortythieves_server.core.names import lookalike_forms
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Racer
from fortythieves_server.core.rule_context import Events
from tests.examples import examples
from tests.refusals import refusal
from tests.server.merging import merged
from tests.server.tables import (
    CODE,
    MINUTE,
    NOON,
    SECOND,
    Table,
    commitment_of,
    counting,
    lobby,
    nonce_of,
    racing,
    room_view,
)

GUESTS = [f"guest-{k}-nobody-may-see" for k in range(5)]
WATCHER = "watcher-nobody-may-see"
ADDRESSES = ["address-1-nobody-may-see", "address-2-nobody-may-see"]
CHANGES: list[dict[str, Any]] = [
    {"late": "join"},
    {"late": "refuse"},
    {"game": "lucas"},
    {"deal": "32001"},
    {"deal": "secret"},
    {"deal": "winnable"},
    {"deal": "winnable-2"},
    {"seats": 3},
    {"auto_start": False},
    {"auto_start": True, "countdown": 3},
    {"watch": "progress"},
    {"watch": "frontier"},
]
WAITS = [Ms(1), SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND, 9 * MINUTE, 600 * SECOND]


class Walk(Table):
    """A random walk. After every step, what always has to hold is held against what there is."""

    def __init__(self, **changes: Any) -> None:
        super().__init__(**changes)
        self.seats: set[int] = set()
        self.committed: dict[int, Mapping[int, str]] = {}
        self.frozen: dict[int, tuple[Ms, Mapping[int, str]]] = {}
        self.decks: dict[int, list[int]] = {}
        self.results: dict[tuple[int, int], Racer] = {}
        self.secrets = {self.race.secret}
        #: What a client shows, who was told everything once and then what changed.
        self.shown = room_view(self.room)
        self.received = merged({}, self.shown)

    # Steps: what somebody asks for, what happens to him, what time does

    def step(self, name: str, who: int, what: int) -> None:
        getattr(self, f"_{name}")(who, what)
        self.check()

    def _comes(self, who: int, what: int) -> None:
        request = to_server.Join(1, CODE, f"Name {what % 3}", None, bot=who == 4)
        via = f"process-{what % 3}/{len(self.log)}"
        self.twice(lambda: decide_lobby.join(self.room, GUESTS[who], request, via, self.context, ADDRESSES[what % 2]))

    def _goes(self, who: int, what: int) -> None:
        seat = self.room.seat_of(GUESTS[who])
        if seat is not None:
            via = self.person(seat).via if what else "another line"
            self.twice(lambda: decide.disconnect(self.room, seat, via or ""))

    def _process_dies(self, who: int, what: int) -> None:
        self.twice(lambda: decide.dead_connections(self.room, lambda via: not via.startswith(f"process-{what % 3}")))

    def _asks(self, who: int, what: int) -> None:
        seat = self.room.seat_of(GUESTS[who])
        if seat is None:
            return
        other = what % (self.room.seats_given + 2)
        requests: list[to_server.Command] = [
            Ready(1, commitment_of(seat)),
            Ready(1, commitment_of(what)),
            Ready(1, nonce_of(seat)),
            Reveal(1, nonce_of(seat)),
            Reveal(1, nonce_of(what)),
            Ready(1, ""),
            Unready(1),
            Start(1),
            GiveUp(1),
            TakeBack(1),
            Rematch(1, commitment_of(what)),
            Leave(1),
            Kick(1, other),
            HandOver(1, other),
            Lock(1, bool(what % 2)),
            Rename(1, f"Name {what % 4}"),
            Chat(1, f"key {what % 3}", "hello"),
            ChangeSettings(1, CHANGES[what % len(CHANGES)]),
        ]
        self._says(seat, requests[what % len(requests)])

    def _says(self, seat: int, request: to_server.Command) -> None:
        self.twice(lambda: decide.decide(self.room, seat, request, self.context))

    def _moves(self, who: int, what: int) -> None:
        seat = self.room.seat_of(GUESTS[who])
        if seat is None:
            return
        try:
            decide.check_may_move(self.room, seat, self.race.number, self.now)
        except Refused:
            return
        before = self.progress.get(seat, Progress(0, 0, self.now, 64, "", self.now))
        if before.outcome:
            return
        home = before.home + what % 3
        self.moves(
            seat,
            to=before.moves + 1,
            home=home,
            reached_at=before.reached_at if home == before.home else self.now,
            outcome="solved" if what % 6 == 5 else "stuck" if what % 6 == 4 else "",
        )

    def _gives_up(self, who: int, what: int) -> None:
        seat = self.room.seat_of(GUESTS[who])
        if seat is not None:
            self._says(seat, TakeBack(1) if what % 3 == 0 else GiveUp(1))

    def _spectator_chats(self, who: int, what: int) -> None:
        said = Chat(1, f"key {what % 3}", "a watcher's word")
        self.twice(lambda: decide.spectator_chats(self.room, WATCHER, "Wanda", said, ADDRESSES[0]))

    def _keeps_order(self, who: int, what: int) -> None:
        seat = self.room.seat_of(GUESTS[who])
        if seat is not None:
            line = next(iter(self.room.chat), 1) + what // 4
            requests = [Mute(1, line, True), Mute(1, line, False), Remove(1, line, what > 20), Kick(1, 2, hold=True)]
            self._says(seat, requests[what % 4])

    def _waits(self, who: int, what: int) -> None:
        self.wait(WAITS[what % len(WAITS)])

    def _waits_until_due(self, who: int, what: int) -> None:
        due = decide.next_due(self.room, self.progress)
        if due is not None:
            self.now = max(self.now, due)

    def _ticks(self, who: int, what: int) -> None:
        self.settle()
        due = decide.next_due(self.room, self.progress)
        assert due is None or due > self.now

    def _starts(self, who: int, what: int) -> None:
        """The way into a race, which chance alone seldom takes."""
        for seat in self.room.people:
            self._says(seat, Rematch(1, commitment_of(seat)))
        if self.room.host is not None:
            self._says(self.room.host, Start(1))
        for seat in self.room.people:
            if (who + what) % (seat + 1):  # Not everybody reveals.
                self._says(seat, Reveal(1, nonce_of(seat)))
        self.now = max(self.now, self.race.starts_at or Ms(0))

    def twice(self, rule: Callable[[], Events]) -> None:
        """Whatever is asked for, asking again changes nothing more."""
        try:
            decided = rule()
        except Refused as refused:
            assert refusal(rule) == refused.code
            return
        self.happen(*decided)
        try:
            assert rule() == []
        except Refused:
            assert decided, "what was allowed and changed nothing is not refused a moment later"

    # What always holds

    def happen(self, *decided: events.Event) -> None:
        for event in decided:
            assert events.decode(events.encode(event)) == event
            if isinstance(event, events.Joined):
                assert event.seat not in self.seats
                self.seats.add(event.seat)
            if isinstance(event, events.SetUp):
                self.secrets.add(event.secret)
            if isinstance(event, events.Claimed):
                self.secrets |= {*event.secrets}
        super().happen(*decided)

    def check(self) -> None:
        room = self.room
        assert room.host in room.people if room.people else room.host is None
        assert self.seats >= set(room.people)
        others = [person for person in room.people.values() if not room.is_creator(person.guest)]
        assert len(others) <= room.settings.seats
        forms = [form for person in room.people.values() for form in lookalike_forms(person.name)]
        assert len(set(forms)) == len(forms)
        assert not room.banned & {person.guest for person in room.people.values()}
        self._check_time()
        for one in (*room.past.values(), room.race):
            self._check_race(one)
        self._check_view()

    def _check_time(self) -> None:
        due, next_due = decide.due(self.room, self.context), decide.next_due(self.room, self.progress)
        if next_due is not None and next_due <= self.now:
            assert due != []
        if due:
            assert next_due is not None and next_due <= self.now

    def _check_race(self, one: room_state.Race) -> None:
        if one.starts_at is not None:
            assert self.committed.setdefault(one.number, one.commitments) == one.commitments
            assert one.nonces.keys() <= one.commitments.keys()
            if not one.revealing:
                dealt = one.starts_at, one.nonces
                assert self.frozen.setdefault(one.number, dealt) == dealt
                assert self.decks.setdefault(one.number, one.deck) == one.deck
        for seat, racer in one.racers.items():
            assert racer.racing == (racer.result is None)
            if not racer.racing:
                before = self.results.setdefault((one.number, seat), racer)
                assert (before.state, before.result) == (racer.state, racer.result)
        guests = [racer.guest for racer in one.racers.values()]
        assert len(guests) == len(set(guests)), "nobody has a deal twice"
        assert (one.over_at is not None) == bool(one.racers and not any(map(_racing, one.racers.values())))

    def _check_view(self) -> None:
        view = room_view(self.room)
        text = json.dumps(view)
        assert not any(hidden in text for hidden in (*GUESTS, *ADDRESSES, WATCHER, "line-nobody-may-see"))
        over = {one.secret for one in (*self.room.past.values(), self.race) if one.over_at is not None}
        assert not any(secret in text for secret in self.secrets - over)
        if self.race.on:
            heard = room_view(self.room, racing=True)["chat"]
            assert not any(self.room.chat[int(n)].kept_from == self.race.number for n in heard)
        self.received = merged(self.received, views.merge_patch(self.shown, view))
        self.shown = view
        assert self.received == merged({}, view)

    def check_end(self) -> None:
        """However the walk went: the log tells it all, and time ends every race."""
        assert evolve.replay(self.log) == self.room
        encoded = [(at, events.encode(event)) for at, event in self.log]
        assert evolve.replay([(at, events.decode(event)) for at, event in encoded]) == self.room
        if self.race.ends_at is not None:
            self.now = max(self.now, self.race.ends_at)
            self.settle()  # If the cards were not dealt by then, its time begins only now.
            self.now = max(self.now, self.race.ends_at)
            self.settle()
            assert self.race.over_at is not None
            self.check()


def _racing(racer: Racer) -> bool:
    return racer.racing


STEPS = [
    *("comes", "comes", "goes", "asks", "asks", "asks", "moves", "moves", "gives_up", "gives_up"),
    *("waits", "waits", "waits_until_due", "ticks", "ticks", "starts", "process_dies", "spectator_chats"),
    "keeps_order",
]
steps = st.tuples(st.sampled_from(STEPS), st.integers(0, len(GUESTS) - 1), st.integers(0, 30))


@examples(40)
@given(st.sampled_from(CHANGES), st.lists(steps, min_size=20, max_size=60))
def test_a_room_keeps_its_promises_whatever_happens(changes: dict[str, Any], walk: list[tuple[str, int, int]]) -> None:
    table = Walk(**changes)
    for step in walk:
        table.step(*step)
    table.check_end()


# By example


def test_a_log_begins_with_created() -> None:
    with pytest.raises(ValueError, match="begins with created"):
        evolve.replay([(NOON, events.Away(1))])


def test_an_event_about_somebody_who_is_gone_changes_nothing_but_the_position() -> None:
    table = racing(2)
    before = table.room
    about = [
        events.Here(9, "x/1"),
        events.Away(9),
        events.Left(9),
        events.Renamed(9, "X"),
        events.Readied(9, ""),
        events.Unreadied(9),
        events.Hosted(9),
        events.StartedLate(9),
        events.GaveUp(9),
        events.TookBack(9),
        events.Finished(9, "solved", NOON, 104, 1, NOON),
    ]
    for event in about:
        table.happen(event)
    after = table.room
    assert (after.people, after.race, after.host) == (before.people, before.race, before.host)
    assert after.n == before.n + len(about)


def test_every_event_has_its_rule() -> None:
    kinds = {kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, events.Event)}
    assert set(evolve.RULES) == kinds - {events.Event, events.Created}


def test_the_deal_is_the_one_that_anybody_can_recompute() -> None:
    table = counting(3)
    nonces = [bytes.fromhex(nonce_of(seat)) for seat in (1, 2, 3)]
    assert table.race.deck == deal.deck_of_secret(bytes.fromhex(table.race.secret), nonces)
    assert table.race.commitment == deal.commitment(bytes.fromhex(table.race.secret))


def test_the_nonces_go_into_the_deal_by_seat_whoever_was_ready_first() -> None:
    table = lobby(3)
    table.ready(3, 1, 2)
    table.settle()
    table.reveal(2, 3, 1)
    table.settle()
    other = counting(3)
    assert table.race.nonces == other.race.nonces
    same = events.Created(CODE, other.room.settings, table.race.secret)
    assert evolve.replay([(NOON, same), *other.log[1:]]).race.deck == table.race.deck


def test_an_open_deal_is_that_of_its_number_and_binds_nobody() -> None:
    table = counting(2, deal="32001")
    assert table.race.deck == deal.deck_of_number(32001)
    assert table.race.commitment is None


def phase(table: Table) -> str:
    if table.race.starts_at is None:
        return "lobby"
    if not table.race.on:
        return "over"
    return "racing" if table.race.running(table.now) else "countdown"


def test_the_phases_of_a_race_follow_from_its_times() -> None:
    table = lobby(2)
    assert phase(table) == "lobby"
    table.ready(1, 2)
    table.settle()
    table.reveal(1, 2)
    table.settle()
    table.now = (table.race.starts_at or Ms(0)) - Ms(1)
    assert phase(table) == "countdown"
    table.wait(Ms(1))
    assert phase(table) == "racing"
    table.now = table.race.ends_at or Ms(0)
    assert phase(table) == "racing", "somebody has to say that it is over"
    table.settle()
    assert phase(table) == "over"
    assert not table.race.running(table.now)


def test_a_race_is_over_when_the_last_racer_finished() -> None:
    table = racing(2)
    table.wait(MINUTE)
    table.moves(2, to=9, outcome="stuck")
    table.settle()
    assert phase(table) == "racing"
    table.wait(MINUTE)
    table.moves(1, to=150, home=104, outcome="solved")
    table.settle()
    assert phase(table) == "over"
    assert table.race.over_at == table.now
    assert table.race.places == {1: 1, 2: 2}


def test_a_racer_stays_in_the_race_when_the_person_leaves_the_room() -> None:
    table = racing(2)
    for seat in (1, 2):
        table.moves(seat)
    table.run_out()
    table.do(2, Leave(1))
    assert table.racer(2).name == "Bob" and table.race.places == {1: 1, 2: 1}


def test_who_has_made_no_move_has_no_place_however_the_race_ended() -> None:
    table = counting(4, game="lucas")
    table.do(2, Leave(1))
    table.now = table.race.starts_at or Ms(0)
    table.moves(1, to=6, home=8, reached_at=table.now)
    table.wait(5 * SECOND)
    table.do(3, GiveUp(1))
    table.run_out()
    assert {seat: racer.state for seat, racer in table.race.racers.items()} == {
        1: "timed_out",
        2: "did_not_start",
        3: "gave_up",
        4: "did_not_start",
    }
    assert table.race.places == {1: 1}


def test_a_room_remembers_the_last_lines_of_chat_with_the_names_of_then() -> None:
    table = lobby(2)
    for k in range(CHAT_KEPT + 3):
        table.do(2, Chat(1, f"{k}", f"line {k}"))
    table.do(2, Leave(1))
    lines = list(table.room.chat.values())
    assert [line.text for line in lines] == [f"line {k}" for k in range(3, CHAT_KEPT + 3)]
    assert {line.name for line in lines} == {"Bob"}
