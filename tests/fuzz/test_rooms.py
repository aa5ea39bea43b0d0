"""Any commands in any order are answered once, and nothing breaks."""

import os
from typing import Any

import msgpack
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

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
_commitment = st.just("") | st.binary(min_size=32, max_size=32).map(bytes.hex)
_changes = {name: odd.changes(likely) for name, likely in (("settings", SETTINGS), ("plan", PLAN))}
_move = st.tuples(st.just("move"), _count, _count, st.sampled_from([*sorted(MOVES), "undo"]) | st.text(max_size=12))

#: The fields of each command after its number.
COMMANDS: dict[str, tuple[SearchStrategy[Any], ...]] = {
    "create": (_name, _changes["settings"], st.booleans(), st.none() | _changes["plan"], st.text(max_size=9)),
    "join": (st.text("ABKX", min_size=6, max_size=6) | _name.map(lambda name: name[:64]), _name),
    "watch": (st.text("ABKX", min_size=6, max_size=6), _name),
    "settings": (_changes["settings"],),
    "ready": (_commitment,),
    "unready": (),
    "start": (),
    "lock": (st.booleans(),),
    "kick": (_seat, st.booleans()),
    "mute": (_seat, st.booleans()),
    "remove": (_seat, st.booleans()),
    "host": (_seat,),
    "bot": (st.integers(1, 3),),
    "chat": (st.text(min_size=1, max_size=32), _name),
    "rename": (_name,),
    "give_up": (),
    "take_back": (),
    "rematch": (_commitment,),
    "look": (st.booleans(),),
    "review": (_count,),
    "leave": (),
    "enter": (st.booleans(),),
    "plan": (_changes["plan"], st.text(max_size=9)),
    "round": (
        st.sampled_from(["start", "pause", "resume", "skip", "replay", "replay_unfinished", "confirm"]),
        _name.map(lambda t: t[:200]),
    ),
    "timer": (st.none() | _count,),
    "judge": (_seat, st.booleans(), _name.map(lambda text: text[:200]), st.booleans()),
    "withdraw": (_seat,),
    "team": (_seat, _name, _count),
    "co_host": (_seat, st.booleans()),
}
_command = st.sampled_from(sorted(COMMANDS)).flatmap(lambda tag: st.tuples(st.just(tag), *COMMANDS[tag]))
_tournament = st.fixed_dictionaries(
    {"format": st.sampled_from(["points", "knockout", "double", "swiss", "roundrobin", "arena"])}
) | st.fixed_dictionaries({"format": st.sampled_from(["points", "swiss"]), "team_size": st.integers(2, 10)})
#: Most first commands are valid, because the others need a room.
_first: SearchStrategy[tuple[Any, ...]] = st.one_of(
    st.tuples(st.just("create"), st.just("Ann"), st.just({}), st.just(False), st.none() | _tournament),
    st.tuples(st.just("create"), st.just("Ann"), st.just({}), st.just(False), st.none() | _tournament),
    st.tuples(st.just("create"), _name, _changes["settings"], st.just(False), st.none() | _changes["plan"]),
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
