"""The examples of PROTOCOL.md: each message has one, all are valid, and the vectors have the same as bytes."""

import json

import msgpack
import msgspec
import pytest

from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.wire import encode, read_answer, read_request
from tests.tools import docs

TEXT = (docs.ROOT / "shared" / "PROTOCOL.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("section", "kinds"), [("To the server", to_server.MESSAGES), ("To the client", to_client.MESSAGES)]
)
def test_every_message_has_an_example(section: str, kinds: tuple[type[msgspec.Struct], ...]) -> None:
    tags = {kind.__struct_config__.tag for kind in kinds}
    assert {example[0] for example in docs.examples(TEXT, section)} == tags


@pytest.mark.parametrize("section", ["To the server", "A session, from hello to the first move"])
def test_the_server_reads_every_example_of_a_request(section: str) -> None:
    for example in docs.examples(TEXT, section):
        written = msgpack.unpackb(encode(read_request(msgpack.packb(example))))
        assert written[: len(example)] == example  # optional fields may be left out


def test_every_example_of_an_answer_is_a_message_of_the_server() -> None:
    for example in docs.examples(TEXT, "To the client"):
        assert msgpack.unpackb(encode(read_answer(msgpack.packb(example)))) == example


def test_the_vectors_are_the_examples() -> None:
    assert json.loads((docs.VECTORS / "messages.json").read_text()) == docs.message_vectors(), "make docs"
