"""The command ``forty-thieves verify``: check the record of a race from a file or from its server.

A record from a server is checked against that server's key, and one from a file against the given key.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import aiohttp

from fortythieves.errors import CannotRead, harmless
from fortythieves.record.proof import Check, Keys, remarks, verify
from fortythieves.record.race_record import SIZE_LIMIT, read
from fortythieves.record.signature import is_sound
from fortythieves.times import Ms
from fortythieves_client.address import split_link

#: Exit codes. The last one: the record is consistent, but the server that has signed it is unknown.
TRUE, FALSE, CANNOT, UNKNOWN = 0, 1, 2, 3

#: Seconds for all requests to a server.
TIMEOUT = 60

#: More bytes than a server's list of keys: each key takes up to 130 bytes, and each rotation adds one.
_KEYS_LIMIT = 1_000_000

_KEY = re.compile("[0-9a-f]{64}")


class Link(NamedTuple):
    """A race on a server, or its tournament (race 0)."""

    server: str
    code: str
    race: int = 0


class Kind(NamedTuple):
    """A kind of file to check: the path of a link to it, its path on the server, an example, and its most bytes."""

    path: re.Pattern[str]
    file: str
    example: str
    limit: int


RECORD = Kind(
    re.compile(r"(?P<base>.*)/(?:[rR]|api/races)/(?P<code>[A-Za-z]{6})/(?P<race>[1-9][0-9]{0,5})(?:\.json)?"),
    "/api/races/{code}/{race}",
    "the link of a race, like https://cards.example.org/r/KQXWVD/1",
    SIZE_LIMIT,
)


def parse_link(text: str, path: re.Pattern[str] = RECORD.path) -> Link | None:
    """Read ``http://host/r/CODE/N`` or ``http://host/api/races/CODE/N``. None for any other text."""
    try:
        parts = split_link(text)
    except ValueError:
        return None
    found = path.fullmatch(parts.path)
    if parts.scheme not in ("http", "https") or not parts.netloc or not found:
        return None
    groups = found.groupdict("0")
    server = f"{parts.scheme}://{parts.netloc}{groups['base']}"
    return Link(server, groups["code"].upper(), int(groups.get("race", "0")))


def run_verify(source: str, keys: Sequence[str] = ()) -> int:
    """Check the record of a file or link, print the findings, and return the exit code. Arguments as of `load`."""
    data, link, expected = load(source, keys, RECORD)
    record = read(data)
    links = {} if link is None or not record.get("day") else asyncio.run(_links_of(link.server))
    checks = verify(record, expected, links)
    if link is not None and (record.get("code"), record.get("race")) != (link.code, link.race):
        checks.append(Check("address", False, "other-race"))
    notes = remarks(record) if checks[0].ok else []  # about the nonces in the deal
    noted = [f"{'note   ' if one.ok else 'WARNING'} deal        {one.sentence}" for one in notes]
    show([*lines(checks), *noted])
    return exit_code(all(check.ok for check in checks), expected)


def show(lines: Iterable[str]) -> None:
    """Print lines with texts of strangers."""
    print("\n".join(map(harmless, lines)), flush=True)


def exit_code(is_right: bool, keys: Keys | None) -> int:
    return FALSE if not is_right else UNKNOWN if keys is None else TRUE


def lines(checks: Sequence[Check]) -> Iterator[str]:
    for check in checks:
        yield f"{'ok    ' if check.ok else 'FAILED'}  {check.check:<10}  {check.sentence}"


def parse_key(text: str) -> bytes:
    """A public key in hexadecimal. Raises `CannotRead`."""
    if not _KEY.fullmatch(text.lower()):
        raise CannotRead("A key is 64 hexadecimal digits.")
    if not is_sound(key := bytes.fromhex(text)):
        raise CannotRead("This key is worthless: anybody can sign with it.")
    return key


def load(source: str, keys: Sequence[str], kind: Kind) -> tuple[bytes, Link | None, Keys | None]:
    """A file, or the answer to a link; the link, if it is one; and the given or published keys, if there are any.
    ``keys``: in hexadecimal, if the server should not be asked. Raises `CannotRead`.
    """
    given = {parse_key(key).hex(): None for key in keys} or None
    if "://" not in source:
        return read_file(source, kind.limit), None, given
    link = parse_link(source, kind.path)
    if link is None:
        raise CannotRead(f"{source} is not {kind.example}.")
    address = link.server + kind.file.format(code=link.code, race=link.race)
    data, asked = asyncio.run(fetch(link.server, address, kind.limit, ask_key=given is None))
    return data, link, given or asked


def read_file(name: str, limit: int) -> bytes:
    """The content of a file, up to one byte more than the limit. Raises `CannotRead`."""
    try:
        with Path(name).open("rb") as file:
            return file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise CannotRead(f"Cannot read {name}: {getattr(error, 'strerror', None) or error}.") from None


async def fetch(
    server: str, address: str, limit: int, *, ask_key: bool, token: str | None = None
) -> tuple[bytes, Keys | None]:
    """The content of an address of a server, up to some bytes, and the server's keys. Raises `CannotRead`."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT), headers=headers) as session:
            data = await _get(session, address, limit)
            key = await _get(session, f"{server}/api/key", _KEYS_LIMIT) if ask_key else None
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        raise CannotRead(f"No answer from {server}: {str(error) or 'it takes too long'}.") from None
    return data, None if key is None else _keys_of(server, key)


async def _get(session: aiohttp.ClientSession, url: str, limit: int) -> bytes:
    """The content of an address, up to one byte more than the limit."""
    async with session.get(url) as response:
        try:
            data = await response.content.readexactly(limit + 1)
        except asyncio.IncompleteReadError as whole:
            data = whole.partial
        if response.status == 200:
            return data
        text = f"{response.status} {response.reason}"
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
            text = str(json.loads(data)["error"]["message"])
        raise CannotRead(f"{url}: {text}")


def _keys_of(server: str, data: bytes) -> Keys:
    """The key with which a server signs, and its earlier ones."""
    try:
        answer = json.loads(data)
        earlier = {parse_key(one["key"]).hex(): _time(one["until"]) for one in answer.get("keys", ())}
        return {**earlier, parse_key(answer["key"]).hex(): None}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, CannotRead):
        raise CannotRead(f"{server} does not publish its key. Give the key with --key.") from None


async def _links_of(server: str) -> dict[int, str]:
    """The keys of days that a server has published. Raises `CannotRead`."""
    data, _ = await fetch(server, f"{server}/api/days", _KEYS_LIMIT, ask_key=False)
    try:
        return {int(day): bytes.fromhex(key).hex() for day, key in json.loads(data)["links"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise CannotRead(f"{server} does not publish the keys of its days.") from None


def _time(value: object) -> Ms | None:
    if value is not None and type(value) is not int:
        raise ValueError(f"{value!r} is not a time")
    return None if value is None else Ms(value)
