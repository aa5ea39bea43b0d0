"""Bytes of a move, its answer and progress, with WebSocket headers."""

from collections.abc import Sequence

from fortythieves.rules.games import GAMES
from tests.bench import games
from tests.bench.figures import Found, Row, Run
from tests.bench.players import Player, hang_up, of_all, room, rooms_of_four, to_the_end
from tests.bench.processes import program, redis

MOVES, MANY = 250, 100

ROWS = [
    Row("move", f"bytes of a move and its acknowledgement, {MOVES} moves", "B", bar=40),
    Row("four", "bytes of a progress frame a seat in it, rooms of 4", "B", bar=12),
    Row("many", f"bytes of a progress frame a seat in it, a room of {MANY}", "B", bar=12),
]


async def measure(run: Run) -> dict[str, Found]:
    moves = run.many(MOVES)
    walks = games.played(moves)["forty-thieves"]
    async with redis() as stored, program(stored.url) as server:
        four = of_all(await rooms_of_four(server.address, run.many(4 * len(GAMES)), moves))
        await to_the_end(four)
        many = (await room(server.address, "forty-thieves", run.many(MANY), walks)).players
        await to_the_end(many)
        hang_up([*four, *many])
    sent = sum(player.bytes_sent for player in four) / len(four) / moves
    answered = sum(player.bytes_answered for player in four) / len(four) / moves
    return {"move": Found([sent + answered]), "four": _progress(four), "many": _progress(many)}


def _progress(players: Sequence[Player]) -> Found:
    size, rows = sum(player.bytes_progress for player in players), sum(player.rows for player in players)
    return Found([size / max(rows, 1)])
