"""The command ``forty-thieves verify``: check the record of a race, from a file or from the server that has it.

A record from a server is checked against that server's key; one from a file, against the key that is given.
"""

import asyncio
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import aiohttp

from fortythieves.errors import Refused
from fortythieves.proof import Check, verify
from fortythieves.record import SIZE_LIMIT, read

#: Exit codes.
TRUE, FALSE, CANNOT = 0, 1, 2

#: Seconds for all that is asked of a server.
PATIENCE = 60

#: What a server says about itself, or about what went wrong, is shorter.
_SHORT = 10_000

_RACE_PATH = re.compile(r"(?P<base>.*)/(?:r|api/races)/(?P<code>[A-Za-z]{6})/(?P<race>[1-9][0-9]{0,5})(?:\.json)?/?")
_KEY = re.compile("[0-9a-f]{64}")


class Link(NamedTuple):
    """A race on a server."""

    server: str
    code: str
    race: int


class _CannotRead(Exception):
    """There is no record to be checked; ``str()`` says why."""


def parse_link(text: str) -> Link | None:
    """The race of ``http://host/r/CODE/N`` or ``http://host/api/races/CODE/N``; None if the text is no such link."""
    try:
        parts = urlsplit(text)
    except ValueError:  # "http://[" begins an address that is not there
        return None
    found = _RACE_PATH.fullmatch(parts.path)
    if parts.scheme not in ("http", "https") or not parts.netloc or not found:
        return None
    return Link(f"{parts.scheme}://{parts.netloc}{found['base']}", found["code"].upper(), int(found["race"]))


def run_verify(source: str, key: str | None = None) -> int:
    """Check the record of a file or link, print a line for each check, and return the exit code.

    ``key``: the public key that it should be signed with, in hexadecimal, if it is not to be asked of the server.
    """
    try:
        checks = _checks(source, None if key is None else _parse_key(key))
    except (_CannotRead, Refused) as error:
        print(f"forty-thieves: {error}", file=sys.stderr)
        return CANNOT
    print("\n".join(lines(checks)), flush=True)
    return TRUE if all(check.ok for check in checks) else FALSE


def lines(checks: Sequence[Check]) -> Iterator[str]:
    """What is said of each check."""
    for check in checks:
        seat = "" if check.seat is None else f"seat {check.seat}: "
        entry = "" if check.at is None else f"entry {check.at}: "
        yield f"{'ok    ' if check.ok else 'FAILED'}  {check.check:<10}  {seat}{entry}{check.reason}"


def _parse_key(text: str) -> bytes:
    if not _KEY.fullmatch(text.lower()):
        raise _CannotRead("A key is 64 hexadecimal digits.")
    return bytes.fromhex(text)


def _checks(source: str, key: bytes | None) -> list[Check]:
    if "://" not in source:
        return verify(read(_file(source)), key)
    link = parse_link(source)
    if link is None:
        raise _CannotRead(f"{source} is not the link of a race, like https://cards.example.org/r/KQXWVD/1.")
    data, asked = asyncio.run(_fetch(link, ask_key=key is None))
    record = read(data)
    checks = verify(record, key or asked)
    if (record.get("code"), record.get("race")) != (link.code, link.race):
        checks.append(Check("address", False, "this is the record of another race"))
    return checks


def _file(name: str) -> bytes:
    try:
        with Path(name).open("rb") as file:
            return file.read(SIZE_LIMIT + 1)
    except (OSError, ValueError) as error:
        raise _CannotRead(f"Cannot read {name}: {getattr(error, 'strerror', None) or error}.") from None


async def _fetch(link: Link, *, ask_key: bool) -> tuple[bytes, bytes | None]:
    """The record of a race, and the server's key."""
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=PATIENCE)) as session:
            record = await _get(session, f"{link.server}/api/races/{link.code}/{link.race}", SIZE_LIMIT)
            key = await _get(session, f"{link.server}/api/key", _SHORT) if ask_key else None
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        raise _CannotRead(f"No answer from {link.server}: {str(error) or 'it takes too long'}.") from None
    return record, None if key is None else _key_of(link, key)


async def _get(session: aiohttp.ClientSession, url: str, limit: int) -> bytes:
    """What is at an address, up to one byte more than the limit."""
    async with session.get(url) as response:
        data = bytearray()
        async for chunk in response.content.iter_chunked(65_536):
            data += chunk
            if len(data) > limit:
                break
        if response.status != 200:
            raise _CannotRead(f"{url}: {_error_of(bytes(data)) or f'{response.status} {response.reason}'}")
        return bytes(data[: limit + 1])


def _error_of(data: bytes) -> str | None:
    """What the server says is wrong."""
    try:
        said = json.loads(data)["error"]
        text = said.get("message") or said["code"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return text if isinstance(text, str) and text.isprintable() else None


def _key_of(link: Link, data: bytes) -> bytes:
    try:
        said = json.loads(data)
        return _parse_key(said["key"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, _CannotRead):
        raise _CannotRead(f"{link.server} does not tell its key; give the one that you know.") from None
