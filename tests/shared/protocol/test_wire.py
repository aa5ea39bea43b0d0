"""Bytes to messages and back. Parsing gives a message or `Invalid` for any bytes."""

from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Invalid
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.wire import encode, read_answer, read_request
from fortythieves.times import Ms

TAGS = [kind.__struct_config__.tag for kind in (*to_server.MESSAGES, *to_client.MESSAGES)]

REQUESTS: list[to_server.Message] = [
    to_server.Hello(1, None),
    to_server.Hello(1, "pass"),
    to_server.Ping(0.5),
    to_server.Create(1, "Ann", {"game": "lucas", "public": True}),
    to_server.Join(2, "KQXWVD", "Bob", to_server.Resume("6be4", 1, 41), True),
    to_server.Watch(2, "KQXWVD", "Wanda"),
    to_server.Watch(3, "KQXWVD", "Wanda", "open sesame"),
    to_server.ChangeSettings(3, {"seats": 4}),
    to_server.Ready(4, "00112233445566778899aabbccddeeff" * 2),
    to_server.Reveal(25, "00112233445566778899aabbccddeeff"),
    to_server.Unready(5),
    to_server.Start(6),
    to_server.Lock(7, True),
    to_server.Kick(8, 3),
    to_server.HandOver(9, 2),
    to_server.AddBot(10, 3),
    to_server.Chat(11, "key", "hi 👋"),
    to_server.Mute(25, 31, True),
    to_server.Remove(26, 31, True),
    to_server.Rename(12, "Ann"),
    to_server.GiveUp(13),
    to_server.TakeBack(14),
    to_server.AgreeToEnd(28, True),
    to_server.StandAside(30, True),
    to_server.React(31, "clap"),
    to_server.EndRace(29),
    to_server.Rematch(15, ""),
    to_server.Look(16, True),
    to_server.Review(27, 1),
    to_server.Leave(17),
    to_server.Enter(18, True),
    to_server.CheckIn(18, 4),
    to_server.Registration(18, True),
    to_server.HalfBye(18, 4, 3, True),
    to_server.Team(18, 4, "Class 5b", 2),
    to_server.ChangePlan(19, {"pause": 120}, "open sesame"),
    to_server.Round(20, "replay", "The network was down."),
    to_server.Round(20, "confirm", round=2),
    to_server.RenameEntrant(20, 4, "Dora"),
    to_server.Correct(20, 2, ((4, 1), (5, 0)), "Dora's battery was empty."),
    to_server.ReplayMatch(20, 4, "The network was down."),
    to_server.Swap(20, 4, 6, 5),
    to_server.Announce(20, "Lunch until two."),
    to_server.Undo(20, Ms(1795258800000)),
    to_server.Timer(21, None),
    to_server.Judge(22, 4, True, "Two browsers."),
    to_server.Withdraw(23, 5),
    to_server.ShowList(27),
    to_server.Release(28, "Ann Lee"),
    to_server.CoHost(24, 2, True),
    to_server.Move(1, 41, "3-7x4"),
]

ANSWERS: list[to_client.Message] = [
    to_client.Welcome(1, "pass", Ms(1_795_258_157_186), "0.1.0", True),
    to_client.Pong(0.5, Ms(1_795_258_157_186)),
    to_client.Ok(1),
    to_client.Refused(1, "full", "This room is full."),
    to_client.RoomState("6be4", 3, 1, {"people": {"1": {"name": "Ann", "away_at": None}}}),
    to_client.Patch(4, {"people": {"1": None}}),
    to_client.OwnBoard(1, ["####TH"], [("draw", "TH"), ("undo", "")]),
    to_client.Moved(1, 1, "draw", "TH"),
    to_client.Unmoved(1, 1, 1, "over", "The race is over."),
    to_client.ProgressRows(1, [(1, 41, 23, 30)]),
    to_client.Gallery(1, "frontier", ["####TH"], [(1, [("draw", "TH")])]),
    to_client.Shown(1, [(1, 1, [("draw", "3D")])]),
    to_client.Hidden(1, 4, 2),
    to_client.Reactions([2, 0, 0, 1, 0, 0]),
    to_client.History(1, [(2, [(Ms(8120), 1), (Ms(15_900), 3)]), (1, [(Ms(9400), 1)])]),
    to_client.EntryList([("Ann Lee", 2, "q4w-oxbB2Kk0cS8yhXvZ6A", "Red"), ("Bob", None, "0mT2yBq7wXcKfJ1uVnA3dQ", "")]),
    to_client.Watchers(12),
    to_client.Reviewed(1, [[2, 3]], [4]),
    to_client.Notice("store-down", "Wait."),
]

scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(scalars, inner, max_size=3),
    max_leaves=8,
)
messages = st.tuples(st.sampled_from(TAGS)).flatmap(lambda tag: st.lists(values, max_size=6).map(lambda v: [*tag, *v]))


def total(frame: bytes) -> None:
    """Either way of reading gives a message or `Invalid`."""
    for read in (read_request, read_answer):
        try:
            message = read(frame)
        except Invalid as invalid:
            assert str(invalid)
        else:
            assert read(encode(message)) == message or "nan" in repr(message).lower()


def test_every_kind_of_message_is_among_the_examples() -> None:
    assert {type(message) for message in REQUESTS} == set(to_server.MESSAGES)
    assert {type(message) for message in ANSWERS} == set(to_client.MESSAGES)


def test_no_two_kinds_of_message_have_the_same_tag() -> None:
    assert len(set(TAGS)) == len(TAGS)


def test_a_request_comes_out_as_it_went_in() -> None:
    assert [read_request(encode(message)) for message in REQUESTS] == REQUESTS


def test_an_answer_comes_out_as_it_went_in() -> None:
    again = [read_answer(encode(message)) for message in ANSWERS]
    assert msgspec.to_builtins(again) == msgspec.to_builtins(ANSWERS)


def test_a_message_is_an_array_of_its_tag_and_its_fields() -> None:
    assert msgpack.unpackb(encode(to_server.Move(1, 41, "3-7x4"))) == ["move", 1, 41, "3-7x4"]
    assert msgpack.unpackb(encode(to_client.Moved(1, 42, "draw", "TH"))) == ["moved", 1, 42, "draw", "TH"]


def test_fields_at_the_end_that_have_a_default_may_be_left_out() -> None:
    assert read_request(msgpack.packb(["hello", 1])) == to_server.Hello(1, None)
    assert read_request(msgpack.packb(["join", 1, "KQXWVD", "Bob"])) == to_server.Join(1, "KQXWVD", "Bob")


@pytest.mark.parametrize(
    "message",
    [
        [],
        "hello",
        {"hello": 1},
        ["nonsense", 1],
        ["welcome", 1, "pass", 1, "0.1.0"],  # only the server sends it
        ["move", 1, 0],
        ["move", -1, 0, "draw"],
        ["move", 1, -1, "draw"],
        ["move", 1, 0, "x" * 13],
        ["move", 1, 0, None],
        ["move", True, 0, "draw"],
        ["chat", 1, "", "hi"],
        ["chat", 1, "k" * 33, "hi"],
        ["chat", 1, "k", b"hi"],
        ["bot", 1, 0],
        ["bot", 1, 4],
        ["create", 1, "Ann", {1: 2}],
        ["create", 1, "Ann", []],
        ["join", 1, "KQXWVD", "Bob", ["6be4", 1]],
        ["hello", 1, "x" * 301],
        ["ping", "now"],
    ],
    ids=repr,
)
def test_what_is_no_request_is_invalid(message: object) -> None:
    with pytest.raises(Invalid):
        read_request(msgpack.packb(message))


@pytest.mark.parametrize("commitment", ["", "00112233445566778899aabbccddeeff" * 2])
def test_a_commitment_is_a_hash_or_nothing(commitment: str) -> None:
    assert read_request(msgpack.packb(["ready", 1, commitment])) == to_server.Ready(1, commitment)


def test_a_nonce_is_sixteen_bytes_in_hexadecimal() -> None:
    nonce = "00112233445566778899aabbccddeeff"
    assert read_request(msgpack.packb(["reveal", 1, nonce])) == to_server.Reveal(1, nonce)
    for other in ("", nonce * 2):
        with pytest.raises(Invalid):
            read_request(msgpack.packb(["reveal", 1, other]))


@pytest.mark.parametrize(
    "nonce",
    [
        "\n",
        "0" * 31,
        "0" * 33,
        "0" * 32 + "\n",
        "A" * 32,
        "g" * 32,
        " " + "0" * 31,
        "٠" * 32,
        "0" * 32 + "\n" + "0" * 32,
        "0" * 63,
        "0" * 65,
        "0" * 64 + "\n",
    ],
)
def test_any_other_text_is_no_nonce(nonce: str) -> None:
    for tag in ("ready", "rematch", "reveal"):
        with pytest.raises(Invalid):
            read_request(msgpack.packb([tag, 1, nonce]))


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


def test_a_frame_of_nothing_but_nested_maps_is_a_message_or_invalid() -> None:
    """Python 3.12 reads deeper maps than 3.11; the largest frame that a server accepts can hold 5,000."""
    total(b"\x94\xa6create\x01\xa3Ann" + b"\x81\xa1x" * 5_000 + b"\xc0")


@given(st.binary(max_size=64))
def test_any_bytes_are_a_message_or_invalid(frame: bytes) -> None:
    total(frame)


@given(messages)
def test_any_array_with_a_tag_is_a_message_or_invalid(message: list[Any]) -> None:
    total(msgpack.packb(message))


@given(st.sampled_from([*REQUESTS, *ANSWERS]), st.data())
def test_any_damage_to_a_message_leaves_a_message_or_invalid(message: Any, data: st.DataObject) -> None:
    frame = bytearray(encode(message))
    for _ in range(data.draw(st.integers(1, 3))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    total(bytes(frame))
