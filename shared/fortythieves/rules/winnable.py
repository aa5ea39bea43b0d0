"""The draw of a winnable deal: 16 secrets, of which the racers' nonces choose one.

The server finds deals that can be won before a race, so nonces cannot be mixed into their decks. Instead it commits to
16 of them with the root of a Merkle tree, and the nonces choose among these. After the race, the path of the chosen one
proves that it was one of the 16, and the others stay secret. GAMES.md describes it ("Deals").
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

from fortythieves.errors import refuse_if
from fortythieves.rules.deal import NONCE_BYTES, commitment

#: How many deals are drawn for a race, and how many hashes lead from a leaf to the root.
DEALS: Final = 16
STEPS: Final = 4

HASH_BYTES: Final = 32


def leaf_of(secret: bytes) -> bytes:
    """The leaf of a secret: its commitment, as of any secret deal. Raises `Refused`."""
    return bytes.fromhex(commitment(secret))


def leaves_of(secrets: Sequence[bytes]) -> list[bytes]:
    """The leaf of each secret. Raises `Refused`."""
    return [leaf_of(secret) for secret in secrets]


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root of the tree over 16 leaves: the server's commitment. Raises `ValueError` for anything else."""
    return _levels(leaves)[-1][0]


def path_of(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes that lead from a leaf to the root, its sibling first. Raises `ValueError` if there is no such leaf."""
    levels = _levels(leaves)
    _check_index(index)
    return [level[index >> height ^ 1] for height, level in enumerate(levels[:STEPS])]


def root_from(leaf: bytes, index: int, path: Sequence[bytes]) -> bytes:
    """The root that a path leads to from the leaf with this index. Raises `ValueError` if it is not a path."""
    _check_index(index)
    if len(path) != STEPS or any(len(one) != HASH_BYTES for one in [leaf, *path]):
        raise ValueError("a path is four hashes")
    node = leaf
    for height, sibling in enumerate(path):
        is_right = index >> height & 1
        node = _node(sibling, node) if is_right else _node(node, sibling)
    return node


def choice_of(root: bytes, nonces: Sequence[bytes]) -> int:
    """The index of the deal that the nonces choose, sorted by seat. Raises `Refused` for a nonce of another length."""
    refuse_if(any(len(nonce) != NONCE_BYTES for nonce in nonces), "bad-secret")
    return hmac.digest(root, b"".join(nonces), "sha256")[0] % DEALS


def _check_index(index: int) -> None:
    if not 0 <= index < DEALS:
        raise ValueError("there is no such leaf")


def _node(left: bytes, right: bytes) -> bytes:
    # The prefix differs from that of a leaf, so no node can pass as a leaf.
    return hashlib.sha256(b"forty-thieves node v1" + left + right).digest()


def _levels(leaves: Sequence[bytes]) -> list[Sequence[bytes]]:
    """All levels of the tree, from the leaves to the root alone."""
    if len(leaves) != DEALS or any(len(leaf) != HASH_BYTES for leaf in leaves):
        raise ValueError("there are 16 leaves, and each is a hash")
    levels: list[Sequence[bytes]] = [leaves]
    for _ in range(STEPS):
        below = levels[-1]
        levels.append([_node(left, right) for left, right in zip(below[::2], below[1::2], strict=True)])
    return levels
