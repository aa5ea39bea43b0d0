"""The HTTP API answers as openapi.json describes it (schemathesis)."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web

from fortythieves.errors import CODES
from fortythieves.protocol.to_server import VERSION
from fortythieves.tournament.export import File
from fortythieves_server.web.routes import DESCRIPTION, STATUS, routes
from tests.fuzz.server import Server, serve
from tests.server.clients import store_of
from tests.server.stores import Admin
from tests.server.tables import CODE, in_round, play

#: Examples for each operation; `make fuzz` has more.
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))

#: A busy machine may be unready for a second and answer 503. The page answers GET everywhere, to people.
SETTINGS = """
[[operations]]
include-path = "/readyz"
[operations.checks]
not_a_server_error.enabled = false

[[operations]]
include-path-regex = "/api/(carr|share)"
[operations.checks]
allow_header_conformance.enabled = false
unsupported_method.enabled = false
"""

DOCUMENT: dict[str, Any] = json.loads(DESCRIPTION.read_text())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("data")
    # Only the embedded Redis writes its address into the directory.
    with serve(data, hurry=False) as server:
        table = in_round(2, {"name": "Club night"})
        play(table, 2)

        async def store() -> None:
            async with Admin(f"unix://{(data / 'redis.socket').read_text()}") as admin:
                await store_of(admin, table)

        asyncio.run(store())
        yield server


def described() -> dict[str, Any]:
    """The description with the existing room as half of all codes."""
    document = deepcopy(DOCUMENT)
    code = document["components"]["parameters"]["code"]
    code["schema"] = {"anyOf": [code["schema"], {"const": CODE}]}
    return document


@pytest.mark.long
def test_every_answer_is_described(server: Server, tmp_path: Path) -> None:
    """As a separate program, because the plugin would take a second of each process of a test run."""
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(described()))
    (tmp_path / "schemathesis.toml").write_text(SETTINGS)
    server.errors.clear()
    options = f"--url http://{server.host}:{server.port} --phases examples,coverage,fuzzing --max-examples {EXAMPLES}"
    flags = "--generation-deterministic --warnings off --no-color"
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "run", str(document), *options.split(), *flags.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    operations = sum(len(path) for path in DOCUMENT["paths"].values())
    assert f"Tested: {operations}\n" in done.stdout
    assert server.errors == []


def test_the_description_is_an_openapi_document() -> None:
    from openapi_spec_validator import validate  # this import takes 0.5 s of each process that collects tests

    validate(DOCUMENT)


def served() -> list[dict[str, Any]]:
    app = web.Application()
    nobody: Any = None
    app.add_routes(routes(nobody, nobody, nobody, nobody, list, None, nobody, None))
    found = [dict(resource.get_info()) for resource in app.router.resources()]
    return [where for where in found if re.match("/api/|/[a-z]+z$", str(where.get("path") or where["formatter"]))]


def leads_to(path: str, where: dict[str, Any]) -> bool:
    asked = path.format(code=CODE, number=1)
    return bool(where["pattern"].fullmatch(asked)) if "pattern" in where else bool(where["path"] == asked)


def test_every_route_for_programs_is_described() -> None:
    assert len(served()) > 5
    assert [where for where in served() if not any(leads_to(path, where) for path in DOCUMENT["paths"])] == []


def test_a_tournament_is_described_as_it_is_written() -> None:
    _, parts = msgspec.json.schema_components([File], ref_template="#/components/schemas/{name}")
    parts = json.loads(json.dumps(parts))
    assert {name: DOCUMENT["components"]["schemas"][name] for name in parts} == parts


def test_every_refusal_is_described() -> None:
    text = DESCRIPTION.read_text()
    assert set(STATUS) <= set(CODES)
    for code, status in STATUS.items():
        assert f"`{code}`" in text
        verbs = (verb for path in DOCUMENT["paths"].values() for verb in path.values())
        assert any(str(status) in verb["responses"] for verb in verbs)


def test_the_description_is_of_this_version_of_the_protocol() -> None:
    assert DOCUMENT["info"]["version"] == str(VERSION)
