"""Any commands in any order are answered once, and nothing breaks."""

import os
from typing import Any

import msgpack
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from fortythieves.protocol import to_server
from fortythieves.protocol.to_client import Close
from fortythieves.rules.move_notation import MOVES
from tests.fuzz import odd
from tests.fuzz.server import TIMEOUT, Server
from tests.fuzz.targets import PLAN, SETTINGS

#: `make fuzz` has more.
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "50"))

_name = st.sampled_from(["Ann", "Bob", ""]) | odd.texts.map(lambda text: text.encode(errors="replace").decode())
_seat = st.integers(-1, 3) | st.integers(-(2**63), 2**64 - 1)
_count = st.integers(0, 3) | st.integers(0, 2**53)
_move = st.tuples(st.just("move"), _count, _count, st.sampled_from([*sorted(MOVES), "undo"]) | st.text(max_size=12))

#: Values of each field, mostly valid ones.
FIELDS: dict[str, SearchStrategy[Any]] = {
    **dict.fromkeys(("name", "text", "team", "title"), _name),
    **dict.fromkeys(("seat", "one", "other", "against"), _seat),
    **dict.fromkeys(("line", "number", "race", "round", "at"), _count),
    **dict.fromkeys(("on", "open", "out", "hold", "bot", "locked", "closed", "projector"), st.booleans()),
    **dict.fromkeys(("password", "ticket"), st.text(max_size=9)),
    "code": st.text("ABKX", min_size=6, max_size=6) | _name.map(lambda name: name[:64]),
    **dict.fromkeys(("circle", "deal"), st.just("") | st.text("ABKX", min_size=6, max_size=6)),
    "counted": st.integers(-1, 101),
    "days": st.integers(0, 31),
    "key": st.text(min_size=1, max_size=32),
    "reason": _name.map(lambda text: text[:200]),
    "commitment": st.just("") | st.binary(min_size=32, max_size=32).map(bytes.hex),
    "nonce": st.binary(min_size=16, max_size=16).map(bytes.hex),
    "settings": odd.changes(SETTINGS),
    "plan": odd.changes(PLAN),
    "resume": st.none(),
    "level": st.integers(1, 3),
    "face": st.none() | st.integers(-1, 400),
    "board": st.integers(0, 1000),
    "sign": st.sampled_from(to_server.SIGNS),
    "do": st.sampled_from(
        [
            *("start", "pause", "resume", "skip", "replay", "replay_unfinished", "confirm"),
            *("join", "leave", "remove", "drop"),
        ]
    ),
    "given": st.lists(st.tuples(_seat, st.none() | st.floats(0, 1000)), min_size=1, max_size=2),
}
_commands = [kind for kind in to_server.MESSAGES if issubclass(kind, to_server.Request)]
_command = st.sampled_from(_commands).flatmap(
    lambda kind: st.tuples(st.just(kind.__struct_config__.tag), *(FIELDS[name] for name in kind.__struct_fields__[1:]))
)
_tournament = st.fixed_dictionaries(
    {"format": st.sampled_from(["points", "knockout", "double", "swiss", "roundrobin", "arena"])}
) | st.fixed_dictionaries({"format": st.sampled_from(["points", "swiss"]), "team_size": st.integers(2, 10)})
#: Most first commands are valid, because the others need a room.
_first: SearchStrategy[tuple[Any, ...]] = st.one_of(
    st.tuples(st.just("create"), st.just("Ann"), st.just({}), st.just(False), st.none() | _tournament),
    st.tuples(st.just("create"), st.just("Ann"), st.just({}), st.just(False), st.none() | _tournament),
    st.tuples(st.just("create"), _name, FIELDS["settings"], st.just(False), st.none() | FIELDS["plan"]),
)
_said = st.tuples(_first, st.lists(_command | _command | _move, min_size=1, max_size=20))


def answers(server: Server, said: list[tuple[Any, ...]]) -> tuple[list[list[Any]], int | None]:
    """All answers to these messages, and the close code if the server closed the connection."""
    heard: list[list[Any]] = []
    with connect(f"ws://{server.host}:{server.port}/ws", open_timeout=TIMEOUT, max_size=None) as connection:
        try:
            connection.send(msgpack.packb(["hello", 1, None]))
            for number, (tag, *fields) in enumerate(said):
                message = [tag, *([] if tag == "move" else [number]), *fields]
                # Half a character is invalid UTF-8 and breaks the protocol.
                connection.send(msgpack.packb(message, datetime=True, unicode_errors="surrogatepass"))
            connection.send(msgpack.packb(["ping", 0.5]))
            while not heard or heard[-1][0] != "pong":
                heard.append(msgpack.unpackb(connection.recv(TIMEOUT), strict_map_key=False, timestamp=3))
        except ConnectionClosed:
            return heard, connection.close_code
    return heard, None


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(_said.map(lambda both: [both[0], *both[1]]))
def test_any_commands_are_answered_once_or_break_the_protocol(server: Server, said: list[tuple[Any, ...]]) -> None:
    server.errors.clear()
    heard, closed = answers(server, said)
    assert server.errors == [] and closed != Close.BUG
    answered = [message[1] for message in heard if message[0] in {"ok", "refused"}]
    commands = [number for number, message in enumerate(said) if message[0] != "move"]
    assert answered == (commands if closed is None else commands[: len(answered)])
