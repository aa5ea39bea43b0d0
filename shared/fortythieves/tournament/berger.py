"""Groups and the pairs of their rounds, by FIDE's Berger tables (FIDE Handbook C.05, annex 1), without colours."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def count_of(entrants: int, groups: int, advancing: int) -> int:
    """How many groups are formed. A group has more members than qualify, and at least two."""
    return max(1, min(groups, entrants // max(2, advancing + 1)))


def snake(seeded: Sequence[T], count: int) -> list[list[T]]:
    """The groups, into which the seeds are dealt in turns: A, B, C, C, B, A, A, B ... Each is in order of seed."""
    groups: list[list[T]] = [[] for _ in range(count)]
    for start in range(0, len(seeded), count):
        row = seeded[start : start + count]
        for group, seat in zip(groups if start // count % 2 == 0 else groups[::-1], row, strict=False):
            group.append(seat)
    return groups


def rounds_in(size: int) -> int:
    """How many rounds a group of this size takes. In an odd group, one of its entrants has a bye in each."""
    return max(0, size - 1 if size % 2 == 0 else size) if size > 1 else 0


def largest(rounds: int) -> int:
    """The size of the largest group that takes no more rounds."""
    return rounds + 1 if rounds % 2 else rounds


def table(size: int, number: int) -> list[tuple[int, int | None]]:
    """The pairs of a round (from 1) of a group, by number in the group, the lower one first. None: a bye.

    In a table for n (even), two meet in round r if their sum is r + 1, counted round n - 1. Number n meets the one that
    would meet itself. If the group is odd, there is no number n.
    """
    if not 1 <= number <= rounds_in(size):
        return []
    even = size + size % 2
    turn = even - 1
    first = ((number + 1) * (even // 2)) % turn or turn
    pairs: list[tuple[int, int | None]] = [(first, even if size % 2 == 0 else None)]
    for away in range(1, even // 2):
        one, other = (first + away) % turn or turn, (first - away) % turn or turn
        pairs.append((min(one, other), max(one, other)))
    return pairs


def round_of(size: int, one: int, other: int) -> int:
    """In which round (from 1) of a group of this size two meet, by their numbers in it; see `table`."""
    turn = size + size % 2 - 1
    if one > turn:
        one = other
    elif other > turn:
        other = one
    return (one + other - 1) % turn or turn


def levels(count: int) -> int:
    """How many levels a bracket with this many entrants has."""
    return (count - 1).bit_length() if count > 1 else 0
