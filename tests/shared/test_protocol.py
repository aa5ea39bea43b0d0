"""PROTOCOL.md is held against the code: every message, setting, code and reason to close has its line there."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgpack
import msgspec
import pytest

from fortythieves.errors import CODES, REASONS
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.wire import encode, read_answer, read_request
from fortythieves.rules.settings import FRIENDS

SHARED = Path(__file__).parents[2] / "shared"
TEXT = (SHARED / "PROTOCOL.md").read_text()
VECTORS = SHARED / "vectors" / "messages.json"


def examples(section: str) -> list[list[Any]]:
    """The messages given as JSON in a section of the document."""
    part = TEXT.split(f"## {section}\n", 1)[1].split("\n## ", 1)[0]
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", part, re.DOTALL)]


def tags(union: Any) -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in get_args(union)}


def rows(section: str) -> dict[str, list[str]]:
    """The tables of a section: first cell, without its backticks, to the others."""
    part = TEXT.split(f"# {section}\n", 1)[1].split("\n#", 1)[0]
    cells = (
        [cell.strip() for cell in line.strip("|\n").split(" | ")] for line in part.splitlines() if line.startswith("|")
    )
    return {first.strip().strip("`"): others for first, *others in cells if first.strip(" -|")}


def test_every_message_to_the_server_has_an_example_and_a_row() -> None:
    assert {example[0] for example in examples("To the server")} == tags(to_server.Message)
    assert tags(to_server.Message) <= rows("To the server").keys()


def test_every_message_to_a_client_has_an_example_and_a_row() -> None:
    assert {example[0] for example in examples("To the client")} == tags(to_client.Message)
    assert tags(to_client.Message) <= rows("To the client").keys()


def test_an_example_to_the_server_is_read_and_written_as_it_stands() -> None:
    said = [*examples("To the server"), *examples("A session, from hello to the first move")]
    written = [msgpack.unpackb(encode(read_request(msgpack.packb(example)))) for example in said]
    # What an example leaves out at its end has its default.
    assert [again[: len(example)] for example, again in zip(said, written, strict=True)] == said


def test_an_example_to_a_client_is_read_and_written_as_it_stands() -> None:
    said = examples("To the client")
    assert [msgpack.unpackb(encode(read_answer(msgpack.packb(example)))) for example in said] == said


@pytest.mark.parametrize("union", [to_server.Message, to_client.Message], ids=["to the server", "to a client"])
def test_the_fields_of_a_message_are_listed_in_order(union: Any) -> None:
    tables = rows("To the server") | rows("To the client")
    for kind in get_args(union):
        config = kind.__struct_config__
        assert re.findall(r"`(\w+)`", tables[config.tag][0]) == list(kind.__struct_fields__), config.tag


def test_every_code_is_listed_with_its_sentence() -> None:
    listed = {code: cells[0] for code, cells in rows("Codes").items() if code != "code"}
    assert listed == dict(CODES)


def test_every_reason_is_listed_with_its_words() -> None:
    listed = {code: cells[0] for code, cells in rows("Reasons").items() if code != "code"}
    assert listed == dict(REASONS)


def test_every_setting_is_listed_with_its_default() -> None:
    listed = {name: cells[1] for name, cells in rows("Settings").items() if name != "setting"}
    defaults = msgspec.json.decode(msgspec.json.encode(FRIENDS))
    assert listed.keys() == defaults.keys()
    for name, default in defaults.items():
        assert listed[name].strip("`") == (json.dumps(default) if isinstance(default, bool) else str(default))


def test_every_reason_to_close_is_listed() -> None:
    codes = {str(value) for name, value in vars(to_client.Close).items() if name.isupper()}
    assert codes == {code for code in rows("Why a connection is closed") if code != "code"}


def vectors() -> list[dict[str, Any]]:
    """Every example as bytes, for clients in any language."""
    both = [(to, example) for to in ("server", "client") for example in examples(f"To the {to}")]
    return [{"to": to, "message": example, "frame": msgpack.packb(example).hex()} for to, example in both]


def test_the_vectors_are_the_examples() -> None:
    written = json.loads(VECTORS.read_text())
    assert written == vectors(), "run: python tests/shared/test_protocol.py"


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1) + "\n")
