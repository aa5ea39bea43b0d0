"""series.json: random series of tournaments, each with its table.

The page makes the same table (series.js of the web client). Each series is an object: ``points``, ``best`` (0: all)
and ``same``, as in TOURNAMENTS.md; ``files``, with only the fields that the table needs; and ``table``, a list of
rows: place, name, score, and for each tournament null, or place, points, and whether it counts.
"""

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fortythieves.times import Ms
from fortythieves.tournament.export import FORMAT, VERSION, Drawn, File, Result
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.rounds import Correction, Entrant
from fortythieves.tournament.series import Series, table
from fortythieves.tournament.standings import Row

NAMES = ("Ann", "ann", "Anna", "Bob", "Çem", "Dee", "Élan", "élan", "Ş", "मीरा")


def file_of(
    rows: Sequence[tuple[str, int | None]],
    started: Collection[int] | None = None,
    *,
    corrected: Mapping[int, float] | None = None,
    skipped: bool = False,
) -> File:
    """A tournament of one round with these names and places; seats count from 1. ``started`` None: all have started."""
    moves = {seat: 9 if started is None or seat in started else 0 for seat in range(1, len(rows) + 1)}
    results = tuple(Result(1, 1, seat, "", None, "", 0, moves[seat], Ms(0), None, "") for seat in moves)
    corrections = tuple(Correction(seat, value) for seat, value in (corrected or {}).items())
    drawn = Drawn(1, tuple(moves), (), (), (1,), skipped, confirmed=True, corrections=corrections, results=results)
    entrants = {seat: Entrant(name) for seat, (name, _) in enumerate(rows, start=1)}
    standings = tuple(Row(place, seat, 0.0, (), ()) for seat, (_, place) in enumerate(rows, start=1))
    return File(FORMAT, VERSION, "KQXWVD", Plan(), entrants, (drawn,), (), standings)


def random_file(chance: random.Random) -> File:
    names = chance.sample(NAMES, chance.randint(1, len(NAMES)))
    places: list[int | None] = []
    for n in range(1, len(names) + 1):
        places.append(places[-1] if places and chance.random() < 0.3 else n)
    if chance.random() < 0.3:
        places[-1] = None
    started = {seat for seat in range(1, len(names) + 1) if chance.random() < 0.9}
    corrected = {seat: chance.choice((0.0, 1.0)) for seat in range(1, len(names) + 1) if chance.random() < 0.1}
    return file_of(list(zip(names, places, strict=True)), started, corrected=corrected, skipped=chance.random() < 0.1)


def vectors() -> list[dict[str, Any]]:
    return [vector(seed) for seed in range(20)]


def vector(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    points = chance.choice(((25, 18, 15, 12, 10, 8, 6, 4, 2, 1), (10, 6.5, 3.25), (1,), (3, 3, 2, 2, 1, 1, 0)))
    best = chance.choice((None, 1, 2, 3))
    same = chance.choice(((), (("Ann", "Anna"),), (("Bob", "ÉLAN", "Dee"), ("Meera", "मीरा"))))
    files = [random_file(chance) for _ in range(chance.randint(1, 5))]
    rows = table(Series(points, best, same), files)
    return {
        "points": points,
        "best": best or 0,
        "same": same,
        "files": [_plain(file) for file in files],
        "table": [[row.place, row.name, row.score, row.cells] for row in rows],
    }


def _plain(file: File) -> dict[str, Any]:
    return {
        "entrants": {seat: {"name": entrant.name} for seat, entrant in file.entrants.items()},
        "standings": [{"place": row.place, "seat": row.seat} for row in file.standings],
        "rounds": [
            {
                "skipped": drawn.skipped,
                "results": [{"seat": one.seat, "moves": one.moves} for one in drawn.results],
                "corrections": [{"seat": one.seat, "value": one.value} for one in drawn.corrections],
            }
            for drawn in file.rounds
        ],
    }
