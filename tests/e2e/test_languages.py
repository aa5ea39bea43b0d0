"""Players with different languages in one room."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from playwright.async_api import Route, expect

from fortythieves.rules.cards import card_name
from fortythieves_client.client import Client
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, Take, Visit, Witness
from tests.e2e.hands import Taps
from tests.e2e.inspector import speak
from tests.e2e.player import Onlooker, Player
from tests.e2e.prepared import WINS, Seat, alone, play, quick, racers, seat_of

WORDS = Path(__file__).parents[2] / "shared/fortythieves/words"
NAMES = json.loads((WORDS / "languages.json").read_text())


@cache
def words(tag: str) -> Mapping[str, str]:
    return {key: text for path in (WORDS / tag).glob("*.json") for key, text in json.loads(path.read_text()).items()}


async def test_a_change_of_language_during_a_race_loses_nothing(address: str, take: Take) -> None:
    ann = await take(await alone(address, game="lucas", deal="32001"))
    await ann.deal("lucas", 32001)
    connections: list[str] = []
    ann.page.on("websocket", lambda connection: connections.append(connection.url))
    await ann.play("draw", "draw")
    assert ann.board is not None
    spoken = "en"
    for tag in ("hi", "ro", "en"):
        await ann.button(words(spoken)["front.options"]).click()
        await ann.page.locator("[role=dialog] .language select, dialog .language select").select_option(tag)
        await expect(ann.page.locator("html")).to_have_attribute("lang", tag)
        await ann.button(words(tag)["front.close"]).click()
        await expect(ann.button(words(tag)["race.page.giveUp"])).to_be_visible()
        label = words(tag)["race.table.label"]
        table = ann.page.get_by_role("application", name=label)
        await expect(table.or_(ann.page.get_by_label(label, exact=True))).to_be_visible()
        assert await ann.page.evaluate("seen.columns()") == [" ".join(map(card_name, c)) for c in ann.board.columns]
        spoken = tag
    await ann.play("draw")
    assert connections == []
    await ann.moves_are_kept()
    await ann.page.reload()
    await ann.table.expect(ann.board)


async def test_the_last_chosen_language_is_shown_even_if_it_loads_first(visit: Visit, witness: Witness) -> None:
    witness.forgive("ERR_FAILED|dynamically imported")
    page = await visit("/", PHONE)
    released = asyncio.Event()

    async def hold(route: Route) -> None:
        await released.wait()
        await route.continue_()

    switch = page.locator(".language select")
    # A language that fails to load changes nothing.
    await page.route("**/assets/hi-*", lambda route: route.abort(), times=1)
    async with page.expect_request("**/assets/hi-*"):
        await switch.select_option("hi")
    await page.wait_for_function("() => document.cookie.includes('language=en')")
    await expect(switch).to_have_value("en")
    await expect(page.get_by_text(words("en")["front.hero"])).to_be_visible()
    await page.reload()

    await page.route("**/assets/ro-*", hold)
    async with page.expect_request("**/assets/ro-*") as asked:
        await switch.select_option("ro")
    await switch.select_option("hi")
    await expect(page.get_by_text(words("hi")["front.hero"])).to_be_visible()
    released.set()
    # It is imported here after the page's own import of it has been answered.
    await page.evaluate("async (words) => void (await import(words))", (await asked.value).url)
    await expect(switch).to_have_value("hi")
    await expect(page.get_by_text(words("hi")["front.hero"])).to_be_visible()
    # It is remembered, even if the page is left before the words have come, and the server knows it.
    await page.unroute("**/assets/ro-*")
    await switch.select_option("ro")
    await page.goto("/practice")
    await expect(page.locator("html")).to_have_attribute("lang", "ro")
    assert '<html lang="ro"' in await (await page.request.get("/")).text()


async def in_its_language(visit: Visit, tag: str, device: dict[str, Any]) -> Player:
    page = await visit("about:blank", device, locale=tag)
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url.rpartition("/")[2]))
    await page.goto("/")
    await expect(page.locator("html")).to_have_attribute("lang", tag)
    await expect(page.get_by_text(words(tag)["front.hero"])).to_be_visible()
    await expect(page.get_by_role("button", name=words(tag)["front.create"])).to_be_visible()
    assert {tag for tag in NAMES for name in asked if name.startswith(f"{tag}-")} == {tag}
    # Without a script, the head has the language, too.
    html = await (await page.request.get("/", headers={"Accept-Language": tag})).text()
    assert f'<html lang="{tag}"' in html and words(tag)["front.hero"] in html
    return Player(page, "")


async def test_two_languages_meet_at_one_table(visit: Visit, witness: Witness) -> None:
    witness.forgive("404")
    ana, hema = await in_its_language(visit, "ro", DESKTOP), await in_its_language(visit, "hi", PHONE)
    await ana.page.get_by_label(words("ro")["front.yourName"]).fill("Ana")
    await ana.button(words("ro")["front.create"]).click()
    code = await ana.code()
    await hema.page.goto("/r/BCDFGH")
    await hema.page.get_by_label(words("hi")["front.yourName"]).fill("Hema")
    await hema.button(words("hi")["front.join.join"]).click()
    await expect(hema.page.get_by_role("alert")).to_contain_text(
        words("hi")["refused.unknown-room"].replace("{code}", "BCDFGH")
    )
    await hema.page.goto(f"/r/{code}")
    await hema.page.get_by_label(words("hi")["front.yourName"]).fill("Hema")
    await hema.button(words("hi")["front.join.join"]).click()
    await hema.page.get_by_label(words("hi")["race.chat.message"]).fill("Noroc! नमस्ते!")
    await hema.page.keyboard.press("Enter")
    await expect(ana.page.get_by_text("Noroc! नमस्ते!")).to_be_visible()
    for player, tag in ((ana, "ro"), (hema, "hi")):
        await player.button(words(tag)["race.ready.iAmReady"]).click()
    for player, tag in ((ana, "ro"), (hema, "hi")):
        await player.cards_are_dealt()
        await expect(player.page.locator("html")).to_have_attribute("lang", tag)
        await expect(player.button(words(tag)["race.page.giveUp"])).to_be_visible()
        await expect(player.button(words(tag)["race.page.undo"])).to_be_visible()


#: Elements with cut texts.
OVERFULL = """(places) => places
    .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1)
    .map(({ textContent }) => textContent)"""


async def test_a_lesson_and_the_door_keep_their_buttons_on_a_phone_in_landscape(address: str, visit: Visit) -> None:
    player = Player(await visit("/", LANDSCAPE, newcomer=True), "Player", Taps())
    await player.page.locator(".practise > .button-quiet").first.tap()
    panel = player.page.locator(".coach-panel")
    for step in (1, 2, 3):
        await expect(player.at("coach")).to_have_attribute("data-step", str(step))
        for tag in NAMES:
            await speak(player.page, tag)
            assert await panel.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") == 0, tag
            for button in await panel.get_by_role("button").all():
                await expect(button).to_be_in_viewport(ratio=1)
        await panel.get_by_role("button").last.tap()
    async with quick(address) as host:
        room = await host.create("Ann")
        await player.page.goto(f"/r/{room.code}")
        for tag in NAMES:
            await speak(player.page, tag)
            await expect(player.button(words(tag)["front.join.join"])).to_be_in_viewport(ratio=1)


#: Other languages may need letters that the machine lacks.
LATIN = "en", "ro"


async def test_a_question_and_the_game_fit_on_a_phone(address: str, take: Take) -> None:
    ann = await take(await alone(address, game="forty-thieves"), PHONE, Taps())
    await ann.cards_are_dealt()
    title = ann.page.locator(".race-title")
    for tag in LATIN:
        await speak(ann.page, tag)
        await expect(title).to_contain_text(words(tag)["front.game.forty-thieves"])
        assert await title.evaluate_all(OVERFULL) == [], tag
    await speak(ann.page, "en")
    await ann.page.set_viewport_size(LANDSCAPE["viewport"])
    await ann.button("Give up").tap()
    answers = ann.page.locator(".race-tools .ask").get_by_role("button")
    for tag in NAMES:
        await speak(ann.page, tag)
        await expect(ann.page.locator(".ask-question")).to_have_text(words(tag)["race.page.giveUpQuestion"])
        await expect(answers).to_have_count(3)
        assert await answers.evaluate_all(OVERFULL) == [], tag


@asynccontextmanager
async def beside_a_win(address: str) -> AsyncIterator[tuple[Seat, Client]]:
    """Bob's seat in a race of three that Ann has won while Cleo still races."""
    win = WINS["limited"]
    async with racers(address, "Ann", "Bob", "Cleo", game="limited", deal=str(win["number"])) as (ann, bob, cleo):
        await asyncio.gather(play(ann, win["moves"]), play(bob, win["moves"][:1]), play(cleo, win["moves"][:1]))
        await bob.close()
        yield seat_of(bob, "Bob"), cleo


async def test_a_narrow_phone_shows_the_news_of_a_win_and_the_state_of_each_racer(address: str, take: Take) -> None:
    async with beside_a_win(address) as (seat, cleo):
        player = await take(seat, PHONE, Taps())
        await cleo.close()
        news = player.page.locator("[data-part=win]")
        told = player.page.locator(":is(.lane-name, .lane-state, .dialog .lane-more)").filter(visible=True)
        for tag in LATIN:
            await speak(player.page, tag)
            await expect(news.get_by_role("button")).to_have_text(words(tag)["more.ending.askAll"])
            assert await news.locator(".end-news-words").evaluate_all(OVERFULL) == [], tag
            await expect(player.lane(3).locator(".lane-state")).to_have_text(words(tag)["race.lane.away"])
            won, _, _ = words(tag)["race.lane.won"].partition("{time}")
            await expect(player.lane(1).locator(".lane-state")).to_contain_text(won)
            assert await told.evaluate_all(OVERFULL) == [], tag
            await player.button(words(tag)["race.page.allRacers"]).tap()
            await expect(player.page.get_by_role("dialog").locator(".lane")).to_have_count(3)
            assert await told.evaluate_all(OVERFULL) == [], tag
            await player.button(words(tag)["front.close"]).tap()


async def test_tools_of_spectators_and_names_above_four_boards_fit_on_a_desktop(address: str, visit: Visit) -> None:
    win = WINS["limited"]
    names = "Ann", "Bob", "Cleopatra", "Dorothea"
    async with racers(address, *names, game="limited", deal=str(win["number"])) as clients:
        await asyncio.gather(*(play(client, win["moves"][:1]) for client in clients))
        await play(clients[0], win["moves"][1:])
        eve = Onlooker(await visit(f"/r/{seat_of(clients[0]).code}/w"))
        await eve.sees(1, 2, 3, 4)
        await expect(eve.board_of(1).locator("[data-state=solved]")).to_be_visible()
        for tag in LATIN:
            await speak(eve.page, tag)
            assert await eve.page.locator(".tile-name").evaluate_all(OVERFULL) == [], tag
        await eve.press("t")
        await expect(eve.page.locator(".tour select")).to_be_visible()
        tools = eve.page.locator(".race-tools button")
        for tag in NAMES:
            await speak(eve.page, tag)
            tops = await tools.evaluate_all("(tools) => tools.map((one) => one.getBoundingClientRect().top)")
            assert len(set(tops)) == 1, tag


#: As Google Translate does: each text is replaced by the translation in two elements.
TRANSLATE = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    for (const text of texts) {
        if (!text.data.trim() || text.parentElement.closest('[translate=no], script, font')) continue
        const outer = document.createElement('font')
        const inner = outer.appendChild(document.createElement('font'))
        inner.textContent = `«${text.data}»`
        text.replaceWith(outer)
    }
}"""


async def test_a_page_that_the_browser_translates_goes_on(address: str, visit: Visit) -> None:
    ann = Player(await visit(), "Ann")
    code = await ann.create()
    async with quick(address) as bob:
        await bob.join("Bob", code)
        await expect(ann.person("Bob")).to_contain_text("not ready")
        # The first time loads the module for it.
        async with ann.page.expect_response(re.compile("translated-texts")):
            await ann.page.evaluate(TRANSLATE)
        await expect(ann.person("Bob")).not_to_contain_text("«")
        await ann.page.evaluate(TRANSLATE)
        await expect(ann.person("Bob")).to_contain_text("«not ready»")
        assert await ann.person("Bob").locator("bdi").inner_text() == "Bob"
        await bob.ready()
        await expect(ann.person("Bob")).to_have_text(re.compile("Bob *ready", re.IGNORECASE))
        await ann.page.evaluate(TRANSLATE)
        await bob.unready()
        await expect(ann.person("Bob")).to_have_text(re.compile("Bob *not ready", re.IGNORECASE))
        await ann.page.get_by_role("button", name=re.compile("Start")).click()
        await expect(ann.at("race")).to_be_visible()
        await ann.page.evaluate(TRANSLATE)
        await ann.cards_are_dealt()
        await ann.page.evaluate(TRANSLATE)
        time = await ann.page.locator(".race-time").inner_text()
        await expect(ann.page.locator(".race-time")).not_to_have_text(time)
        await play(bob, ["draw"])
        await expect(ann.lane(2)).to_contain_text("1 move")
        await ann.button("Give up").click()
        await ann.page.locator(".ask").get_by_role("button", name="Give up").click()
        await expect(ann.status).to_have_text(re.compile("^You gave up"))
