"""Bytes to messages and back. tests/fuzz/targets.py has random bytes."""

import json

import msgpack
import msgspec
import pytest

from fortythieves.errors import Invalid
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.wire import encode, read_request
from fortythieves_client.reconnecting import decode
from tests.tools import docs

TAGS = [kind.__struct_config__.tag for kind in (*to_server.MESSAGES, *to_client.MESSAGES)]

TEXT = (docs.ROOT / "shared" / "PROTOCOL.md").read_text("utf-8")
ASKED = [*docs.examples(TEXT, "To the server"), *docs.examples(TEXT, "A session, from hello to the first move")]
ANSWERED = docs.examples(TEXT, "To the client")
#: The examples of PROTOCOL.md.
REQUESTS = [read_request(msgpack.packb(example)) for example in ASKED]
ANSWERS = [decode(msgpack.packb(example)) for example in ANSWERED]


def test_every_kind_of_message_has_an_example_and_its_own_tag() -> None:
    assert {type(message) for message in REQUESTS} == set(to_server.MESSAGES)
    assert {type(message) for message in ANSWERS} == set(to_client.MESSAGES)
    assert len(set(TAGS)) == len(TAGS)


def test_a_message_comes_out_as_it_went_in() -> None:
    assert [read_request(encode(message)) for message in REQUESTS] == REQUESTS
    again = [decode(encode(message)) for message in ANSWERS]
    assert msgspec.to_builtins(again) == msgspec.to_builtins(ANSWERS)


def test_a_message_is_an_array_of_its_tag_and_its_fields() -> None:
    assert [msgpack.unpackb(encode(message)) for message in ANSWERS] == ANSWERED
    for message, example in zip(REQUESTS, ASKED, strict=True):
        assert msgpack.unpackb(encode(message))[: len(example)] == example  # optional fields may be left out


def test_the_vectors_are_the_examples() -> None:
    assert json.loads((docs.VECTORS / "messages.json").read_text()) == docs.message_vectors(), "make docs"


@pytest.mark.parametrize(
    "message",
    [
        *(
            [],
            "hello",
            {"hello": 1},
            ["nonsense", 1],
            ["hello", 1, "x" * 301],
            ["ping", "now"],
            ["bot", 1, 0],
            ["bot", 1, 4],
        ),
        ["welcome", 1, "pass", 1, "0.1.0"],  # only the server sends it
        *(["move", 1, 0], ["move", -1, 0, "draw"], ["move", 1, -1, "draw"], ["move", True, 0, "draw"]),
        *(["move", 1, 0, "x" * 13], ["move", 1, 0, None], ["join", 1, "KQXWVD", "Bob", ["6be4", 1]]),
        *(["chat", 1, "", "hi"], ["chat", 1, "k" * 33, "hi"], ["chat", 1, "k", b"hi"]),
        *(["create", 1, "Ann", {1: 2}], ["create", 1, "Ann", []]),
    ],
    ids=repr,
)
def test_what_is_no_request_is_invalid(message: object) -> None:
    with pytest.raises(Invalid):
        read_request(msgpack.packb(message))


NONCE = "00112233445566778899aabbccddeeff"


def test_a_nonce_is_sixteen_bytes_in_hexadecimal_and_a_commitment_a_hash_or_nothing() -> None:
    for commitment in ("", NONCE * 2):
        assert read_request(msgpack.packb(["ready", 1, commitment])) == to_server.Ready(1, commitment)
    assert read_request(msgpack.packb(["reveal", 1, NONCE])) == to_server.Reveal(1, NONCE)


@pytest.mark.parametrize(
    "nonce",
    [
        *("\n", "0" * 31, "0" * 33, "0" * 32 + "\n", "A" * 32, "g" * 32, " " + "0" * 31, "٠" * 32),
        *("0" * 32 + "\n" + "0" * 32, "0" * 63, "0" * 65, "0" * 64 + "\n"),
    ],
)
def test_any_other_text_is_no_nonce(nonce: str) -> None:
    for message in (["ready", 1, nonce], ["rematch", 1, nonce], ["reveal", 1, nonce], ["reveal", 1, ""]):
        with pytest.raises(Invalid):
            read_request(msgpack.packb(message))


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\xc1",  # never used in MessagePack
        msgpack.packb(["ping", 1]) + b"\0",
        msgpack.packb(["ping", 1])[:-1],
        b"\x94\xa4move\x01\x00\xa3\xed\xa0\x80",  # a surrogate is not valid UTF-8
        b"\x94\xa4move\x01\x00\xa1\xff",
        b"\x91" * 10_000,
        b"\x94\xa6create\x01\xa3Ann" + b"\x81\xa1x" * 100_000 + b"\xc0",  # deeper than any Python reads
        b"\x94\xa6create\x01\xa3Ann\x81\xa1x\x81\x80\xc0",  # a map as the key of a map
        b"\xdd\xff\xff\xff\xff",  # an array of four billion
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        msgpack.packb(["ping", msgpack.ExtType(5, b"x")]),
        msgpack.packb(["ping", msgpack.Timestamp(2**34, 999_999_999)]),
    ],
    ids=lambda frame: frame[:12].hex(),
)
def test_bytes_that_are_no_message_are_invalid(frame: bytes) -> None:
    with pytest.raises(Invalid):
        read_request(frame)
