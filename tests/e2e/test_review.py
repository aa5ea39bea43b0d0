"""The review of a round on the desk of the host."""

from playwright.async_api import expect

from fortythieves.rules.games import game
from tests.e2e.conftest import Visit
from tests.e2e.inspector import Inspector
from tests.e2e.player import Player
from tests.e2e.prepared import Seat, play, quick


async def test_only_the_host_sees_remarks_about_draws_and_shared_addresses(
    address: str, visit: Visit, inspector: Inspector
) -> None:
    async with quick(address) as host, quick(address) as scout, quick(address) as friend:
        room = await host.create("Ann", plan={"by_timer": False}, game="lucas", deal="32001", countdown=3)
        for client, name in ((scout, "Scout"), (friend, "Friend")):
            await client.join(name, room.code)
        await host.round("start")
        await host.until(lambda: room.view["tournament"]["phase"] == "drawn")
        await host.round("start")
        await play(scout, ["draw"] * game("lucas").stock)
        await scout.leave()
        await friend.leave()
        # No further round may begin after the pause.
        await host.until(lambda: room.view["tournament"]["phase"] == "over")
        seat = Seat(room.code, host.token or "", "Ann")
    page = await visit(f"/r/{seat.code}", seat=seat)
    review = page.locator("[data-part=review]")
    await expect(review).to_contain_text("Scout and Friend played from one address.")
    await expect(review).to_contain_text("Scout drew the whole stock and hardly moved a card before.")
    await inspector.look("review", Player(page, "Ann"))
