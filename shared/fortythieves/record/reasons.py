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
        # An earlier key is easily forgotten with --key: promises are signed before records.
        "commitment.promise-wrong-key": "The promise is signed with {key}. Give the server's earlier keys, too.",
        "winnable.wrong-leaf": "The racers' numbers chose deal {right} of the 16, counted from 0, not {stated}.",
        # The command that fetches a record from a server finds this.
        "address.other-race": "This is the record of another race.",
    }
)


def sentence(check: str, code: str, params: Mapping[str, Param]) -> str:
    """A finding of a check as an English sentence."""
    return filled(REASONS[f"{check}.{code}"], params)
