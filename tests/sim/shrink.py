"""Makes a script that fails smaller, and tells how it came to the failure."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec

from fortythieves.protocol import to_client, to_server
from tests.sim.scripts import Crowd, Script, Struck
from tests.sim.world import World, simulate

#: A smaller script may fail this many times as late, and these seconds later.
LATER, MORE = 1.2, 5.0
#: The most lines of a story: of servers and faults, and of the device that the failure names. The most characters.
LINES, WIDTH = 40, 180
#: Messages that come often.
_DULL = (
    *(to_client.ProgressRows, to_client.Watchers, to_client.Reactions, to_client.Pong),
    *(to_server.Ping, to_server.React),
)
_DEVICE = re.compile(r"(?:host|player|eye|late|guest|twin|try|owner) [\d ]*\d")


def kind_of(world: World) -> str:
    """How it failed, without names and numbers."""
    words = re.findall(r"\b[a-z]+\b", _DEVICE.sub("", str(world.violation)))
    return " ".join([type(world.violation).__name__, *words[:6]])


#: What can be left out or be less, the greatest simplification first. Other values stay.
LESS = ("crowds", "faults", "processes", "spectators", "guests", "plan", "players", "seconds", "at")


def simpler(value: Any) -> Iterator[Any]:
    """Simpler values, the simplest ones first: without half of a list, then a quarter, and at last each item."""
    match value:
        case tuple():
            size = len(value)
            while size:
                yield from (value[:k] + value[k + size :] for k in range(0, len(value), size))
                size //= 2
            for k, item in enumerate(value):
                yield from ((*value[:k], less, *value[k + 1 :]) for less in simpler(item))
        case Script() | Crowd() | Struck():
            for name in LESS:
                for less in simpler(getattr(value, name, ())):
                    yield replace(value, **{name: less})
        case dict():
            yield None
        case int():
            yield from range(value)
        case float() if value > 0.001:
            yield from (round(value * part, 3) for part in (0.25, 0.5, 0.75))


def shrunk(world: World, seconds: float) -> World:
    """The world of the simplest script that fails in the same way, as far as some CPU time goes."""
    kind, end = kind_of(world), time.process_time() + seconds
    found = True
    while found:
        found = False
        for script in simpler(world.script):
            if time.process_time() > end:
                return world
            other = simulate(script, world.simulation.now * LATER + MORE)
            if found := kind_of(other) == kind:
                world = other
                break
    return world


def story(world: World) -> str:
    """How it came to a failure, and how to see it again."""
    named = _DEVICE.search(str(world.violation))
    lines = [line for line in world.story if not isinstance(line[2], _DULL) and getattr(line[2], "patch", True)]
    messages = [line for line in lines if not isinstance(line[2], str)]
    of_one = [line for line in messages if named is None or line[1].startswith(named[0])]
    others = [line for line in lines if isinstance(line[2], str)]
    chosen = {id(line) for part in (of_one, others, messages[-LINES // 4 :]) for line in part[-LINES:]}
    told = [f"{line[0]:8.3f} s  {line[1]}: {line[2]}"[:WIDTH] for line in lines if id(line) in chosen]
    end = f"{world.simulation.now:8.3f} s  {type(world.violation).__name__}: {world.violation}"
    return "\n".join([*told, end, f"make sim SEED='{packed(world.script)}'"])


def packed(script: Script) -> str:
    return msgspec.json.encode(script).decode()


def unpacked(text: str) -> Script:
    return msgspec.json.decode(text, type=Script)
