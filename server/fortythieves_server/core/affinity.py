"""Which worker process should serve a room, so that its people are together.

The method is rendezvous hashing (Thaler and Ravishankar, 1998). It saves work and decides nothing: any process serves
any room.
"""

from collections.abc import Iterable
from hashlib import blake2b

#: A room with at least so many people may be spread over several processes. Measured with 500 racers in one room, each
#: with a move every 2.5 seconds: they take 7 % of a core in one process, and 12 % spread over two. So 2,000 take about
#: a third of a core, and leave the rest for the moment when all of them come, or get their cards.
LARGE = 2000


def ranked(code: str, workers: Iterable[int]) -> list[int]:
    """The workers in the order in which they should serve a room.

    The rooms are spread evenly. If a worker dies, only its rooms move, and they are spread evenly over the others.
    """

    def weight(worker: int) -> tuple[bytes, int]:
        return blake2b(f"{code} {worker}".encode(), digest_size=8).digest(), worker

    return sorted(workers, key=weight, reverse=True)
