"""A race survives broken connections, a dead server, and a second tab."""

import asyncio
import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import msgpack
import pytest
import pytest_asyncio
from playwright.async_api import WebSocketRoute, expect

from fortythieves.rules.move_notation import DRAW, parse_move
from tests.e2e.conftest import PHONE, Take, Visit, Witness
from tests.e2e.hands import Taps
from tests.e2e.inspector import Inspector
from tests.e2e.player import Onlooker, Player
from tests.e2e.prepared import alone, board_of, quick
from tests.e2e.server import Server
from tests.faults.proxy import Proxy, proxy

#: An open deal with early moves.
GAME, NUMBER = "streets", 32749
RACE = {"game": GAME, "deal": str(NUMBER), "undo": "free"}


DEALT = board_of(GAME, number=NUMBER)
ILLEGAL = next(text for text in ("1-2", "1-3", "1-4", "1-5") if parse_move(text) not in DEALT.legal_moves)


@pytest.fixture(scope="session")
def address(unhurried: str) -> str:
    return unhurried


@pytest_asyncio.fixture(loop_scope="session")
async def wire(address: str, witness: Witness) -> AsyncIterator[Proxy]:
    # Errors of the browser for its connection and for late parts of the page.
    witness.forgive("WebSocket connection to|Failed to load resource")
    async with proxy(partial(asyncio.open_connection, "127.0.0.1", int(address.rpartition(":")[2]))) as wire:
        yield wire


async def is_connected(player: Player) -> None:
    await expect(player.page.locator(".line[data-line=open]")).to_be_attached()


@pytest.mark.long
async def test_a_killed_server_restarts_with_the_same_race(
    tmp_path: Path, witness: Witness, take: Take, visit: Visit
) -> None:
    witness.forgive("WebSocket connection to|Failed to load resource")
    server = Server(tmp_path)
    server.start()
    try:
        seat = await alone(server.address, **RACE, watch="open")
        ann = await take(seat, base_url=server.address)
        await ann.deal(GAME, NUMBER)
        eve = Onlooker(await visit(f"/r/{seat.code}/w", base_url=server.address))
        await ann.play("draw", "draw")
        await eve.expect_board(ann.board or DEALT)
        before = await ann.table.picture()
        server.kill()
        await expect(ann.page.locator(".line[data-line=lost]")).to_be_attached()
        await expect(eve.page.locator(".line[data-line=lost]")).to_be_attached()
        server.start()
        await is_connected(ann)
        assert await ann.table.picture() == before
        await ann.play("draw", "undo", "draw")
        await ann.moves_are_kept()
        await eve.expect_board(ann.board or DEALT)
        await ann.page.reload()
        await ann.cards_are_dealt()
        await ann.has_played()
    finally:
        server.stop()


async def test_moves_survive_a_cut_a_lost_answer_and_a_long_silence(wire: Proxy, address: str, take: Take) -> None:
    ann = await take(await alone(address, **RACE), PHONE, Taps(), base_url=wire.address)
    await ann.deal(GAME, NUMBER)
    await ann.play("draw")
    assert ann.board is not None
    from_column_to_column = next(str(move) for move in ann.board.legal_moves if min(move) > 0)
    # The board holds still two seconds later, in which a hand on a busy machine may not get far.
    await ann.press_when(".line[data-line=lost]", *(f"Digit{pile}" for pile in from_column_to_column.split("-")))
    wire.cut()
    await ann.has_played(from_column_to_column)
    wire.mend()
    await is_connected(ann)
    await ann.play("draw")
    await expect(ann.lane(1)).to_contain_text("3 moves")

    # Moves with a lost answer are not made twice.
    await ann.moves_are_kept()
    wire.deaf = True
    for _ in range(2):
        await ann.hand.play(ann.table, DRAW)
    await ann.is_told("Wait a moment: your last card is on its way")
    await expect(ann.table.pile("waste")).to_have_attribute("aria-label", "Waste: 3 cards, top face-down card")
    async with ann.page.expect_websocket():
        wire.cut()
        wire.mend()
    await is_connected(ann)
    # The page shows its own moves until the server has answered the next one.
    await ann.has_played("draw")
    await ann.play("draw")
    await ann.moves_are_kept()
    await ann.has_played()
    await expect(ann.lane(1)).to_contain_text("5 moves")

    # The board stops when the connection stays down.
    wire.cut()
    await expect(ann.status).to_have_text("Reconnecting. Your moves are kept, but the clock is running.")
    await expect(ann.page.locator("[data-table].ft-still")).to_be_visible()
    wire.mend()
    await ann.cards_are_dealt()
    await ann.play("draw")


async def test_a_phone_or_another_tab_takes_the_seat_and_the_first_can_have_it_back(
    address: str, take: Take, inspector: Inspector
) -> None:
    seat = await alone(address, **RACE)
    first = await take(seat)
    await first.deal(GAME, NUMBER)
    await first.play("draw")
    await first.moves_are_kept()
    second = Player(await first.page.context.new_page(), "Ann")
    second.board = first.board
    await second.page.goto(f"/r/{seat.code}")
    await second.cards_are_dealt()
    await expect(first.at("taken-over")).to_contain_text("This seat moved to another tab.")
    await inspector.look("taken over", first)
    await second.play("draw")
    await second.moves_are_kept()
    await first.button("Use this tab").click()
    await first.cards_are_dealt()
    await first.has_played()
    await first.play("draw")
    await first.moves_are_kept()
    await expect(second.at("taken-over")).to_be_visible()
    phone = await take(seat, PHONE, Taps())
    await phone.cards_are_dealt()
    phone.board = first.board
    await phone.has_played()
    await expect(first.at("taken-over")).to_be_visible()
    await phone.play("draw", "undo", "undo")


async def test_a_refused_move_is_undone_with_the_reason(address: str, visit: Visit) -> None:
    """The page knows the rules as well as the server, so something on the way has to spoil a move."""
    seat = await alone(address, **RACE)
    page = await visit("about:blank", seat=seat)

    async def spoil(connection: WebSocketRoute) -> None:
        server = connection.connect_to_server()
        connection.on_message(lambda frame: server.send(spoilt(frame)))
        server.on_message(lambda frame: connection.send(frame))

    await page.route_web_socket(re.compile(r"/ws(\?|$)"), spoil)
    await page.goto(f"/r/{seat.code}")
    ann = Player(page, "Ann")
    await ann.deal(GAME, NUMBER)
    await ann.table.pile("stock").click()
    await ann.is_told("Columns build down in alternating colours")
    await ann.has_played()


def spoilt(frame: str | bytes) -> bytes:
    """The same message, but for a move another one that the deal does not allow."""
    message: list[Any] = msgpack.unpackb(frame if isinstance(frame, bytes) else frame.encode())
    if message[0] == "move":
        message[3] = ILLEGAL
    return bytes(msgpack.packb(message))


async def test_changing_rooms_during_the_connection_opens_the_second_room(
    wire: Proxy, address: str, visit: Visit
) -> None:
    seat = await alone(address, **RACE)
    async with quick(address) as host:
        other = await host.create("Bob")
        ann = Player(await visit(f"/r/{other.code}", seat=seat, base_url=wire.address), seat.name)
        await expect(ann.at("join")).to_be_visible()
        await ann.button("Front page").click()
        wire.deaf = True
        await ann.type_code(seat.code)
        await expect(ann.at("returning")).to_contain_text(f"Back to your seat as {seat.name}")
        await ann.page.evaluate("history.go(-2)")
        await expect(ann.at("join")).to_contain_text(other.code)
        wire.mend()
        await ann.enter()
        await expect(ann.page.locator(".person-name")).to_have_text(["Bob", "Ann"])
