"""The page of operators: rooms, processes, and what is slow. It runs no script, and whatever is in it is text.

It is put together as a tree of elements, so there is no place where what somebody typed could become markup.
"""

import base64
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import urlencode
from xml.etree import ElementTree as Tree

from fortythieves_server.ops.reports import ROOMS, Report, RoomReport, merged
from fortythieves_server.store.memory_limit import Memory

#: Seconds until the page loads itself again.
AGAIN = 5
#: The rooms that the page shows, at most.
SHOWN = 500
#: Above these, in seconds, a figure is called bad; a person takes a tenth of a second for an instant.
LATE_COMMIT, LATE_LOOP, LATE_NUDGE, LATE_ANSWER = 0.1, 0.1, 0.25, 1.0
#: Bytes that wait for one client: half of what closes it.
MUCH = 1 << 19

STYLE = """
:root { color-scheme: light dark; font: 16px/1.4 system-ui, sans-serif }
body { margin: 0 auto; padding: 0.75rem; max-width: 90rem }
h1 { font-size: 1.25rem } h2 { font-size: 1.1rem; margin: 1.5rem 0 0.25rem }
table { border-collapse: collapse }
th, td { padding: 0.25rem 0.6rem; text-align: left; border-bottom: 1px solid #8886 }
th { font-weight: 600; vertical-align: bottom }
td { overflow-wrap: break-word }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
th.number { white-space: normal }
form { margin: 1rem 0 }
input[type=checkbox] { width: 1.5rem; height: 1.5rem; min-height: 0; vertical-align: middle }
button, input { font: inherit; min-height: 2.75rem; padding: 0.25rem 0.75rem; margin: 0.25rem 0.5rem 0.25rem 0 }
button { cursor: pointer }
input { max-width: 100%; box-sizing: border-box }
:focus-visible { outline: 3px solid #1a6fd4; outline-offset: 2px }
.bad { font-weight: 700; color: #b00020 }
@media (prefers-color-scheme: dark) { .bad { color: #ff8a80 } }
@media (max-width: 48rem) {
  table { width: 100% }
  thead { display: none }
  td, .number { overflow-wrap: anywhere; white-space: normal }
  tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 1rem }
  tr { padding: 0.5rem 0; border-bottom: 2px solid #8888 }
  td { display: flex; justify-content: space-between; gap: 0.5rem; padding: 0.1rem 0; border: 0; text-align: right }
  td::before { content: attr(data-of); opacity: 0.75; text-align: left; overflow-wrap: normal }
  td:first-child { grid-column: 1 / -1; font-weight: 700 }
}
"""

_HASH = base64.b64encode(sha256(STYLE.encode()).digest()).decode()
#: Nothing is loaded, run or framed, and forms go to us alone.
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

#: Where operators look at one room, and do something to it.
ROOM_PATH = "/ops/room"


class Cell(NamedTuple):
    """What stands in a place of a table."""

    text: str
    bad: bool = False
    number: bool = True
    #: Where it leads.
    link: str = ""


class Act(NamedTuple):
    """Something that an operator may do to a room: what it is called, and what comes of it."""

    name: str
    button: str
    means: str
    #: What else is asked for.
    field: str = ""
    #: It cannot be undone, so it has to be said twice.
    is_final: bool = False


UNLIST = Act("unlist", "Take it off the list", "The front page no longer lists it. Whoever has its code gets in.")
LIST = Act("list", "Let it be listed", "The front page lists it again, if its host wants that.")
CLOSE = Act(
    *("close", "Close this room", "Everybody in it is told, and nobody gets in again. This cannot be undone."),
    field="What they are told, besides that an operator has closed it",
    is_final=True,
)


def page(reports: Sequence[Report], now: int) -> bytes:
    """The page, as it is now (ms)."""
    root, head, body = _html("Operators - Forty Thieves Race")
    Tree.SubElement(head, "meta", {"http-equiv": "refresh", "content": str(AGAIN)})
    rooms = merged(reports)
    alive = [report for report in reports if report.silent_for(now) is None]
    _say(body, "h1", "Forty Thieves Race")
    _say(body, "p", _summary(alive, rooms, now))
    _processes(body, reports, now)
    _redis(body, alive)
    _slow(body, alive)
    _rooms(body, rooms, now)
    return _written(root)


def room_page(room: RoomReport, acts: Sequence[Act], token: str, now: int, said: str = "") -> bytes:
    """One room, and what an operator may do to it, each by a button; ``said``: what went wrong with that."""
    root, _, body = _html(f"Room {room.code} - Forty Thieves Race")
    _say(Tree.SubElement(body, "p"), "a", "All rooms").set("href", "/ops")
    _say(body, "h1", f"Room {room.code}")
    if said:
        _say(body, "p", said).attrib.update({"class": "bad", "role": "alert"})
    _table(body, _ROOM_HEADS, [_room(room, now)])
    if not acts:
        _say(body, "p", "An operator has closed it. What happened in it is kept as long as that of others.")
    for act in acts:
        form = Tree.SubElement(body, "form", method="post", action=ROOM_PATH)
        for name, value in (("code", room.code), ("token", token), ("do", act.name)):
            Tree.SubElement(form, "input", type="hidden", name=name, value=value)
        _say(form, "h2", act.button)
        _say(form, "p", act.means)
        if act.field:
            label = _say(Tree.SubElement(form, "p"), "label", f"{act.field} ")
            Tree.SubElement(label, "input", name="reason", maxlength="80", autocomplete="off")
        if act.is_final:
            label = Tree.SubElement(Tree.SubElement(form, "p"), "label")
            Tree.SubElement(label, "input", type="checkbox", name="sure", value="yes", required="").tail = " I am sure"
        _say(form, "button", act.button)
    return _written(root)


def which_room_page(said: str = "") -> bytes:
    """Which room it is about; ``said``: what is wrong with the last answer."""
    root, _, body = _html("A room - Forty Thieves Race")
    _say(Tree.SubElement(body, "p"), "a", "All rooms").set("href", "/ops")
    _say(body, "h1", "Which room?")
    if said:
        _say(body, "p", said).attrib.update({"class": "bad", "role": "alert"})
    form = Tree.SubElement(body, "form", method="get", action=ROOM_PATH)
    label = _say(form, "label", "Its code ")
    Tree.SubElement(label, "input", name="code", required="", size="8", maxlength="12", autocomplete="off")
    _say(form, "button", "Look at it")
    return _written(root)


def _html(title: str) -> tuple[Tree.Element, Tree.Element, Tree.Element]:
    root = Tree.Element("html", lang="en")
    head = Tree.SubElement(root, "head")
    Tree.SubElement(head, "meta", charset="utf-8")
    Tree.SubElement(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    _say(head, "title", title)
    _say(head, "style", STYLE)
    return root, head, Tree.SubElement(root, "body")


def _written(root: Tree.Element) -> bytes:
    html: bytes = Tree.tostring(root, encoding="utf-8", method="html")
    return b"<!doctype html>\n" + html


def _summary(alive: Sequence[Report], rooms: Sequence[RoomReport], now: int) -> str:
    racing = sum(room.state == "racing" for room in rooms)
    players, watchers = sum(one.players for one in alive), sum(one.watchers for one in alive)
    moves = sum(one.moves for one in alive)
    said = (
        f"{_count(len(alive), 'process', 'processes')}, {_count(players, 'player')}, {_count(watchers, 'watcher')}, "
        f"{_count(len(rooms), 'room')}, {_count(racing, 'race')}, {moves:.1f} moves a second"
    )
    return f"{said}. {datetime.fromtimestamp(now / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC; again every {AGAIN} seconds."


def _processes(body: Tree.Element, reports: Sequence[Report], now: int) -> None:
    _say(body, "h2", "Processes")
    heads = [
        *("process", "state", "up", "players", "watchers", "rooms", "races", "moves/s"),
        *("commit p50", "commit p99", "oldest", "waiting", "loop p99", "nudge", "slowest client", "memory"),
    ]
    _table(body, heads, (_process(report, now) for report in reports))


def _process(report: Report, now: int) -> list[Cell]:
    silent = report.silent_for(now)
    return [
        Cell(f"{report.machine} {report.pid} ({report.process}, {report.version})", number=False),
        _state(report, silent),
        Cell(_span(now - report.began)),
        Cell(str(report.players)),
        Cell(str(report.watchers)),
        Cell(str(report.rooms)),
        Cell(str(report.races)),
        Cell(f"{report.moves:.1f}"),
        _seconds(report.commit_p50, LATE_COMMIT),
        _seconds(report.commit_p99, LATE_COMMIT),
        _seconds(report.oldest, LATE_ANSWER),
        Cell(str(report.waiting)),
        _seconds(report.loop_p99, LATE_LOOP),
        _seconds(report.nudge, LATE_NUDGE),
        Cell(_bytes(report.outbox), report.outbox > MUCH),
        Cell(_bytes(report.memory) if report.memory else "-"),
    ]


def _state(report: Report, silent: int | None) -> Cell:
    if silent is not None:
        return Cell(f"silent for {_span(silent)}", bad=True, number=False)
    if not report.redis_up:
        return Cell("Redis is away", bad=True, number=False)
    return Cell("ready", number=False) if report.nudge is not None else Cell("deaf", bad=True, number=False)


def _redis(body: Tree.Element, alive: Sequence[Report]) -> None:
    """What Redis holds, as the process sees it that says most."""
    said = [report.redis_memory for report in alive if report.redis_memory is not None]
    if not said:
        return
    _say(body, "h2", "Redis")
    memory = max((Memory(used, limit, "") for used, limit in said), key=lambda one: (one.share, one.used))
    if not memory.limit:
        _say(body, "p", f"It holds {_bytes(memory.used)}, without a limit.")
        return
    share = f"It holds {_bytes(memory.used)} of the {_bytes(memory.limit)} that it may, {memory.share:.0%}"
    if not memory.is_short:
        _say(body, "p", f"{share}.")
        return
    _say(body, "p", f"{share}: no new rooms are opened (!)").set("class", "bad")


def _slow(body: Tree.Element, alive: Sequence[Report]) -> None:
    _say(body, "h2", "What is slow, and what was refused")
    slow = Counter[str]()
    for code, seconds in (row for report in alive for row in report.slow):
        slow[code] = max(slow[code], round(seconds * 1_000_000))
    if slow:
        _say(body, "p", "The longest that moves took to be on disk in the last minutes, by room:")
        rows = ([Cell(code, number=False), _seconds(us / 1e6, LATE_COMMIT)] for code, us in slow.most_common(10))
        _table(body, ("room", "took"), rows)
    else:
        _say(body, "p", "Nobody has moved in the last minutes.")
    refused = sum((Counter(report.refused) for report in alive), Counter[str]())
    if refused:
        _say(body, "p", "Refused in the last minute, by code:")
        rows = ([Cell(code, number=False), Cell(str(count))] for code, count in refused.most_common(20))
        _table(body, ("code", "times"), rows)
    else:
        _say(body, "p", "Nothing was refused in the last minute.")


def _rooms(body: Tree.Element, rooms: Sequence[RoomReport], now: int) -> None:
    _say(body, "h2", "Rooms")
    # On a page of its own: this one comes again while somebody types.
    _say(Tree.SubElement(body, "p"), "a", "Take a room off the list, or close it").set("href", ROOM_PATH)
    if not rooms:
        _say(body, "p", "There are none in memory.")
        return
    _table(body, _ROOM_HEADS, (_room(room, now) for room in rooms[:SHOWN]))
    _say(body, "p", f"At most {SHOWN}, and of each process the {ROOMS} in which something has happened last.")


_ROOM_HEADS = ("room", "game", "host", "state", "players", "watchers", "age", "quiet for")


def _room(room: RoomReport, now: int) -> list[Cell]:
    return [
        Cell(
            f"{room.code} {room.tournament}".strip(), number=False, link=f"{ROOM_PATH}?{urlencode({'code': room.code})}"
        ),
        Cell(room.game, number=False),
        Cell(room.host or "-", number=False),
        Cell(room.state, number=False),
        Cell(f"{room.players} of {room.seats}"),
        Cell(str(room.watchers)),
        Cell(_span(now - room.opened_at)),
        Cell(_span(now - room.at)),
    ]


# Elements and words


def _say(parent: Tree.Element, tag: str, text: str) -> Tree.Element:
    child = Tree.SubElement(parent, tag)
    child.text = text
    return child


def _table(parent: Tree.Element, heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    table = Tree.SubElement(parent, "table")
    top = Tree.SubElement(Tree.SubElement(table, "thead"), "tr")
    inside = Tree.SubElement(table, "tbody")
    found = list(rows)
    for head, below in zip(heads, zip(*found, strict=True), strict=True):
        _say(top, "th", head).set("class", "number" if below[0].number else "text")
    for row in found:
        line = Tree.SubElement(inside, "tr")
        for head, cell in zip(heads, row, strict=True):
            # Not by its colour alone.
            text = f"{cell.text} (!)" if cell.bad else cell.text
            place = _say(line, "td", "" if cell.link else text)
            if cell.link:
                _say(place, "a", text).set("href", cell.link)
            place.set("data-of", head)
            if names := [name for name in ("bad", "number") if getattr(cell, name)]:
                place.set("class", " ".join(names))


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


def _span(ms: int) -> str:
    seconds = max(0, ms) // 1000
    for size, name in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return f"{seconds} s"
