"""The three kinds of errors, and every error code that a client can receive.

*Refused*: the request was understood but is not allowed. Nothing happened; the client gets a code and a sentence.
*Invalid*: the client broke the protocol. The connection is closed.
A *bug* is any other exception. It is logged, and the client learns no details.
"""

import reprlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

from fortythieves.catalogue import filled, texts

_OF_MOVES = {name: f"{text}." for name, text in texts("race", "race.table.no.").items()}
_TEXTS = texts("refused", "refused.") | texts("tournament", "tournament.refused.")

#: Every code and its sentence. `Refused` fills in the ``{...}``.
CODES: Mapping[str, str] = MappingProxyType(
    {
        # These refuse files and requests of programs, so the page has no texts for them.
        "bad-json": "This line is not a JSON object.",
        "bad-deck": "A deck is the 104 cards of two packs: {detail}.",
        "only-here": "Only a browser on this server's own machine can do this, or the operators' password.",
        "no-helper": "No program that shares a server is installed on its machine.",
        "bad-secret": "A secret is 32 bytes and a nonce is 16, both written in hexadecimal.",
        **{code: _OF_MOVES[code] for code in ("nothing-to-undo", "undo-off", "undo-turned")},
        **{code: text for code, text in _TEXTS.items() if not code.startswith("reason.")},
    }
)

#: Values of ``reason`` or ``detail``. Their sentences, with the parameters of the refusal, replace those of the codes.
REASONS: Mapping[str, str] = MappingProxyType(
    {name: text for name, text in _OF_MOVES.items() if name not in CODES}
    | {name.removeprefix("reason."): text for name, text in _TEXTS.items() if name.startswith("reason.")}
)


T_ = TypeVar("T_")


class Refused(Exception):
    """Understood and not allowed: nothing happened. ``code`` is one of `CODES`; ``str()`` is its sentence."""

    def __init__(self, code: str, /, **details: object) -> None:
        sentence = CODES[code]
        # Only these two: a name chosen by a player can look like a code.
        reason = str(details.get("reason", details.get("detail")))
        super().__init__(filled(REASONS.get(reason, sentence), details))
        self.code = code
        self.details = details

    @property
    def parameters(self) -> dict[str, int | str]:
        """The parameters of the sentence, for clients in another language."""
        return {name: value if isinstance(value, int) else str(value) for name, value in self.details.items()}


def refuse_if(condition: object, code: str, /, **details: object) -> None:
    if condition:
        raise Refused(code, **details)


def found(value: T_ | None, code: str, /, **details: object) -> T_:
    """The value. Raises `Refused` if there is none."""
    if value is None:
        raise Refused(code, **details)
    return value


class CannotRead(Exception):
    """There is nothing to check. ``str()`` is the reason."""


class Invalid(Exception):
    """The peer broke the protocol; ``str()`` explains how."""


def harmless(text: str) -> str:
    """The text on one line, without characters that a terminal might obey, for text that strangers have sent."""
    return "".join(char if char.isprintable() else "?" for char in text)


def shown(value: object) -> str:
    """Something a peer has sent, short and harmless enough to be quoted back in a sentence."""
    return reprlib.repr(value) if isinstance(value, str) else f"something of type {type(value).__name__}"
