"""The codes of rooms: what people type, read aloud and send as a link."""

import secrets

#: Consonants that cannot be mistaken for a digit. They make no words, and 64 million codes.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
LENGTH = 6


def new_code() -> str:
    """A random code, which may be taken."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def is_code(text: str) -> bool:
    """Whether a room could have this code."""
    return len(text) == LENGTH and set(text) <= set(LETTERS)
