"""The pool of winnable deals, which all processes share: secrets of decks that the solver has won, with the moves.

A race claims its deals. After the race, the used deal is deleted and the others are returned. No deal is used twice: if
a player may have seen a deal, it is thrown away. Every entry from Redis is checked, and thrown away if it is invalid.
"""

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from fortythieves.errors import Refused, refuse_if
from fortythieves.rules.board import Board
from fortythieves.rules.deal import commitment, deck_of_secret
from fortythieves.rules.games import game
from fortythieves.rules.race_rules import wins
from fortythieves.rules.winnable import DEALS
from fortythieves.solver.effort import PREPARED, Stars
from fortythieves.times import Ms
from fortythieves_server.store.access import RedisAccess
from fortythieves_server.store.schema import of_pool, of_quota

log = logging.getLogger(__name__)

NEEDED: Final = DEALS
#: The most claims of a game at a time. Each has 16 KB. More are refused until some are settled.
MOST_CLAIMS: Final = 500
#: The most bytes of the moves of a deal. The solver needs about 1,000.
LONGEST_LINE: Final = 8000
#: The most races on winnable deals of an address in an hour. Each costs a second of CPU time.
QUOTA: Final = 60
HOUR: Final = Ms(3_600_000)
#: Seconds for which an added deal or a settled claim is remembered: longer than any caller retries.
DONE_TTL: Final = 86_400
#: Seconds for which counts are kept.
COUNTS_TTL: Final = 2.0
#: The most unsettled claims of a game in one read.
SWEPT: Final = 100

_ENTRY = re.compile(rb"([0-9a-f]{64}) ([123]) ([ -~]{1,%d})" % LONGEST_LINE)


class Deal(NamedTuple):
    """A secret, and moves that win its deck (without nonces)."""

    secret: bytes
    line: tuple[str, ...]
    stars: Stars

    def __repr__(self) -> str:
        return f"Deal({self.stars} stars)"  # it may be logged, and the deal is secret


@dataclass(slots=True, eq=False)
class PoolCounters:
    """Counters of this process."""

    #: Secrets that were searched, deals that were added, and restarts of the process that searches.
    tried: int = 0
    added: int = 0
    restarts: int = 0
    #: Deals that were claimed.
    claimed: int = 0
    #: Invalid deals: cut, forged or there twice.
    bad: int = 0
    #: Deals that were thrown away because a player may have seen them.
    doubtful: int = 0


class WinnablePool:
    """The winnable deals of all games. Every method raises `StoreDown` while Redis is away."""

    def __init__(self, redis: RedisAccess, *, is_filled: bool) -> None:
        """``is_filled``: whether a process adds deals, so that waiting for some makes sense."""
        self.is_filled = is_filled
        #: The most races of an address in an hour.
        self.quota = QUOTA
        self.counters = PoolCounters()
        self._redis = redis
        self._counts: dict[str, tuple[int, int, int]] = {}
        self._counted_at = float("-inf")
        self._counting = asyncio.Lock()

    async def claim(self, owner: str, game: str, stars: int, address: str) -> tuple[Deal, ...]:
        """Take deals for a race. A second call for the same race and stars returns the same ones.

        ``owner``: CODE/RACE. ``stars``: 0 for any. ``address``: the hash of the address that opened the room.
        Raises `Refused` ("winnable-quota", "winnable-preparing").
        """
        used_up = await self._redis.run("pool_quota", [of_quota(address)], owner, self.quota, int(HOUR))
        refuse_if(used_up, "winnable-quota")
        bad: list[bytes] = []
        while True:
            arguments = owner, NEEDED, MOST_CLAIMS, stars
            word, *entries = await self._redis.commit("pool_claim", _keys(game), *arguments, *bad)
            if word != b"ok":
                await self._redis.do("ZREM", of_quota(address), owner)
                raise Refused("winnable-preparing", ready=int(entries[0]), needed=NEEDED)
            deals = await _read_all(game, stars, entries)
            bad = [entry for entry, deal in zip(entries, deals, strict=True) if deal is None]
            if not bad:
                self.counters.claimed += NEEDED
                return tuple(deal for deal in deals if deal is not None)
            self.counters.bad += len(bad)
            log.error("%s winnable deals of %s in Redis are damaged or forged, and are thrown away", len(bad), game)

    async def settle(self, owner: str, game: str, used: str | None) -> None:
        """End a claim. Its deals return to the pool, except the one with the secret ``used`` (hex).

        ``used`` is None if a player may have seen any of them. Then none returns.
        """
        keys = [*_keys(game), of_pool(game, f"done:{secrets.token_hex(16)}")]
        _, *count = await self._redis.commit("pool_settle", keys, owner, DONE_TTL, *([] if used is None else [used]))
        if used is None and count:
            self.counters.doubtful += int(count[0])

    async def add(self, game: str, deal: Deal, most_of_stars: int) -> bool:
        """Add a deal. Returns False if it was added before, or if there are enough of these stars."""
        entry = f"{deal.secret.hex()} {deal.stars} {','.join(deal.line)}".encode()
        if not _ENTRY.fullmatch(entry):
            return False
        keys = [*_keys(game), of_pool(game, f"done:{commitment(deal.secret)}")]
        [word] = await self._redis.run("pool_add", keys, deal.stars, entry, most_of_stars, DONE_TTL)
        added = bool(word == b"ok")
        self.counters.added += added
        return added

    async def counts(self) -> Mapping[str, tuple[int, int, int]]:
        """The ready deals of each game with 1, 2 and 3 stars, as of the last seconds."""
        async with self._counting:
            if time.monotonic() >= self._counted_at + COUNTS_TTL:
                self._counts = await self.counts_now()
                self._counted_at = time.monotonic()
        return self._counts

    async def counts_now(self) -> dict[str, tuple[int, int, int]]:
        """The counts as they are at this moment."""
        lists = [of_pool(key, f"ready:{stars}") for key in PREPARED for stars in (1, 2, 3)]
        found = await self._redis.read_many([("LLEN", name) for name in lists])
        # A key of another type counts as empty.
        lengths = [length if isinstance(length, int) else 0 for length in found]
        return dict(zip(PREPARED, zip(lengths[::3], lengths[1::3], lengths[2::3], strict=True), strict=True))

    async def unsettled(self, older_than: Ms) -> list[tuple[str, str]]:
        """The owners and games of claims that are older than this, the oldest of each game first."""
        found = []
        for key in PREPARED:
            owners = await self._redis.run("pool_unsettled", _keys(key), int(older_than), SWEPT)
            found += [(owner.decode(errors="replace"), key) for owner in owners]
        return found


def _keys(game: str) -> list[str]:
    """The keys of the scripts of a pool, in their order."""
    return [of_pool(game, what) for what in ("claims", "claimed", "ready:1", "ready:2", "ready:3")]


async def _read_all(key: str, stars: int, entries: Sequence[bytes]) -> list[Deal | None]:
    """The deals of entries. None for an invalid one, or for one that is there twice."""
    deals: list[Deal | None] = []
    for entry in entries:
        deals.append(read(key, stars, entry))
        # To play a line takes a millisecond, so other tasks run after each.
        await asyncio.sleep(0)
    hidden = [deal.secret for deal in deals if deal is not None]
    return [deal if deal is not None and hidden.count(deal.secret) == 1 else None for deal in deals]


def read(key: str, stars: int, entry: bytes) -> Deal | None:
    """The deal of an entry, or None unless its moves win it, and its stars are those (0: any).

    The effort that the stars promise is not checked, because that takes a second.
    """
    match = _ENTRY.fullmatch(entry)
    if not match or stars not in (0, int(match[2])):
        return None
    deal = Deal(bytes.fromhex(match[1].decode()), tuple(match[3].decode().split(",")), cast("Stars", int(match[2])))
    return deal if wins(Board.deal(game(key), deck_of_secret(deal.secret, [])), deal.line) else None
