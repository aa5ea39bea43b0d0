"""Write shared/vectors/records.json: records of races, right and wrong, with all that is to be found out about them.

They are of version 1, which is still read; `make_records_2` and `make_records_3` make those of later versions.

    python -m tests.shared.make_records

Python and JavaScript read the same file, so that both come to the same findings, code by code. A test fails when
this would write anything else. It has

- ``keys``: the public keys of the server that signed the records, and of somebody else;
- ``records``: by name, each with ``record`` (the JSON twin), ``file`` (the MessagePack, in hexadecimal; of the small
  ones), the ``checks`` that are found if the server's key is expected, and the ``remarks``: whose numbers went into
  the deal;
- ``broken``: the same record (``of``) after a ``change``, a list of paths and values (a path ends in ``-`` to take
  something away, in ``+`` to add it at the end), the ``key`` that is expected or null, and the checks that ``fail``;
- ``unreadable``: bytes in hexadecimal that are no record, with the ``code`` they are refused with.
"""

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgpack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fortythieves.errors import Refused
from fortythieves.record import race_record
from fortythieves.record.proof import Check, Keys, remarks, verify
from fortythieves.record.race_record import Deal, Plain, Racer, dealt_deck
from fortythieves.rules.board import Board
from fortythieves.rules.games import game
from fortythieves.rules.ranking import Result, is_ranked, places, rule_of_record
from fortythieves.rules.tally import Happened, Race, Story, end_of, run_of, stories
from fortythieves.times import Ms
from tests.shared.players import Dice, greedy_move

VECTORS = Path(__file__).parents[2] / "shared" / "vectors"
FILE = VECTORS / "records.json"

#: For tests, and known to everybody.
SERVER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))

#: Some time by the server's clock, in ms.
NOON = Ms(1_795_258_800_000)

Log = list[tuple[Ms, str]]
Path_ = str
Change = tuple[Path_, Any]


def public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


#: Those that bear on a result, and some that do not. A new setting does not change what is said of old records.
SETTINGS: Mapping[str, Any] = {
    "game": "forty-thieves",
    "time_limit": 1200,
    "undo": "turned",
    "late": "watch",
    "deal": "secret",
    "seats": 8,
    "public": False,
}


class Seat(NamedTuple):
    """Somebody in a race: the log (ms since the start), and what else happened (the same)."""

    log: Log
    events: tuple[tuple[int, str], ...] = ()
    bot: bool = False


NAMES = ("Ann", "Bob", "Çem", "डैन", "🦊 Eve", "Fay")


def signed_record(
    code: str,
    settings: Mapping[str, Any],
    dealt: Deal,
    seats: Mapping[int, Seat],
    number: int = 1,
    version: int = 1,
) -> Plain:
    """The signed record of a race that went like this."""
    rules = {**SETTINGS, **settings}
    limit = rules["time_limit"] * 1000
    deck = dealt_deck(dealt)
    race = Race(game(rules["game"]), deck, rules["undo"], NOON, NOON + limit)
    events = sorted(Happened(NOON + Ms(ms), name, seat) for seat, one in seats.items() for ms, name in one.events)
    told = stories(events)
    ends = {seat: end_of(race, told.get(seat, Story()), run_of(race, one.log)) for seat, one in seats.items()}
    ranked = places(
        {
            seat: Result(end.state == "solved", end.when, end.home, end.reached_at, end.moves)
            for seat, end in ends.items()
            if is_ranked(end.state, end.moves, rule_of_record(version))
        }
    )
    racers = [
        Racer(
            seat,
            NAMES[seat % len(NAMES) - 1],
            seats[seat].bot,
            seat in told and told[seat].started_late is not None,
            *end,
            ranked.get(seat),
        )
        for seat, end in ends.items()
    ]
    logs = {seat: [(NOON + ms, text) for ms, text in one.log] for seat, one in seats.items()}
    unsigned = race_record.make(code, number, rules, dealt, NOON, racers, logs, events, version)
    return race_record.sign(unsigned, SERVER)


def played(dealt: Deal, settings: Mapping[str, Any], seed: int, most: int, pace: int = 2500, after: int = 0) -> Log:
    """What somebody does who mostly plays home what goes home, and sometimes takes something back."""
    dice = Dice(seed)
    undo = settings.get("undo", "turned")
    deck = dealt_deck(dealt)
    board = Board.deal(game(settings["game"]), deck)
    log: Log = []
    ms = after
    while len(log) < most and board.outcome is None:
        ms += dice.below(pace)
        may = board.moves_made and (undo == "free" or (undo == "turned" and not board.last_turned))
        if may and dice.happens(0.15):
            board.undo()
            log.append((Ms(ms), "undo"))
        else:
            move = greedy_move(board, dice)
            board.play(move)
            log.append((Ms(ms), str(move)))
    return log


def won(key: str) -> tuple[str, Log]:
    """A numbered deal of a game, and a line that wins it."""
    wins = json.loads((VECTORS / "wins.json").read_text("utf-8"))
    win = next(win for win in wins if win["game"] == key)
    return str(win["number"]), [(Ms(1500 * n), text) for n, text in enumerate(win["moves"], start=1)]


def secret_deal(n: int, *seats: int) -> Deal:
    return Deal(f"{n:064x}", {seat: f"{n:016x}{seat:016x}" for seat in seats})


@cache
def by_name() -> Mapping[str, Plain]:
    """All of `races`, made once for all tests: each of them takes a copy of what it changes."""
    return MappingProxyType(dict(races()))


def races() -> Iterator[tuple[str, Plain]]:
    """By name: every game, every kind of end, of deal and of undo."""
    settings: dict[str, Any]

    settings = {"game": "maria", "time_limit": 60, "undo": "turned"}
    dealt = secret_deal(1, 1, 2)
    short = played(dealt, settings, 1, 6), played(dealt, settings, 2, 5)
    yield (
        "short",
        signed_record("KQXWVD", settings, dealt, {1: Seat(short[0]), 2: Seat(short[1], ((30_000, "gave_up"),))}),
    )

    settings = {"game": "forty-thieves", "time_limit": 600}
    number, line = won("forty-thieves")
    dealt = Deal(number=number)
    slower = [(ms + Ms(700), text) for ms, text in line]
    some = played(dealt, settings, 3, 60)
    seats = {1: Seat(slower), 2: Seat(line, bot=True), 4: Seat(some, ((400_000, "gave_up"),)), 5: Seat([])}
    yield "solved", signed_record("KQXWVD", {**settings, "deal": number}, dealt, seats, 2)

    settings = {"game": "lucas", "time_limit": 120, "undo": "free"}
    dealt = secret_deal(3, 1, 3)
    log = played(dealt, settings, 4, 60)
    seats = {1: Seat(log), 2: Seat(log), 3: Seat(played(dealt, settings, 5, 30)), 6: Seat([])}
    yield "equal places", signed_record("BCDFGH", settings, dealt, seats)

    settings = {"game": "indian", "time_limit": 900, "undo": "none"}
    dealt = secret_deal(4)
    seats = {seat: Seat(played(dealt, settings, seat, 250)) for seat in (1, 2)}
    yield "stuck", signed_record("BCDFGH", settings, dealt, seats, 2)

    settings = {"game": "streets", "time_limit": 300, "late": "join"}
    dealt = secret_deal(5, 1, 2)
    seats = {
        1: Seat(played(dealt, settings, 6, 40), ((60_000, "gave_up"), (64_000, "took_back"))),
        2: Seat(played(dealt, settings, 7, 20), ((90_000, "kicked"),)),
        3: Seat(played(dealt, settings, 8, 20, after=45_000), ((45_000, "started_late"), (150_000, "left"))),
        4: Seat([], ((-2_000, "started_late"), (-500, "left"))),
        5: Seat([], ((250_000, "started_late"), (295_000, "gave_up"))),
    }
    yield "comings and goings", signed_record("JKLMNP", settings, dealt, seats)

    settings = {"game": "little-forty", "time_limit": 1200, "undo": "free"}
    number, line = won("little-forty")
    dealt = Deal(number=number)
    seats = {1: Seat(line), 2: Seat(played(dealt, settings, 9, 90))}
    yield "solved with redeals", signed_record("JKLMNP", {**settings, "deal": number}, dealt, seats, 2)

    settings = {"game": "limited", "time_limit": 60}
    dealt = secret_deal(7, 1, 2, 8)
    practice = {**settings, "deal": "KQXWVD/7"}
    yield "practice", signed_record("QRSTVW", practice, dealt, {1: Seat(played(dealt, settings, 10, 15))})

    settings = {"game": "rank-and-file", "time_limit": 60}
    dealt = Deal(number="100000000000000000000")
    practice = {**settings, "deal": "QRSTVW/12"}
    yield (
        "practice on an open deal",
        signed_record("QRSTVW", practice, dealt, {1: Seat(played(dealt, settings, 11, 15))}, 2),
    )

    settings = {"game": "maria", "time_limit": 300, "undo": "none"}
    dealt = secret_deal(8, 2, 3)
    seats = {2: Seat(played(dealt, settings, 12, 15), ((90_000, "stopped"),)), 3: Seat([], ((60_000, "stopped"),))}
    yield "stopped", signed_record("QRSTVW", settings, dealt, seats)

    settings = {"game": "number-ten", "time_limit": 14_400, "undo": "turned"}
    dealt = secret_deal(9, 1, 2, 3)
    seats = {seat: Seat(played(dealt, settings, 20 + seat, 70, pace=300_000), bot=seat > 1) for seat in (1, 2, 3)}
    yield "long", signed_record("XZBCDF", settings, dealt, seats)


# Changes


def changed(original: Plain, changes: Sequence[Change]) -> Plain:
    """A copy with some places changed."""
    copied: Plain = copy.deepcopy(original)
    for path, value in changes:
        *way, last = path.split(".")
        place: Any = copied
        for step in way:
            place = place[int(step) if isinstance(place, list) else step]
        if last == "-":
            place.pop()
        elif last == "+":
            place.append(value)
        elif last.endswith("-"):
            del place[last[:-1]]
        else:
            place[int(last) if isinstance(place, list) else last] = value
    return copied


def signed_again(original: Plain, changes: Sequence[Change], key: Ed25519PrivateKey = SERVER) -> list[Change]:
    """The same changes, and the signature that goes with them."""
    signed = race_record.sign(changed(original, changes), key)
    return [*changes, ("key", signed["key"]), ("signature", signed["signature"])]


def leaves(value: Any, path: str = "") -> Iterator[Change]:
    """Every plain value with its path."""
    if isinstance(value, dict | list):
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, f"{path}.{step}" if path else str(step))
    else:
        yield path, value


def flipped(value: Any) -> Any:
    """Another value of the same kind, as near as can be."""
    match value:
        case None:
            return 1
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value and value[-1] in "0123456789abcdef":
            return value[:-1] + ("1" if value[-1] == "0" else "0")
    return value[:-1] + ("X" if value[-1:] != "X" else "Y")


def broken(records: Mapping[str, Plain]) -> Iterator[tuple[str, list[Change], bytes | None]]:
    """What is done to which record, and the key that is expected then."""
    for path, value in leaves(records["short"]):
        yield "short", [(path, flipped(value))], public(SERVER)
    for name, changes in RESIGNED:
        yield name, signed_again(records[name], changes), public(SERVER)
    for name in records:
        again = signed_again(records[name], [], OTHER)
        yield name, again, public(SERVER)
        yield name, again, None
    for name, changes in MISSHAPEN:
        yield name, changes, None


#: What the server itself would have to have got wrong; by whoever cannot sign as the server it shows in the signature.
RESIGNED: list[tuple[str, list[Change]]] = [
    ("short", [("racers.0.name", "Eve")]),  # nothing else says what somebody is called
    ("short", [("game", "streets")]),
    ("short", [("settings.game", "streets")]),
    ("short", [("game", "streets"), ("settings.game", "streets")]),
    ("short", [("settings.time_limit", 61)]),
    ("short", [("settings.deal", "32001")]),
    ("short", [("settings.deal", "KQXWVD/1")]),
    ("short", [("number", "32001")]),
    ("short", [("practice", "KQXWVD/1")]),
    ("short", [("commitment", "0" * 64)]),
    ("short", [("commitment", None)]),
    ("short", [("secret", None)]),
    ("short", [("secret", "f" * 64)]),
    ("short", [("nonces.0.1", "f" * 32)]),
    ("short", [("nonces.1.0", 3)]),
    ("short", [("nonces", [])]),
    ("short", [("starts_at", NOON + Ms(1))]),
    ("short", [("ends_at", NOON + Ms(1))]),
    ("short", [("over_at", NOON)]),
    ("short", [("racers.0.late", True)]),
    ("short", [("racers.0.late", True), ("settings.late", "join")]),
    ("short", [("racers.0.state", "solved")]),
    ("short", [("racers.0.when", NOON)]),
    ("short", [("racers.0.home", 103)]),
    ("short", [("racers.0.moves", 7)]),
    ("short", [("racers.0.reached_at", 0)]),
    ("short", [("racers.0.place", 2), ("racers.1.place", 1)]),
    ("short", [("racers.0.place", None)]),
    ("short", [("racers.0.state", "disqualified"), ("racers.0.place", None)]),
    ("short", [("logs.0.1.2.1", "99-1")]),
    ("short", [("logs.0.1.2.1", "redeal")]),
    ("short", [("logs.0.1.0.1", "undo")]),
    ("short", [("logs.0.1.1.0", 0), ("logs.0.1.0.0", 1)]),
    ("short", [("logs.0.1.5.0", 60_000)]),
    ("short", [("logs.0.1.-", None)]),
    ("short", [("logs.0.1", []), ("logs.1.1", [])]),
    ("short", [("events", [])]),
    ("short", [("events.0.0", NOON + Ms(50_001))]),
    ("short", [("events.0.1", "took_back")]),
    ("short", [("events.0.1", "left")]),
    ("short", [("events.0.1", "kicked")]),
    ("short", [("events.0.2", 1)]),
    ("short", [("events.0.0", NOON - Ms(20_000))]),
    ("solved", [("number", "32002")]),
    ("solved", [("number", "32001"), ("settings.deal", "32001")]),
    ("solved", [("number", "100000000000000000001"), ("settings.deal", "100000000000000000001")]),
    ("solved", [("number", "32000"), ("settings.deal", "32000")]),
    ("solved", [("nonces", [[1, "0" * 32]])]),
    ("solved", [("settings.deal", "secret")]),
    ("solved", [("racers.1.state", "stuck")]),
    ("solved", [("racers.0.place", 1)]),
    ("solved", [("settings.undo", "none")]),
    ("solved", [("logs.1.1.+", [290_000, "undo"])]),
    ("solved", [("logs.1.1.+", [290_000, "draw"])]),
    ("equal places", [("racers.1.place", 2)]),
    ("equal places", [("settings.undo", "none")]),
    ("equal places", [("settings.undo", "turned")]),
    ("equal places", [("deck", "".join(f"{rank}{suit}" for suit in "CSHD" for rank in "A23456789TJQK") * 2)]),
    ("stuck", [("racers.0.state", "timed_out")]),
    ("stuck", [("settings.undo", "free")]),
    ("stuck", [("logs.0.1.+", [111_900, "draw"])]),
    ("stuck", [("logs.0.1.+", [111_900, "undo"])]),
    ("stuck", [("logs.0.1.+", [111_900, "draw"]), ("logs.0.1.+", [111_900, "1-2"])]),
    ("comings and goings", [("settings.late", "watch")]),
    ("comings and goings", [("racers.2.late", False)]),
    ("comings and goings", [("logs.2.1.0.0", 44_999)]),
    ("comings and goings", [("logs.2.1.19.0", 160_001)]),
    ("comings and goings", [("events.0.0", NOON + Ms(300_000))]),
    ("comings and goings", [("racers.3.state", "gave_up")]),
    ("comings and goings", [("racers.1.place", 4)]),
    ("practice", [("practice", "KQXWVD/8")]),
    ("practice", [("practice", None)]),
    ("practice", [("nonces.2.0", 9)]),
    ("practice", [("nonces.2.1", "0" * 32)]),
    ("practice on an open deal", [("number", "32001")]),
    ("practice on an open deal", [("secret", "0" * 64), ("number", None)]),
]

#: What no server has ever made.
MISSHAPEN: list[tuple[str, list[Change]]] = [
    *(("short", [(f"{name}-", None)]) for name in ("code", "settings", "racers", "logs", "signature", "key")),
    ("short", [("racers.0.seat-", None)]),
    ("short", [("settings.undo-", None)]),
    ("short", [("settings.watching", "everyone")]),
    ("short", [("settings.watching", [])]),
    ("short", [("settings.Watching", 1)]),
    ("short", [("racers.0.bot", 1)]),
    ("short", [("more", 1)]),
    ("short", [("__proto", 1)]),
    ("short", [("racers.0.lane", 1)]),
    ("short", [("version", 0)]),
    ("short", [("race", True)]),
    ("short", [("race", "1")]),
    ("short", [("race", 1.5)]),
    ("short", [("race", -1)]),
    ("short", [("starts_at", 2**53)]),
    ("short", [("code", "kqxwvd")]),
    ("short", [("code", "KQXWVD\n")]),
    ("short", [("settings", [])]),
    ("short", [("settings.deal", "")]),
    ("short", [("settings.deal", "SECRET")]),
    ("short", [("settings.time_limit", 59)]),
    ("short", [("secret", "F" * 64)]),
    ("short", [("deck", "AC")]),
    ("short", [("deck", "##" * 104)]),
    ("short", [("deck", "AC" * 104)]),
    ("short", [("deck", "é" * 208)]),
    ("short", [("racers", [])]),
    ("short", [("racers", {})]),
    ("short", [("racers.0", None)]),
    ("short", [("racers.0.seat", 2)]),
    ("short", [("racers.0.seat", 3)]),
    ("short", [("racers.0.home", 105)]),
    ("short", [("racers.0.name", 1)]),
    ("short", [("racers.0.place", 0)]),
    ("short", [("nonces.0", [1])]),
    ("short", [("nonces.0.0", 2)]),
    ("short", [("logs.0.0", 7)]),
    ("short", [("logs.-", None)]),
    ("short", [("logs.0.1", "draw")]),
    ("short", [("logs.0.1.0", ["draw", 1])]),
    ("short", [("logs.0.1.0.0", -1)]),
    ("short", [("logs.0.1.0.1", "")]),
    ("short", [("logs.0.1.0.1", "a long text")]),
    ("short", [("logs.0.1.0.1", "draw ")]),
    ("short", [("events.0.1", "slept")]),
    ("short", [("events.0.2", 3)]),
]


def unreadable(short: Plain) -> Iterator[bytes]:
    """Bytes that are no record."""
    whole, twin = race_record.packed(short), race_record.as_json(short)
    yield from (b"", b" ", b"hello", b"null", b"[]", b"\x90", b"\xc0", b"\x01", b"\xff", b"\x1f\x8b\x08")
    yield from (b"{}", b"\x80", b'{"format":"forty-thieves-record"}', b'{"format":1,"version":1}')
    yield from (
        whole[:-1],
        whole[: len(whole) // 2],
        whole[:1],
        whole + b"\x00",
        twin[:-1],
        twin[:100],
        twin + b"x",
        b"{",
    )
    for version in (4, 10**9, 0, -1, 1.5, "1", None, True):
        yield race_record.packed({**short, "version": version})
    yield race_record.as_json({"format": race_record.FORMAT, "version": 4})
    yield msgpack.packb({"format": race_record.FORMAT, "version": 1, "code": b"bytes"})
    yield msgpack.packb({"format": race_record.FORMAT, "version": 1, "code": msgpack.ExtType(5, b"x")})
    # Lists and texts that are said to be long, one in the other, and are not there.
    yield b"\xdf\xff\xff\xff\xff"
    yield b"\x81\xa1a" + b"\xdd\x00\x7f\xff\xff" * 40
    yield b"\x81\xa1a\xdb\xff\xff\xff\xff"


def refusal(data: bytes) -> dict[str, str]:
    try:
        race_record.read(data)
    except Refused as refused:
        return {"bytes": data.hex(), "code": refused.code}
    raise AssertionError(f"{data!r} is read")


def told(name: str, one: dict[str, Any], with_file: bool) -> dict[str, Any]:
    """A record, and all that there is to say about it."""
    return {
        "name": name,
        "record": one,
        **({"file": race_record.packed(one).hex()} if with_file else {}),
        "checks": [check.plain() for check in verify(one, public(SERVER))],
        "remarks": [remark.plain() for remark in remarks(one)],
    }


def vectors() -> dict[str, Any]:
    records = dict(races())
    return {
        "keys": {"server": public(SERVER).hex(), "other": public(OTHER).hex()},
        "records": [told(name, one, len(race_record.packed(one)) < 2000) for name, one in records.items()],
        "broken": [
            {
                "of": name,
                "change": changes,
                "key": key.hex() if key else None,
                "fail": [check.plain() for check in failed(changed(records[name], changes), key)],
            }
            for name, changes, key in broken(records)
        ],
        "unreadable": [refusal(data) for data in unreadable(records["short"])],
    }


def failed(one: Plain, key: bytes | Keys | None) -> list[Check]:
    return [check for check in verify(one, key) if not check.ok]


def text(content: dict[str, Any]) -> str:
    """What the file says: JSON, an item a line."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    parts = [
        f'"{name}":' + ("[\n" + ",\n".join(map(line, value)) + "\n]" if isinstance(value, list) else line(value))
        for name, value in content.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(vectors()), "utf-8")
