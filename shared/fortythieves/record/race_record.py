"""The record of a race: one signed file with the deal, the moves and the results. RECORD.md describes it.

A record is a plain map with only those values that JSON has, too. `make` and `sign` create one, `packed` and `as_json`
write it as bytes, and `read` reads both. `proof` checks whether it is true.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fortythieves.errors import Refused, refuse_if
from fortythieves.record.signature import Promise
from fortythieves.rules import deal, winnable
from fortythieves.rules.cards import names
from fortythieves.rules.race_rules import Ending, is_final
from fortythieves.rules.settings import SECRET, WINNABLE
from fortythieves.rules.tally import Happened, Story, stories
from fortythieves.solver.day import DayProof
from fortythieves.times import Ms, ms_of

FORMAT = "forty-thieves-record"
VERSION = 1

#: In bytes: the most that readers accept. Servers stop at half of that, see RECORD.md.
SIZE_LIMIT = 16_000_000

Plain = dict[str, Any]


class Racer(NamedTuple):
    """The result of one racer."""

    seat: int
    name: str
    bot: bool
    #: Whether this racer joined with the clock running.
    late: bool
    #: How it ended, and when.
    state: Ending
    when: Ms
    #: Cards home at the end, entries of the log, and since when that many cards were home.
    home: int
    moves: int
    reached_at: Ms
    #: None for a disqualified racer.
    place: int | None


class Winnable(NamedTuple):
    """The proof that a deal can be won, and that the racers' nonces chose it among 16."""

    stars: int
    #: Which of the 16 it is, from 0, and the hashes that lead from it to the commitment (in hexadecimal).
    leaf: int
    path: Sequence[str]
    #: The texts of moves that win.
    line: Sequence[str]


class Deal(NamedTuple):
    """The source of the deck: a secret and the nonces by seat (both in hexadecimal), or a deal number."""

    secret: str | None = None
    nonces: Mapping[int, str] = {}
    number: str | None = None
    #: The racers' commitments by seat, and the server's promise.
    commitments: Mapping[int, str] = {}
    promise: Promise | None = None
    #: Not None: the nonces have chosen the secret, and are not in the deck.
    winnable: Winnable | None = None
    #: Not None: the earlier race that was on this deal (its room and number). Seats and promise are those of that race.
    source: tuple[str, int] | None = None
    #: Not None: it is the deal of a day, and its secret follows from this.
    day: DayProof | None = None


def make(
    code: str,
    race: int,
    settings: Mapping[str, Any],
    dealt: Deal,
    starts_at: Ms,
    racers: Iterable[Racer],
    logs: Mapping[int, Sequence[tuple[Ms, str]]],
    events: Iterable[Happened],
) -> Plain:
    """The unsigned record of a finished race. ``settings``: as in the view. ``logs``: (time, text) of entries, by seat.
    ``events``: late starts, giving up and taking it back; leaving, removal and stops follow from the results.
    """
    ranked = sorted(racers)
    ends_at = starts_at + ms_of(settings["time_limit"])
    open_deal = dealt.secret is None
    nonces = {} if open_deal else dealt.nonces
    proof = dealt.winnable
    return {
        "format": FORMAT,
        "version": VERSION,
        "code": code,
        "race": race,
        "game": settings["game"],
        "settings": dict(settings),
        "commitment": _commitment(dealt),
        "promise": None if dealt.promise is None else dealt.promise._asdict(),
        "source": None if dealt.source is None else list(dealt.source),
        "day": None if dealt.day is None else dealt.day._asdict(),
        "secret": dealt.secret,
        "number": dealt.number if open_deal else None,
        "commitments": [[seat, commitment] for seat, commitment in sorted(dealt.commitments.items())],
        "nonces": [[seat, nonce] for seat, nonce in sorted(nonces.items())],
        "winnable": None if proof is None else {**proof._asdict(), "path": [*proof.path], "line": [*proof.line]},
        "deck": names(dealt_deck(dealt)),
        "starts_at": starts_at,
        "ends_at": ends_at,
        "over_at": max(racer.when for racer in ranked),
        "racers": [racer._asdict() for racer in ranked],
        "logs": [[racer.seat, [[at - starts_at, text] for at, text in logs.get(racer.seat, ())]] for racer in ranked],
        "events": [list(event) for event in _events(ranked, list(events), starts_at, ends_at)],
    }


def _commitment(dealt: Deal) -> str | None:
    """The server's commitment before the race."""
    if dealt.secret is None:
        return None
    secret = bytes.fromhex(dealt.secret)
    if dealt.winnable is None:
        return deal.commitment(secret)
    path = [bytes.fromhex(one) for one in dealt.winnable.path]
    return winnable.root_from(winnable.leaf_of(secret), dealt.winnable.leaf, path).hex()


def dealt_deck(dealt: Deal) -> list[int]:
    """The deck of a deal: nonces that have chosen it are not mixed into it. Raises `Refused`."""
    mixed = [] if dealt.winnable else [nonce for _, nonce in sorted(dealt.nonces.items())]
    return deck_of(dealt.secret, mixed, dealt.number)


def deck_of(secret: str | None, nonces: Sequence[str], number: str | None) -> list[int]:
    """The deck of a secret and its nonces (sorted by seat), or of a number. Raises `Refused`."""
    if secret is not None:
        return deal.deck_of_secret(bytes.fromhex(secret), [bytes.fromhex(nonce) for nonce in nonces])
    return deal.deck_of_number(deal.parse_number(number or ""))


def kind_of_deal(settings_deal: str) -> str:
    """The kind of deal of the setting ``deal``: ``secret``, ``winnable`` or ``number``."""
    if settings_deal in WINNABLE:
        return "winnable"
    return SECRET if settings_deal == SECRET else "number"


def _events(racers: Sequence[Racer], given: Iterable[Happened], starts_at: Ms, ends_at: Ms) -> list[Happened]:
    seats = {racer.seat for racer in racers}
    kept = [event for event in given if event.seat in seats and event.name in ("started_late", "gave_up", "took_back")]
    told = stories(kept)
    for racer in racers:
        gave_up = told.get(racer.seat, Story()).gave_up
        given_up = gave_up == racer.when and is_final(gave_up, ends_at)
        match racer.state:
            case "disqualified":
                kept.append(Happened(racer.when, "kicked", racer.seat))
            case "gave_up" if not given_up:
                kept.append(Happened(racer.when, "left", racer.seat))
            case "did_not_start" if racer.when < starts_at:
                kept.append(Happened(racer.when, "left", racer.seat))
            case "did_not_start" | "timed_out" if racer.when != ends_at:
                kept.append(Happened(racer.when, "stopped", racer.seat))
    return sorted(kept, key=lambda event: event.at)


# Bytes

#: The record as a MessagePack file. Equal records give equal bytes.
packed: Callable[[Mapping[str, Any]], bytes] = msgspec.msgpack.Encoder(order="deterministic").encode
#: The record as a JSON file with the same values.
as_json: Callable[[Mapping[str, Any]], bytes] = msgspec.json.Encoder(order="deterministic").encode


def signed_bytes(record: Mapping[str, Any]) -> bytes:
    """The bytes that are signed: the record without its signature, as MessagePack with sorted keys."""
    return packed({name: value for name, value in record.items() if name != "signature"})


def sign(record: Mapping[str, Any], key: Ed25519PrivateKey) -> Plain:
    """The record with the server's public key and signature added."""
    signed = {**record, "key": key.public_key().public_bytes_raw().hex()}
    return {**signed, "signature": key.sign(signed_bytes(signed)).hex()}


def _number(number: float) -> float | int:
    """JSON has only one kind of number, so 1.0 is 1."""
    return int(number) if number.is_integer() else number


_unpack = msgspec.msgpack.Decoder().decode
_parse = msgspec.json.Decoder(float_hook=lambda text: _number(float(text))).decode
_WRONG = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError)


def read(data: bytes) -> Plain:
    """Read a record from MessagePack or JSON and check its version. Raises only `Refused`, whatever the bytes are."""
    refuse_if(len(data) > SIZE_LIMIT, "huge-record")
    # MessagePack that begins with one of these bytes is a map.
    is_map = b"\x80" <= data[:1] <= b"\x8f" or data[:1] in (b"\xde", b"\xdf")
    json = data.lstrip()[:1] == b"{"
    refuse_if(not json and not is_map, "not-a-record")
    try:
        record = _parse(data) if json else _plain(_unpack(data))
    except _WRONG:
        raise Refused("cut-record") from None
    version = record.get("version")
    refuse_if(record.get("format") != FORMAT or type(version) is not int or version < 1, "not-a-record")
    refuse_if(version > VERSION, "newer-record", version=version)
    return dict(record)


def _plain(value: Any) -> Any:
    """The value as JSON would give it back. Raises `Refused` if JSON has no such value."""
    if value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, list):
        return list(map(_plain, value))
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _plain(item) for key, item in value.items()}
    raise Refused("not-a-record")
