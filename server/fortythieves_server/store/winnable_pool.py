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

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS
from fortythieves.rules.deal import SECRET_BYTES, commitment, deck_of_secret
from fortythieves.rules.games import GAMES, game
from fortythieves.rules.moves import parse_move
from fortythieves.rules.winnable import DEALS
from fortythieves.solver.effort import Stars
from fortythieves.times import Ms
from fortythieves_server.store.group_commit import GroupCommit
from fortythieves_server.store.reads import Reader
from fortythieves_server.store.schema import of_pool, of_quota
from fortythieves_server.store.scripts import Script

log = logging.getLogger(__name__)

#: The number of deals that a race claims.
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


class Claim(NamedTuple):
    """The deals of a race."""

    deals: tuple[Deal, ...]


class Short(NamedTuple):
    """There are not enough deals yet."""

    ready: int


class OverQuota(NamedTuple):
    """The address has used its quota of races on winnable deals, and has to wait."""

    wait: Ms


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

    def __init__(
        self,
        reader: Reader,
        commits: GroupCommit,
        scripts: Mapping[str, Script],
        quota: int = QUOTA,
        *,
        is_filled: bool = True,
    ) -> None:
        """``is_filled``: whether a process adds deals, so that waiting for some makes sense."""
        self.is_filled = is_filled
        self._reader = reader
        self._commits = commits
        self._scripts = scripts
        #: The most races of an address in an hour.
        self.quota = quota
        self.counters = PoolCounters()
        self._counts: dict[str, tuple[int, int, int]] = {}
        self._counted_at = float("-inf")
        self._counting = asyncio.Lock()

    async def claim(self, owner: str, game: str, stars: int, address: str) -> Claim | Short | OverQuota:
        """Take deals for a race. A second call for the same race and stars returns the same ones.

        ``owner``: CODE/RACE. ``stars``: 0 for any. ``address``: the hash of the address that opened the room.
        """
        async with self._reader.reading():
            script, key = self._scripts["pool_quota"].plain, of_quota(address)
            wait = int(await self._reader.redis.eval(script.text, 1, key, owner, self.quota, int(HOUR)))
        if wait:
            return OverQuota(Ms(wait))
        bad: list[bytes] = []
        while True:
            arguments: list[str | bytes | int] = [owner, NEEDED, MOST_CLAIMS, stars, *bad]
            word, *entries = await self._commits.make(self._scripts["pool_claim"], _keys(game), arguments)
            if word != b"ok":
                async with self._reader.reading():
                    await self._reader.redis.zrem(of_quota(address), owner)
                return Short(int(entries[0]))
            deals = await _read_all(game, stars, entries)
            bad = [entry for entry, deal in zip(entries, deals, strict=True) if deal is None]
            if not bad:
                self.counters.claimed += NEEDED
                return Claim(tuple(deal for deal in deals if deal is not None))
            self.counters.bad += len(bad)
            log.error("%s winnable deals of %s in Redis are damaged or forged, and are thrown away", len(bad), game)

    async def settle(self, owner: str, game: str, used: str) -> None:
        """End a claim. Its deals return to the pool, except the one with the secret ``used`` (hex)."""
        await self._end(owner, game, used)

    async def throw_away(self, owner: str, game: str) -> None:
        """End a claim without returning its deals, because a player may have seen them."""
        self.counters.doubtful += await self._end(owner, game)

    async def _end(self, owner: str, game: str, *used: str) -> int:
        """End a claim. Returns the number of its deals."""
        keys = [*_keys(game), of_pool(game, f"done:{secrets.token_hex(16)}")]
        _, *count = await self._commits.make(self._scripts["pool_settle"], keys, (owner, DONE_TTL, *used))
        return int(count[0]) if count else 0

    async def add(self, game: str, deal: Deal, most_of_stars: int) -> bool:
        """Add a deal. Returns False if it was added before, or if there are enough of these stars."""
        entry = _written(deal)
        if not _ENTRY.fullmatch(entry):
            return False
        keys = [*_keys(game), of_pool(game, f"done:{commitment(deal.secret)}")]
        arguments = (deal.stars, entry, most_of_stars, DONE_TTL)
        async with self._reader.reading():
            script = self._scripts["pool_add"].plain
            [word] = await self._reader.redis.eval(script.text, len(keys), *keys, *arguments)
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
        async with self._reader.reading():
            pipeline = self._reader.redis.pipeline(transaction=False)
            for key in GAMES:
                for stars in (1, 2, 3):
                    pipeline.llen(of_pool(key, f"ready:{stars}"))
            found = await pipeline.execute(raise_on_error=False)
        # A key of another type counts as empty.
        lengths = [length if isinstance(length, int) else 0 for length in found]
        return {key: (lengths[at], lengths[at + 1], lengths[at + 2]) for at, key in zip(_THIRDS, GAMES, strict=True)}

    async def unsettled(self, older_than: Ms) -> list[tuple[str, str]]:
        """The owners and games of claims that are older than this, the oldest of each game first."""
        found = []
        script = self._scripts["pool_unsettled"].plain
        async with self._reader.reading():
            for key in GAMES:
                keys = _keys(key)
                owners = await self._reader.redis.eval(script.text, len(keys), *keys, int(older_than), SWEPT)
                found += [(owner.decode(errors="replace"), key) for owner in owners]
        return found


_THIRDS = range(0, 3 * len(GAMES), 3)


def _keys(game: str) -> list[str]:
    """The keys of the scripts of a pool, in their order."""
    return [of_pool(game, what) for what in ("claims", "claimed", "ready:1", "ready:2", "ready:3")]


def _written(deal: Deal) -> bytes:
    return f"{deal.secret.hex()} {deal.stars} {','.join(deal.line)}".encode()


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
    return deal if wins(key, deal) else None


def wins(key: str, deal: Deal) -> bool:
    """Whether the moves of a deal win it."""
    if len(deal.secret) != SECRET_BYTES:
        return False
    board = Board.deal(game(key), deck_of_secret(deal.secret, []))
    try:
        for text in deal.line:
            board.play(parse_move(text))
    except Refused:
        return False
    return board.home == len(PACKS)
