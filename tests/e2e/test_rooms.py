"""Rooms as their people see them: coming in, the host's tools, names and chat."""

import asyncio
import re

from playwright.async_api import expect

from fortythieves.protocol.to_client import Close
from tests.e2e.conftest import PHONE, Arrive, Witness
from tests.e2e.hands import Taps
from tests.e2e.inspector import LAY_OUT, Inspector
from tests.e2e.player import Player
from tests.e2e.prepared import quick
from tests.integration.raw import guest

#: A character that reverses the following text.
OVERRIDE = "\u202e"
MARKUP = "<img src=x onerror=alert(1)>"


async def test_a_host_and_a_friend_meet_talk_and_pass_the_room_on(address: str, arrive: Arrive) -> None:
    """New rules reset the ready state. Chat is text and can be muted. Whoever is removed cannot return."""
    ann, bob = await asyncio.gather(arrive("Ann"), arrive("Bob", PHONE, Taps()))
    code = await ann.create()
    await bob.type_code(code.lower())
    await expect(bob.page.locator("[data-part=game]")).to_have_text(re.compile(r"^Ann invites you to a race of .+"))
    await bob.enter()
    await expect(ann.person("Bob")).to_be_visible()
    await bob.leave()
    link = await ann.page.locator(".invite a").get_attribute("href")
    await bob.type_code(f"  {link} ")
    await expect(bob.page.locator("[data-part=who]")).to_be_visible()
    await bob.enter()
    for player in (ann, bob):
        await expect(player.page.locator(".person-name")).to_have_text(["Ann", "Bob"])

    await bob.be_ready()
    await expect(ann.person("Bob")).to_contain_text("ready")
    await expect(ann.page.get_by_text("Waiting for you to be ready.")).to_be_visible()
    await ann.change(game="maria", undo="none")
    await expect(bob.person("Bob")).to_contain_text("not ready")
    await expect(bob.page.locator("[data-part=rules]")).to_contain_text("Maria")
    await bob.page.get_by_text("All rules").click()
    await expect(bob.page.locator("[data-part=rules]")).to_contain_text("No undo")
    await expect(bob.button("Change")).to_have_count(0)

    await bob.say(MARKUP)
    lines = ann.page.locator(".chat-text")
    await expect(lines).to_have_text([MARKUP])
    await ann.button("Mute Bob in the chat").click()
    await expect(lines).to_have_count(0)
    await bob.say("Can you hear me?")
    await expect(bob.page.locator(".chat-text")).to_have_text([MARKUP, "Can you hear me?"])
    await ann.say("No.")
    await expect(bob.page.locator(".chat-text")).to_have_text([MARKUP, "Can you hear me?", "No."])
    await expect(lines).to_have_text(["No."])
    await ann.button("Mute chat").click()
    await expect(ann.page.get_by_text("You muted the chat.")).to_be_visible()

    await hand_over(ann, "Bob")
    await expect(bob.person("Bob")).to_contain_text("host")
    await expect(bob.person("Ann")).to_contain_text("created the room")
    await expect(bob.button("Remove Ann")).to_have_count(0)
    await expect(bob.button("Change")).to_be_visible()
    await expect(ann.button("Change")).to_have_count(0)
    await hand_over(bob, "Ann")

    await ann.button("Remove Bob").click()
    await expect(ann.person("Bob").get_by_role("checkbox")).not_to_be_checked()
    await ann.person("Bob").get_by_role("button", name="Yes").click()
    await expect(bob.page.get_by_role("alert")).to_contain_text("The host has removed you from this room.")
    await expect(ann.page.locator(".person-name")).to_have_text(["Ann"])
    await bob.enter()
    await expect(bob.page.locator("[data-error=kicked]")).to_be_visible()
    async with guest(address) as cem:
        assert await cem.ask("join", code, "Cem", None) == "ok", "the address is blocked only on request"


async def hand_over(host: Player, name: str) -> None:
    await host.button(f"Make {name} the host").click()
    await host.person(name).get_by_role("button", name="Yes").click()


async def test_a_host_who_presses_the_own_invitation_stays_in_the_room(arrive: Arrive) -> None:
    """The invitation names an address in the network, which is another site than localhost."""
    ann = await arrive("Ann")
    await ann.page.route(
        "/api/address",
        lambda route: route.fulfill(
            json={"addresses": ["http://192.0.2.7:8040"], "near": True, "share": {"url": "", "answers": False}}
        ),
    )
    code = await ann.create()
    link = ann.page.locator(".invite a")
    await expect(link).to_have_attribute("href", f"http://192.0.2.7:8040/r/{code}")
    await link.click()
    await expect(ann.person("Ann")).to_contain_text("host")
    assert ann.page.url.endswith(f"/r/{code}")


#: How many pixels of the chat are below what is shown.
LEFT_TO_READ = (
    "(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)"
    "(document.querySelector('.chat-list'))"
)


async def test_the_chat_does_not_jump_to_its_end_while_it_is_read(address: str, arrive: Arrive) -> None:
    ann = await arrive("Ann")
    code = await ann.create()
    async with quick(address) as bob:
        await bob.join("Bob", code)
        for number in range(30):
            await bob.chat(f"line {number}")
        await expect(ann.page.get_by_text("line 29")).to_be_attached()
        await ann.page.wait_for_function(f"{LEFT_TO_READ} < 2")
        await ann.page.locator(".chat-list").evaluate("(list) => list.scrollTo(0, 10)")
        await bob.chat("line 30")
        await expect(ann.page.get_by_text("line 30")).to_be_attached()
        assert await ann.page.evaluate(LEFT_TO_READ) > 100
        await ann.say("Now I see.")
        await expect(ann.page.get_by_text("Now I see.")).to_be_attached()
        await ann.page.wait_for_function(f"{LEFT_TO_READ} < 2")


NO_CODE = "A room code has six letters. Or paste the link."


CLOSED = {
    "full": "This room is full.",
    "locked": "The host has locked this room.",
    "started": "The race has started. Nobody can join until it is over.",
}


async def test_invalid_and_unknown_codes_and_refusals_have_a_reason(
    address: str, arrive: Arrive, witness: Witness
) -> None:
    witness.forgive("404")
    bob = await arrive("Bob", PHONE)
    alert = bob.page.get_by_role("alert")
    await bob.type_code("12345")
    await expect(alert).to_have_text(NO_CODE)
    await bob.type_code("qqqqqq")
    await expect(alert).to_contain_text("There is no room QQQQQQ.")
    # A mistyped address opens the front page with its text.
    for path, alerts in (("/r/12345", [NO_CODE]), ("/kqxwvd", [])):
        await bob.page.goto(address + path)
        await expect(bob.page.get_by_label("Room code or link")).to_have_value(path.rpartition("/")[2])
        await expect(alert).to_have_text(alerts)
    for why, text in CLOSED.items():
        async with quick(address) as host:
            room = await host.create("Ann", seats=1 if why == "full" else 2, late="refuse")
            if why == "locked":
                await host.lock(True)
            if why == "started":
                await host.start()
            await bob.page.goto(f"/r/{room.code}")
            await bob.enter()
            await expect(bob.page.locator(f"[data-error={why}]")).to_contain_text(text)
            await expect(bob.at("join")).to_be_visible()


async def test_a_host_reads_names_as_text_and_mutes_and_removes_a_spectator_by_keys(
    address: str, arrive: Arrive, inspector: Inspector
) -> None:
    ann = await arrive("<b>Ann</b>")
    code = await ann.create()
    async with quick(address) as bob, quick(address) as other:
        await bob.join(f"{OVERRIDE}Bob", code)
        await other.join("bob", code)
        await expect(ann.page.locator(".person-name")).to_have_text(["<b>Ann</b>", "Bob", "bob 2"])
        await expect(ann.page.locator(".person-name b")).to_have_count(0)
    async with guest(address) as cleo:
        assert await cleo.ask("watch", code, "Cleo") == "ok"
        assert await cleo.ask("chat", "k", "Hello!") == "ok"
        await ann.button("Mute Cleo for everyone").press("Enter")
        await expect(ann.button("Unmute Cleo")).to_be_visible()
        assert await cleo.ask("chat", "k2", "Hello!") == "muted"
        await ann.button("Unmute Cleo").press("Enter")
        await expect(ann.button("Mute Cleo for everyone")).to_be_visible()
        assert await cleo.ask("chat", "k2", "Hello again!") == "ok"
        await ann.button("Remove spectator Cleo").first.press("Enter")
        question = ann.page.get_by_role("group", name="Remove Cleo?")
        await expect(question.get_by_role("checkbox")).not_to_be_checked()
        await inspector.look("question", ann)
        await question.get_by_role("checkbox").press("Space")
        await question.get_by_role("button", name="Remove").press("Enter")
        assert await cleo.closed() == Close.KICKED
    async with guest(address) as again:
        assert await again.ask("watch", code, "Walt") == "address-held"
        await ann.button("Let Cleo in again").press("Enter")
        await expect(ann.button("Let Cleo in again")).to_have_count(0)
        assert await again.ask("watch", code, "Walt") == "ok"


async def test_the_widest_names_make_no_page_wider_than_a_phone(address: str, arrive: Arrive) -> None:
    wide = "W" * 24
    ann = await arrive(wide, PHONE, Taps())
    async with quick(address) as bob:
        await bob.join(wide[1:], await ann.create())
        await expect(ann.page.locator(".person")).to_have_count(2)
        await ann.fits()
        await ann.start()
        await ann.cards_are_dealt()
        await ann.table.pile("stock").tap()
        await ann.moves_are_kept()
        await ann.button("Options").tap()
        await ann.button("End the race").tap()
        await ann.page.locator(".ask").get_by_role("button", name="End it").tap()
        await expect(ann.at("end")).to_be_visible()
        await ann.fits()


async def test_a_public_room_is_found_and_leaving_it_asks_first(arrive: Arrive, inspector: Inspector) -> None:
    ann, bob = await asyncio.gather(arrive("Ann of Basra"), arrive("Bob", PHONE, Taps()))
    code = await ann.create("streets", public=True)
    home = ann.page.get_by_role("link", name="front page")
    await home.press("Enter")
    await expect(ann.at("front")).to_be_visible()
    await ann.button(f"Back to room {code}").click()
    listed = bob.page.locator(f".public-room[data-code={code}]")
    await expect(listed).to_contain_text("Streets")
    await expect(listed).to_contain_text("Ann of Basra")
    await listed.click()
    await bob.enter()
    await expect(bob.page.locator(".person-name")).to_have_text(["Ann of Basra", "Bob"])
    await expect(ann.person("Bob")).to_be_visible()

    asked = ann.page.get_by_role("dialog", name=f"Leave room {code} for now?")
    await home.press("Enter")
    await expect(asked).to_contain_text(f"1 other person is in room {code} with you.")
    await expect(asked.get_by_role("button", name="Stay")).to_be_focused()
    await inspector.look("leaving", ann)
    await ann.page.keyboard.press("Escape")
    await expect(asked).to_have_count(0)
    await expect(home).to_be_focused()
    await home.press("Enter")
    await asked.get_by_role("button", name="Leave for now").press("Enter")
    await expect(ann.at("front")).to_be_visible()
    await expect(bob.person("Ann of Basra")).to_contain_text("away")

    await ann.button(f"Back to room {code}").click()
    await expect(bob.person("Ann of Basra")).not_to_contain_text("away")


#: Escape, and the way back to the front page before the next frame.
CLOSE_AND_ASK = """async () => {
    document.querySelector('dialog').requestClose()
    await new Promise((done) => setTimeout(done))
    document.querySelector('.head-home').click()
}"""


async def test_a_question_about_leaving_can_open_again_until_the_race_starts(address: str, arrive: Arrive) -> None:
    async with quick(address) as ann:
        room = await ann.create("Ann", countdown=3)
        bob = await arrive("Bob", PHONE, Taps(), by_link=True)
        await bob.join(room.code)
        home, dialog = bob.page.get_by_role("link", name="front page"), bob.page.get_by_role("dialog")
        await home.tap()
        stay = dialog.get_by_role("button", name="Stay")
        await expect(stay).to_be_visible()
        await bob.page.evaluate(CLOSE_AND_ASK)
        await bob.page.evaluate(LAY_OUT)
        await stay.click()
        await expect(dialog).to_have_count(0)
        await expect(bob.at("room")).to_be_visible()
        await home.tap()
        await expect(dialog).to_be_visible()
        await ann.start()
        await bob.cards_are_dealt()
        await expect(dialog).to_have_count(0)
