"""The keys in Redis: what is stored under each, and how it is written down.

Those of one room share a hash tag, so one script touches one slot of a cluster; each of the others is on its own:

    ft:{CODE}:meta            hash    epoch, last (time of the last entry, ms), summary (JSON), sealed:RACE:SEAT
    ft:{CODE}:log             list    "TIME ID JSON" one event an entry (`events`)
    ft:{CODE}:moves:RACE:SEAT list    "TIME TEXT" one move an entry
    ft:{CODE}:watchers        hash    process -> how many people watch by way of it
    ft:{CODE}:let-in          set     the guests who have said the password in order to watch
    ft:{CODE}:progress:RACE   hash    seat -> "MOVES HOME REACHED_AT STOCK OUTCOME AT"
    ft:{CODE}:nudge           channel "PROCESS room"; or "PROCESS moves RACE", then "SEAT" and its progress, a line each
    ft:due                    zset    code -> when somebody has to look at the room (ms); early is harmless
    ft:{public}:rooms         hash    hash of an address -> "CODE ACTIVE_AT UNTIL" of each of its rooms that is listed
    ft:{public}:order         zset    hash of an address -> when something last happened in one of these (ms)
    ft:process:ID             string  there while the process is alive; and a channel on which it has a word with itself
    ft:reports                hash    process -> its last report to operators (`reports`), JSON
    ft:key                    string  what guest passes were first signed with; and addresses are hashed with it
    ft:record-key             string  the seed of the Ed25519 key that records were first signed with
    ft:key-ring:NAME          string  what passes and records are signed with, one after the other (`key_history`), JSON
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fortythieves.rules.race_rules import Outcome
from fortythieves_server.core import events
from fortythieves_server.core.judge_moves import Progress

DUE = "ft:due"
PUBLIC = ("ft:{public}:rooms", "ft:{public}:order")
REPORTS = "ft:reports"
KEY = "ft:key"
RECORD_KEY = "ft:record-key"
KEY_RING = "ft:key-ring:"

_OUTCOMES: Mapping[bytes, Outcome] = {b"-": "", b"solved": "solved", b"stuck": "stuck"}


class Notification(NamedTuple):
    """Another process has committed something: a room event, or a seat's move and its progress."""

    code: str
    race: int | None
    seat: int | None
    progress: Progress | None


def of_room(code: str, what: str, *more: int) -> str:
    """A key of a room."""
    key = f"ft:{{{code}}}:{what}"
    for part in more:
        key += f":{part}"
    return key


def code_of(key: str) -> str:
    """The room that a key is of."""
    return key.partition("{")[2].partition("}")[0]


def of_process(process: str) -> str:
    """The key, and the channel, of a process."""
    return f"ft:process:{process}"


def progress_of(written: bytes) -> Progress:
    """A seat's progress, as it was written down."""
    moves, home, reached_at, stock, outcome, at = written.split(b" ")
    return Progress(int(moves), int(home), int(reached_at), int(stock), _OUTCOMES[outcome], int(at))


def event_of(entry: bytes) -> tuple[int, events.Event]:
    """An entry of a room's log: when, and what."""
    at, _, event = entry.split(b" ", 2)
    return int(at), events.decode(event)


def move_of(entry: bytes) -> tuple[int, str]:
    """An entry of a seat's log: when, and what."""
    at, text = entry.split(b" ", 1)
    return int(at), text.decode()


def notifications_of(process: str, channel: str, data: bytes) -> Iterator[Notification]:
    """What a process is told on a channel, unless it was the one to say it."""
    code = code_of(channel)
    head, *rows = data.split(b"\n")
    sender, kind, *race = head.split(b" ")
    if not code or sender.decode() == process:
        return
    if kind != b"moves":
        yield Notification(code, None, None, None)
    for row in rows:
        seat, written = row.split(b" ", 1)
        yield Notification(code, int(race[0]), int(seat), progress_of(written))
