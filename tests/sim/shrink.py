"""Makes a script that fails smaller, and tells how it came to the failure."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import msgspec

from fortythieves.protocol import to_client, to_server
from fortythieves_client import reconnecting
from tests.sim.loop import BEGIN
from tests.sim.players import CONNECTION
from tests.sim.world import Crowd, Script, Struck, World, simulate

#: A smaller script may fail this many times as late, and these seconds later.
LATER, MORE = 1.2, 5.0
#: The most lines of a story: from servers, and from the one whom the failure names. The most characters of each.
LINES, WIDTH = 40, 180
#: Requests and answers that come often.
_DULL = (
    *(to_client.ProgressRows, to_client.Watchers, to_client.Reactions, to_client.Pong),
    *(to_server.Ping, to_server.React),
)
_NAMES = {"host", "player", "eye", "late", "guest", "twin", "try", "owner"}


def kind_of(world: World) -> str:
    """How it failed, without names and numbers."""
    words = [word for word in re.findall(r"\b[a-z]+\b", str(world.violation)) if word not in _NAMES]
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
    """How it came to a failure, and how to see it again: with what people asked for and got."""
    told: list[tuple[float, str]] = []

    def of(verb: str, inner: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def note(message: Any) -> Any:
            answer = inner(message)
            shown = answer if verb == "gets" else message
            if not isinstance(shown, _DULL) and getattr(shown, "patch", True):
                told.append((time.time() - BEGIN, f"{CONNECTION.get()} {verb} {shown}"))
            return answer

        return note

    with (
        patch.object(reconnecting, "decode", of("gets", reconnecting.decode)),
        patch.object(reconnecting, "frames", of("asks", reconnecting.frames)),
    ):
        world = simulate(world.script)
    found = re.search(r"(?:host|player|eye|guest|twin|try|owner) [\d ]*\d", str(world.violation))
    of_one = [line for line in told if found is None or line[1].startswith(found[0])]
    told = sorted({*world.story[-LINES:], *of_one[-LINES:], *told[-LINES // 4 :]}, key=lambda line: line[0])
    lines = [f"{at:8.3f} s  {text[:WIDTH]}" for at, text in told]
    lines.append(f"{world.simulation.now:8.3f} s  {type(world.violation).__name__}: {world.violation}")
    return "\n".join([*lines, f"make sim SEED='{packed(world.script)}'"])


def packed(script: Script) -> str:
    return msgspec.json.encode(script).decode()


def unpacked(text: str) -> Script:
    return msgspec.json.decode(text, type=Script)
