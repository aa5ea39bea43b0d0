"""draws.json: draws of winnable deals, with the tree of each and what nonces choose.

Each draw has its 16 ``secrets``, the ``root``, the ``path`` of every leaf, and ``choices``: the nonces (sorted by seat)
and the index that they choose. All of it is hexadecimal. Whether the decks can be won does not matter here.
"""

import hashlib
import hmac
from typing import Any


def sha256(text: bytes, *hashes: str) -> str:
    return hashlib.sha256(text + bytes.fromhex("".join(hashes))).hexdigest()


def tree(secrets: list[str]) -> dict[tuple[int, int], str]:
    """A second implementation of the section "Deals" of GAMES.md: the nodes by (first leaf, last leaf + 1)."""
    nodes = {(n, n + 1): sha256(b"forty-thieves deal v1", secret) for n, secret in enumerate(secrets)}
    for size in (2, 4, 8, 16):
        for first in range(0, 16, size):
            middle, end = first + size // 2, first + size
            nodes[first, end] = sha256(b"forty-thieves node v1", nodes[first, middle], nodes[middle, end])
    return nodes


def path(nodes: dict[tuple[int, int], str], index: int) -> list[str]:
    found = []
    for size in (1, 2, 4, 8):
        other = index // size ^ 1
        found.append(nodes[other * size, (other + 1) * size])
    return found


def choice(root: str, nonces: list[str]) -> int:
    return int(hmac.new(bytes.fromhex(root), bytes.fromhex("".join(nonces)), "sha256").hexdigest()[1], 16)


def vectors() -> list[dict[str, Any]]:
    return [draw(n) for n in range(3)]


def draw(n: int) -> dict[str, Any]:
    secrets = [sha256(f"secret {index} of draw {n}".encode()) for index in range(16)]
    nodes = tree(secrets)
    root = nodes[0, 16]
    nonces = [sha256(f"nonce {seat} of draw {n}".encode())[:32] for seat in range(8)]
    some = [[], *([nonce] for nonce in nonces), nonces[:2], nonces[1::-1], nonces]
    return {
        "secrets": secrets,
        "root": root,
        "paths": [path(nodes, index) for index in range(16)],
        "choices": [{"nonces": one, "index": choice(root, one)} for one in some],
    }
