"""Signals for a player who looks elsewhere: vibration and the wake lock."""

import asyncio

from playwright.async_api import expect

from fortythieves.rules.move_notation import parse_move
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.hands import Taps
from tests.e2e.player import Player
from tests.e2e.prepared import WINS, Seat, duel, play, seat_of

WIN = WINS["limited"]
#: Before the last card moves home, this column is empty.
EMPTY = "column-1"

#: How long each of these buzzes, and pauses between, ms.
REFUSED, RIVAL, WON = 40, [30, 60, 30], [60, 40, 60, 40, 200]

#: Records calls of the browser and forwards them. A lock is active until its release.
NOTES = """{
    globalThis.noted = { buzzes: [], locks: 0, held: new Set() }
    const { vibrate } = Navigator.prototype
    Navigator.prototype.vibrate = function (pattern) {
        noted.buzzes.push(pattern)
        return vibrate.call(this, pattern)
    }
    const { request } = WakeLock.prototype
    WakeLock.prototype.request = async function (kind) {
        const lock = await request.call(this, kind)
        noted.locks += 1
        noted.held.add(lock)
        lock.addEventListener('release', () => noted.held.delete(lock))
        return lock
    }
}"""

#: A headless browser never hides a page, so the test hides it and releases its locks.
HIDE = """async () => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    await Promise.all([...noted.held].map((lock) => lock.release()))
}"""
SHOW = "() => { delete document.hidden; document.dispatchEvent(new Event('visibilitychange')) }"


async def sit_down(visit: Visit, seat: Seat) -> Player:
    page = await visit("about:blank", PHONE, seat, permissions=["screen-wake-lock"])
    await page.add_init_script(NOTES)
    await page.goto(f"/r/{seat.code}")
    player = Player(page, seat.name, Taps())
    await player.cards_are_dealt()
    return player


async def buzzed(player: Player, *patterns: int | list[int]) -> None:
    await player.page.wait_for_function(
        "(those) => JSON.stringify(noted.buzzes) === JSON.stringify(those)", arg=list(patterns)
    )


async def holds(player: Player, count: int, *, of: int) -> None:
    await player.page.wait_for_function(
        "([held, locks]) => noted.held.size === held && noted.locks === locks", arg=[count, of]
    )


async def test_a_phone_vibrates_if_allowed_and_stays_awake_until_the_end(address: str, visit: Visit) -> None:
    async with duel(address, game=WIN["game"], deal=str(WIN["number"])) as race:
        await asyncio.gather(*(play(client, WIN["moves"][:-1]) for client in (race.ann, race.bob)))
        await race.ann.close()
        ann = await sit_down(visit, seat_of(race.ann))
        await holds(ann, 1, of=1)
        await ann.page.evaluate(HIDE)
        await holds(ann, 0, of=1)
        await ann.page.evaluate(SHOW)
        await holds(ann, 1, of=2)
        await ann.page.evaluate(SHOW)
        await buzzed(ann)
        await ann.table.pile(EMPTY).tap()
        await play(race.bob, WIN["moves"][-1:])
        await buzzed(ann, REFUSED, RIVAL)
        await switch_vibration(ann)
        await ann.table.pile(EMPTY).tap()
        await switch_vibration(ann)
        await ann.hand.play(ann.table, parse_move(WIN["moves"][-1]))
        await buzzed(ann, REFUSED, RIVAL, WON)
        await holds(ann, 0, of=2)


async def switch_vibration(player: Player) -> None:
    await player.button("Options").tap()
    await player.page.locator(".switch", has_text="Vibration").tap()
    await player.button("Close").tap()
    await expect(player.page.get_by_role("dialog")).to_be_hidden()  # a tap at a place does not wait for that
