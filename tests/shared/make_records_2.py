"""Write shared/vectors/records-2.json: the same as records.json, of records of version 2.

python -m tests.shared.make_records_2
"""

from collections.abc import Iterator, Mapping
from typing import Any

from fortythieves.record.promise import promise
from fortythieves.record.race_record import Deal, Plain
from fortythieves.rules.deal import commitment, nonce_commitment
from fortythieves.times import Ms
from tests.shared.make_records import (
    NOON,
    OTHER,
    SERVER,
    VECTORS,
    Change,
    Seat,
    changed,
    failed,
    flipped,
    leaves,
    played,
    public,
    signed_again,
    signed_record,
    text,
    told,
)

FILE = VECTORS / "records-2.json"

#: When the races of these records were set up.
SET_UP = NOON - Ms(60_000)


def nonce_of(n: int, seat: int) -> str:
    return f"{n:016x}{seat:016x}"


def dealt_by(n: int, code: str, race: int, committed: tuple[int, ...], revealed: tuple[int, ...]) -> Deal:
    """A secret deal that these seats committed to numbers for, and these of them revealed theirs."""
    secret = f"{n:064x}"
    return Deal(
        secret,
        {seat: nonce_of(n, seat) for seat in revealed},
        commitments={seat: nonce_commitment(bytes.fromhex(nonce_of(n, seat))) for seat in committed},
        promise=promise(SERVER, code, race, commitment(bytes.fromhex(secret)), SET_UP),
    )


def races() -> Iterator[tuple[str, Plain]]:
    """By name: all ways in which numbers come into a deal or do not, and who has no place."""
    settings: dict[str, Any] = {"game": "maria", "time_limit": 60, "undo": "turned"}
    dealt = dealt_by(1, "KQXWVD", 1, (1, 2), (1, 2))
    logs = played(dealt, settings, 1, 6), played(dealt, settings, 2, 5)
    seats = {1: Seat(logs[0]), 2: Seat(logs[1], ((30_000, "gave_up"),))}
    yield "short", signed_record("KQXWVD", settings, dealt, seats, 1, 2)

    dealt = dealt_by(2, "KQXWVD", 2, (1, 2, 3), (1, 3))
    seats = {seat: Seat(played(dealt, settings, seat, 4), bot=seat == 4) for seat in (1, 2, 3, 4)}
    yield "a number was withheld", signed_record("KQXWVD", settings, dealt, {**seats, 5: Seat([])}, 2, 2)

    dealt = dealt_by(3, "BCDFGH", 1, (1,), ())
    seats = {1: Seat(played(dealt, settings, 5, 4)), 2: Seat([], ((20_000, "gave_up"),))}
    yield "nobody's number", signed_record("BCDFGH", settings, dealt, seats, 1, 2)

    joined = {**settings, "late": "join"}
    dealt = dealt_by(4, "BCDFGH", 2, (1, 2), (1, 2))
    seats = {
        1: Seat(played(dealt, settings, 6, 4)),
        2: Seat([], ((-1_000, "left"),)),
        3: Seat(played(dealt, settings, 7, 3, after=20_000), ((20_000, "started_late"),)),
    }
    yield "somebody came late", signed_record("BCDFGH", joined, dealt, seats, 2, 2)

    open_deal = Deal(number="32001")
    yield (
        "an open deal",
        signed_record(
            "JKLMNP", {**settings, "deal": "32001"}, open_deal, {1: Seat(played(open_deal, settings, 8, 4))}, 1, 2
        ),
    )
    practice = Deal(f"{1:064x}", {seat: nonce_of(1, seat) for seat in (1, 2)})
    yield (
        "practice",
        signed_record(
            "JKLMNP", {**settings, "deal": "KQXWVD/1"}, practice, {1: Seat(played(practice, settings, 9, 4))}, 2, 2
        ),
    )


#: What the server itself would have to have got wrong.
RESIGNED: list[tuple[str, list[Change]]] = [
    ("short", [("promise", None)]),
    ("short", [("code", "QQXWVD")]),
    ("short", [("race", 2)]),
    ("short", [("promise.at", SET_UP + Ms(1))]),
    ("short", [("promise.signature", "0" * 128)]),
    ("short", [("promise.key", "01" + "0" * 62), ("promise.signature", "01" + "0" * 126)]),
    ("short", [("nonces", [])]),
    ("short", [("nonces.0.1", "f" * 32)]),
    ("short", [("nonces.0.0", 2), ("nonces.1.0", 3)]),
    ("short", [("commitments", [])]),
    ("short", [("commitments.0.1", "0" * 64)]),
    ("short", [("racers.0.bot", True)]),
    ("short", [("racers.0.place", 1), ("racers.1.place", 2)]),
    ("a number was withheld", [("nonces.0.0", 2)]),
    ("a number was withheld", [("racers.4.place", 5)]),
    ("nobody's number", [("racers.1.place", 2)]),
    ("nobody's number", [("settings.deal", "32001")]),
    ("nobody's number", [("settings.deal", "winnable")]),
    ("somebody came late", [("commitments.1.0", 3)]),
    ("an open deal", [("commitments", [[1, "0" * 64]])]),
    ("practice", [("commitments", [[1, "0" * 64]])]),
]

#: What no server has ever made.
MISSHAPEN: list[tuple[str, list[Change]]] = [
    ("short", [("promise-", None)]),
    ("short", [("commitments-", None)]),
    ("short", [("promise", 1)]),
    ("short", [("promise.at-", None)]),
    ("short", [("promise.more", 1)]),
    ("short", [("promise.key", "0")]),
    ("short", [("commitments.0", [1])]),
    ("short", [("commitments.0.0", 2)]),
    ("short", [("commitments.0.1", "0" * 63)]),
    ("short", [("version", 1)]),
]


def promised_late(original: Plain) -> list[Change]:
    """A promise that was made when the cards were on the table."""
    made = promise(SERVER, original["code"], original["race"], original["commitment"], NOON + Ms(1))
    return [("promise.at", made.at), ("promise.signature", made.signature)]


def promised_by_another(original: Plain) -> list[Change]:
    """A promise by a key that is not the record's: an earlier one of the server, or somebody else's."""
    made = promise(OTHER, original["code"], original["race"], original["commitment"], SET_UP)
    return [("promise.key", made.key), ("promise.signature", made.signature)]


def broken(records: Mapping[str, Plain]) -> Iterator[tuple[str, list[Change], dict[str, Ms | None] | None]]:
    """What is done to which record, and the keys that are expected then, each with the time it was given up."""
    server, other, short = public(SERVER).hex(), public(OTHER).hex(), records["short"]
    for path, value in leaves(short):
        if path.startswith(("promise", "commitments", "version")):
            yield "short", [(path, flipped(value))], {server: None}
    for name, changes in RESIGNED:
        yield name, signed_again(records[name], changes), {server: None}
    yield "short", signed_again(short, promised_late(short)), {server: None}
    some: list[dict[str, Ms | None] | None] = [{server: None}, {server: None, other: None}, None]
    for keys in (*some, {server: None, other: SET_UP - Ms(3_600_000)}):
        yield "short", signed_again(short, promised_by_another(short)), keys
    for until in (None, NOON, NOON - Ms(3_600_000)):
        yield "short", [], {other: None, server: until}
    yield "short", [], {other: None, "0" * 64: None}
    for name, changes in MISSHAPEN:
        yield name, changes, None


def vectors() -> dict[str, Any]:
    records = dict(races())
    return {
        "keys": {"server": public(SERVER).hex(), "other": public(OTHER).hex()},
        "records": [told(name, one, name == "short") for name, one in records.items()],
        "broken": [
            {
                "of": name,
                "change": changes,
                "keys": keys,
                "fail": [check.plain() for check in failed(changed(records[name], changes), keys)],
            }
            for name, changes, keys in broken(records)
        ],
    }


if __name__ == "__main__":
    FILE.write_text(text(vectors()), "utf-8")
