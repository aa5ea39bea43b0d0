"""The checker finds each kind of lie."""

from collections.abc import Callable

import pytest

from fortythieves.protocol import to_client
from fortythieves.protocol.to_server import Move
from fortythieves.protocol.wire import encode
from fortythieves_server.core import events
from fortythieves_server.core.playthrough import Playthrough
from fortythieves_server.core.views import Views
from fortythieves_server.store.schema import of_room
from tests.server.tables import CODE, NOON, SECOND, Table, racing
from tests.sim.history import History, Violation


class Redis:
    """Logs of one race, which a test can change."""

    def __init__(self, table: Table) -> None:
        self.name = "one"
        self.table = table
        self.seats: dict[int, list[bytes]] = {1: [], 2: []}
        self.may_lose = False

    @property
    def state(self) -> object:
        return object()

    def value(self, key: bytes) -> object:
        log = [b"%d x %s" % (at, events.encode(event)) for at, event in self.table.log]
        values: dict[bytes, object] = {
            of_room(CODE, "meta").encode(): {b"epoch": self.name.encode()},
            of_room(CODE, "log").encode(): log,
        }
        values |= {of_room(CODE, "moves", 1, seat).encode(): moves for seat, moves in self.seats.items()}
        return values.get(key)

    def is_moving(self, code: str) -> bool:
        return False


class Race:
    """Two racers and a spectator of a race, with some draws."""

    def __init__(self, draws: int = 2, watch: str = "frontier") -> None:
        self.table = racing(2, watch=watch, deal="32001")
        self.redis = Redis(self.table)
        self.seconds = 100.0
        self.history = History(self.redis, lambda: self.seconds)  # type: ignore[arg-type]  # only what it reads
        for seat, name in enumerate(("eve", "ann", "bob")):
            self.enter(name, seat)
        self.cards = Playthrough(self.table.race.game, self.table.race.deck, "none", self.table.now)
        for _ in range(5):
            self.cards.play("draw")
        for _ in range(draws):
            self.draw()

    def say(self, name: str, message: to_client.Message) -> None:
        self.history.heard(name, encode(message), self.table.now)

    def enter(self, name: str, seat: int) -> None:
        room = self.table.room
        view = Views().of(room)[room.race.is_racing(seat)]
        self.say(name, to_client.RoomState(self.redis.name, room.n, seat, view, self.table.now))

    def draw(self, seat: int = 1, *, ask: bool = True) -> None:
        n = len(self.redis.seats[seat])
        if ask:
            self.history.asked("ann" if seat == 1 else "bob", Move(1, n, "draw"))
        self.redis.seats[seat].append(b"%d draw" % self.table.now)

    def entries(self, count: int) -> list[tuple[str, str]]:
        return self.cards.entries[:count]

    def board(self, count: int) -> None:
        self.say("ann", to_client.OwnBoard(1, self.cards.start, self.entries(count)))

    def show(self, count: int) -> None:
        self.say("eve", to_client.Gallery(1, "frontier", self.cards.start, [(1, self.entries(count)), (2, [])]))


def test_the_truth_is_no_violation() -> None:
    it = Race()
    it.board(1)
    it.say("ann", to_client.Moved(1, 2, *it.entries(2)[1]))
    it.show(0)
    it.draw(2)
    it.say("eve", to_client.Shown(1, [(1, 0, it.entries(1))]))
    for name in it.history.clients:
        it.say(name, to_client.ProgressRows(1, [(1, 2, 0, 62), (2, 1, 0, 63)]))
    it.history.check_clients()
    assert not it.history.unsettled()
    assert it.history.moves == 1


def _follow(it: Race) -> object:
    return it.history.follow(CODE)


def _ask_for_nonsense(it: Race) -> None:
    it.history.asked("ann", Move(1, 2, "1-2"))
    it.redis.seats[1].append(b"%d 1-2" % it.table.now)


def _too_early(it: Race) -> None:
    it.history.now = it.table.now = it.table.now - SECOND


def _wait_and_check(it: Race) -> None:
    it.history.check_clients()
    it.seconds += 11
    it.history.check_clients()


_LOSSY: Callable[[Race], object] = lambda it: setattr(it.history, "may_lose", True)  # noqa: E731
_CUT: list[Callable[[Race], object]] = [lambda it: it.board(2), lambda it: it.redis.seats[1].pop(), _follow]
LIES: dict[str, list[Callable[[Race], object]]] = {
    "entries are gone that some of .*ann": _CUT,
    "has 1 entries and lacks 1, without a notice": [lambda it: it.board(2), lambda it: it.board(1)],
    "nobody asked": [lambda it: it.draw(ask=False), _follow],
    "is illegal": [_ask_for_nonsense, _follow],
    "by its log": [lambda it: it.table.moves(1, to=3), lambda it: it.table.run_out(), _follow],
    "before race 1 has started": [_too_early, lambda it: it.board(0)],
    "ann was not corrected": [_LOSSY, *_CUT, _wait_and_check],
    "not at 0": [lambda it: it.board(3)],
    "another deal": [lambda it: it.say("ann", to_client.OwnBoard(1, ["TH"] * 10, []))],
    "must not know": [lambda it: it.show(1)],
    "cards in a Notice": [lambda it: it.say("ann", to_client.Notice("x", "TH4C"))],
    "saw 3 moves": [lambda it: it.say("bob", to_client.ProgressRows(1, [(1, 3, 0, 61)]))],
    "after": [lambda it: it.say("eve", to_client.Patch(1, {}, NOON))],
}


def after(steps: list[Callable[[Race], object]]) -> Race:
    it = Race()
    for step in steps:
        step(it)
    return it


@pytest.mark.parametrize("found", LIES)
def test_each_lie_is_found(found: str) -> None:
    with pytest.raises(Violation, match=found):
        after(LIES[found])


def test_a_client_that_misses_news_is_found() -> None:
    assert Race().history.unsettled() == "eve knows 0 of 2 moves of seat 1 that are old"


def test_an_announced_loss_is_no_violation() -> None:
    it = after([_LOSSY, *_CUT])
    it.redis.name = "two"
    for seat, name in enumerate(("eve", "ann", "bob")):
        it.enter(name, seat)
    it.seconds += 11
    it.history.check_clients()
    it.board(1)
