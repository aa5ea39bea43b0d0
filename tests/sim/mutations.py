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
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PROGRAM = "server/fortythieves_server"
SOURCES = (PROGRAM, "shared", "client/fortythieves_client", "tests")
#: Seconds of CPU time for each mutation.
SECONDS = 600


class Edit(NamedTuple):
    """In a file of the server, a text becomes another one."""

    file: str
    old: str
    new: str

    def applied(self, text: str) -> str:
        assert text.count(self.old) == 1, f"{self.file} has {text.count(self.old)} times {self.old!r}"
        return text.replace(self.old, self.new)


_CHECK = "\n                    await self.check_log(room)"
_PUT = "            cached.store.moves.put(where, move, now)\n"
_FAILED = "cached.epoch, error)\n            seat.release()"
_IS_MINE = "if request.race == race and sent == request.n:"
_AGAIN = "queue.waiting = batch + queue.waiting\n                if self._closing:"
MUTATIONS = {
    "acknowledge before the commit": [
        Edit("rooms/seats.py", _PUT, f"{_PUT}            self._acknowledge(number, peer, request, turned)\n")
    ],
    "no position check": [Edit("store/scripts/rooms.lua", "if n > expected then\n  local", "if false then\n  local")],
    "no epoch check": [
        Edit("rooms/live_room.py", "stored.epoch != cached.epoch or ", ""),
        Edit("store/scripts/rooms.lua", "if meta[1] ~= ARGV[1] then return {'epoch', meta[1]} end\n", ""),
        Edit("store/scripts/moves.lua", "if meta[1] ~= epoch then return {'epoch'} end\n", ""),
    ],
    "a gap that is not noticed": [Edit("rooms/seats.py", _IS_MINE, "if request.race == race:")],
    "a lost release": [Edit("rooms/seats.py", _FAILED, "cached.epoch, error)")],
    "an early deal": [Edit("rooms/seats.py", "not race.has_started(cached.now())", "race.revealing")],
    "a result written twice": [
        Edit(
            "core/decide.py",
            "for seat in race.active if seat not in out)\n    return",
            "for seat in race.racers)\n    return",
        )
    ],
    "a visibility prefix one too long": [
        Edit(
            "core/visibility.py",
            "        n = end\n    return n",
            "        n = end\n    return min(n + 1, len(ledger.entries))",
        )
    ],
    "pub/sub taken for truth": [
        Edit("rooms/sweeper.py", f"if has_news:{_CHECK}", f"if room.cached.stale:{_CHECK}"),
        Edit("rooms/registry.py", "            room.cached.note_stale()\n\n\nclass", "            pass\n\n\nclass"),
    ],
    "a resend without order": [
        Edit("rooms/seats.py", "for n in range(sent, on_disk):", "for n in reversed(range(sent, on_disk)):")
    ],
    "a swallowed Redis error": [Edit("store/group_commit.py", _AGAIN, "if self._closing:")],
    "a seat given twice": [
        Edit("core/decide_lobby.py", "kept or room.seats_given + 1", "kept or len(room.people) + 1")
    ],
    "a second try": [
        Edit(
            "core/decide_challenge.py",
            "    if guest in challenge_of(room).numbers:\n        return []\n    return [events.TryStarted",
            "    return [events.TryStarted",
        )
    ],
    "results before the own try is over": [Edit("core/challenge.py", "    if blind:\n        return view\n", "")],
    # Faults of earlier versions
    "a log that goes on in another one": [
        Edit("store/scripts/moves.lua", "hash ~= log or n == 0 and not knows_race()", "false"),
        Edit(
            "rooms/cached_room.py", "not fits or len(found.entries) < row.moves or found.log_hash != log_hash", "False"
        ),
        Edit(
            "rooms/live_room.py", "not all(seat in progress and _goes_on(progress[seat], row) for", "not all(True for"
        ),
    ],
    "reads and writes at different masters": [
        Edit("store/connections.py", "if before not in (None, self._master):", "if False:"),
        Edit("store/scripts/rooms.lua", "if kept then return {'kept'} end\n", ""),
    ],
    "too few replicas": [
        Edit("store/connections.py", "max(self._fewest_replicas, len(replicas))", "self._fewest_replicas")
    ],
    "a clock that was ahead stops rooms": [
        Edit("rooms/cached_room.py", "return self._clock.now(self._offset)", "return self._clock.now()"),
        Edit("rooms/cached_room.py", "return self._clock.ahead(self._offset)", "return Ms(0)"),
        Edit("rooms/cached_room.py", "self._clock.seconds_until(at, self._offset)", "self._clock.seconds_until(at)"),
        Edit("store/scripts/moves.lua", ", tonumber(least))", ")"),
        Edit("store/scripts/rooms.lua", ", tonumber(ARGV[4]))", ")"),
    ],
    "data lost while no server runs": [
        Edit(
            "rooms/live_room.py",
            "if not self._has_less(guest, known):\n            return False\n        self",
            "if True:\n            return False\n        self",
        )
    ],
    "a lost notification while others move": [
        Edit("rooms/sweeper.py", "room.room.n, room.cached.moves)", "room.room.n, room.cached.active_at)"),
        Edit("store/room_logs.py", '"epoch", f"moves:{race}")', '"epoch", "last")'),
    ],
    "a seat for a connection that is closed": [
        Edit("rooms/room_service.py", "peer.account, lambda: peer.send_queue.open)", "peer.account)"),
    ],
    "a seat for a connection that came earlier": [
        Edit("core/decide_lobby.py", " or (person.here and person.arrived_at > arrived_at + TOGETHER)", ""),
    ],
    "a slot that moves stops all": [
        Edit(
            "store/group_commit.py",
            "if all(is_passing(answer) and not isinstance(answer, _OF_A_SLOT) for",
            "if any(is_passing(answer) for",
        )
    ],
}


def tried(mutation: Sequence[Edit], seconds: float = SECONDS) -> tuple[int, str]:
    """How many seeds it took to find a mutation (0: not found), and the last lines of the output."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place)
        for source in SOURCES:
            shutil.copytree(ROOT / source, copy / source, ignore=shutil.ignore_patterns("client"))
        for edit in mutation:
            file = copy / PROGRAM / edit.file
            file.write_text(edit.applied(file.read_text()))
        path = os.pathsep.join(str(copy / source) for source in ("server", "shared", "client", ""))
        command = [sys.executable, "-m", "tests.sim", "1", "--seconds", str(seconds), "--as-it-is", "--first"]
        done = subprocess.run(
            command,
            cwd=copy,
            env={**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "ignore"},
            capture_output=True,
            text=True,
            check=False,
        )
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
