"""The command ``forty-thieves standings``: compute the standings of a tournament from the records of its races.

The bundle with the records comes from a file or from the server. A server's records are checked against its keys.
"""

import asyncio
import re
import sys
from collections.abc import Iterator, Sequence

from fortythieves.errors import Refused
from fortythieves.record.proof import Keys
from fortythieves.tournament.audit import Finding, audit
from fortythieves.tournament.export import SIZE_LIMIT, File, read
from fortythieves_client.verify import (
    CANNOT,
    FALSE,
    TRUE,
    UNKNOWN,
    CannotRead,
    fetch,
    given_keys,
    parse_link,
    read_file,
)

#: A tournament on a server.
PATH = re.compile(r"(?P<base>.*)/(?:r|api/tournaments)/(?P<code>[A-Za-z]{6})(?:/[pw])?(?:(?:\.bundle)?\.json)?/?")


def run_standings(source: str, keys: Sequence[str] = ()) -> int:
    """Check the standings of a file or link. Prints the findings and the table, and returns the exit code.

    ``keys``: the public keys of the records in hexadecimal, if the server should not be asked.
    """
    try:
        file, findings, expected = findings_of(source, given_keys(keys))
    except (CannotRead, Refused) as error:
        print(f"forty-thieves: {error}", file=sys.stderr)
        return CANNOT
    right = all(finding.ok for finding in findings)
    print("\n".join([*lines(findings), *(table(file) if right else ())]), flush=True)
    if not right:
        return FALSE
    return UNKNOWN if expected is None else TRUE


def lines(findings: Sequence[Finding]) -> Iterator[str]:
    """A line for each part."""
    for finding in findings:
        yield f"{'ok    ' if finding.ok else 'FAILED'}  {finding.about:<12}  {harmless(finding.reason)}"


def table(file: File) -> Iterator[str]:
    """The standings, once they are known to be right."""
    yield ""
    for row in file.standings:
        name = harmless(file.entrants[row.seat].name)
        yield f"{'-' if row.place is None else row.place:>4}  {name:<24}  {row.score:>8g}"


def harmless(text: str) -> str:
    """The text without characters that a terminal might obey. A bundle may come from anywhere."""
    return "".join(char if char.isprintable() else "?" for char in text)


def findings_of(source: str, keys: Keys | None) -> tuple[File, list[Finding], Keys | None]:
    """The bundle of a file or link, the findings, and the server's keys if they are known."""
    if "://" not in source:
        file = read(read_file(source, SIZE_LIMIT))
        return file, audit(file, keys), keys
    link = parse_link(source, PATH)
    if link is None:
        raise CannotRead(f"{source} is not the link of a tournament, like https://cards.example.org/r/KQXWVD.")
    address = f"{link.server}/api/tournaments/{link.code}.bundle.json"
    data, asked = asyncio.run(fetch(link.server, address, SIZE_LIMIT, ask_key=keys is None))
    file = read(data)
    expected = keys or asked
    findings = audit(file, expected)
    if file.code != link.code:
        findings.append(Finding("address", False, "this is another tournament"))
    return file, findings, expected
