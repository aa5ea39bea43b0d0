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
from tests.server.stores import Admin
from tests.server.tables import CODE, MINUTE, Table, in_round, lobby, over, play, racing
from tests.serving import GENEROUS, points_for, serving


class Head(HTMLParser):
    """Reads the tags as a messenger does."""

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
    """The status and the text of an answer."""
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


async def test_a_link_to_a_replay_says_who_won_and_has_a_picture_of_it(url: str, admin: Admin, tmp_path: Path) -> None:
    table = racing(2)
    play(table, 2)
    await store_of(admin, table)
    async with serving(tmp_path, redis=url) as address, ClientSession() as session:
        told = await said(address, f"/r/{CODE.lower()}/1")
        names = [racer.name for racer in table.race.racers.values()]
        assert all(name in told["og:title"] and name in told["og:description"] for name in names)
        assert told["og:description"].startswith(f"1. \N{FIRST STRONG ISOLATE}{names[1]}")
        assert told["og:image"] == f"{address}/api/races/{CODE}/1.png?language=en"
        async with session.get(told["og:image"]) as answer:
            assert (answer.status, answer.content_type) == (200, "image/png")
            image = Image.open(io.BytesIO(await answer.read()))
        assert image.size == (1200, 630) == (int(told["og:image:width"]), int(told["og:image:height"]))


async def test_a_link_is_shown_in_the_language_of_the_request(url: str, admin: Admin, tmp_path: Path) -> None:
    await store_of(admin, finished(racing(2)))
    async with serving(tmp_path, redis=url) as address:
        for language in LANGUAGES:
            async with ClientSession(headers={"Accept-Language": language}) as session:
                of_site = text(language, "server.page.description")
                for path, description in {f"/r/{CODE}": of_site, f"/r/{CODE}/1": "/104"}.items():
                    async with session.get(address + path) as answer:
                        page = await answer.text()
                    assert f'<html lang="{language}"' in page and "Accept-Language" in answer.headers["Vary"]
                    head = tags_in(page)
                    assert description in head["og:description"]
                async with session.get(head["og:image"]) as answer:
                    assert (answer.status, answer.content_type) == (200, "image/png")


async def test_a_name_is_text_whatever_is_in_it(url: str, admin: Admin, tmp_path: Path) -> None:
    table, name = lobby(1), "<b>\"'&\N{HEBREW LETTER ALEF}" + "W" * 16
    table.join("eve", name=name)
    table.ready(1, 2)
    table.settle()
    table.reveal(*table.race.commitments)
    table.settle()
    table.now = table.race.starts_at or Ms(0)
    await store_of(admin, finished(table))
    async with serving(tmp_path, redis=url) as address:
        told = await said(address, f"/r/{CODE}/1")
        # Its direction of writing ends with it.
        assert f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" in told["og:description"]
        assert (await get(address, f"/api/races/{CODE}/1.png"))[0] == 200


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
