"""Write shared/vectors/records-3.json: the same as records-2.json, of records of version 3, whose deals can be won.

    python -m tests.shared.make_records_3

Only the chosen deal of each draw was looked at: the other fifteen of these are any secrets.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from fortythieves.record.promise import promise
from fortythieves.record.race_record import Deal, Plain, Winnable, deck_of
from fortythieves.rules.board import Board
from fortythieves.rules.cards import names
from fortythieves.rules.deal import nonce_commitment
from fortythieves.rules.games import game
from fortythieves.rules.winnable import DEALS, choice_of, leaves_of, path_of, root_of
from fortythieves.solver.effort import solve, stars
from fortythieves.times import Ms
from tests.shared.make_records import (
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
from tests.shared.make_records_2 import SET_UP, nonce_of, promised_late

FILE = VECTORS / "records-3.json"


class Drawn(NamedTuple):
    """The draw of a race, and what its nonces chose."""

    secrets: tuple[bytes, ...]
    dealt: Deal
    proof: Winnable


def drawn(n: int, key: str, code: str, race: int, committed: tuple[int, ...], revealed: tuple[int, ...]) -> Drawn:
    """The draw of a race that these seats committed to numbers for, and these of them revealed theirs."""
    secrets = tuple(hashlib.sha256(f"deal {index} of draw {n}".encode()).digest() for index in range(DEALS))
    hashes = leaves_of(secrets)
    root = root_of(hashes)
    index = choice_of(root, [bytes.fromhex(nonce_of(n, seat)) for seat in revealed])
    secret = secrets[index].hex()
    solved = solve(Board.deal(game(key), deck_of(secret, [], None)))
    if solved.rung is None:
        raise ValueError(f"the deal that draw {n} chooses is not won; another number draws others")
    path = [one.hex() for one in path_of(hashes, index)]
    proof = Winnable(stars(key, solved.rung), index, path, [str(move) for move in solved.moves])
    dealt = Deal(
        secret,
        {seat: nonce_of(n, seat) for seat in revealed},
        commitments={seat: nonce_commitment(bytes.fromhex(nonce_of(n, seat))) for seat in committed},
        promise=promise(SERVER, code, race, root.hex(), SET_UP),
        winnable=proof,
    )
    return Drawn(secrets, dealt, proof)


@cache
def short() -> Drawn:
    return drawn(1, "lucas", "KQXWVD", 1, (1, 2), (1, 2))


@cache
def by_name() -> Mapping[str, Plain]:
    """All of `races`, made once for all tests."""
    return MappingProxyType(dict(races()))


def races() -> Iterator[tuple[str, Plain]]:
    """By name: deals of one, two and three stars, wanted or not, and all ways in which numbers choose one."""
    settings: dict[str, Any] = {"game": "lucas", "time_limit": 60, "undo": "turned", "deal": "winnable"}
    dealt = short().dealt
    seats = {1: Seat(played(dealt, settings, 1, 6)), 2: Seat(played(dealt, settings, 2, 5), ((30_000, "gave_up"),))}
    yield "short", signed_record("KQXWVD", settings, dealt, seats, 1, 3)

    _, dealt, proof = drawn(ONE_STAR, "lucas", "KQXWVD", 2, (1, 2, 3), (1, 3))
    settings = {**settings, "deal": "winnable-1", "time_limit": 600}
    line = [(Ms(1500 * n), move) for n, move in enumerate(proof.line, start=1)]
    seats = {1: Seat(line), 2: Seat(played(dealt, settings, 3, 9)), 3: Seat([]), 4: Seat(line[:20], bot=True)}
    yield "its line won, and a number was withheld", signed_record("KQXWVD", settings, dealt, seats, 2, 3)

    settings = {**settings, "deal": "winnable-3", "late": "join", "game": "indian"}
    _, dealt, _ = drawn(THREE_STARS, "indian", "BCDFGH", 1, (1,), ())
    late = Seat(played(dealt, settings, 5, 3, after=20_000), ((20_000, "started_late"),))
    seats = {1: Seat(played(dealt, settings, 4, 4)), 2: late}
    yield "nobody's number", signed_record("BCDFGH", settings, dealt, seats, 1, 3)


#: Draws of which the nonces choose a deal with so many stars.
ONE_STAR, THREE_STARS = 4, 2


def other_leaf(original: Plain) -> list[Change]:
    """Another deal of the same draw, with its own path and a line that wins it: the server chose it itself."""
    secrets = short().secrets
    index = (original["leaf"] + 1) % DEALS
    secret = secrets[index].hex()
    deck = deck_of(secret, [], None)
    solved = solve(Board.deal(game(original["game"]), deck))
    assert solved.rung is not None
    path = [one.hex() for one in path_of(leaves_of(secrets), index)]
    return [
        ("secret", secret),
        ("leaf", index),
        ("path", path),
        ("line", [str(move) for move in solved.moves]),
        ("stars", stars(original["game"], solved.rung)),
        ("deck", names(deck)),
    ]


def resigned(records: Mapping[str, Plain]) -> Iterator[tuple[str, list[Change]]]:
    """What the server itself would have to have got wrong."""
    one = records["short"]
    line = one["line"]
    yield "short", other_leaf(one)
    yield "short", [("secret", "f" * 64)]
    yield "short", [("commitment", "0" * 64)]
    yield "short", [("leaf", one["leaf"] ^ 1)]
    yield "short", [("path.0", "0" * 64)]
    yield "short", [("path", one["path"][::-1])]
    yield "short", [("path", records["nobody's number"]["path"])]
    yield "short", [("nonces.0.1", "f" * 32)]
    yield "short", [("nonces", [])]
    yield "short", [("commitments", [])]
    yield "short", [("promise", None)]
    yield "short", [("promise.signature", "0" * 128)]
    yield "short", promised_late(one)
    for wrong in ([], line[:-1], [*line, "draw"], [*line[:-1], "99-1"], ["undo", *line], [line[1], line[0], *line[2:]]):
        yield "short", [("line", wrong)]
    for other in {1, 2, 3} - {one["stars"]}:
        yield "short", [("stars", other)]
    for number in (1, 2, 3):
        yield "short", [("settings.deal", f"winnable-{number}")]
    for deal in ("secret", "32001", "KQXWVD/1"):
        yield "short", [("settings.deal", deal)]
    yield "short", [("practice", "KQXWVD/1")]
    yield "short", [("number", "32001")]
    yield "short", [("game", "maria")]
    yield "short", [("racers.0.bot", True)]
    yield "nobody's number", [("leaf", 1)]
    yield "nobody's number", [("settings.deal", "winnable-1")]


#: What no server has ever made.
MISSHAPEN: list[tuple[str, list[Change]]] = [
    *(("short", [(f"{name}-", None)]) for name in ("stars", "leaf", "path", "line", "promise", "commitments")),
    ("short", [("version", 2)]),
    ("short", [("version", 1)]),
    ("short", [("commitment", None)]),
    ("short", [("secret", None)]),
    ("short", [("stars", 0)]),
    ("short", [("stars", 4)]),
    ("short", [("stars", "1")]),
    ("short", [("leaf", -1)]),
    ("short", [("leaf", 16)]),
    ("short", [("leaf", True)]),
    ("short", [("path.-", None)]),
    ("short", [("path.+", "0" * 64)]),
    ("short", [("path.3", "0" * 63)]),
    ("short", [("path", None)]),
    ("short", [("line", None)]),
    ("short", [("line.0", None)]),
    ("short", [("line.0", "")]),
    ("short", [("line.0", [0, "draw"])]),
    ("short", [("settings.deal", "winnable-0")]),
    ("short", [("settings.deal", "winnable-4")]),
    ("short", [("settings.deal", "winnable-")]),
]


def broken(records: Mapping[str, Plain]) -> Iterator[tuple[str, list[Change]]]:
    """What is done to which record."""
    for path, value in leaves(records["short"]):
        if path.startswith(("stars", "leaf", "path", "line.0", "version", "commitment", "secret")):
            yield "short", [(path, flipped(value))]
    for name, changes in resigned(records):
        yield name, signed_again(records[name], changes)
    yield from MISSHAPEN


def vectors() -> dict[str, Any]:
    records, server = by_name(), {public(SERVER).hex(): None}
    return {
        "keys": {"server": public(SERVER).hex()},
        "records": [told(name, one, name == "short") for name, one in records.items()],
        "broken": [
            {
                "of": name,
                "change": changes,
                "keys": server,
                "fail": [check.plain() for check in failed(changed(records[name], changes), server)],
            }
            for name, changes in broken(records)
        ],
    }


if __name__ == "__main__":
    FILE.write_text(text(vectors()), "utf-8")
