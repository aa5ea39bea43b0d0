"""No frame names a card that its receiver has not revealed, or the secret before the end of the race.

Racers play at random in all nine games: moves, undos, mistakes, broken connections, late players. The test keeps every
frame and compares all of them with the deal in Redis.
"""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from fortythieves.rules.board import Board
from fortythieves.rules.cards import card_name, names, parse_cards
from fortythieves.rules.games import GAMES, Game, game
from fortythieves.rules.moves import DRAW, parse_move
from fortythieves_server.core.evolve import replay
from fortythieves_server.core.room_state import Race
from tests.integration.raw import Heard, RawClient, open_client
from tests.integration.spectator import by_our_clock
from tests.server.redises import in_a_hurry
from tests.server.stores import opened
from tests.serving import HASTY, serving

#: The difference between two clocks (ms).
CLOCKS = 50

#: The number of actions of each racer.
ACTIONS = 120

#: Names of cards, alone or in a sentence.
CARDS = re.compile(r"(?<!\w)(?:[A2-9TJQK][CSHD])+(?!\w)")

UNDO = ("none", "turned", "free")
LATE = ("watch", "join")


@pytest_asyncio.fixture
async def redis(tmp_path: Path) -> AsyncIterator[str]:
    async with in_a_hurry(tmp_path) as redis:
        yield redis


class Player:
    """One player with all received frames. Plays at random."""

    def __init__(self, address: str, of: Game, name: str, seed: int) -> None:
        self.address = address
        self.game = of
        self.name = name
        self.dice = random.Random(seed)
        self.heard: list[Heard] = []
        self.epoch = ""
        self.code = ""
        self.seat = 0
        self.token: str | None = None
        self.board: Board | None = None
        self.n = 0
        self.client: RawClient

    async def connect(self) -> None:
        self.client = await open_client(self.address)
        await self.client.hello(self.token)
        self.token = self.client.token

    async def hang_up(self) -> None:
        await self.client.socket.close()
        self.heard += self.client.heard

    async def sit_down(self, *command: Any) -> None:
        """Create or join a room, and read its state."""
        assert await self.client.ask(*command) == "ok"
        for heard in self.client.heard:
            self._take_in(heard.message)

    async def join(self, code: str, resume: list[Any] | None = None) -> None:
        await self.sit_down("join", code, self.name, resume)

    async def deal(self) -> None:
        """Wait for the first card."""
        if self.board is None:
            self._take_in(await self.client.hear("board"))

    async def play(self) -> None:
        for _ in range(ACTIONS):
            await self.act()

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
        self._take_in(await self.client.move(self.n, text))

    async def _break_the_connection(self) -> None:
        """Reconnect with a correct, an older, no, or a wrong number of known entries."""
        self.client.socket.transport.abort()
        await self.hang_up()
        await self.connect()
        known = self.dice.choice((self.n, max(0, self.n - 3), None, 10_000))
        await self.join(self.code, None if known is None else [self.epoch, 1, known])

    def _take_in(self, message: list[Any]) -> None:
        match message:
            case ["room", epoch, _, seat, view]:
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


async def race(address: str, number: int) -> list[Player]:
    """Two racers and a late player in a room of one of the games."""
    key = list(GAMES)[number % len(GAMES)]
    settings = {"game": key, "undo": UNDO[number % 3], "late": LATE[number % 2], "countdown": 3, "auto_start": False}
    ann, bob, eve = (
        Player(address, game(key), name, 10 * number + at) for at, name in enumerate(("Ann", "Bob", "Eve"))
    )
    for player in (ann, bob, eve):
        await player.connect()
    await ann.sit_down("create", ann.name, settings)
    await bob.join(ann.code)
    for player in (ann, bob):
        commitment = "".join(player.dice.choices("0123456789abcdef", k=64))
        assert await player.client.ask("ready", commitment) == "ok"
    assert await ann.client.ask("start") == "ok"
    await ann.deal()
    races = settings["late"] == "join"
    async with asyncio.TaskGroup() as group:
        coming = group.create_task(late_comer_plays(eve, ann.code) if races else late_comer_looks_on(eve, ann.code))
        await asyncio.gather(ann.play(), bob_plays(bob))
        if races:
            await coming
        for player in [ann, bob, eve] if races else [ann, bob]:
            assert await player.client.ask("leave") == "ok"
    for player in (ann, bob, eve):
        await player.hang_up()
    return [ann, bob, eve]


async def bob_plays(bob: Player) -> None:
    await bob.deal()
    await bob.play()


async def late_comer_plays(eve: Player, code: str) -> None:
    await eve.join(code)
    await eve.deal()
    await eve.play()


async def late_comer_looks_on(eve: Player, code: str) -> None:
    """Read until the end of the race, because the server disconnects a client that does not answer pings."""
    await eve.join(code)
    while (await eve.client.hear("patch"))[2].get("race", {}).get("secret") is None:
        pass


@pytest.mark.long
async def test_no_frame_names_a_card_that_its_receiver_has_not_turned(redis: str, tmp_path: Path) -> None:
    async with serving(tmp_path, redis=redis, times=HASTY) as address:
        rooms = await asyncio.gather(*[race(address, number) for number in range(2 * len(GAMES))])
        ours = await by_our_clock(redis)
        async with opened(redis, "reader") as store:
            for players in rooms:
                log = await store.logs.read(players[0].code)
                assert log is not None
                deal = replay(log.entries).race
                assert deal.starts_at is not None
                for player in players:
                    moves = await store.logs.moves(player.code, 1, player.seat)
                    check(player, deal, ours(deal.starts_at), [text for _, text in moves])


def check(player: Player, deal: Race, starts_at: float, texts: list[str]) -> None:
    """Compare every frame with the deal, the start of the race, and the revealed cards of the receiver."""
    board = Board.deal(player.game, deal.deck)
    start = [names(column) for column in board.start()]
    log = [[text, turned_by(board, text)] for text in texts]
    boards = 0
    over = False
    for heard in player.heard:
        message = heard.message
        match message:
            case ["board", 1, columns, moves]:
                boards += 1
                assert heard.at >= starts_at - CLOCKS
                assert columns == start and moves == log[: len(moves)]
                continue
            case ["moved", 1, n, text, turned]:
                assert [text, turned] == log[n - 1]
                continue
            case ["room", _, _, _, view]:
                over = over or view["race"]["over_at"] is not None
            case ["patch", _, patch]:
                over = over or patch.get("race", {}).get("over_at") is not None
            case ["welcome", *_]:
                continue  # A guest pass is random letters, some of which look like cards.
        if not over:
            assert deal.secret.encode() not in heard.frame and bytes.fromhex(deal.secret) not in heard.frame
        for text in texts_in(message):
            assert text == player.code or not CARDS.search(text), message
    raced = player.seat in deal.racers
    assert raced == bool(boards) and raced == bool(log)
    if not raced:
        assert over, "spectators see how the race ends"


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


def test_the_search_for_cards_finds_them_in_every_text() -> None:
    assert all(CARDS.search(f"the {card_name(card)}, face down") for card in range(52))
    assert CARDS.search("TH4C2S") and CARDS.search("(KD)")
    assert not CARDS.search("3-7x4 W-F draw is not allowed here: a column is built down in one suit.")
