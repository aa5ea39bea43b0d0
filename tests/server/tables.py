"""A room for tests: requests, the clock, and a log of all events."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.record.signature import Promise, promise
from fortythieves.rules import deal, winnable
from fortythieves.rules.cards import Card
from fortythieves.rules.games import Game
from fortythieves.rules.race_rules import Outcome
from fortythieves.rules.settings import Settings, Undo
from fortythieves.times import Ms
from fortythieves.tournament.plan import Plan
from fortythieves_server.core import decide, decide_lobby, events, evolve, view_types
from fortythieves_server.core.playthrough import Playthrough, Progress
from fortythieves_server.core.room_state import Person, Race, Racer, Room
from fortythieves_server.core.rule_context import Context, Events
from fortythieves_server.core.tournament import DRAWN_FOR, Tournament
from fortythieves_server.core.views import View, Views
from tests.refusals import refusal

#: Some time by the store's clock.
NOON = Ms(1_795_258_800_000)
SECOND, MINUTE = Ms(1_000), Ms(60_000)
CODE = "KQXWVD"

SECRET = "5e" * 32


def nonce_of(seat: int) -> str:
    return f"{seat:032x}"


def commitment_of(seat: int) -> str:
    return deal.nonce_commitment(bytes.fromhex(nonce_of(seat)))


#: A public key pair for tests.
SERVER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def sign(code: str, race: int, commitment: str, at: Ms) -> Promise:
    return promise(SERVER, code, race, commitment, at)


def claimed(race: int, game: str, stars: int) -> events.Claimed:
    """Claimed deals for a race. Their moves win nothing: only a record checks that."""
    secrets = tuple(f"{race:02x}{leaf:02x}" + "c1" * 30 for leaf in range(winnable.DEALS))
    lines = tuple((f"line-nobody-may-see-{race}-{leaf}",) for leaf in range(winnable.DEALS))
    return events.Claimed(secrets, lines, tuple(stars or leaf % 3 + 1 for leaf in range(winnable.DEALS)))


class Table:
    """A live room, its log, and the clock. Each event is applied as it is logged."""

    def __init__(self, plan: Mapping[str, Any] | None = None, **changes: Any) -> None:
        self.now = NOON
        self.log: list[tuple[Ms, events.Event]] = []
        self.progress: dict[int, Progress] = {}
        held = None if plan is None else Plan().changed(plan)
        secret = self._new_secret()
        promised = sign(CODE, 1, deal.commitment(bytes.fromhex(secret)), self.now)
        created = events.Created(CODE, Settings().changed(changes), secret, plan=held, promise=promised)
        self.log.append((self.now, created))
        self.room = evolve.begin(self.now, created)

    # State

    @property
    def race(self) -> Race:
        return self.room.race

    @property
    def context(self) -> Context:
        return Context(self.now, self._new_secret(), self.progress, sign=sign, claim=claimed, has_winnable=True)

    def person(self, seat: int) -> Person:
        return self.room.people[seat]

    def racer(self, seat: int) -> Racer:
        return self.race.racers[seat]

    def _new_secret(self) -> str:
        return f"{len(self.log):04x}{SECRET[4:]}"

    @property
    def tournament(self) -> Tournament:
        assert self.room.tournament is not None
        return self.room.tournament

    def tournament_view(self) -> view_types.Tournament:
        return self.tournament.shown(lambda make, key, *things: make(*things))

    def view(self, *, racing: bool = False) -> View:
        return Views().of(self.room)[racing]

    # Events

    def ask(self, rule: Callable[[Room, Context], Events]) -> Events:
        decided = rule(self.room, self.context)
        self.happen(*decided)
        return decided

    def happen(self, *decided: events.Event) -> None:
        number = self.race.number
        for event in decided:
            self.log.append((self.now, event))
            self.room = evolve.evolve(self.room, self.now, event)
        if self.race.number != number:
            self.progress = {}

    def join(
        self,
        guest: str,
        address: str = "",
        *,
        name: str = "",
        bot: bool = False,
        via: str = "",
        ticket: str = "",
        face: int | None = None,
    ) -> int:
        """Seat a guest, or let one come back, by a name or a personal link; returns the seat."""
        request = to_server.Join(1, CODE, name or guest.title(), None, bot, ticket=ticket, face=face)
        via = via or f"here/{len(self.log)}"
        self.ask(lambda room, context: decide_lobby.join(room, guest, request, via, context, address))
        seat = self.room.seat_of(guest)
        assert seat is not None
        return seat

    def hang_up(self, *seats: int) -> None:
        for seat in seats:
            self.happen(*decide.disconnect(self.room, seat, self.person(seat).via or "nobody"))

    def do(self, seat: int, *requests: to_server.Command) -> Events:
        decided: Events = []
        for request in requests:
            new = decide.decide(self.room, seat, request, self.context)
            self.happen(*new)
            decided += new
        return decided

    def refuses(self, seat: int, request: to_server.Command) -> str:
        return refusal(self.do, seat, request)

    def why(self, seat: int, request: to_server.Command) -> object:
        """The detail of the refusal of a request, or its code if it has none."""
        with pytest.raises(Refused) as refused:
            self.do(seat, request)
        return refused.value.parameters.get("detail", refused.value.code)

    def check_refusals(self, *rows: tuple[int, to_server.Command, str]) -> None:
        """Each request of a seat is refused with its code, or with its detail, and nothing happens."""
        log = len(self.log)
        for seat, request, reason in rows:
            assert reason in {self.refuses(seat, request), self.why(seat, request)}, (seat, request)
        assert len(self.log) == log

    def chat_from(self, guest: str, name: str = "", key: str = "k", address: str = "") -> int:
        request = to_server.Chat(1, key, "hi")
        name = name or guest.title()
        self.ask(lambda room, context: decide.spectator_chats(room, guest, name, request, address))
        return list(self.room.chat)[-1]

    def watch(self, guest: str, name: str = "", address: str = "") -> str:
        return decide.watch(self.room, guest, to_server.Watch(1, CODE, name or guest.title()), self.now, address)

    def round(self, do: Any, seat: int = 1, reason: str = "", number: int | None = None) -> Events:
        return self.do(seat, to_server.Round(1, do, reason, number))

    def start_round(self) -> None:
        self.round("start")
        self.settle()

    def next_round(self) -> None:
        """Let the next round be drawn, by the clock or by the host, and let its race start."""
        if self.tournament.next_at is None:
            self.round("start")
        self.settle()
        self.settle_at((self.tournament.next_at or Ms(0)) - (Ms(0) if self.tournament.drawn else DRAWN_FOR))
        begin(self)

    def settle_at(self, now: Ms) -> "Table":
        self.now = max(self.now, now)
        self.settle()
        return self

    @property
    def undoable(self) -> Ms:
        """When the last action was that can be taken back, or 0."""
        return self.tournament.undoable or Ms(0)

    def undo(self, seat: int = 1) -> Events:
        return self.do(seat, to_server.Undo(1, self.undoable))

    def phase(self) -> view_types.Phase:
        return self.tournament.phase

    def states(self) -> dict[int, str]:
        return {seat: entrant.state for seat, entrant in self.tournament.entrants.items()}

    def scores(self) -> dict[int, float]:
        return {row.seat: row.score for row in self.tournament.standings}

    def last_entry(self) -> tuple[int | None, str, int | None, str]:
        """The last audit entry of the hosts: the host, the action, the seat or round, and the reason."""
        return self.tournament.desk[-1][1:5]

    def ready(self, *seats: int) -> None:
        for seat in seats:
            self.do(seat, to_server.Ready(1, commitment_of(seat)))

    def reveal(self, *seats: int) -> None:
        for seat in seats:
            self.do(seat, to_server.Reveal(1, nonce_of(seat)))

    def moves(
        self,
        *seats: int,
        to: int = 1,
        home: int = 0,
        reached_at: Ms | None = None,
        outcome: Outcome = "",
        revealed: int | None = None,
    ) -> None:
        """Let the seats make moves until there are ``to``. Unless ``revealed`` says otherwise, each revealed a card."""
        reached, revealed = self.now if reached_at is None else reached_at, to if revealed is None else revealed
        self.progress |= dict.fromkeys(seats, Progress(to, home, reached, 60, revealed, outcome, self.now))

    def wait(self, ms: Ms) -> None:
        self.now += ms

    def run_out(self) -> None:
        self.now = self.race.ends_at or Ms(0)
        self.settle()

    def tick(self) -> Events:
        return self.ask(decide.due)

    def after(self, ms: Ms) -> Events:
        self.now += ms
        return self.settle()

    def settle(self) -> Events:
        happened: Events = []
        for _ in range(10):
            decided = self.tick()
            if not decided:
                return happened
            happened += decided
        raise AssertionError(f"there is always another due event: {decided}")


def lobby(people: int = 2, **settings: Any) -> Table:
    """A room with people at seats 1, 2, ... called Ann, Bob, Cem, Dan."""
    table = Table(**settings)
    for guest in ("ann", "bob", "cem", "dan")[:people]:
        table.join(guest)
    return table


def started(people: int = 3, **settings: Any) -> Table:
    """A room in which the countdown has just begun, before any nonce is revealed."""
    table = lobby(people, **settings)
    table.ready(*table.room.people)
    table.settle()
    return table


def counting(people: int = 2, **settings: Any) -> Table:
    """A room in which the countdown of all has just begun, and the cards are dealt after all nonces."""
    table = started(people, **settings)
    table.do(1, to_server.Start(1))
    table.reveal(*table.race.commitments)
    table.settle()
    return table


def racing(people: int = 2, **settings: Any) -> Table:
    table = counting(people, **settings)
    table.now = table.race.starts_at or Ms(0)
    return table


def over(people: int = 2, **settings: Any) -> Table:
    table = racing(people, **settings)
    table.run_out()
    return table


def second_race(people: int = 2) -> Table:
    table = over(people)
    table.do(1, to_server.Rematch(1, ""))
    table.do(1, to_server.Start(1))
    table.now = table.race.starts_at or Ms(0)
    return table


def entered(people: int = 4, plan: Mapping[str, Any] | None = None, **settings: Any) -> Table:
    """A tournament before the first draw: its host at seat 1, and entrants at seats 2, 3, ..."""
    table = Table(plan or {}, seats=1000, **settings)
    for n in range(people + 1):
        table.join("host" if n == 0 else f"guest {n}")
    return table


def drawn(people: int = 4, plan: Mapping[str, Any] | None = None, **settings: Any) -> Table:
    table = entered(people, plan, **settings)
    table.do(1, to_server.Round(1, "start"))
    table.settle()
    return table


def in_round(people: int = 4, plan: Mapping[str, Any] | None = None, **settings: Any) -> Table:
    table = drawn(people, plan, **settings)
    begin(table)
    return table


def begin(table: Table) -> None:
    table.now = max(table.now, (table.tournament.next_at or Ms(0)) - table.room.settings.countdown * SECOND)
    table.settle()
    table.now = table.race.starts_at or Ms(0)


def play(table: Table, *best: int) -> None:
    """Let the race run out of time; these seats come home with the most cards, best first, all others make one move."""
    for home, seat in enumerate(reversed(best), start=1):
        table.moves(seat, to=10, home=home)
    table.moves(*(seat for seat in table.race.active if seat not in best))
    table.run_out()


def fold(game: Game, deck: Sequence[Card], undo: Undo, started_at: Ms, log: Iterable[tuple[Ms, str]]) -> Playthrough:
    playthrough = Playthrough(game, deck, undo, started_at)
    playthrough.follow(log)
    return playthrough
