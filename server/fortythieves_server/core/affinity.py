"""Which process should serve a room, so that its people are together.

The method is rendezvous hashing (Thaler and Ravishankar, 1998). It saves work and decides nothing: any process serves
any room.
"""

from collections.abc import Iterable
from hashlib import blake2b

#: A room with at least this many people may be spread over several processes. Measured with 500 racers in one room,
#: each with a move every 2.5 seconds: they take 7 % of a core in one process, and 12 % spread over two. So 2,000 take
#: about a third of a core, and leave the rest for the moment when all of them come, or get their cards.
LARGE = 2000


def preferred(code: str, processes: Iterable[int]) -> int:
    """The process that should serve a room, of these, by number. Callers that know the same processes find the same
    one.

    The rooms are spread evenly. If a process leaves, only its rooms get another one; if one joins, it gets a share of
    all rooms, and no other room moves. Raises `ValueError` if there is no process.
    """
    return max(processes, key=lambda process: (_weight(code, process), process))


def _weight(code: str, process: int) -> bytes:
    return blake2b(f"{code} {process}".encode(), digest_size=8).digest()
