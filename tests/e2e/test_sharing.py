"""A host invites friends in other networks, and the tunnel gets another address during the race."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from fortythieves_server.process import tunnel
from tests.e2e.conftest import PHONE, Visit, Witness
from tests.e2e.player import Player
from tests.relays import RELAY, environment, running_relays
from tests.serving import serving


@pytest.mark.long
async def test_a_friend_elsewhere_keeps_the_seat_when_the_address_changes(
    visit: Visit, witness: Witness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness.forgive("ERR_CONNECTION_REFUSED")
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    for name in ("CHECK_EVERY", "CHECK_FIRST"):
        monkeypatch.setattr(tunnel, name, 0.3)
    async with serving(tmp_path / "data", share_with=RELAY) as site:
        ann = Player(await visit("/", base_url=site), "Ann")
        code = await ann.create()
        cid = Player(await visit("/", base_url=site), "Cid")
        await cid.join(code)
        await ann.button("Friends in other networks?").click()
        await ann.button("Invite from anywhere").click()
        link = ann.page.locator(".invite a")
        await expect(ann.page.get_by_text("Anyone with this link can join")).to_be_visible()
        await expect(cid.button("Move to the secure address")).to_be_visible()
        invitation = str(await link.get_attribute("href"))
        assert invitation.startswith("https://127.0.0.1:")

        far = {"base_url": invitation.partition("/r/")[0], "ignore_https_errors": True}
        bob = Player(await visit(invitation, PHONE, **far), "Bob")
        async with bob.page.expect_response("**/api/carry"):  # the code that takes the seat along
            await bob.enter()
        await expect(bob.at("room")).to_be_visible()

        running_relays()[0].kill()
        await bob.page.get_by_text("Has the link changed?").click()
        await expect(ann.page.get_by_text("There is a new link for friends in other networks")).to_be_visible()
        await expect(link).not_to_have_attribute("href", invitation)
        changed = str(await link.get_attribute("href"))
        witness.expect(changed.partition("/r/")[0])
        await bob.page.get_by_label("New link").fill(changed)
        await bob.button("Go there").click()
        await bob.button("Go on here").click()
        await expect(bob.at("room")).to_be_visible()
        await expect(ann.page.locator(".person")).to_have_count(3)
        for player in (ann, bob, cid):  # before their server stops
            await player.page.close()
