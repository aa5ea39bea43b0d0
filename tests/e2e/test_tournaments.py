"""Tournaments, from the first click of the host to the podium."""

import asyncio
import re
import shlex
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.async_api import Page, expect

from fortythieves.errors import Refused
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import DRAW
from fortythieves.times import Ms
from fortythieves_client.client import Client
from fortythieves_client.standings import findings_of
from fortythieves_client.verify import UNKNOWN
from tests.e2e.conftest import PHONE, Arrive, Visit
from tests.e2e.hands import Taps
from tests.e2e.inspector import Inspector
from tests.e2e.player import Player
from tests.e2e.prepared import WINS, Seat, guests, play, quick, seat_of

#: The seconds between the draw and the cards, and until giving up is possible.
ROUND = 60_000

HOUR = 3_600_000

#: Bob's seat; the host has the first one.
BOB = 2

WALL: dict[str, Any] = {"viewport": {"width": 1600, "height": 900}, "reduced_motion": "reduce"}


@pytest.mark.long
async def test_an_event_of_each_format_is_held_from_draw_to_podium(
    address: str, visit: Visit, inspector: Inspector
) -> None:
    async with asyncio.TaskGroup() as events:
        events.create_task(cup_of_five(address, visit))
        events.create_task(double_of_three(address, visit, inspector))
        events.create_task(swiss_of_six(address, visit))
        events.create_task(groups_of_two(address, visit))


@pytest.mark.long
async def test_the_projector_changes_pages_after_a_change_of_its_size(address: str, visit: Visit) -> None:
    names = [f"Entrant {n}" for n in range(30)]
    async with quick(address) as host:
        room = await host.create("Ann", plan={"name": "A cup with a name that needs two lines on a wall"}, seats=40)
        wall = await visit(f"/r/{room.code}/p", {**WALL, "viewport": {"width": 1000, "height": 560}})
        async with guests(address, room.code, names):
            page, entrants = wall.locator("[data-part='page']"), part(wall, "entrants").locator("li")
            await expect(page).to_contain_text("2 of")
            await wall.set_viewport_size({"width": 1000, "height": 500})
            await expect(page).to_contain_text("1 of")
            assert await entrants.count() < len(names)
            assert await wall.locator("h1").evaluate("head => head.scrollWidth <= head.clientWidth")


async def test_a_request_for_a_full_team_lists_teams_with_room(address: str, arrive: Arrive) -> None:
    bob = await arrive("Bob", PHONE, by_link=True)
    async with quick(address) as host:
        room = await host.create("Ann", plan={"rounds": 3, "team_size": 2, "team_most": 2}, seats=20)
        async with guests(address, room.code, ["Cleo", "Dan", "Eve"]) as (cleo, dan, eve):
            for client, team in ((cleo, "Red"), (dan, "Red"), (eve, "Blue")):
                await client.team(client_seat(client), team)
            await bob.page.goto(f"/r/{room.code}")
            await bob.page.get_by_label("Your team").fill("red")
            await bob.enter()
            own = part(bob.page, "own-team")
            await expect(own).to_contain_text("Red is full: it has 2 members.")
            await expect(part(own, "teams-with-room")).to_have_text("These teams have room: Blue.")
            await own.get_by_label("Your team").fill("Blue")
            await bob.button("Join the team").click()
            await expect(own).to_contain_text("You race for Blue.")


async def test_an_entrant_checks_in_requests_a_bye_joins_a_team_and_misses_the_host(
    address: str, arrive: Arrive
) -> None:
    bob = await arrive("Bob", PHONE, by_link=True)
    async with quick(address) as host:
        room = await host.create("Ann", plan={"format": "swiss", "rounds": 4, "check_in": 120}, seats=20, countdown=3)
        await bob.page.goto(f"/r/{room.code}")
        await bob.enter()
        await expect(part(bob.page, "check-in")).to_contain_text("Its time is not set yet")
        await host.timer(Ms(int(host.now()) + 10 * HOUR))
        await expect(part(bob.page, "check-in")).to_contain_text("Check-in opens at")
        await host.timer(Ms(int(host.now()) + HOUR))
        await bob.button("I’m here").click()
        await expect(part(bob.page, "check-in")).to_have_text("You have checked in.")
        await bob.button("Sit out a round …").click()
        await bob.button("Sit it out").click()
        await expect(part(bob.page, "half-byes")).to_contain_text("You sit out round 1 for half a point.")
        await bob.button("Take it back").click()
        await expect(bob.button("Sit it out")).to_be_visible()
        await host.until(lambda: held(host)["check_in"]["here"] == {str(BOB): True} and not held(host)["half_byes"])
        # The host has other ideas: teams.
        await host.enter(True)
        await host.change_plan(team_size=2)
        await host.team(1, "Red")
        await bob.button("Close").click()
        # It closes after the next paint. Until then, it keeps the focus, and a text meant for the field is lost.
        await expect(bob.page.get_by_role("dialog")).to_have_count(0)
        await bob.page.get_by_label("Your team").fill("red")
        await bob.button("Join the team").click()
        await expect(part(bob.page, "own-team")).to_contain_text("You race for Red.")
        await bob.button("Change team").click()
        await bob.page.get_by_label("Your team").fill("Blue")
        await bob.button("Join the team").click()
        await expect(part(bob.page, "entrants").locator("[data-team]")).to_have_text(
            [re.compile("Blue.*Bob"), re.compile("Red.*Ann")]
        )
        await host.timer(None)
        no_host = part(bob.page, "no-host")
        await expect(no_host).to_have_text("")
    await expect(no_host).to_have_text("No host is here just now. It goes on when one is back.")
    async with quick(address, host.token) as again:
        await again.join("Ann", room.code)
        await expect(no_host).to_have_text("")


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
    page = await visit(f"/r/{room.code}", seat=seat_of(host))
    review = page.locator("[data-part=review]")
    await expect(review).to_contain_text("Scout and Friend share an address, as at home or at school.")
    await expect(review).to_contain_text("Scout drew the whole stock and had hardly a card home by then.")
    await inspector.look("review", Player(page, "Ann"))


@pytest.mark.long
async def test_an_evening_for_points_is_held_from_the_form_to_the_file(
    address: str, visit: Visit, arrive: Arrive, inspector: Inspector
) -> None:
    ann, bob = await asyncio.gather(arrive("Ann"), arrive("Bob", PHONE, Taps(), by_link=True))
    code = await open_evening(ann, inspector)
    wall = await visit(f"/r/{code}/p", WALL)
    await watch_with_password(wall)
    await bob.page.goto(f"/r/{code}")
    await expect(part(bob.page, "door")).to_contain_text("Anyone who knows the password can enter.")
    await expect(bob.page.get_by_role("heading", level=1)).to_have_text(re.compile("^Ann invites you to .+"))
    await inspector.look("the door", bob)
    await enter_with_password(bob)
    async with guests(address, code, ["Cleo", "Dan", "Eve"], password="sesame") as (cleo, dan, eve):
        await expect(part(wall, "entrants").locator("li")).to_have_text(["Bob", "Cleo", "Dan", "Eve"])
        await look_at_the_desk(ann, bob, Player(wall, "Wall"), inspector)

        await round_of(ann, 1, bob, [cleo, dan, eve])
        await expect(standings(ann.page)).to_have_count(4)
        await expect(standings(ann.page).nth(0)).to_contain_text("Bob")
        await expect(part(bob.page, "need")).to_contain_text("You lead with 25 points, 7 ahead of Cleo")
        await expect(part(wall, "standings").locator("li").first).to_contain_text(re.compile("1st.*Bob.*25"))
        await ann.button("Confirm round 1").click()
        await expect(part(ann.page, "deeds")).to_contain_text("Ann confirmed round 1")

        # Eve is not here, and Bob's phone loses the page in the middle of the race.
        await eve.close()
        await round_of(ann, 2, bob, [cleo, dan], bob.page.reload)
        await expect(standings(ann.page).nth(3)).to_contain_text("no-show")
        await expect(part(wall, "podium").locator("li")).to_have_count(3)
        await expect(part(wall, "podium").locator("[data-place='1']")).to_contain_text("Bob")
        await expect(part(bob.page, "compared")).to_contain_text("You came 1st of 4.")
        await expect(bob.page.get_by_role("img", name="Gold medal")).to_be_visible()
        await expect(part(bob.page, "own-rounds").locator("li")).to_have_count(2)
        await expect(standings(bob.page).nth(0)).to_contain_text("50")
        async with ann.page.expect_download() as download:
            await part(ann.page, "files").get_by_role("link", name="With records").click()
        bundle = await download.value
        command = shlex.split(await part(ann.page, "files").locator("code").inner_text())
        with TemporaryDirectory() as folder:
            await bundle.save_as(Path(folder) / bundle.suggested_filename)
            program = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "fortythieves_server", *command[1:]), stdout=asyncio.subprocess.PIPE, cwd=folder
            )
            output, _ = await program.communicate()
        # All is right, but the key of a server that was not asked is unknown.
        assert (command[0], program.returncode) == ("forty-thieves", UNKNOWN), output
        assert "they follow from the records, for 4 entrants" in output.decode()
        await ann.button("Print …").click()
        await expect(ann.at("sheets")).to_be_visible()
        await inspector.look("sheets to print", ann)


async def look_at_the_desk(ann: Player, bob: Player, wall: Player, inspector: Inspector) -> None:
    """On the way, the host changes the password."""
    await ann.button("5 people").click()
    await inspector.look("entry", ann, bob, wall)
    await ann.button("Tools for Cleo").click()
    await ann.button("Disqualify").click()
    await inspector.look("a person", ann)
    await ann.button("Close").click()
    await ann.button("Announce …").click()
    await inspector.look("announcing", ann)
    await ann.button("Close").click()
    await ann.button("Plan").click()
    await inspector.look("the plan", ann)
    dialog = ann.page.get_by_role("dialog")
    await dialog.get_by_label("New password", exact=True).fill("open sesame")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog).to_have_count(0)
    await expect(part(ann.page, "deeds")).to_contain_text("Ann changed the plan")


async def open_evening(ann: Player, inspector: Inspector) -> str:
    await ann.button("Host a tournament").click()
    await ann.page.get_by_label("Your name").fill("Ann")
    await ann.page.get_by_label("Name of the event").fill("Club night")
    await ann.page.get_by_label("Rounds", exact=True).fill("2")
    await ann.page.get_by_text("By password", exact=True).click()
    await ann.page.get_by_label("Password", exact=True).fill("sesame")
    await ann.page.get_by_text("By hand", exact=True).click()
    await ann.page.get_by_text("More: points").click()
    await ann.page.get_by_label("No-shows").select_option("10")
    await ann.page.locator(".switch", has_text="One try").click()
    await inspector.look("hosting", ann)
    await ann.button("Open the tournament").click()
    await expect(part(ann.page, "compared")).to_have_text("You are the host and don’t play.")
    return await ann.code()


async def enter_with_password(bob: Player) -> None:
    await bob.page.get_by_label("Password").fill("sesam")
    await bob.enter()
    await expect(bob.page.locator("[data-error=wrong-password]")).to_be_visible()
    await bob.page.get_by_label("Password").fill("sesame")
    await bob.button("Join").click()
    await expect(part(bob.page, "compared")).to_have_text("You race against everyone.")


async def watch_with_password(page: Page) -> None:
    form = page.get_by_role("form", name="Password")
    for password in ("sesam", "sesame"):
        await form.get_by_label("Password", exact=True).fill(password)
        await form.get_by_role("button", name="Watch").click()
        if password == "sesam":
            await expect(form.get_by_text("Wrong password.")).to_be_visible()
    await expect(form).to_have_count(0)


async def round_of(
    ann: Player, number: int, bob: Player, others: list[Client], meanwhile: Callable[[], Awaitable[Any]] | None = None
) -> None:
    """Bob makes one move, the others one more each, and all give up: the fewer moves the better."""
    await ann.button(f"Start round {number} now").click()
    await expect(bob.page.get_by_role("timer").first).to_be_visible()
    await asyncio.gather(
        *(draw_and_give_up(client, n + 2, number) for n, client in enumerate(others)),
        bob_s(bob, others[0], number, meanwhile),
    )
    await expect(bob.at("round-end")).to_be_visible(timeout=ROUND)
    await bob.button("Go on").click()
    await expect(bob.at("tournament")).to_be_visible()


async def bob_s(bob: Player, rival: Client, number: int, meanwhile: Callable[[], Awaitable[Any]] | None) -> None:
    await expect(bob.at("race")).to_be_visible(timeout=ROUND)
    await bob.cards_are_dealt()
    await bob.hand.play(bob.table, DRAW)
    await expect(bob.lane(BOB)).to_contain_text("1 move")
    if meanwhile:
        # He is away now, and no no-show, for he has moved.
        await in_race(rival, number)
        await rival.until(lambda: rival.progress.get(BOB) and rival.progress[BOB].moves == 1)
        await meanwhile()
        await bob.cards_are_dealt()
        await expect(bob.lane(BOB)).to_contain_text("1 move")
    give_up = bob.button("Give up")
    await expect(give_up).to_be_enabled(timeout=ROUND)
    await give_up.click()
    await bob.page.locator(".ask").get_by_role("button", name="Give up").click()


async def draw_and_give_up(client: Client, moves: int, number: int) -> None:
    await in_race(client, number)
    for _ in range(moves):
        await client.play("draw")
    given_up = False
    while not given_up:
        try:
            await client.give_up()
            given_up = True
        except Refused as refused:  # It is allowed after five seconds, by the server's clock.
            assert refused.code == "too-early"
            await asyncio.sleep(0.5)


async def in_race(client: Client, number: int) -> None:
    await client.until(lambda: client.race and client.race.number == number)


async def rival(address: str, code: str, done: asyncio.Event) -> None:
    async with Client(address) as client:
        room = await client.join("Cleo", code)
        token = client.token

        def called() -> str | None:
            arena = (room.tournament or {}).get("arena") or {}
            number = (arena.get("racing") or {}).get(str(room.seat))
            return str(arena["under_way"][str(number)][0]) if number else None

        to = await client.until(called)
    async with Client(address, token=token) as racer:
        await racer.join("Cleo", to)
        await racer.ready()
        await racer.until(lambda: racer.race)
        await racer.play("draw")
        await done.wait()
        await racer.leave()


@pytest.mark.long
async def test_an_arena_entrant_is_sent_to_a_race_and_gets_its_points(
    address: str, visit: Visit, arrive: Arrive
) -> None:
    ann, bob = await asyncio.gather(arrive("Ann"), arrive("Bob", PHONE, by_link=True))
    await ann.button("Host a tournament").click()
    await ann.page.locator("[data-preset=arena-hour]").click()
    await ann.page.get_by_label("Your name").fill("Ann")
    await ann.page.locator(".plan-more summary").click()
    await ann.page.locator(".switch", has_text="One try").click()
    await ann.button("Open the tournament").click()
    code = await ann.code()
    wall = await visit(f"/r/{code}/p", WALL)
    await bob.page.goto(f"/r/{code}")
    await bob.enter()
    await expect(part(bob.page, "compared")).to_contain_text("We call you to your races")
    done = asyncio.Event()
    cleo = asyncio.create_task(rival(address, code, done))
    try:
        await expect(part(ann.page, "entrants").locator("li")).to_have_count(2)
        await ann.button("Open the arena").click()
        await expect(part(wall, "under-way").locator("li")).to_have_count(1)

        # Bob is at the race without doing anything. When Cleo leaves, he has no rival, and the race is over.
        await expect(bob.page.locator("[data-page=race][data-phase=racing]")).to_be_visible(timeout=60_000)
        # After that, no race is matched.
        await ann.button("Pause the arena").click()
        await expect(ann.button("Let races begin again")).to_be_visible()
        await bob.cards_are_dealt()
        await bob.page.keyboard.press("Space")
        done.set()
        await expect(bob.page.locator("[data-page=end]")).to_be_visible(timeout=60_000)
        await bob.button("Back to the arena").click()
        await expect(part(bob.page, "last-race")).to_be_visible()
        await expect(part(ann.page, "ended").locator("li").first).to_contain_text("Race 1")
        await expect(part(wall, "standings").locator("li")).to_have_count(2)

        # A break, and its end.
        await bob.button("Take a break").click()
        await expect(bob.page.locator("[data-part=now][data-own=break]")).to_be_visible()
        await bob.button("Back to the races").click()
        await expect(bob.page.locator("[data-part=now][data-own=waits]")).to_be_visible()
        await ann.button("End the arena now").click()
        await ann.button("End the arena").click()
        await expect(part(ann.page, "deeds")).to_contain_text("Ann ended the arena early")
    finally:
        cleo.cancel()
        await asyncio.gather(cleo, return_exceptions=True)


async def cup_of_five(address: str, visit: Visit) -> None:
    async with event(address, "knockout", ["Ivy", "Jon", "Kim", "Leo", "Mia"]) as (host, entrants):
        code = code_of(host)
        for number in (1, 2, 3):
            await host.round("start")
            await drawn(host, number)
            if number == 3:
                page = await visit(f"/r/{code}/w")
                await expect(part(page, "bracket")).to_be_visible()
            await race(host, entrants, won=number == 3)
        await over(host)
        await expect(part(page, "podium").locator("li")).to_have_count(3)
        await expect(page.locator(".level-third")).to_be_visible()
        await expect(page.locator(".bracket .level[data-last] .side[data-won]")).to_have_count(1)
        await expect(part(page, "standings").locator("tbody tr")).to_have_count(5)
        await verified(page, entrants=5)


async def double_of_three(address: str, visit: Visit, inspector: Inspector) -> None:
    async with event(address, "double", ["Xia", "Yan", "Zoe"]) as (host, entrants):
        code = code_of(host)
        for number in (1, 2, 3, 4):
            await host.round("start")
            await drawn(host, number)
            if number >= 3:
                page = await visit(f"/r/{code}/{'p' if number == 3 else 'w'}", WALL)
                await expect(part(page, "bracket")).to_have_count(2)
                await expect(page.locator(".match[data-on]")).to_have_count(1)
            await race(host, entrants)
        await over(host)
        assert [done.get("lost", []) == [] for done in held(host)["rounds"].values()] == [True, False, False, False]
        await expect(page.locator(".bracket .level[data-last] .side[data-won]")).to_have_count(2)
        await inspector.look("brackets", Player(page, "Xia"))
        await verified(page, entrants=3)


async def swiss_of_six(address: str, visit: Visit) -> None:
    async with event(address, "swiss", ["Nia", "Ole", "Pam", "Quy", "Rob", "Sue"]) as (host, entrants):
        code = code_of(host)
        for number in (1, 2, 3):
            await host.round("start")
            await drawn(host, number)
            if number == 3:
                page = await visit(f"/r/{code}/w")
                await expect(part(page, "pairings").locator("li")).to_have_count(3)
            await race(host, entrants)
        await over(host)
        await expect(part(page, "standings").locator("thead")).to_contain_text("Buchholz")
        scores = await part(page, "standings").locator("tbody .score").all_inner_texts()
        assert sum(float(score) for score in scores) == 9
        met = [frozenset(pair) for done in held(host)["rounds"].values() for pair in done["pairs"]]
        assert len(met) == len(set(met)) == 9
        await verified(page, entrants=6)


async def groups_of_two(address: str, visit: Visit) -> None:
    names = ["Tom", "Una", "Vic", "Wes"]
    async with event(address, "roundrobin", names, groups=2, advance=1) as (host, entrants):
        code = code_of(host)
        # An entrant's browser shows the wall, and goes on doing so while that entrant races.
        wall = await visit(f"/r/{code}/p", WALL, Seat(code, entrants[0].token or "", names[0]))
        await host.round("start")
        await drawn(host, 1)
        await race(host, entrants)
        page = await visit(f"/r/{code}/w")
        await expect(part(page, "groups").locator("tbody tr")).to_have_count(2)
        await expect(part(wall, "wall-groups").locator("table")).to_have_count(2)
        await expect(part(page, "groups").locator("tbody [data-goes-on]")).to_have_count(1)
        await part(page, "groups").get_by_text("B", exact=True).click()
        await expect(part(page, "groups").locator("tbody .duel-cell").filter(has_text="1")).to_have_count(1)
        await host.round("start")
        await drawn(host, 2)
        await expect(page.locator(".bracket .match")).to_have_count(1)
        await race(host, entrants)
        await over(host)
        await expect(part(wall, "podium").locator("li")).to_have_count(3)
        await verified(page, entrants=4)


async def verified(page: Page, entrants: int) -> None:
    program, command, link = shlex.split(await part(page, "files").locator("code").inner_text())
    file, findings, keys = await asyncio.to_thread(findings_of, link, [])
    assert (program, command, len(file.entrants)) == ("forty-thieves", "standings", entrants)
    assert keys and all(finding.ok for finding in findings), findings


@asynccontextmanager
async def event(address: str, form: str, names: list[str], **more: Any) -> AsyncIterator[tuple[Client, list[Client]]]:
    win = WINS["lucas"]
    plan = {
        "format": form,
        "rounds": 3,
        "by_timer": False,
        "ladder": [{"game": "lucas", "deal": str(win["number"])}],
        **more,
    }
    async with quick(address) as host:
        room = await host.create("Host", plan=plan, seats=20, countdown=3)
        async with guests(address, room.code, names) as entrants:
            yield host, entrants


async def drawn(host: Client, number: int) -> None:
    # A busy program may hear of the draw and of the start of the race in one go.
    await host.until(lambda: held(host)["round"] == number and held(host)["phase"] in {"drawn", "racing"})


async def racers_of(host: Client, entrants: Iterable[Client]) -> list[Client]:
    await host.until(lambda: held(host)["phase"] == "racing")
    assert host.room is not None
    race = host.room.race
    racers = [client for client in entrants if str(client_seat(client)) in race["racers"]]
    for client in racers:
        await in_race(client, race["number"])
    return racers


async def race(host: Client, entrants: Iterable[Client], *, won: bool = False) -> None:
    """The host ends the race of a round, in which each racer is less far than the one before. The first one may win."""
    moves = WINS["lucas"]["moves"]
    for n, client in enumerate(await racers_of(host, entrants)):
        await asyncio.gather(*(client.play(move) for move in moves[: 36 - 6 * n]))
    first, *_ = await racers_of(host, entrants)
    if won:
        await asyncio.gather(*(first.play(move) for move in moves[36:]))
    await host.round("end", "It is late.")
    await host.until(lambda: held(host)["phase"] not in {"racing", "drawn"})


async def over(host: Client) -> None:
    await host.until(lambda: held(host)["phase"] == "over")


# People


def held(client: Client) -> dict[str, Any]:
    assert client.room is not None and client.room.tournament is not None
    return client.room.tournament


def code_of(client: Client) -> str:
    assert client.room is not None
    return client.room.code


def client_seat(client: Client) -> int:
    assert client.room is not None
    return client.room.seat


def part(page: Page, name: str) -> Any:
    return page.locator(f"[data-part={name}]")


def standings(page: Page) -> Any:
    return part(page, "standings").locator("tbody tr")
