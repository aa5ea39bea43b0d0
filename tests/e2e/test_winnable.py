"""Races on winnable deals: the choice of the host, the waiting room, and the end."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from playwright.async_api import expect

from fortythieves.rules import winnable
from fortythieves_server.config import FEWEST
from fortythieves_server.process.winnable_filler import MachineLock, name_of_redis
from fortythieves_server.store.winnable_pool import WinnablePool
from tests.e2e.conftest import PHONE, Arrive, Visit
from tests.e2e.hands import Taps
from tests.e2e.inspector import Inspector
from tests.e2e.player import Player
from tests.e2e.prepared import quick, seat_of
from tests.server.redises import LASTING, LIBFAKETIME, Node, clock
from tests.server.stores import opened
from tests.server.winnable import GAME, NUMBERS, fill, solved
from tests.serving import serving


class Server(NamedTuple):
    address: str
    pool: WinnablePool


@pytest_asyncio.fixture(loop_scope="session")
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with Node(tmp_path / "redis", LASTING) as node:
        url = f"redis://127.0.0.1:{node.port}"
        # A process with this lock searches for deals.
        lock = MachineLock(f"filler-{name_of_redis(url)}")
        assert lock.take()
        async with serving(tmp_path, redis=url, winnable=FEWEST) as address, opened(url, "test") as store:
            yield Server(address, store.pool)
        lock.release()


@pytest.mark.long
async def test_a_room_waits_for_winnable_deals_and_one_is_raced_proved_and_won(
    server: Server, arrive: Arrive, inspector: Inspector
) -> None:
    stars = solved(NUMBERS[0]).stars
    ann = await arrive("Ann", base_url=server.address)
    bob = await arrive("Bob", PHONE, base_url=server.address)
    both = ann, bob
    code = await ann.create(GAME, public=True)
    await ann.button("Change").click()
    rules = ann.page.get_by_role("dialog")
    await rules.locator("summary").click()
    await rules.get_by_label("Deal", exact=True).select_option(f"winnable-{stars}")
    await expect(rules).to_contain_text("More stars, harder.")
    await inspector.look("rules", ann)
    await rules.get_by_label("Countdown", exact=True).select_option("3")
    await rules.get_by_role("button", name="Save").click()
    await expect(rules).to_be_hidden()
    await expect(bob.page.locator(".public-room")).to_contain_text(f"winnable {'★' * stars}")

    # A start without ready deals gives the reason.
    await ann.start()
    await expect(ann.page.locator("[data-part=preparing]")).to_contain_text("0 of 16")
    await expect(ann.page.locator(".wrong")).to_have_count(0)
    await expect(ann.page.locator(".badge", has_text=f"winnable {'★' * stars}")).to_be_visible()
    await bob.join(code)
    await bob.be_ready()  # Ann is, since she wanted to start
    for player in both:
        await expect(player.page.locator("[data-part=preparing]")).to_contain_text(
            "Winnable deals are being prepared: 0 of 16."
        )
    await fill(server.pool, NUMBERS[:3])
    for player in both:
        await expect(player.page.locator("[data-part=preparing]")).to_contain_text(
            "Winnable deals are being prepared: 3 of 16."
        )
    await expect(bob.button("Race on a secret deal instead")).to_have_count(0)
    await inspector.look("preparing", *both)
    await fill(server.pool, NUMBERS[3 : winnable.DEALS + 4])
    for player in both:
        await player.cards_are_dealt()
    for player in both:
        await player.give_up()
    for player in both:
        await expect(player.at("end")).to_contain_text(f"This deal could be won {'★' * stars}.")
    await expect(ann.page.locator("[data-part=proof]")).to_contain_text("Verified: it is one of the 16")
    await expect(ann.page.locator("[data-part=objection]")).to_have_count(0)
    await inspector.look("end", *both)

    await bob.button("Play a winning line").click()
    line = bob.page.locator("[data-part=line]")
    await expect(line.get_by_role("heading")).to_have_text("A winning line")
    await line.get_by_role("button", name="Pause").click()
    await bob.page.keyboard.press("End")
    await expect(line).to_contain_text("104 home")
    await inspector.look("line", bob)
    await line.get_by_role("button", name="Back to the replay").click()
    await bob.button("Verify").click()
    checks = bob.page.locator("[data-check=winnable]")
    await expect(checks).to_have_attribute("data-ok", "true")
    await bob.fits()


@pytest.mark.long
async def test_a_drawn_round_waits_for_winnable_deals_or_uses_another_deal(
    server: Server, visit: Visit, inspector: Inspector
) -> None:
    async with quick(server.address) as host, quick(server.address) as bob, quick(server.address) as cid:
        room = await host.create("Ann", plan={"by_timer": False}, game=GAME, deal="winnable", countdown=3)
        for client, name in ((bob, "Bob"), (cid, "Cid")):
            await client.join(name, room.code)
        await host.round("start")
        await host.until(lambda: room.view["tournament"]["phase"] == "drawn")
        page = await visit(f"/r/{room.code}", seat=seat_of(host), base_url=server.address)
        wall = await visit(f"/r/{room.code}/p", base_url=server.address)
        for screen in (page, wall):
            await expect(screen.locator("[data-part=preparing]")).to_contain_text("0 of 16")
        await inspector.look("waiting round", Player(page, "Ann"))
        await page.get_by_role("button", name="Race on a secret deal instead").click()
        await bob.until(lambda: bob.race)
        for screen in (page, wall):
            await expect(screen.locator("[data-part=preparing]")).to_have_count(0)


async def test_the_deal_of_the_day_is_two_taps_and_a_name_away(tmp_path: Path, arrive: Arrive) -> None:
    # A Monday at noon: its game is found in a moment, and no day ends.
    monday = clock(FAKETIME="@2026-06-01 12:00:00") if LIBFAKETIME else None
    async with (
        Node(tmp_path / "redis", LASTING, environment=monday) as node,
        serving(tmp_path, redis=f"redis://127.0.0.1:{node.port}", winnable=FEWEST) as address,
    ):
        ann = await arrive("Ann", PHONE, Taps(), base_url=address)
        await ann.page.locator(".today button").tap()
        await expect(ann.at("challenge")).to_contain_text("Deal of the day")
        await ann.page.get_by_label("Your name").fill("Ann")
        await ann.button("Race now").tap()
        await ann.cards_are_dealt()
        await ann.table.pile("stock").tap()
        await ann.give_up()
        await expect(ann.button("Replay")).to_have_count(0)  # the deal is secret until the day is over
        await ann.button("All results").tap()
        await expect(ann.at("challenge").get_by_role("row")).to_have_count(2)
        await ann.page.goto("about:blank")  # before the server stops
