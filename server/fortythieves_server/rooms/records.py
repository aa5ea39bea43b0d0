"""The records of finished races: made from the logs when somebody asks, and signed."""

from fortythieves.errors import Refused
from fortythieves_server.common.prices import Account
from fortythieves_server.core.room_state import Race
from fortythieves_server.rooms.file_cache import FileCache
from fortythieves_server.rooms.file_jobs import LONGEST, record_as_json, record_file
from fortythieves_server.rooms.file_process import FileProcess, Job, Made
from fortythieves_server.rooms.hub import Hub
from fortythieves_server.rooms.signing import RecordKey
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.store import Store

#: Bytes that an entry of a log takes in a record at least: an array of two, a time, and a text of three characters.
LEAST = 8


class Records:
    """Makes records of the races in the store, signed with a ``key``.

    Whoever asks pays for what has to be made: ``account``. Some races are for those alone who belong there: ``guest``.
    """

    def __init__(
        self, hub: Hub, store: Store, key: RecordKey, file_process: FileProcess, longest: int = LONGEST
    ) -> None:
        self._hub = hub
        self._store = store
        self._key = key
        self._file_process = file_process
        self._longest = longest
        #: By form, room, race and when it was over: a room that is forgotten may be opened again, with another first
        #: race.
        self._kept = FileCache()

    @property
    def public_key(self) -> str:
        """What signatures are checked with, in hex."""
        return self._key.public

    async def packed(self, code: str, number: int, account: Account | None = None, guest: str = "") -> bytes:
        """The record of a race, as it is kept in files.

        Raises `Refused` ("unknown-race", "not-over-yet", "store-down", "huge-record", "too-fast").
        """
        race = await self._hub.finished_race(code, number, guest)

        async def job() -> Job:
            return await self._job(code, race)

        async def make() -> bytes:
            try:
                return _paid(await self._file_process.do(job, _address(account)), account)
            except StoreDown:
                raise Refused("store-down") from None

        return await self._kept.get(("packed", code, number, race.over_at), make)

    async def as_json(self, code: str, number: int, account: Account | None = None, guest: str = "") -> bytes:
        """Its JSON twin. Raises the same."""
        packed = await self.packed(code, number, account, guest)
        race = await self._hub.finished_race(code, number, guest)

        async def job() -> Job:
            return record_as_json.__name__, (packed,)

        async def make() -> bytes:
            return _paid(await self._file_process.do(job, _address(account)), account)

        return await self._kept.get(("json", code, number, race.over_at), make)

    async def check(self, code: str, number: int, guest: str = "") -> None:
        """Raise `Refused` for a race whose record cannot be made, as far as is seen without reading its logs."""
        race = await self._hub.finished_race(code, number, guest)
        try:
            await self._lengths(code, race)
        except StoreDown:
            raise Refused("store-down") from None

    async def _lengths(self, code: str, race: Race) -> dict[int, int]:
        lengths = await self._store.logs.lengths(code, race.number, race.racers)
        if sum(lengths.values()) * LEAST > self._longest:
            raise Refused("huge-record")
        return lengths

    async def _job(self, code: str, race: Race) -> Job:
        moves = await self._store.logs.raw_moves(code, race.number, await self._lengths(code, race))
        log = await self._store.logs.raw_log(code)
        return record_file.__name__, (code, race.number, log, moves, self._key.seed, self._longest)


def _paid(made: Made, account: Account | None) -> bytes:
    if account is not None:
        account.charge_work(made.seconds)
    return made.body


def _address(account: Account | None) -> str:
    return "" if account is None else account.address
