"""The operators' dashboard: rooms, processes, and what is slow. It runs no script, and all values are escaped."""

import base64
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from fortythieves.times import Ms, seconds_of
from fortythieves_server.ops.reports import ROOMS, Report, RoomReport, merged
from fortythieves_server.store.memory_limit import Memory

#: Seconds after which the page reloads itself.
AGAIN = 5
#: The most rooms on the page.
SHOWN = 500
#: Seconds above which a value is marked as bad. People notice delays of more than a tenth of a second.
LATE_COMMIT, LATE_LOOP, LATE_NUDGE, LATE_ANSWER = 0.1, 0.1, 0.25, 1.0
#: Bytes in a send queue that are marked as bad: half of what disconnects a client.
MUCH = 1 << 19

_PAGES = Path(__file__).parent / "pages"
_TEMPLATES = Environment(loader=FileSystemLoader(_PAGES), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
_STYLE = (_PAGES / "style.css").read_text()
_HASH = base64.b64encode(sha256(_STYLE.encode()).digest()).decode()
#: The page may not load, run or frame anything, and forms may only be sent to this server.
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

ROOM_PATH = "/ops/room"


class Cell(NamedTuple):
    text: str
    bad: bool = False
    number: bool = True
    link: str = ""

    @property
    def said(self) -> str:
        """The text. A bad value is not marked by colour only."""
        return f"{self.text} (!)" if self.bad else self.text

    @property
    def kind(self) -> str:
        return " ".join(name for name in ("bad", "number") if getattr(self, name))


class Act(NamedTuple):
    """An action of an operator on a room: its name, its button, and its consequences."""

    name: str
    button: str
    means: str
    #: The label of a text field, if there is one.
    field: str = ""
    #: It cannot be undone, so it needs a confirmation.
    is_final: bool = False


UNLIST = Act("unlist", "Take it off the list", "The front page no longer lists it. Whoever has its code gets in.")
LIST = Act("list", "Let it be listed", "The front page lists it again, if its host wants that.")
CLOSE = Act(
    *("close", "Close this room", "Everybody in it is told, and nobody gets in again. This cannot be undone."),
    field="What they are told, besides that an operator has closed it",
    is_final=True,
)


def page(reports: Sequence[Report], now: Ms) -> bytes:
    """The page as of ``now``."""
    rooms = merged(reports)
    alive = [report for report in reports if report.silent_for(now) is None]
    slow = Counter[str]()
    for code, seconds in (row for report in alive for row in report.slow):
        slow[code] = max(slow[code], round(seconds * 1_000_000))
    refused = sum((Counter(report.refused) for report in alive), Counter[str]())
    return _written(
        "overview.html",
        again=AGAIN,
        summary=_summary(alive, rooms, now),
        processes=[_process(report, now) for report in reports],
        redis=_redis(alive),
        slow=[
            {"room": Cell(code, number=False), "took": _seconds(us / 1e6, LATE_COMMIT)}
            for code, us in slow.most_common(10)
        ],
        refused=[
            {"code": Cell(code, number=False), "times": Cell(str(count))} for code, count in refused.most_common(20)
        ],
        rooms=[_room(room, now) for room in rooms[:SHOWN]],
        shown=SHOWN,
        reported=ROOMS,
    )


def room_page(room: RoomReport, acts: Sequence[Act], token: str, now: Ms, said: str = "") -> bytes:
    """The page of one room, with a button for each action. ``said``: the error of the last action."""
    return _written("room.html", code=room.code, room=_room(room, now), acts=acts, token=token, said=said)


def which_room_page(said: str = "") -> bytes:
    """The form that asks for a room. ``said``: the error of the last answer."""
    return _written("which_room.html", said=said)


def _written(name: str, **values: object) -> bytes:
    page = _TEMPLATES.get_template(name)
    return page.render(style=_STYLE, room_path=ROOM_PATH, **values).encode()


def _summary(alive: Sequence[Report], rooms: Sequence[RoomReport], now: Ms) -> str:
    racing = sum(room.state == "racing" for room in rooms)
    players, watchers = sum(one.players for one in alive), sum(one.watchers for one in alive)
    moves = sum(one.moves for one in alive)
    said = (
        f"{_count(len(alive), 'process', 'processes')}, {_count(players, 'player')}, {_count(watchers, 'watcher')}, "
        f"{_count(len(rooms), 'room')}, {_count(racing, 'race')}, {moves:.1f} moves a second"
    )
    return f"{said}. {datetime.fromtimestamp(seconds_of(now), UTC):%Y-%m-%d %H:%M:%S} UTC; again every {AGAIN} seconds."


def _process(report: Report, now: Ms) -> dict[str, Cell]:
    silent = report.silent_for(now)
    return {
        "process": Cell(f"{report.machine} {report.pid} ({report.process}, {report.version})", number=False),
        "state": _state(report, silent),
        "up": Cell(_span(now - report.began)),
        "players": Cell(str(report.players)),
        "watchers": Cell(str(report.watchers)),
        "rooms": Cell(str(report.rooms)),
        "races": Cell(str(report.races)),
        "moves/s": Cell(f"{report.moves:.1f}"),
        "commit p50": _seconds(report.commit_p50, LATE_COMMIT),
        "commit p99": _seconds(report.commit_p99, LATE_COMMIT),
        "oldest": _seconds(report.oldest, LATE_ANSWER),
        "waiting": Cell(str(report.waiting)),
        "loop p99": _seconds(report.loop_p99, LATE_LOOP),
        "nudge": _seconds(report.nudge, LATE_NUDGE),
        "slowest client": Cell(_bytes(report.outbox), report.outbox > MUCH),
        "memory": Cell(_bytes(report.memory) if report.memory else "-"),
    }


def _state(report: Report, silent: Ms | None) -> Cell:
    if silent is not None:
        return Cell(f"silent for {_span(silent)}", bad=True, number=False)
    if not report.redis_up:
        return Cell("Redis is away", bad=True, number=False)
    return Cell("ready", number=False) if report.nudge is not None else Cell("deaf", bad=True, number=False)


def _redis(alive: Sequence[Report]) -> Cell | None:
    """The memory of Redis, from the process that reports the most."""
    said = [Memory(*report.redis_memory, "") for report in alive if report.redis_memory is not None]
    if not said:
        return None
    memory = max(said, key=lambda one: (one.share, one.used))
    if not memory.limit:
        return Cell(f"It holds {_bytes(memory.used)}, without a limit.")
    share = f"It holds {_bytes(memory.used)} of the {_bytes(memory.limit)} that it may, {memory.share:.0%}"
    return Cell(f"{share}: no new rooms are opened" if memory.is_short else f"{share}.", bad=memory.is_short)


def _room(room: RoomReport, now: Ms) -> dict[str, Cell]:
    link = f"{ROOM_PATH}?{urlencode({'code': room.code})}"
    return {
        "room": Cell(f"{room.code} {room.tournament}".strip(), number=False, link=link),
        "game": Cell(room.game, number=False),
        "host": Cell(room.host or "-", number=False),
        "state": Cell(room.state, number=False),
        "players": Cell(f"{room.players} of {room.seats}"),
        "watchers": Cell(str(room.watchers)),
        "age": Cell(_span(now - room.opened_at)),
        "quiet for": Cell(_span(now - room.at)),
    }


def _count(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def _seconds(seconds: float | None, late: float) -> Cell:
    if seconds is None:
        return Cell("-")
    return Cell(f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s", seconds > late)


def _bytes(count: int) -> str:
    for size, name in ((1_000_000, "MB"), (1000, "kB")):
        if count >= size:
            return f"{count / size:.0f} {name}"
    return f"{count} B"


def _span(ms: Ms) -> str:
    seconds = max(Ms(0), ms) // Ms(1000)
    for size, name in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return f"{seconds} s"
