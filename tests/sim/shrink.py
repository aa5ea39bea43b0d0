"""Makes a script that fails smaller, and tells how it came to the failure."""

import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import msgspec

from fortythieves.protocol import to_client, to_server
from fortythieves_client import reconnecting
from tests.sim.loop import BEGIN
from tests.sim.players import CONNECTION
from tests.sim.world import Script, World, simulate

#: A smaller script may fail this many times as late, and these seconds later.
LATER, MORE = 1.2, 5.0
#: Seconds between two actions of a player, above which it need not do less.
SLOW = 2.0
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


class Shrinker:
    """Looks for smaller scripts that fail in the same way, until some CPU time is over."""

    def __init__(self, world: World, seconds: float) -> None:
        self.world = world
        self._kind = kind_of(world)
        self._end = time.process_time() + seconds

    @property
    def script(self) -> Script:
        return self.world.script

    def try_with(self, **changes: Any) -> bool:
        """Whether the script still fails with these changes, which are kept then."""
        script = replace(self.script, **changes)
        if script == self.script or time.process_time() > self._end:
            return False
        other = simulate(script, self.world.simulation.now * LATER + MORE)
        fails = kind_of(other) == self._kind
        if fails:
            self.world = other
        return fails

    def shrink(self) -> World:
        """Make it smaller until nothing helps any more."""
        before = None
        while before != self.script:
            before = self.script
            self._fewer("crowds", least=1)
            self._fewer("faults")
            while self.script.processes > 1 and self.try_with(processes=self.script.processes - 1):
                pass
            for k in range(len(self.script.crowds)):
                self._smaller_crowd(k)
            self._shorter()
        return self.world

    def _fewer(self, name: str, least: int = 0) -> None:
        """Leave out half of a list, then a quarter, and at last each one."""
        size = len(getattr(self.script, name)) - least
        while size > 0:
            first = 0
            while first < len(found := getattr(self.script, name)):
                fewer = found[:first] + found[first + size :]
                if len(fewer) < least or not self.try_with(**{name: fewer}):
                    first += size
            size //= 2

    def _smaller_crowd(self, k: int) -> None:
        def changed(**changes: Any) -> bool:
            crowds = list(self.script.crowds)
            crowds[k] = replace(crowds[k], **changes)
            return self.try_with(crowds=tuple(crowds))

        changed(spectators=0, guests=0)
        changed(plan=None)
        while self.script.crowds[k].players > 1 and changed(players=self.script.crowds[k].players - 1):
            pass
        while self.script.crowds[k].pace < SLOW and changed(pace=2 * self.script.crowds[k].pace):
            pass

    def _shorter(self) -> None:
        """Let faults happen earlier. What would come after the failure is left out."""
        self.try_with(seconds=min(self.script.seconds, self.world.simulation.now + 1))
        self.try_with(seconds=min(self.script.seconds, max((it.at for it in self.script.faults), default=0.0) + 1))
        for factor in (0.25, 0.5, 0.75):
            earlier = tuple(replace(it, at=round(it.at * factor, 3)) for it in self.script.faults)
            self.try_with(faults=earlier, seconds=round(self.script.seconds * factor, 3))


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
