"""Does the simulation find what it should? Each mutation is made in a copy, and seeds run until one fails.

``python -m tests.sim.mutations [NAME ...]``: for each mutation the seeds and the seconds of CPU time that it took. The
later ones bring back faults that the server once had.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = "server/fortythieves_server"
SOURCES = (PROGRAM, "shared", "client/fortythieves_client", "tests")
#: Seconds of CPU time for each mutation.
SECONDS = 600


#: By file of the server: a text, and the one that it becomes.
Mutation = Sequence[tuple[str, str, str]]
_HAS_NEWS = "if has_news:\n                    await self.check_log(room)"
_PUT = "            cached.store.moves.put(where, move, now)\n"
_FAILED = "cached.epoch, error)\n            seat.release()"
_HAS_LESS = "if not self._has_less(guest, known):\n            return False\n        self"
_AGAIN = "queue.waiting = batch + queue.waiting\n                if self._closing:"
_FITS = "not fits or len(found.entries) < row.moves or found.log_hash != log_hash"
_PASSING = "if all(is_passing(answer) and not isinstance(answer, _OF_A_SLOT) for"
MUTATIONS: dict[str, Mutation] = {
    "acknowledge before the commit": [
        ("rooms/seats.py", _PUT, f"{_PUT}            self._acknowledge(number, peer, request, turned)\n")
    ],
    "no position check": [("store/scripts/rooms.lua", "if n > expected then\n  local", "if false then\n  local")],
    "no epoch check": [
        ("rooms/live_room.py", "stored.epoch != cached.epoch or ", ""),
        ("store/scripts/rooms.lua", "if meta[1] ~= ARGV[1] then return {'epoch', meta[1]} end\n", ""),
        ("store/scripts/moves.lua", "if meta[1] ~= epoch then return {'epoch'} end\n", ""),
    ],
    "a gap that is not noticed": [
        ("rooms/seats.py", "if request.race == race and sent == request.n:", "if request.race == race:")
    ],
    "a lost release": [("rooms/seats.py", _FAILED, "cached.epoch, error)")],
    "an early deal": [("rooms/seats.py", "not race.has_started(cached.now())", "race.revealing")],
    "a result written twice": [
        ("core/decide.py", "race.active if seat not in out)\n    return", "race.racers)\n    return")
    ],
    "a visibility prefix one too long": [
        ("core/visibility.py", "n = end\n    return n", "n = end\n    return min(n + 1, len(ledger.entries))")
    ],
    "pub/sub taken for truth": [
        ("rooms/sweeper.py", _HAS_NEWS, _HAS_NEWS.replace("has_news", "room.cached.stale")),
        ("rooms/registry.py", "room.cached.note_stale()\n\n\nclass", "pass\n\n\nclass"),
    ],
    "a resend without order": [("rooms/seats.py", "in range(sent, on_disk):", "in reversed(range(sent, on_disk)):")],
    "a swallowed Redis error": [("store/group_commit.py", _AGAIN, "if self._closing:")],
    "a seat given twice": [("core/decide_lobby.py", "kept or room.seats_given + 1", "kept or len(room.people) + 1")],
    "a second try": [
        ("core/decide_challenge.py", "return []\n    return [events.TryStarted", "pass\n    return [events.TryStarted")
    ],
    "results before the own try is over": [("core/challenge.py", "    if blind:\n        return view\n", "")],
    # Faults of earlier versions
    "a log that goes on in another one": [
        ("store/scripts/moves.lua", "hash ~= log or n == 0 and not knows_race()", "false"),
        ("rooms/cached_room.py", _FITS, "False"),
        ("rooms/live_room.py", "_goes_on(progress[seat], row) for seat, row", "True for seat, row"),
    ],
    "reads and writes at different masters": [
        ("store/connections.py", "if before not in (None, self._master):", "if False:"),
        ("store/scripts/rooms.lua", "if kept then return {'kept'} end\n", ""),
    ],
    "too few replicas": [
        ("store/connections.py", "max(self._fewest_replicas, len(replicas))", "self._fewest_replicas")
    ],
    "a clock that was ahead stops rooms": [
        ("rooms/cached_room.py", "return self._clock.now(self._offset)", "return self._clock.now()"),
        ("rooms/cached_room.py", "return self._clock.ahead(self._offset)", "return Ms(0)"),
        ("rooms/cached_room.py", "self._clock.seconds_until(at, self._offset)", "self._clock.seconds_until(at)"),
        ("store/scripts/moves.lua", ", tonumber(least))", ")"),
        ("store/scripts/rooms.lua", ", tonumber(ARGV[4]))", ")"),
    ],
    "data lost while no server runs": [
        ("rooms/live_room.py", _HAS_LESS, "if True:\n            return False\n        self")
    ],
    "a lost notification while others move": [
        ("rooms/sweeper.py", "room.room.n, room.cached.moves)", "room.room.n, room.cached.active_at)"),
        ("store/room_logs.py", '"epoch", f"moves:{race}")', '"epoch", "last")'),
    ],
    "a seat for a connection that is closed": [
        ("rooms/room_service.py", "peer.account, lambda: peer.send_queue.open)", "peer.account)"),
    ],
    "a seat for a connection that came earlier": [
        ("core/decide_lobby.py", "if person.via == via or not is_replaced:", "if person.via == via:"),
    ],
    "a slot that moves stops all": [("store/group_commit.py", _PASSING, "if any(is_passing(answer) for")],
}


def applied(mutation: Mutation, root: Path) -> Mapping[Path, str]:
    """The changed files of the server, each with its text."""
    texts: dict[Path, str] = {}
    for file, old, new in mutation:
        path = root / PROGRAM / file
        text = texts.get(path) or path.read_text()
        assert text.count(old) == 1, f"{file} has {text.count(old)} times {old!r}"
        texts[path] = text.replace(old, new)
    return texts


def tried(mutation: Mutation, seconds: float = SECONDS) -> tuple[int, str]:
    """How many seeds it took to find a mutation (0: not found), and the last lines of the output."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place)
        for source in SOURCES:
            shutil.copytree(ROOT / source, copy / source, ignore=shutil.ignore_patterns("client"))
        for file, text in applied(mutation, copy).items():
            file.write_text(text)
        path = os.pathsep.join(str(copy / source) for source in ("server", "shared", "client", ""))
        command = [sys.executable, "-m", "tests.sim", "1", "--seconds", str(seconds), "--as-it-is", "--first"]
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "ignore"}
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
        seeds = re.search(r"^(\d+) seeds", done.stdout, re.MULTILINE)
        return int(seeds[1]) if seeds and done.returncode else 0, done.stdout[-600:] + done.stderr[-300:]


def main() -> int:
    chosen = sys.argv[1:] or list(MUTATIONS)
    missed = 0
    for name in chosen:
        seeds, output = tried(MUTATIONS[name])
        missed += not seeds
        print(f"{name}: {f'found with seed {seeds}' if seeds else 'NOT FOUND'}\n{output}\n", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main())
