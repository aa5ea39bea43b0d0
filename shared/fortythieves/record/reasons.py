"""The findings about a record: codes with parameters (see RECORD.md), and their sentences for people."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from fortythieves.catalogue import filled, texts

#: A text, a number, possible values, or None.
Param = str | int | Sequence[str] | None


class Reason(NamedTuple):
    """A code of `REASONS`, its parameters, and the seat and the entry of its log (from 0) if it is about one."""

    code: str
    params: Mapping[str, Param] = MappingProxyType({})
    seat: int | None = None
    at: int | None = None


#: The sentences, by ``CHECK.CODE``. A check called ``remarks`` has facts that are right, but good to know. The page has
#: none for those that are here.
REASONS: Mapping[str, str] = MappingProxyType(
    texts("watch", "watch.reason.")
    | {
        "format.not-map": "{place} is not a map",
        "format.not-list": "{place} is not a list",
        "format.not-row": "{place} is not a list of {length}",
        "format.too-many-items": "{place} has more than {most} items",
        "format.not-whole": "{place} is not a whole number from {low} to {high}",
        "format.not-one-of": "{place} is not one of {choices}",
        "format.not-hexadecimal": "{place} is not {digits} hexadecimal digits in lower case",
        "format.not-time": "{place} is not a time in milliseconds",
        "format.not-boolean": "{place} is not true or false",
        "format.not-text": "{place} is not a text",
        "format.not-plain": "{place} is not a text, a whole number, true, false or null",
        "format.not-game": "{place} is not the key of a game",
        "format.not-deal": "{place} is not secret, winnable or a deal number",
        "format.not-code": "{place} is not a room code",
        "format.not-number": "{place} is not a deal number",
        "format.not-entry": "{place} is not 1 to 8 letters",
        "format.not-deck": "{place} is not the 104 cards of two packs",
        "format.unsorted": "{place} is not sorted by seat",
        "format.no-racers": "racers is empty",
        "format.other-seats": "logs has other seats than racers",
        "format.stranger": "{place} is about nobody who raced",
        # An earlier key is easily forgotten with --key: promises are signed before records.
        "commitment.promise-wrong-key": "The promise is signed with {key}. Give the server's earlier keys, too.",
        "winnable.wrong-leaf": "The racers' numbers chose deal {right} of the 16, counted from 0, not {stated}.",
        # The command that fetches a record from a server finds this.
        "address.other-race": "This is the record of another race.",
    }
)


def sentence(check: str, code: str, params: Mapping[str, Param]) -> str:
    """A finding of a check as an English sentence."""
    return filled(REASONS[f"{check}.{code}"], params) + (", or null" if params.get("or_null") else "")
