"""The dashboard: all values are text, bad ones are marked, and nothing is run or loaded."""

import base64
import json
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.times import Ms
from fortythieves_server.common.texts import LANGUAGES, text
from fortythieves_server.core.view_types import Phase
from fortythieves_server.ops.page import CLOSE, LIST, POLICY, UNLIST, page, room_page, which_room_page
from fortythieves_server.ops.reports import Report, RoomReport
from fortythieves_server.process.tunnel import Tunnel

WORDS = Path(__file__).parents[3] / "shared/fortythieves/words"
NOW = Ms(1_700_000_000_000)
EVIL = """<script>alert(1)</script><img src=x onerror='x'>&amp;"><b>"""

ROOM = RoomReport("KQXWVD", "lucas", None, "Ann", 2, 3, 1, "racing", NOW - Ms(150_000), NOW - Ms(4000))
WELL = Report(
    process="1a2b3c4d",
    machine="cards",
    pid=4711,
    version="0.1.0",
    began=NOW - Ms(7_200_000),
    at=NOW - Ms(1000),
    redis_up=True,
    redis_memory=(100_000_000, 512_000_000),
    connections=4,
    players=3,
    watchers=1,
    rooms=1,
    races=1,
    moves=1.5,
    refused={},
    commit_p50=0.0004,
    commit_p99=0.0021,
    loop_p99=0.001,
    notification=0.002,
    oldest=0.0,
    waiting=0,
    send_queue=0,
    memory=52_000_000,
    slow=[("KQXWVD", 0.0031)],
    listed=[ROOM],
)


class Seen(HTMLParser):
    def __init__(self, html: bytes) -> None:
        super().__init__()
        self.tags = set[str]()
        self.attributes = dict[str, list[str | None]]()
        self.text = list[str]()
        self.feed(html.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, []).append(value)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def seen(*reports: Report) -> Seen:
    return Seen(page(reports, NOW, "en", Tunnel(None), ""))


def changed(**changes: Any) -> Seen:
    return seen(replace(WELL, **changes))


def bad(page: Seen) -> list[str]:
    return [text for text in page.text if text.endswith("(!)")]


def test_the_page_shows_rooms_processes_and_slow_moves() -> None:
    silent = replace(WELL, process="dead", at=NOW - Ms(60_000))
    text = seen(WELL, silent).text
    summary = (
        "Processes: 1. Players: 3. Spectators: 1. Rooms: 1. Races: 1. Moves per second: 1.5. 2023-11-14 22:13:20 UTC"
    )
    assert any(line.startswith(summary) for line in text)
    assert {"cards 4711 (1a2b3c4d, 0.1.0)", "ready", "2 h", "0.4 ms", "2.1 ms", "2.0 ms", "52 MB"} <= set(text)
    assert {"KQXWVD", "Lucas", "Ann", "racing", "2 of 3", "2 min", "4 s", "3.1 ms"} <= set(text)


def test_names_are_escaped() -> None:
    plain = seen(WELL)
    evil = changed(
        machine=EVIL,
        version=EVIL,
        refused={EVIL: 1},
        slow=[(EVIL, 1.0)],
        listed=[replace(ROOM, host=EVIL, tournament=EVIL, game=EVIL)],
    )
    assert evil.tags == plain.tags
    assert evil.attributes.keys() == plain.attributes.keys()
    assert EVIL in evil.text
    of_room = Seen(room_page(replace(ROOM, host=EVIL), [UNLIST], "token", NOW, "en"))
    assert EVIL in of_room.text and "script" not in of_room.tags


def test_the_page_runs_and_loads_nothing() -> None:
    page = seen(WELL)
    assert page.attributes["http-equiv"] == ["refresh"] and "5" in page.attributes["content"], "it reloads itself"
    assert page.tags & {"script", "link", "img", "iframe"} == set()
    assert page.attributes.keys() & {"style", "src", "onload"} == set()
    assert page.attributes["href"] == ["/ops/room", "/ops/room?code=KQXWVD"]
    style = next(text for text in page.text if "color-scheme" in text)
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in POLICY
    assert "default-src 'none'" in POLICY and "form-action 'self'" in POLICY and "unsafe" not in POLICY


def test_what_is_missing_or_unknown_is_shown_as_it_is() -> None:
    page = changed(listed=[], slow=[], players=0, rooms=0, races=0, commit_p50=None, commit_p99=None, memory=None)
    assert "No rooms are in memory." in page.text and bad(page) == []
    newer = replace(ROOM, state="sleeping", game="klondike")
    assert {newer.state, newer.game} <= set(changed(listed=[newer]).text)


def test_bad_values_are_marked() -> None:
    assert bad(seen(WELL)) == []
    assert bad(changed(redis_up=False)) == ["Redis is away (!)"]
    assert bad(changed(notification=None)) == ["gets no notifications (!)"]
    assert bad(changed(at=NOW - Ms(60_000))) == ["silent for 60 s (!)"]
    assert bad(changed(commit_p99=0.3, oldest=2.5, loop_p99=0.15)) == ["300.0 ms (!)", "2.5 s (!)", "150.0 ms (!)"]
    assert bad(changed(send_queue=900_000, slow=[("KQXWVD", 1.5)])) == ["900 kB (!)", "1.5 s (!)"]


def test_the_memory_of_redis_and_its_limit_are_shown() -> None:
    assert "It holds 100 MB of the 512 MB that it may, 20%." in seen(WELL).text
    assert "It holds 100 MB, without a limit." in changed(redis_memory=(100_000_000, 0)).text
    short = "It holds 450 MB of the 512 MB that it may, 88%: only running races go on (!)"
    assert bad(changed(redis_memory=(450_000_000, 512_000_000))) == [short]


def test_refusals_are_added_up_and_slow_rooms_are_sorted() -> None:
    text = seen(
        replace(WELL, refused={"locked": 2, "full": 1}, slow=[("KQXWVD", 0.01), ("BCDFGH", 0.002)]),
        replace(WELL, process="other", refused={"locked": 3}, slow=[("BCDFGH", 0.02)]),
    ).text
    assert text[text.index("locked") + 1] == "5"
    assert text.index("20.0 ms") < text.index("10.0 ms")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_of_it_is_in_one_language(language: str) -> None:
    reports = [
        WELL,
        replace(WELL, redis_up=False, redis_memory=(450_000_000, 512_000_000), refused={"full": 1}),
        replace(WELL, notification=None),
        replace(WELL, at=NOW - Ms(60_000)),
    ]
    states = ["closed", "lobby", "countdown", "racing", "over", *get_args(Phase)]
    rooms = [replace(ROOM, code=state, state=state, is_unlisted=True, tournament="") for state in states]
    said = page([*reports, replace(WELL, listed=rooms, slow=[])], NOW, language, Tunnel(None), "").decode()
    said += room_page(rooms[0], [UNLIST, LIST, CLOSE], "token", NOW, language, Refused("store-down")).decode()
    said += room_page(rooms[0], [], "token", NOW, language).decode()
    said += which_room_page(language, Refused("unknown-room", code="BCDFGH")).decode()
    assert f'<html lang="{language}">' in said
    assert text(language, "refused.unknown-room", code="BCDFGH") in said
    english, own = (json.loads((WORDS / tag / "server.json").read_text()) for tag in ("en", language))
    # The names of some figures are the same everywhere.
    assert not [words for key, words in english.items() if " " in words and words in said and words != own[key]]
