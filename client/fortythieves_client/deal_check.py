"""The memory of a racer: the nonces that it added to deals, and the server's promises before the races.

The record of a race only proves that it does not contradict itself. Only a client that was there can compare it with
the earlier promise.
"""

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fortythieves.record.signature import Promise, is_promised
from fortythieves.rules.deal import nonce_commitment

#: The number of races to remember.
KEPT = 100

OTHER_PROMISE = "The server has revealed another secret than the one to which it was committed before the race."
UNSIGNED = "The promise that the server showed before the race is not signed for this deal of this race."
NO_PROMISE = "The record is without the promise that the server made before the race."
OTHER_SIGNATURE = "The server promised this deal with another signature than the record has."
OTHER_NUMBER = "The deal has another number of ours than the one that we revealed."
NO_NUMBER = "The deal is without the number that we revealed in time."


@dataclass
class _Race:
    #: The first commitment of the server that we saw, before the start. "": we were not there.
    promised: str = ""
    #: The first promise that we saw before the start, and whether the server had signed it.
    promise: Promise | None = None
    is_signed: bool = True
    #: Our nonces by commitment. Only the last one counts, but its answer may have been lost.
    nonces: dict[str, str] = field(default_factory=dict)
    #: The nonce that the server has accepted.
    revealed: str | None = None


class DealCheck:
    """The memory of one client. A race is identified by its room code and its number."""

    def __init__(self) -> None:
        self._races: dict[tuple[str, int], _Race] = {}

    def _race(self, code: str, number: int) -> _Race:
        race = self._races.pop((code, number), None) or _Race()
        self._races[code, number] = race  # it is the latest one now
        while len(self._races) > KEPT:
            del self._races[next(iter(self._races))]
        return race

    def draw(self, code: str, number: int, nonce: str | None = None) -> str:
        """Remember a nonce, by default a new one. Returns its commitment, for "ready"."""
        nonce = nonce or secrets.token_hex(16)
        committed = nonce_commitment(bytes.fromhex(nonce))
        self._race(code, number).nonces[committed] = nonce
        return committed

    def observe(self, view: Mapping[str, Any]) -> None:
        """Read the view of a room."""
        race = view["race"]
        commitment = race.get("commitment")
        if not commitment or race.get("starts_at") is not None:
            return
        known = self._race(view["code"], race["number"])
        known.promised = known.promised or commitment
        if known.promise is None and race.get("promise") is not None:
            known.promise = _promise(race["promise"])
            code, number = race.get("source") or (view["code"], race["number"])
            known.is_signed = _is_signed(known.promise, code, number, known.promised)

    def to_reveal(self, view: Mapping[str, Any], seat: int) -> str | None:
        """Our nonce that the server waits for now, if we know it and have not revealed it."""
        race = view["race"]
        known = self._races.get((view["code"], race["number"]))
        if known is None or known.revealed is not None or race.get("over_at") is not None:
            return None
        return known.nonces.get(race.get("commitments", {}).get(str(seat), ""))

    def revealed(self, code: str, number: int, nonce: str) -> None:
        """The server has accepted the nonce."""
        self._race(code, number).revealed = nonce

    def objections(self, view: Mapping[str, Any], seat: int) -> Iterator[str]:
        """The contradictions in the view of a room: in the promise, and in a finished race. ``seat``: our own in it."""
        race = view["race"]
        known = self._races.get((view["code"], race["number"]))
        if known is None:
            return
        if not known.is_signed:
            yield UNSIGNED
        if race.get("over_at") is None or race.get("secret") is None:
            return
        promise, nonces = race.get("promise"), race.get("nonces", {})
        if known.promised and race.get("commitment") != known.promised:
            yield OTHER_PROMISE
        elif known.promise is not None and promise is None:
            yield NO_PROMISE
        elif known.promise is not None and _promise(promise) != known.promise:
            yield OTHER_SIGNATURE
        if known.revealed is not None and nonces.get(str(seat)) != known.revealed:
            yield OTHER_NUMBER if str(seat) in nonces else NO_NUMBER


def _promise(shown: Any) -> Promise:
    """A copy of the promise in a view, because parts of a view change."""
    parts = shown if isinstance(shown, Mapping) else {}
    return Promise(parts.get("at", 0), parts.get("key", ""), parts.get("signature", ""))


def _is_signed(promise: Promise, code: str, race: int, commitment: str) -> bool:
    try:
        return is_promised(promise, code, race, commitment)
    except (TypeError, ValueError):  # not hexadecimal
        return False
