"""Signals for a player who looks elsewhere: vibration, the title of the tab, the wake lock."""

import asyncio
import re
from typing import Any

from playwright.async_api import expect

from fortythieves.rules.move_notation import parse_move
from tests.e2e.conftest import DESKTOP, PHONE, Arrive, Visit
from tests.e2e.hands import Taps
from tests.e2e.player import Player
from tests.e2e.prepared import WINS, Seat, alone, duel, play

WIN = WINS["limited"]
#: Before the last card moves home, this column is empty.
EMPTY = "column-1"

#: How long each of these buzzes, and pauses between, ms.
REFUSED, RIVAL, WON = 40, [30, 60, 30], [60, 40, 60, 40, 200]

#: Records calls of the browser and forwards them. A lock is active until its release.
NOTES = """{
    globalThis.noted = { buzzes: [], locks: 0, held: new Set(), titles: [] }
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
    new MutationObserver(() => noted.titles.at(-1) !== document.title && noted.titles.push(document.title))
        .observe(document, { childList: true, subtree: true, characterData: true })
}"""

#: A headless browser never hides a page, so the test hides it and releases its locks.
HIDE = """async () => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    await Promise.all([...noted.held].map((lock) => lock.release()))
}"""
SHOW = "() => { delete document.hidden; document.dispatchEvent(new Event('visibilitychange')) }"


async def sit_down(visit: Visit, seat: Seat, device: dict[str, Any] = DESKTOP) -> Player:
    """Open a running race, and record all calls of the browser."""
    page = await visit("about:blank", device, seat, permissions=["screen-wake-lock"])
    await page.add_init_script(NOTES)
    await page.goto(f"/r/{seat.code}")
    player = Player(page, seat.name, Taps())
    await player.cards_are_dealt()
    return player


async def buzzed(player: Player, *patterns: int | list[int]) -> None:
    """Wait until the phone has buzzed in these ways, and in no others."""
    await player.page.wait_for_function(
        "(those) => JSON.stringify(noted.buzzes) === JSON.stringify(those)", arg=list(patterns)
    )


async def holds(player: Player, count: int, *, of: int) -> None:
    """Wait until this number of locks is active."""
    await player.page.wait_for_function(
        "([held, locks]) => noted.held.size === held && noted.locks === locks", arg=[count, of]
    )


async def test_a_phone_vibrates_for_a_wrong_move_a_rival_and_a_win_if_allowed(address: str, visit: Visit) -> None:
    async with duel(address, game=WIN["game"], deal=str(WIN["number"])) as race:
        await asyncio.gather(*(play(client, WIN["moves"][:-1]) for client in (race.ann, race.bob)))
        await race.ann.close()
        ann = await sit_down(visit, Seat(race.code, race.ann.token or "", "Ann"), PHONE)
        await buzzed(ann)
        await ann.table.pile(EMPTY).tap()
        await play(race.bob, WIN["moves"][-1:])
        await buzzed(ann, REFUSED, RIVAL)
        await switch_vibration(ann)
        await ann.table.pile(EMPTY).tap()
        await switch_vibration(ann)
        await ann.hand.play(ann.table, parse_move(WIN["moves"][-1]))
        await buzzed(ann, REFUSED, RIVAL, WON)


async def switch_vibration(player: Player) -> None:
    await player.button("Options").tap()
    await player.page.locator(".switch", has_text="Vibration").tap()
    await player.button("Close").tap()


async def test_the_tab_title_counts_down_and_is_restored(arrive: Arrive) -> None:
    ann = await arrive("Ann")
    code = await ann.create("lucas")
    title = f"{code} · Forty Thieves Race"
    await expect(ann.page).to_have_title(title)
    await ann.page.evaluate(NOTES)
    await ann.start()
    await ann.cards_are_dealt()
    await expect(ann.page).to_have_title(title)
    counted = [told for told in await ann.page.evaluate("noted.titles") if told != title]
    assert counted, "it counted"
    assert all(re.fullmatch(rf"[1-9] … {title}", told) for told in counted), counted
    assert counted == sorted(set(counted), reverse=True), "down"


async def test_the_screen_stays_awake_in_a_race_also_after_the_tab_was_hidden(address: str, visit: Visit) -> None:
    seat = await alone(address, WIN["moves"][:-1], game=WIN["game"], deal=str(WIN["number"]))
    ann = await sit_down(visit, seat)
    await holds(ann, 1, of=1)
    await ann.page.evaluate(HIDE)
    await holds(ann, 0, of=1)
    await ann.page.evaluate(SHOW)
    await holds(ann, 1, of=2)
    await ann.page.evaluate(SHOW)
    await ann.table.pile("waste").click()
    await ann.table.pile("foundation-C").click()
    await ann.results()
    await holds(ann, 0, of=2)
