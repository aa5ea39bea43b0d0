"""The records of finished races. They are made from the logs when somebody asks for them, and signed."""

from fortythieves.errors import Refused
from fortythieves_server.common.prices import NOBODY, Account
from fortythieves_server.core.room_state import Race
from fortythieves_server.rooms.file_cache import FileCache
from fortythieves_server.rooms.file_jobs import LONGEST, record_as_json, record_file, record_picture
from fortythieves_server.rooms.file_process import FileProcess, Job
from fortythieves_server.rooms.hub import Hub
from fortythieves_server.rooms.signing import RecordKey
from fortythieves_server.store.redis_errors import StoreDown

#: The fewest bytes of a log entry in a record: an array of two, a time, and a text of three characters.
LEAST = 8


class Records:
    """Makes records of the races in the store, signed with a ``key``.

    ``account`` pays for a record that has to be made. Only some guests may have the records of some races: ``guest``.
    """

    def __init__(self, hub: Hub, key: RecordKey, file_process: FileProcess, longest: int = LONGEST) -> None:
        self._hub = hub
        self._logs = hub.store.logs
        self._key = key
        self._file_process = file_process
        self._longest = longest
        #: Records by form, room, race and end of the race. A forgotten room may be opened again with another first
        #: race.
        self._kept = FileCache()

    @property
    def public_key(self) -> str:
        return self._key.public

    async def packed(self, code: str, number: int, account: Account = NOBODY, guest: str = "") -> bytes:
        """The record of a race as MessagePack.

        Raises `Refused` ("unknown-race", "not-over-yet", "store-down", "huge-record", "too-fast").
        """
        race = await self._hub.finished_race(code, number, guest)

        name = "packed", code, number, race.over_at
        return await self._kept.get(name, lambda: self._file_process.do(lambda: self._job(code, race), account))

    async def as_json(self, code: str, number: int, account: Account = NOBODY, guest: str = "") -> bytes:
        """The record of a race as JSON. Raises the same as `packed`."""
        return await self._in_form((record_as_json.__name__,), code, number, account, guest)

    async def picture(
        self, code: str, number: int, account: Account = NOBODY, guest: str = "", *, language: str
    ) -> bytes:
        """A picture of the results of a race, as PNG. Raises the same as `packed`.

        ``language``: one of `LANGUAGES`.
        """
        return await self._in_form((record_picture.__name__, language), code, number, account, guest)

    async def _in_form(self, form: tuple[str, ...], code: str, number: int, account: Account, guest: str) -> bytes:
        """What a job makes of a record. ``form``: its name, and what else it needs."""
        made_by, *more = form
        race = await self._hub.finished_race(code, number, guest)

        async def make() -> bytes:
            packed = await self.packed(code, number, account, guest)

            async def job() -> Job:
                return made_by, (packed, *more)

            return await self._file_process.do(job, account)

        return await self._kept.get((form, code, number, race.over_at), make)

    async def check(self, code: str, number: int, guest: str = "") -> None:
        """Raise `Refused` if the record of a race cannot be made, as far as known without reading its logs."""
        race = await self._hub.finished_race(code, number, guest)
        try:
            await self._lengths(code, race)
        except StoreDown:
            raise Refused("store-down") from None

    async def _lengths(self, code: str, race: Race) -> dict[int, int]:
        lengths = await self._logs.lengths(code, race.number, race.racers)
        if sum(lengths.values()) * LEAST > self._longest:
            raise Refused("huge-record")
        return lengths

    async def _job(self, code: str, race: Race) -> Job:
        moves = await self._logs.raw_moves(code, race.number, await self._lengths(code, race))
        log = await self._logs.raw_log(code)
        return record_file.__name__, (code, race.number, log, moves, self._key.seed, self._longest)
