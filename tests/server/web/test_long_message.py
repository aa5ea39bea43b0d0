"""Messages in parts: whole messages are complete, and only a plan can have parts."""

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Invalid
from fortythieves.protocol import to_server
from fortythieves.protocol.wire import MOST_PARTS, PART, encode
from fortythieves.tournament.plan import MOST_LISTED, Plan
from fortythieves_client.reconnecting import frames
from fortythieves_server.web.long_message import LongMessage
from tests.examples import examples

LONGEST = to_server.ChangePlan(1, {"listed": [f"{chr(0x20000 + n) * 20}{n:04}" for n in range(MOST_LISTED)]})


def taken(*sent: bytes) -> list[to_server.Message | None]:
    message = LongMessage()
    return [message.take(frame) for frame in sent]


@examples(40)
@given(st.integers(0, 3 * PART), st.booleans())
def test_a_plan_of_any_length_comes_out_as_it_went_in(length: int, is_new: bool) -> None:
    plan = {"about": "x" * length}
    message = to_server.Create(1, "Ann", {}, False, plan) if is_new else to_server.ChangePlan(1, plan)
    *first, last = taken(*frames(message))
    assert not any(first)
    assert last == message
    assert taken(encode(to_server.Ping(1.0)), *frames(to_server.Leave(2))) == [to_server.Ping(1.0), to_server.Leave(2)]


def test_a_list_of_a_thousand_long_names_and_the_longest_description_come_in_parts() -> None:
    assert taken(*frames(LONGEST))[-1] == LONGEST
    names = [f"{chr(0x20000 + n) * 22}{n:02}" for n in range(50)]
    everything = {**LONGEST.plan, "about": "\U00020000" * 2000, "apart": [names] * 100}
    assert Plan().changed(everything).apart == (tuple(names),) * 100
    assert len([*frames(to_server.ChangePlan(1, everything))]) <= MOST_PARTS


@pytest.mark.parametrize(
    "sent",
    [
        [msgpack.packb(bytes(PART))] * (MOST_PARTS + 1),
        [msgpack.packb(b"\x92\xa4plan"), encode(to_server.Ping(1.0))],
        [msgpack.packb(encode(to_server.Leave(1))), msgpack.packb(b"")],
        [msgpack.packb(b"\xc1"), msgpack.packb(b"")],
        [msgpack.packb(b"")],
        [b"\xc4\x05abc"],
    ],
    ids=["too many", "something between them", "no plan", "no message", "nothing", "bytes that are missing"],
)
def test_other_parts_are_invalid(sent: list[bytes]) -> None:
    with pytest.raises(Invalid):
        taken(*sent)
