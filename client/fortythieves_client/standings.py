"""The command ``forty-thieves standings``: compute the standings of a tournament from the records of its races.

The bundle with the records comes from a file or from the server. A server's records are checked against its keys.
"""

import re
from collections.abc import Iterator, Sequence

from fortythieves.record.proof import Keys
from fortythieves.tournament.audit import Finding, audit
from fortythieves.tournament.export import SIZE_LIMIT, File, read
from fortythieves_client.verify import Kind, exit_code, load

BUNDLE = Kind(
    re.compile(r"(?P<base>.*)/(?:r|api/tournaments)/(?P<code>[A-Za-z]{6})(?:/[pw])?(?:(?:\.bundle)?\.json)?/?"),
    "/api/tournaments/{code}.bundle.json",
    "the link of a tournament, like https://cards.example.org/r/KQXWVD",
    SIZE_LIMIT,
)


def run_standings(source: str, keys: Sequence[str] = ()) -> int:
    """Check the standings of a file or link. Prints the findings and the table, and returns the exit code.

    ``keys``: the public keys of the records in hexadecimal, if the server should not be asked. Raises `CannotRead` and
    `Refused`.
    """
    file, findings, expected = findings_of(source, keys)
    is_right = all(finding.ok for finding in findings)
    print("\n".join([*lines(findings), *(table(file) if is_right else ())]), flush=True)
    return exit_code(is_right, expected)


def lines(findings: Sequence[Finding]) -> Iterator[str]:
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


def findings_of(source: str, keys: Sequence[str]) -> tuple[File, list[Finding], Keys | None]:
    """The bundle of a file or link, the findings, and the possible keys if they are known."""
    data, link, expected = load(source, keys, BUNDLE)
    file = read(data)
    findings = audit(file, expected)
    if link is not None and file.code != link.code:
        findings.append(Finding("address", False, "this is another tournament"))
    return file, findings, expected
