"""Two players act at random for a while, as fast as people, and nothing fails."""

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import pytest
from playwright.async_api import Request, Response, WebSocket

from fortythieves.protocol import to_client
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import DRAW, Move
from fortythieves_client.client import Client
from fortythieves_client.race import OwnRace
from fortythieves_client.reconnecting import decode
from tests.e2e.conftest import DESKTOP, PHONE, Visit, Witness
from tests.e2e.hands import Clicks, Drags, Hand, Keys, Taps, TouchDrags
from tests.e2e.player import Player
from tests.e2e.prepared import Seat, duel, seat_of
from tests.e2e.table import Point
from tests.server.stores import until_it_is
from tests.shared.players import Dice

#: Of each test run, and of `make soak`.
SECONDS, SECONDS_OF_SOAK = 12, 600
#: Seconds between two actions of one person. An action takes 60 ms of CPU (measured), so a test run has fewer of them.
PAUSE, PAUSE_OF_SOAK = 0.6, 0.1
#: The number of actions between two comparisons.
TURN = 20
#: With fewer cards in the stock, players take moves back so that the race continues.
FEW, BACK = 10, 40
#: The report of a failure.
LAST = 15

SEED = 1
#: A game with sequences, and with cards face down.
GAME, NUMBER = "number-ten", 32313

_SIZES = ({"width": 1280, "height": 800}, {"width": 900, "height": 620})
_TURNED = ({"width": 390, "height": 844}, {"width": 844, "height": 390})
#: Where cards glide; drawing that on a phone's screen, too, would take twice the time.
_DESKTOP = {**DESKTOP, "reduced_motion": "no-preference"}
#: No key of these opens a dialog or leaves the page.
_KEYS = (*(f"Digit{n}" for n in range(10)), *"wfburh", "Space", "Enter", "Escape")
_ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")


class Somebody:
    def __init__(
        self, player: Player, pause: float, dice: Dice, sizes: Sequence[Mapping[str, int]], hands: Sequence[Hand]
    ) -> None:
        self.player = player
        self._pause = pause
        self._page = player.page
        self._dice = dice
        self._sizes = sizes
        self._hands = hands
        #: As the server confirmed it to this page.
        self.own: OwnRace | None = None
        self.done = 0
        self.last: deque[str] = deque(maxlen=LAST)
        self.failures: list[str] = []
        self._back = 0
        self._page.on("websocket", self._connected)
        self._page.on("requestfailed", self._failed)
        self._page.on("response", self._answered)

    def _connected(self, connection: WebSocket) -> None:
        connection.on("framereceived", self._heard)

    def _heard(self, frame: bytes | str) -> None:
        match decode(bytes(frame) if isinstance(frame, bytes) else frame.encode()):
            case to_client.OwnBoard(race, start, moves):
                self.own = OwnRace(race, game(GAME), start, moves)
            case to_client.Moved(_, n, text, turned):
                assert self.own is not None
                assert n == len(self.own.log) + 1
                self.own.append(text, turned)
            case to_client.Unmoved(_, n, _, code):
                self.failures.append(f"the server refused move {n}: {code}")

    def _failed(self, request: Request) -> None:
        self.failures.append(f"failed: {request.url} {request.failure}")

    def _answered(self, response: Response) -> None:
        if not response.ok:
            self.failures.append(f"{response.status}: {response.url}")

    async def act(self, until: float) -> None:
        while time.monotonic() < until:
            for _ in range(TURN):
                await self._act()
                self.done += 1
                await asyncio.sleep(self._pause)
            await self.rest()

    async def rest(self) -> None:
        """Drop lifted cards, and wait until the page shows the confirmed board."""
        self.last.append("compare")
        await self._page.keyboard.press("Escape")
        await until_it_is(self._agrees)
        assert not self.failures

    async def _agrees(self) -> bool:
        assert self.own is not None
        return await self.player.table.shows(self.own.board)

    async def _act(self) -> None:
        assert self.own is not None
        board = self.own.board
        if self._back == 0 and board.stock_count < FEW and board.moves_made:
            self._back = BACK
        if self._back:
            self._back -= 1
            await self._press("u")
        else:
            does = self._dice.one_of(self._deeds())
            await does()

    def _deeds(self) -> Sequence[Callable[[], Awaitable[None]]]:
        usual = [self._move] * 5 + [self._touch] * 4 + [self._drag] * 3 + [self._any_key] * 3 + [self._arrow]
        return [*usual, self._resize, self._break_off]

    async def _move(self) -> None:
        assert self.own is not None
        if not await self._agrees():
            await self._touch()
            return
        moves: list[Move] = [move for move in self.own.board.legal_moves if move != DRAW] or [DRAW]
        move, hand = self._dice.one_of(moves), self._dice.one_of(self._hands)
        self.last.append(f"{move} by {type(hand).__name__}")
        await hand.play(self.player.table, move)

    async def _touch(self) -> None:
        at = await self._somewhere()
        self.last.append(f"touch {at}")
        if self._touches:
            await self._page.touchscreen.tap(*at)
        else:
            await self._page.mouse.click(*at)

    async def _drag(self) -> None:
        start, *way = [await self._somewhere() for _ in range(4)]
        drags = TouchDrags() if self._touches else Drags()
        self.last.append(f"drag {start} {way}")
        await drags.grab(self.player.table, start)
        for point in way:
            await drags.carry(self.player.table, point)
            await asyncio.sleep(PAUSE_OF_SOAK)
            if self._dice.happens(0.1):
                await self._resize()
            elif self._dice.happens(0.1):
                await self._any_key()
        await drags.let_go(self.player.table)

    async def _break_off(self) -> None:
        """A drag that the system ends, or a mouse that leaves the window with a card."""
        start, away = await self._somewhere(), await self._somewhere()
        self.last.append(f"break off {start} {away}")
        drags = TouchDrags() if self._touches else Drags()
        await drags.grab(self.player.table, start)
        await drags.carry(self.player.table, away)
        if isinstance(drags, TouchDrags):
            await drags.put_down_another(self.player.table, away, await self._somewhere())
            await drags.cancel(self.player.table)
        else:
            await drags.carry(self.player.table, Point(-50, -50))
            await drags.let_go(self.player.table)

    async def _any_key(self) -> None:
        await self._press(self._dice.one_of(_KEYS))

    async def _arrow(self) -> None:
        await self._press(self._dice.one_of(_ARROWS))

    async def _press(self, key: str) -> None:
        self.last.append(key)
        await self._page.keyboard.press(key)

    async def _resize(self) -> None:
        size = self._dice.one_of(self._sizes)
        self.last.append(f"{size['width']} x {size['height']}")
        await self._page.set_viewport_size({"width": size["width"], "height": size["height"]})

    async def _somewhere(self) -> Point:
        names = await self._page.evaluate("Object.keys(seen.labels())")
        box = await self.player.table.pile(self._dice.one_of(names)).bounding_box()
        assert box is not None
        high = self._dice.below(100) * self._dice.below(100) / 10_000
        return Point(round(box["x"] + box["width"] / 2), round(box["y"] + 2 + (box["height"] - 4) * high))

    @property
    def _touches(self) -> bool:
        return isinstance(self._hands[0], Taps)


async def arrive(visit: Visit, seat: Seat, device: Mapping[str, Any], *rest: Any) -> Somebody:
    page = await visit("about:blank", device, seat)
    somebody = Somebody(Player(page, seat.name), *rest)
    await page.goto(f"/r/{seat.code}")
    await somebody.player.cards_are_dealt()
    return somebody


@pytest.mark.long
async def test_random_actions_never_make_pages_differ_from_the_server(
    address: str, visit: Visit, witness: Witness, soak: bool
) -> None:
    seed = random.randrange(10**6) if soak else SEED
    settings = {"game": GAME, "deal": str(NUMBER), "undo": "free", "time_limit": 14_400, "after_win": 14_400}
    async with duel(address, **settings) as race:
        seats = [seat_of(race.ann), seat_of(race.bob, "Bob")]
    phone = {**PHONE, "viewport": _TURNED[0]}
    pause = PAUSE_OF_SOAK if soak else PAUSE
    people = [
        await arrive(visit, seats[0], _DESKTOP, pause, Dice(2 * seed), _SIZES, [Clicks(), Drags(), Keys()]),
        await arrive(visit, seats[1], phone, pause, Dice(2 * seed + 1), _TURNED, [Taps(), TouchDrags()]),
    ]
    until = time.monotonic() + (SECONDS_OF_SOAK if soak else SECONDS)
    try:
        await asyncio.gather(*(somebody.act(until) for somebody in people))
        assert not witness.complaints
        for somebody, seat in zip(people, seats, strict=True):
            await says_the_same(address, seat, somebody)
    except BaseException as error:
        for somebody in people:
            error.add_note(
                f"seed {seed}, {somebody.player.name} after {somebody.done} actions, {somebody.failures},"
                f" the last: {'; '.join(somebody.last)}"
            )
        raise


async def says_the_same(address: str, seat: Seat, somebody: Somebody) -> None:
    """A new connection of the seat gets the same moves as the page."""
    assert somebody.own is not None
    async with Client(address, token=seat.token) as elsewhere:
        await elsewhere.join(seat.name, seat.code)
        own = await elsewhere.until(lambda: elsewhere.race)
        assert own.log == somebody.own.log
