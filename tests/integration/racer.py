"""A racer that plays at random and keeps every frame, and the check of these frames."""

import random
import re
from collections.abc import Iterator
from typing import Any

from fortythieves.rules.board import Board
from fortythieves.rules.cards import names, parse_cards
from fortythieves.rules.games import Game
from fortythieves.rules.move_notation import DRAW, parse_move
from fortythieves_server.core.room_state import Race
from tests.integration.raw import Moment, RawClient, Received, open_client, this_moment

#: The difference between two clocks (ms).
CLOCKS = 50

#: Names of cards, alone or in a sentence.
CARDS = re.compile(r"(?<!\w)(?:[A2-9TJQK][CSHD])+(?!\w)")


class Racer:
    """Plays at random, and keeps all received frames and the time of each sent entry."""

    def __init__(self, address: str, of: Game, name: str, seed: int) -> None:
        self.address = address
        self.game = of
        self.name = name
        self.dice = random.Random(seed)
        self.received: list[Received] = []
        self.epoch = ""
        self.code = ""
        self.seat = 0
        self.token: str | None = None
        self.board: Board | None = None
        self.n = 0
        self.sent: list[Moment] = []
        #: The time of the last message that could end the race for this seat.
        self.left: Moment | None = None
        self.client: RawClient

    async def connect(self) -> None:
        self.client = await open_client(self.address)
        await self.client.hello(self.token)
        self.token = self.client.token

    async def hang_up(self) -> None:
        await self.client.socket.close()
        self.received += self.client.received

    async def sit_down(self, *command: Any) -> None:
        """Create or join a room, and read its state."""
        assert await self.client.ask(*command) == "ok"
        for one in self.client.received:
            self._take_in(one.message)

    async def join(self, code: str, resume: list[Any] | None = None) -> None:
        await self.sit_down("join", code, self.name, resume)

    async def deal(self) -> None:
        if self.board is None:
            self._take_in(await self.client.receive("board"))

    async def act(self) -> None:
        what = self.dice.random()
        if what < 0.05:
            await self._break_the_connection()
        elif what < 0.2:
            await self.enter("undo")
        elif what < 0.25:
            await self.enter(self.dice.choice(("redeal", "W-F", "1-2", "3-7x4", "14-1", "")))
        else:
            assert self.board is not None
            moves = [str(move) for move in self.board.legal_moves]
            # Draw often, because draws reveal cards.
            drawn = str(DRAW) if str(DRAW) in moves and self.dice.random() < 0.4 else None
            await self.enter(drawn or (self.dice.choice(moves) if moves else "undo"))

    async def enter(self, text: str) -> None:
        now, n = this_moment(), self.n
        self._take_in(await self.client.move(n, text))
        if self.n == n + 1:
            self.sent.append(now)

    async def until_solved(self) -> None:
        state = None
        while state is None:
            patch = (await self.client.receive("patch"))[2]
            state = patch.get("race", {}).get("racers", {}).get(str(self.seat), {}).get("state")
        assert state == "solved"

    async def leave(self) -> None:
        self.left = this_moment()
        assert await self.client.ask("leave") == "ok"

    async def _break_the_connection(self) -> None:
        """Reconnect with a correct, an older, no, or a wrong number of known entries."""
        self.client.socket.transport.abort()
        await self.hang_up()
        await self.connect()
        known = self.dice.choice((self.n, max(0, self.n - 3), None, 10_000))
        await self.join(self.code, None if known is None else [self.epoch, 1, known])

    def _take_in(self, message: list[Any]) -> None:
        match message:
            case ["room", epoch, _, seat, view, _]:
                self.epoch, self.seat, self.code = epoch, seat, view["code"]
            case ["board", _, start, moves]:
                self.board = Board.of_start(self.game, [parse_cards(column) for column in start])
                self.n = 0
                for text, turned in moves:
                    self._add(text, turned)
            case ["moved", _, n, text, turned] if n == self.n + 1:
                self._add(text, turned)

    def _add(self, text: str, turned: str) -> None:
        assert self.board is not None
        if text == "undo":
            self.board.undo()
        else:
            self.board.play(parse_move(text), parse_cards(turned))
        self.n += 1


def check(player: Racer, deal: Race, starts_at: float, texts: list[str]) -> None:
    """Compare every frame with the deal, the start of the race, and the revealed cards of the receiver."""
    board = Board.deal(player.game, deal.deck)
    start = [names(column) for column in board.start()]
    log = [[text, turned_by(board, text)] for text in texts]
    boards = 0
    over = False
    for one in player.received:
        message = one.message
        match message:
            case ["board", 1, columns, moves]:
                boards += 1
                assert one.when.at >= starts_at - CLOCKS
                assert columns == start and moves == log[: len(moves)]
                continue
            case ["moved", 1, n, text, turned]:
                assert [text, turned] == log[n - 1]
                continue
            case ["room", _, _, _, view, _]:
                over = over or view["race"]["over_at"] is not None
            case ["patch", _, patch, _]:
                over = over or patch.get("race", {}).get("over_at") is not None
            case ["welcome", *_]:
                continue  # a guest token can look like cards
        if not over:
            assert deal.secret.encode() not in one.frame and bytes.fromhex(deal.secret) not in one.frame
        for text in texts_in(message):
            assert text == player.code or not CARDS.search(text), message
    assert boards and log


def turned_by(board: Board, text: str) -> str:
    """Play an entry of a log on a board with all cards. Returns the revealed cards."""
    if text == "undo":
        board.undo()
        return ""
    return names(board.play(parse_move(text)))


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a message, the keys of maps as well."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("latin-1")
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts_in(key)
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)
