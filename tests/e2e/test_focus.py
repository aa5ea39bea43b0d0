"""The focus is never lost after a key, because players without a mouse would have to start from the top."""

from playwright.async_api import Locator, expect

from tests.e2e.conftest import Arrive, Take
from tests.e2e.player import Player
from tests.e2e.prepared import play, quick, seat_of


async def test_the_focus_stays_on_the_pressed_button_in_a_room_and_a_race(arrive: Arrive) -> None:
    ann = await arrive("Ann")
    await ann.create()
    await press(ann.button("Lock"))
    await expect(ann.button("Locked")).to_be_focused()

    await press(ann.button("Change my name"))
    await expect(ann.page.get_by_label("Your name")).to_be_focused()
    await press(ann.button("Cancel"))
    await expect(ann.button("Change my name")).to_be_focused()
    await press(ann.button("Change my name"))
    await ann.page.keyboard.type("Anna")
    await ann.page.keyboard.press("Enter")
    await expect(ann.person("AnnAnna")).to_be_visible()
    await expect(ann.button("Change my name")).to_be_focused()

    await press(ann.button("Leave"))
    await expect(ann.button("No")).to_be_focused()
    await ann.page.keyboard.press("Enter")
    await expect(ann.button("Leave")).to_be_focused()
    await opens_and_closes(ann, "Change")
    await opens_and_closes(ann, "Options")
    await ann.change(countdown="3")
    await expect(ann.button("Change")).to_be_focused()

    await ann.start()
    await ann.cards_are_dealt()
    await expect(ann.button("Give up")).to_be_enabled()
    await press(ann.button("Give up"))
    await expect(ann.button("No")).to_be_focused()
    await ann.page.keyboard.press("Escape")
    await expect(ann.button("Give up")).to_be_focused()


#: Two clicks before the browser reports the closed dialog, and its report.
AGAIN_AT_ONCE = """async (name) => {
    const watch = (done) => new MutationObserver(() => document.querySelector('dialog') ?? done())
    const gone = new Promise((done) => watch(done).observe(document, { childList: true, subtree: true }))
    document.querySelector('dialog [aria-label=Close]').click()
    await gone
    for (const button of document.querySelectorAll('button')) if (button.textContent.trim() === name) button.click()
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
}"""


async def test_the_focus_stays_in_the_desk_of_a_host(address: str, take: Take) -> None:
    plan = {"name": "A cup", "format": "swiss", "by_timer": False}
    async with quick(address) as host, quick(address) as cleo, quick(address) as dan:
        room = await host.create("Ann", plan=plan, seats=30, countdown=3)
        await cleo.join("Cleo", room.code)
        await dan.join("Dan", room.code)
        await host.close()
        ann = await take(seat_of(host))
        desk = ann.page.locator("[data-part=desk]")

        await opens_and_closes(ann, "Plan")
        await opens_and_closes(ann, "Announce …")
        await press(ann.button("Announce …"))
        await ann.page.get_by_role("textbox", name="Announcement").fill("Lunch until 1 pm")
        await press(ann.button("Announce"))
        await expect(ann.page.locator("[data-part=announcement]")).to_contain_text("Lunch")
        await expect(ann.button("Announce …")).to_be_focused()
        # A dialog that opens again immediately stays open.
        await press(ann.button("Announce …"))
        dialog = ann.page.get_by_role("dialog")
        await expect(dialog).to_be_visible()
        await ann.page.evaluate(AGAIN_AT_ONCE, "Announce …")
        await expect(dialog).to_have_count(1)
        await dialog.get_by_role("button", name="Close").click()
        await expect(dialog).to_have_count(0)
        for before, after in (
            ("Close registration", "Open registration"),
            ("Lock", "Locked"),
            ("Hold the next round", "Let the next round start"),
        ):
            await press(ann.button(before))
            await expect(ann.button(after)).to_be_focused()
        await press(ann.button("Let the next round start"))
        await expect(ann.button("Hold the next round")).to_be_focused()

        await press(ann.button("Set a time …"))
        await expect(ann.page.get_by_label("Round 1 starts at")).to_be_focused()
        await press(ann.button("Cancel"))
        await expect(ann.button("Set a time …")).to_be_focused()

        await press(ann.button("Start round 1 now"))
        await expect(ann.button("Start round 1 now")).to_have_count(0)
        await expect(desk).to_be_focused()
        await play(cleo)
        await press(ann.button("End round 1 now"))
        await expect(ann.page.get_by_label("Reason")).to_be_focused()
        await press(ann.button("No"))
        await expect(ann.button("End round 1 now")).to_be_focused()
        await press(ann.button("End round 1 now"))
        await ann.page.keyboard.press("Enter")
        await expect(ann.button("End round 1 now")).to_have_count(0)
        await expect(desk).to_be_focused()


async def opens_and_closes(player: Player, name: str) -> None:
    """A dialog begins at its heading, where Enter does nothing, and gives the focus back however it is closed."""
    dialog = player.page.get_by_role("dialog")
    await press(player.button(name))
    await expect(dialog.get_by_role("heading", level=2)).to_be_focused()
    await player.page.keyboard.press("Enter")
    await expect(dialog).to_be_visible()
    await press(dialog.get_by_role("button", name="Close"))
    await expect(dialog).to_have_count(0)
    await expect(player.button(name)).to_be_focused()


async def press(button: Locator) -> None:
    await button.focus()
    await button.page.keyboard.press("Enter")
