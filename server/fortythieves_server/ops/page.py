"""The operators' dashboard: rooms, processes, slow moves. It runs no script, and all values are escaped."""

import base64
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from fortythieves.errors import Refused
from fortythieves.times import Ms, seconds_of
from fortythieves_server.common.texts import game_name, has_text, text
from fortythieves_server.ops.reports import ROOMS, Report, RoomReport, merged
from fortythieves_server.process.tunnel import Tunnel
from fortythieves_server.store.memory_limit import Memory

if TYPE_CHECKING:
    from jinja2 import Environment

#: Seconds after which the page reloads itself.
RELOAD = 5
#: The most rooms on the page.
SHOWN = 500
#: Seconds above which a value is marked as bad. People notice delays of more than a tenth of a second.
LATE_COMMIT, LATE_LOOP, LATE_NOTIFICATION, LATE_ANSWER = 0.1, 0.1, 0.25, 1.0
#: Bytes in a send queue that are marked as bad: half of the bytes at which a client is disconnected.
MUCH = 1 << 19

_PAGES = Path(__file__).parent / "pages"
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
    def shown(self) -> str:
        """The text. A bad value is not marked by colour only."""
        return f"{self.text} (!)" if self.bad else self.text

    @property
    def kind(self) -> str:
        return " ".join(name for name in ("bad", "number") if getattr(self, name))


class Act(NamedTuple):
    """An action of an operator on a room. The keys of its texts contain its name."""

    name: str
    has_reason: bool = False
    #: It cannot be undone, so it needs a confirmation.
    is_final: bool = False


UNLIST = Act("unlist")
LIST = Act("list")
CLOSE = Act("close", has_reason=True, is_final=True)
#: On the tunnel: they have the texts of the players' page.
SHARE = Act("anywhere")
UNSHARE = Act("stop")

#: Returns a text of the page, by the end of its key.
Say = Callable[..., str]


def page(reports: Sequence[Report], now: Ms, language: str, tunnel: Tunnel, token: str) -> bytes:
    """The page of all processes, with the switch of the tunnel if there may be one. ``token``: of its form."""
    say = _say(language)
    rooms = merged(reports)
    alive = [report for report in reports if report.silent_for(now) is None]
    slow = Counter[str]()
    for code, seconds in (row for report in alive for row in report.slow):
        slow[code] = max(slow[code], round(seconds * 1_000_000))
    refused = sum((Counter(report.refused) for report in alive), Counter[str]())
    return _written(
        "overview.html",
        language,
        reload=RELOAD,
        summary=_summary(alive, rooms, now, say),
        processes=[_process(report, now, say) for report in reports],
        redis=_redis(alive, say),
        slow=[{"room": _name(code), "took": _seconds(us / 1e6, LATE_COMMIT)} for code, us in slow.most_common(10)],
        refused=[{"code": _name(code), "times": Cell(str(count))} for code, count in refused.most_common(20)],
        rooms=[_room(room, now, language) for room in rooms[:SHOWN]],
        shown=SHOWN,
        reported=ROOMS,
        tunnel=tunnel,
        tunnel_lines=_tunnel(tunnel, language),
        act=UNSHARE if tunnel.is_on else SHARE,
        text=partial(text, language),
        token=token,
    )


def room_page(
    room: RoomReport, acts: Sequence[Act], token: str, now: Ms, language: str, refused: Refused | None = None
) -> bytes:
    """The page of one room, with a button for each action. ``refused``: why the last action was refused."""
    values = {"code": room.code, "room": _room(room, now, language), "acts": acts, "token": token}
    return _written("room.html", language, said=_why(refused, language), **values)


def which_room_page(language: str, refused: Refused | None = None) -> bytes:
    """The form that asks for a room. ``refused``: why there is no page of the requested room."""
    return _written("which_room.html", language, said=_why(refused, language))


def break_page(language: str, counts: Mapping[str, str], **values: object) -> bytes:
    """The page of a demo. ``counts`` by the end of the key of their texts."""
    return _written("break.html", language, counts=counts, **values)


@cache
def _templates() -> "Environment":
    # Jinja takes a seventh of the CPU time of a server's start, and few servers are asked for the page.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(loader=FileSystemLoader(_PAGES), autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def _why(refused: Refused | None, language: str) -> str:
    if refused is None:
        return ""
    key = f"refused.{refused.code}"
    return text(language, key, **refused.parameters) if has_text(key) else str(refused)


def _say(language: str) -> Say:
    return lambda key, **parameters: text(language, f"server.ops.{key}", **parameters)


def _written(name: str, language: str, **values: object) -> bytes:
    page = _templates().get_template(name)
    say, site = _say(language), text(language, "front.site")
    return page.render(style=_STYLE, room_path=ROOM_PATH, language=language, say=say, site=site, **values).encode()


def _summary(alive: Sequence[Report], rooms: Sequence[RoomReport], now: Ms, say: Say) -> str:
    return say(
        "summary",
        processes=len(alive),
        players=sum(one.players for one in alive),
        spectators=sum(one.watchers for one in alive),
        rooms=len(rooms),
        races=sum(room.state == "racing" for room in rooms),
        moves=f"{sum(one.moves for one in alive):.1f}",
        time=f"{datetime.fromtimestamp(seconds_of(now), UTC):%Y-%m-%d %H:%M:%S} UTC",
        seconds=RELOAD,
    )


def _tunnel(tunnel: Tunnel, language: str) -> Iterator[str]:
    """Where friends in other networks reach this server, or why they do not."""
    yield text(language, "share.starting" if tunnel.is_on else "server.ops.share.off") if not tunnel.url else tunnel.url
    helper = tunnel.choice and tunnel.choice.helper
    if helper is None:
        for line in ("install", "mac", "linux", "other"):
            yield text(language, f"share.{line}")
        return
    if tunnel.url and not tunnel.answers:
        yield text(language, "share.unsure")
    if tunnel.trouble:
        yield text(language, "share.trouble", helper=helper.name, line=tunnel.trouble)
    yield text(language, "share.what", helper=helper.name)


def _process(report: Report, now: Ms, say: Say) -> dict[str, Cell]:
    """The cells of a row, by the end of the key of their column's head."""
    silent = report.silent_for(now)
    return {
        "process": _name(f"{report.machine} {report.pid} ({report.process}, {report.version})"),
        "state": _state(report, silent, say),
        "up": Cell(_span(now - report.began)),
        "players": Cell(str(report.players)),
        "spectators": Cell(str(report.watchers)),
        "rooms": Cell(str(report.rooms)),
        "races": Cell(str(report.races)),
        "moves": Cell(f"{report.moves:.1f}"),
        "commitHalf": _seconds(report.commit_p50, LATE_COMMIT),
        "commitMost": _seconds(report.commit_p99, LATE_COMMIT),
        "oldest": _seconds(report.oldest, LATE_ANSWER),
        "waiting": Cell(str(report.waiting)),
        "loopMost": _seconds(report.loop_p99, LATE_LOOP),
        "notification": _seconds(report.notification, LATE_NOTIFICATION),
        "client": Cell(_bytes(report.send_queue), report.send_queue > MUCH),
        "memory": Cell(_bytes(report.memory) if report.memory else "-"),
    }


def _name(text: str) -> Cell:
    return Cell(text, number=False)


def _state(report: Report, silent: Ms | None, say: Say) -> Cell:
    if silent is not None:
        return Cell(say("process.silent", time=_span(silent)), bad=True, number=False)
    key = "noRedis" if not report.redis_up else "deaf" if report.notification is None else "ready"
    return Cell(say(f"process.{key}"), bad=key != "ready", number=False)


def _redis(alive: Sequence[Report], say: Say) -> Cell | None:
    """The memory of Redis, from the process that reports the most."""
    known = [Memory(*report.redis_memory, "") for report in alive if report.redis_memory is not None]
    if not known:
        return None
    memory = max(known, key=lambda one: (one.share, one.used))
    if not memory.limit:
        return Cell(say("redis.noLimit", used=_bytes(memory.used)))
    share = {"used": _bytes(memory.used), "limit": _bytes(memory.limit), "share": f"{memory.share:.0%}"}
    return Cell(say("redis.short" if memory.is_short else "redis.used", **share), bad=memory.is_short)


def _room(room: RoomReport, now: Ms, language: str) -> dict[str, Cell]:
    say = _say(language)
    link = f"{ROOM_PATH}?{urlencode({'code': room.code})}"
    name = "" if room.tournament is None else room.tournament or say("room.tournament")
    state = f"room.{room.state}"
    # A newer version in another process may use a state that is unknown here.
    shown = say(state) if has_text(f"server.ops.{state}") else room.state
    return {
        "room": Cell(f"{room.code} {name}".strip(), number=False, link=link),
        "game": _name(game_name(language, room.game)),
        "host": _name(room.host or "-"),
        "state": _name(say("room.unlisted", state=shown) if room.is_unlisted else shown),
        "players": Cell(say("room.seats", here=room.players, seats=room.seats)),
        "spectators": Cell(str(room.watchers)),
        "age": Cell(_span(now - room.opened_at)),
        "quiet": Cell(_span(now - room.at)),
    }


def _seconds(seconds: float | None, late: float) -> Cell:
    if seconds is None:
        return Cell("-")
    return Cell(f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s", seconds > late)


def _bytes(count: int) -> str:
    return f"{count / 1e6:.0f} MB" if count >= 1e6 else f"{count / 1000:.0f} kB" if count >= 1000 else f"{count} B"


def _span(ms: Ms) -> str:
    seconds = max(Ms(0), ms) // Ms(1000)
    for size, name in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return f"{seconds} s"
