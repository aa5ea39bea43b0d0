"""The previews of links in messengers: words and a picture of a race that is over, and nothing of any room."""

import io
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

import pytest
from aiohttp import ClientSession
from PIL import Image

from fortythieves.times import Ms
from fortythieves_server.common.limits import Rate
from fortythieves_server.common.prices import ARRIVAL, FILE, PREVIEW
from fortythieves_server.common.texts import LANGUAGES, text
from tests.server.clients import store_of
from tests.server.redises import free_port
from tests.server.stores import Admin
from tests.server.tables import CODE, MINUTE, Table, in_round, lobby, over, play, racing
from tests.serving import GENEROUS, points_for, serving


class Head(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "meta" and (name := found.get("property")):
            self.said[name] = found["content"] or ""


def tags_in(page: str) -> Mapping[str, str]:
    head = Head()
    head.feed(page)
    assert len(head.said) == 9
    return head.said


async def get(address: str, path: str) -> tuple[int, str]:
    async with ClientSession() as session, session.get(address + path) as answer:
        return answer.status, (await answer.read()).decode(errors="replace")


async def said(address: str, path: str) -> Mapping[str, str]:
    status, page = await get(address, path)
    assert status == 200
    return tags_in(page)


def finished(table: Table) -> Table:
    """The same room when its race is over, in which all racers made a move."""
    play(table)
    return table


async def test_a_link_to_a_replay_says_in_each_language_who_won_and_has_a_picture(
    url: str, admin: Admin, tmp_path: Path
) -> None:
    table, name = lobby(1), "<b>\"'&\N{HEBREW LETTER ALEF}" + "W" * 16
    table.join("eve", name=name)
    table.ready(1, 2)
    table.settle()
    table.reveal(*table.race.commitments)
    table.settle()
    table.now = table.race.starts_at or Ms(0)
    play(table, 2)
    await store_of(admin, table)
    async with serving(tmp_path, redis=url) as address:
        for language in LANGUAGES:
            async with ClientSession(headers={"Accept-Language": language}) as session:
                heads = {}
                for path in (f"/r/{CODE}", f"/r/{CODE.lower()}/1"):
                    async with session.get(address + path) as answer:
                        page = await answer.text()
                    assert f'<html lang="{language}"' in page and "Accept-Language" in answer.headers["Vary"]
                    heads[path] = tags_in(page)
                room, replay = heads.values()
                assert room["og:description"] == text(language, "server.page.description")
                assert all(racer.name in replay["og:title"] for racer in table.race.racers.values())
                # The direction of writing of the name ends with it.
                winner = f"1. \N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
                assert replay["og:description"].startswith(winner)
                assert replay["og:image"] == f"{address}/api/races/{CODE}/1.png?language={language}"
                async with session.get(replay["og:image"]) as answer:
                    assert (answer.status, answer.content_type) == (200, "image/png")
                    image = Image.open(io.BytesIO(await answer.read()))
                assert image.size == (1200, 630) == (int(replay["og:image:width"]), int(replay["og:image:height"]))


async def test_a_game_with_one_name_in_all_languages_has_a_preview_and_a_picture(
    url: str, admin: Admin, tmp_path: Path
) -> None:
    await store_of(admin, over(2, game="zebra"))
    async with serving(tmp_path, redis=url) as address:
        assert "Zebra" in (await said(address, f"/r/{CODE}/1"))["og:title"]
        for language in LANGUAGES:
            assert (await get(address, f"/api/races/{CODE}/1.png?language={language}"))[0] == 200


async def test_a_client_over_its_limits_gets_the_page_without_a_preview(url: str, admin: Admin, tmp_path: Path) -> None:
    await store_of(admin, finished(racing(2)))
    limits = GENEROUS._replace(points=points_for(*[ARRIVAL, FILE] * 4, PREVIEW, PREVIEW, spare=300))
    async with serving(tmp_path, redis=url, limits=limits) as address:
        invitation = await said(address, f"/r/{CODE}")
        told = [await said(address, f"/r/{CODE}/1") == invitation for _ in range(3)]
        assert told == [False, False, True]
        assert (await get(address, f"/api/races/{CODE}/1.png"))[0] == 429
        assert (await get(address, f"/r/{CODE}"))[0] == 200


async def test_a_code_that_was_guessed_by_the_page_of_a_replay_counts_as_a_guess(
    url: str, admin: Admin, tmp_path: Path
) -> None:
    await store_of(admin, finished(racing(2)))
    limits = GENEROUS._replace(guesses=Rate(1, "hour", 2))
    async with serving(tmp_path, redis=url, limits=limits) as address:
        invitation = await said(address, f"/r/{CODE}")
        for code in ("BCDFGH", "BCDFGJ"):
            assert await said(address, f"/r/{code}/1") == invitation
        assert await said(address, f"/r/{CODE}/1") == invitation, "and now nothing is told of any room"


@pytest.mark.parametrize(
    "table",
    [
        racing(2),
        lobby(2),
        over(2, watching="nobody"),
        in_round(2, {"blind": True}),
        finished(in_round(2, {"entry": "password", "spectators": "password"})),
    ],
    ids=["not over", "no race", "for its racers", "a blind round", "behind a password"],
)
async def test_what_is_not_for_everybody_is_in_no_words_and_no_picture(
    table: Table, url: str, admin: Admin, tmp_path: Path
) -> None:
    await store_of(admin, table, ago=MINUTE)
    async with serving(tmp_path, redis=url) as address:
        invitation = await said(address, "/r/BCDFGH")
        assert invitation["og:title"] == "Forty Thieves Race"
        for path in (f"/r/{CODE}", f"/r/{CODE}/w", f"/r/{CODE}/1", f"/r/{CODE}/7", f"/r/{CODE}/{'9' * 40}"):
            assert await said(address, path) == invitation, path
        assert (await get(address, f"/api/races/{CODE}/1.png"))[0] in {404, 409}
        assert (await get(address, invitation["og:image"].removeprefix(address)))[0] == 200


async def test_the_address_of_a_picture_has_no_name_that_a_client_made_up(url: str, tmp_path: Path) -> None:
    public = "https://cards.example.org"
    for site in (None, public):
        async with serving(tmp_path, redis=url, port=(port := free_port()), public_url=site):
            address = f"http://127.0.0.1:{port}"
            for host in ("evil.example", "evil.example:8040", "127.0.0.1.evil.example", "x@evil.example"):
                async with ClientSession(address, headers={"Host": host}) as session, session.get(f"/r/{CODE}") as page:
                    assert tags_in(await page.text())["og:image"] == f"{site or address}/picture.png"
