"""The keys in Redis, and the format of their values.

All keys of one room share a hash tag, and so do those of the pool of one game, so a script needs only one slot of a
cluster. All other keys are used alone:

    ft:{CODE}:meta            hash    epoch, last (time of the last entry, ms), moves:RACE (how many), sealed:RACE:SEAT
    ft:{CODE}:log             list    "TIME ID JSON" one event per entry (`events`)
    ft:{CODE}:moves:RACE:SEAT list    "TIME TEXT" one move per entry
    ft:{CODE}:watchers        hash    process -> how many spectators it has
    ft:{CODE}:let-in          set     the spectators who gave the password
    ft:{CODE}:progress:RACE   hash    seat -> "MOVES HOME REACHED_AT STOCK REVEALED OUTCOME AT LOG"
    ft:{CODE}:notify          channel "PROCESS room"; or "PROCESS moves RACE", then "SEAT" and its progress, one a line;
                              or "PROCESS reactions" and how many of each sign, then "SEAT SIGN" of racers, one a line
    ft:due                    zset    code -> when a process must check the room (ms); early is harmless
    ft:{public}:rooms         hash    hash of an address -> "CODE ACTIVE_AT UNTIL" of each of its listed rooms
    ft:{public}:order         zset    hash of an address -> when something last happened in one of these (ms)
    ft:days                   hash    day -> its deal and how it ended (`rooms.days.Row`), JSON
    ft:day-rooms              hash    day -> the code of its room
    ft:{pool:GAME}:ready:STARS list   winnable deals: "SECRET STARS MOVE,MOVE,..." one per entry (`winnable_pool`)
    ft:{pool:GAME}:claims     hash    CODE/RACE -> the requested stars, and then one deal a line
    ft:{pool:GAME}:claimed    zset    CODE/RACE -> when its deals were claimed (ms)
    ft:{pool:GAME}:done:ID    string  a deal (by its commitment) was added, or a claim was settled
    ft:winnable:ADDRESS       zset    hash of an address -> when its races of the last hour claimed their deals (ms)
    ft:client:NAME            string  a file of the web client, with gzip (`client_files`)
    ft:carried:HASH           string  what a guest takes to another device, by the SHA-256 of the code: "GUEST JSON"
    ft:process:ID             string  exists while the process is alive; also a channel for its messages to itself
    ft:reports                hash    process -> its latest report for operators (`reports`), JSON
    ft:wait:{...}             string  empty; written with each group of commits that waits for replicas
    ft:seconds                string  how many seconds the embedded Redis has counted, see `embedded_redis`
    ft:schema                 string  `SCHEMA` of the server that wrote here first
    ft:key:{ft:schema}        string  the first key of guest tokens; addresses are hashed with it
    ft:key-ring:NAME          string  the keys of guest tokens (passes) or records, newest first (`Rings`), JSON; the
                              last key of the days
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fortythieves.rules.race_rules import Outcome
from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.core.playthrough import Progress

#: The number of this schema, of the stored events and of stored plans. Increase it with each change of a stored value,
#: because older data is refused and never half read.
SCHEMA = 13
SCHEMA_KEY = "ft:schema"
SECONDS = "ft:seconds"
DUE = "ft:due"
PUBLIC = ("ft:{public}:rooms", "ft:{public}:order", "ft:{public}:summaries")
DAYS = ("ft:days", "ft:day-rooms")
CARRIED = "ft:carried:"
REPORTS = "ft:reports"
#: On the node of the schema: if that node loses its data while no server runs, the next one does not take the rest for
#: data of an older version.
KEY = "ft:key:{ft:schema}"
KEY_RING = "ft:key-ring:"

#: Seconds without a heartbeat after which a process counts as dead.
PROCESS_TTL = 15

#: Bytes of Redis: of an entry of a room log without its event and of a room without its log (measured); of a racer
#: without moves (an estimate).
ENTRY, ROOM, RACER = 32, 700, 250
#: The same of a spectator who gave the password.
LET_IN_BYTES = 80

_OUTCOMES: Mapping[bytes, Outcome] = {b"-": "", b"solved": "solved", b"stuck": "stuck"}


class Notification(NamedTuple):
    """News of another process: a room event, a seat's move with its progress, or reactions, which are not stored."""

    code: str
    race: int | None
    seat: int | None
    progress: Progress | None
    #: How many of each sign, and those of racers: the seat, and which sign.
    reactions: tuple[int, ...] = ()
    of_racers: tuple[tuple[int, int], ...] = ()


def of_room(code: str, what: str, *more: int) -> str:
    key = f"ft:{{{code}}}:{what}"
    for part in more:
        key += f":{part}"
    return key


def of_pool(game: str, what: str) -> str:
    """A key of the winnable deals of a game."""
    return f"ft:{{pool:{game}}}:{what}"


def of_quota(address: str) -> str:
    """The races on winnable deals of an address, which is given as a hash."""
    return f"ft:winnable:{address}"


def of_replication(key: str, *, asking: bool) -> str:
    """A key in the slot of another one. Replicas that have this write have all earlier ones.

    ``asking``: for the node to which the slot moves. If it had the same key, the key of the old node could not move.
    """
    return f"ft:wait:{{{code_of(key) or key}}}{':new' * asking}"


def size_of(event: events.Event) -> int:
    """About how many bytes of Redis an event takes, with the keys that follow from it."""
    size = len(events.encode(event)) + ENTRY
    match event:
        case events.Created():
            return size + ROOM
        case events.Counted(racers):
            return size + RACER * len(racers)
    return size


def of_client_file(name: str) -> str:
    return f"ft:client:{name}"


def code_of(key: str) -> str:
    """The room to which a key belongs."""
    return key.partition("{")[2].partition("}")[0]


def of_process(process: str) -> str:
    """The key, and the channel, of a process."""
    return f"ft:process:{process}"


def probes_of(process: str) -> tuple[str, str]:
    """The keys, and the channels, of the probes of a process. In a cluster, the slot of one may just move."""
    return of_process(process), f"ft:probe:{process}"


def row_of(progress: Progress) -> str:
    """A row of progress, without its time and the hash of the log, which only Redis knows when the entry is made."""
    row = progress
    return f"{row.moves} {row.home} {row.reached_at} {row.stock} {row.revealed} {row.outcome or '-'}"


def progress_of(written: bytes) -> Progress:
    moves, home, reached_at, stock, revealed, outcome, at, log = written.split(b" ")
    return Progress(
        *(int(moves), int(home), Ms(reached_at), int(stock), int(revealed), _OUTCOMES[outcome], Ms(at), log.decode())
    )


def event_of(entry: bytes) -> tuple[Ms, events.Event]:
    """Read an entry of a room log: the time and the event."""
    at, _, event = entry.split(b" ", 2)
    return Ms(at), events.decode(event)


def place_of(entry: bytes) -> str:
    """The time and the id of an entry of a room log. No entries of two commits have the same."""
    return b" ".join(entry.split(b" ", 2)[:2]).decode()


def move_of(entry: bytes) -> tuple[Ms, str]:
    """Read an entry of a seat's log: the time and the text."""
    at, text = entry.split(b" ", 1)
    return Ms(at), text.decode()


def notifications_of(process: str, channel: str, data: bytes) -> Iterator[Notification]:
    """Read the notifications on a channel, except those that ``process`` sent itself."""
    code = code_of(channel)
    head, *rows = data.split(b"\n")
    sender, kind, *race = head.split(b" ")
    if not code or sender.decode() == process:
        return
    if kind == b"reactions":
        of_racers = tuple((int(seat), int(sign)) for seat, sign in map(bytes.split, rows))
        yield Notification(code, None, None, None, tuple(map(int, race)), of_racers)
        return
    if kind != b"moves":
        yield Notification(code, None, None, None)
    for row in rows:
        seat, written = row.split(b" ", 1)
        yield Notification(code, int(race[0]), int(seat), progress_of(written))
