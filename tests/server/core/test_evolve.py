"""How events change a room: random walks check the invariants, and examples the rest."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.protocol import to_server as say
from fortythieves.rules.race_rules import Outcome
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_lobby, events, evolve, room_state, tournament, views
from fortythieves_server.core.evolve import CHAT_KEPT
from fortythieves_server.core.names_and_texts import lookalike_forms
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Racer
from fortythieves_server.core.rule_context import Events
from tests.examples import examples
from tests.refusals import refusal
from tests.server.merging import merged
from tests.server.tables import CODE, MINUTE, NOON, SECOND, Table, commitment_of, lobby, nonce_of, racing

GUESTS = [f"guest-{k}-nobody-may-see" for k in range(5)]
WATCHER = "watcher-nobody-may-see"
ADDRESSES = ["address-1-nobody-may-see", "address-2-nobody-may-see"]
CHANGES: list[dict[str, Any]] = [
    *({"late": late} for late in ("join", "refuse")),
    *({"deal": deal} for deal in ("32001", "secret", "winnable", "winnable-2")),
    *({"watch": watch} for watch in ("progress", "frontier")),
    *({"game": "lucas"}, {"seats": 3}, {"auto_start": False}, {"auto_start": True, "countdown": 3}),
]
WAITS = [Ms(1), SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND, 9 * MINUTE, 600 * SECOND]


class Walk(Table):
    def __init__(self, **changes: Any) -> None:
        super().__init__(**changes)
        self.seats: set[int] = set()
        self.committed: dict[int, Mapping[int, str]] = {}
        self.frozen: dict[int, tuple[Ms, Mapping[int, str]]] = {}
        self.decks: dict[int, list[int]] = {}
        self.results: dict[tuple[int, int], Racer] = {}
        self.secrets = {self.race.secret}
        #: The view of a client that got one snapshot and then only patches.
        self.shown = self.view()
        self.received = merged({}, self.shown)

    # Steps: requests, connections, time

    def step(self, name: str, who: int, what: int) -> None:
        seat = self.room.seat_of(GUESTS[who])
        if name not in STEPS_OF_SEATS:
            getattr(self, f"_{name}")(who, what)
        elif seat is not None:
            getattr(self, f"_{name}")(seat, what)
        self.check()

    def _comes(self, who: int, what: int) -> None:
        request = say.Join(1, CODE, f"Name {what % 3}", None, bot=who == 4)
        via = f"process-{what % 3}/{len(self.log)}"
        self.twice(lambda: decide_lobby.join(self.room, GUESTS[who], request, via, self.context, ADDRESSES[what % 2]))

    def _goes(self, seat: int, what: int) -> None:
        via = self.person(seat).via if what else "another line"
        self.twice(lambda: decide.disconnect(self.room, seat, via or ""))

    def _process_dies(self, who: int, what: int) -> None:
        self.twice(lambda: decide.dead_connections(self.room, lambda via: not via.startswith(f"process-{what % 3}")))

    def _asks(self, seat: int, what: int) -> None:
        other = what % (self.room.seats_given + 2)
        requests: list[say.Command] = [
            *(say.Ready(1, text) for text in ("", commitment_of(seat), commitment_of(what), nonce_of(seat))),
            *(say.Reveal(1, nonce_of(seat)), say.Reveal(1, nonce_of(what)), say.Unready(1), say.Start(1)),
            *(say.GiveUp(1), say.TakeBack(1), say.Rematch(1, commitment_of(what)), say.Leave(1)),
            *(say.Kick(1, other), say.HandOver(1, other), say.Lock(1, bool(what % 2))),
            *(say.Rename(1, f"Name {what % 4}"), say.Chat(1, f"key {what % 3}", "hello")),
            say.ChangeSettings(1, CHANGES[what % len(CHANGES)]),
        ]
        self._says(seat, requests[what % len(requests)])

    def _says(self, seat: int, request: say.Command) -> None:
        self.twice(lambda: decide.decide(self.room, seat, request, self.context))

    def _moves(self, seat: int, what: int) -> None:
        try:
            decide.check_may_move(self.room, seat, self.race.number, self.now)
        except Refused:
            return
        before = self.progress.get(seat, Progress(0, 0, self.now, 64, 0, "", self.now))
        if before.outcome:
            return
        home = before.home + what % 3
        reached_at = before.reached_at if home == before.home else self.now
        outcome: Outcome = "solved" if what % 6 == 5 else "stuck" if what % 6 == 4 else ""
        self.moves(seat, to=before.moves + 1, home=home, reached_at=reached_at, outcome=outcome)

    def _gives_up(self, seat: int, what: int) -> None:
        self._says(seat, say.TakeBack(1) if what % 3 == 0 else say.GiveUp(1))

    def _spectator_chats(self, who: int, what: int) -> None:
        said = say.Chat(1, f"key {what % 3}", "a watcher's word")
        self.twice(lambda: decide.spectator_chats(self.room, WATCHER, "Wanda", said, ADDRESSES[0]))

    def _keeps_order(self, seat: int, what: int) -> None:
        line = next(iter(self.room.chat), 1) + what // 4
        mutes = (say.Mute(1, line, True), say.Mute(1, line, False))
        self._says(seat, [*mutes, say.Remove(1, line, what > 20), say.Kick(1, 2, hold=True)][what % 4])

    def _waits(self, who: int, what: int) -> None:
        self.wait(WAITS[what % len(WAITS)])

    def _waits_until_due(self, who: int, what: int) -> None:
        self.now = max(self.now, decide.next_due(self.room, self.progress) or Ms(0))

    def _ticks(self, who: int, what: int) -> None:
        self.settle()
        due = decide.next_due(self.room, self.progress)
        assert due is None or due > self.now

    def _starts(self, who: int, what: int) -> None:
        """The way into a race, which chance alone seldom takes."""
        for seat in self.room.people:
            self._says(seat, say.Rematch(1, commitment_of(seat)))
        if self.room.host is not None:
            self._says(self.room.host, say.Start(1))
        for seat in self.room.people:
            if (who + what) % (seat + 1):  # not all reveal
                self._says(seat, say.Reveal(1, nonce_of(seat)))
        self.now = max(self.now, self.race.starts_at or Ms(0))

    def twice(self, rule: Callable[[], Events]) -> None:
        """A request that is repeated changes nothing more."""
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

    # Invariants

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
        assert not room.banned & {room.creator, *(person.guest for person in room.people.values())}
        creator = room.seat_of(room.creator)
        if creator is not None and room.people[creator].here and not room.handed_to:
            assert room.host == creator
        assert room.handed_to == "" or room.seat_of(room.handed_to) is not None
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
            if not racer.racing and not one.revealing:  # until the cards are dealt, the start may be put off
                before = self.results.setdefault((one.number, seat), racer)
                assert (before.state, before.result) == (racer.state, racer.result)
        guests = [racer.guest for racer in one.racers.values()]
        assert len(guests) == len(set(guests)), "nobody has a deal twice"
        assert (one.over_at is not None) == bool(one.racers and not one.active)

    def _check_view(self) -> None:
        view = self.view()
        text = json.dumps(view)
        assert not any(hidden in text for hidden in (*GUESTS, *ADDRESSES, WATCHER, "line-nobody-may-see"))
        over = {one.secret for one in (*self.room.past.values(), self.race) if one.over_at is not None}
        assert not any(secret in text for secret in self.secrets - over)
        if self.race.on:
            heard = self.view(racing=True)["chat"]
            assert not any(self.room.chat[int(n)].kept_from == self.race.number for n in heard)
        self.received = merged(self.received, views.merge_patch(self.shown, view))
        self.shown = view
        assert self.received == merged({}, view)

    def check_end(self) -> None:
        """However the walk went: the log tells it all, and time ends every race."""
        assert evolve.replay(self.log) == self.room
        if self.race.ends_at is not None:
            self.settle_at(self.race.ends_at)  # If the cards were not dealt by then, its time begins only now.
            self.settle_at(self.race.ends_at)
            assert self.race.over_at is not None
            self.check()


STEPS_OF_SEATS = ("goes", "asks", "asks", "asks", "moves", "moves", "gives_up", "gives_up", "keeps_order")
OTHER_STEPS = ("waits", "waits", "waits_until_due", "ticks", "ticks", "starts", "process_dies", "spectator_chats")
STEPS = ("comes", "comes", *STEPS_OF_SEATS, *OTHER_STEPS)
steps = st.tuples(st.sampled_from(STEPS), st.integers(0, len(GUESTS) - 1), st.integers(0, 30))


@examples(30)
@given(st.sampled_from(CHANGES), st.lists(steps, min_size=20, max_size=60))
def test_a_random_walk_breaks_no_rule_of_a_room(changes: dict[str, Any], walk: list[tuple[str, int, int]]) -> None:
    table = Walk(**changes)
    for step in walk:
        table.step(*step)
    table.check_end()


def test_a_log_begins_with_created_and_every_other_event_has_its_rule() -> None:
    with pytest.raises(ValueError, match="begins with created"):
        evolve.replay([(NOON, events.Away(1))])
    assert {*evolve.RULES, *tournament.RULES} == {*events.KINDS} - {events.Created}


def test_an_event_about_a_person_that_has_left_changes_only_the_position() -> None:
    table = racing(2)
    before = table.room
    seats = (events.Away, events.Left, events.Hosted, events.StartedLate, events.GaveUp)
    table.happen(
        *(kind(9) for kind in (*seats, events.TookBack)),
        events.Here(9, "x/1"),
        events.Renamed(9, "X"),
        events.Readied(9, ""),
        events.Finished(9, "solved", NOON, 104, 1, NOON),
    )
    after = table.room
    assert (after.people, after.race, after.host) == (before.people, before.race, before.host)
    assert after.n == before.n + 10


def test_a_room_keeps_the_last_messages_with_the_names_at_that_time() -> None:
    table = lobby(2)
    for k in range(CHAT_KEPT + 3):
        table.do(2, say.Chat(1, f"{k}", f"message {k}"))
    table.do(2, say.Leave(1))
    messages = [(message.name, message.text) for message in table.room.chat.values()]
    assert messages == [("Bob", f"message {k}") for k in range(3, CHAT_KEPT + 3)]
