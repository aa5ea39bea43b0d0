"""The findings about a record: codes with parameters (see RECORD.md), and their sentences for people."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

#: A text, a number, possible values, or None.
Param = str | int | Sequence[str] | None


class Reason(NamedTuple):
    """A code of `REASONS`, its parameters, and the seat and the entry of its log (from 0) if it is about one."""

    code: str
    params: Mapping[str, Param] = MappingProxyType({})
    seat: int | None = None
    at: int | None = None


#: The codes of each check, with their sentences. The first ones say that the check holds.
REASONS: Mapping[str, Mapping[str, str]] = {
    "format": {
        "well-formed": "it has all that a record has",
        "missing": "{place} is missing",
        "unknown-field": "{place} is not a field of a record",
        "not-map": "{place} is not a map",
        "not-list": "{place} is not a list",
        "not-row": "{place} is not a list of {length}",
        "too-many-items": "{place} has more than {most} items",
        "not-whole": "{place} is not a whole number from {low} to {high}",
        "not-one-of": "{place} is not one of {choices}",
        "not-hexadecimal": "{place} is not {digits} hexadecimal digits in lower case",
        "not-time": "{place} is not a time in milliseconds",
        "not-boolean": "{place} is not true or false",
        "not-text": "{place} is not a text",
        "not-plain": "{place} is not a text, a whole number, true, false or null",
        "not-game": "{place} is not the key of a game",
        "not-deal": "{place} is not secret, winnable, a deal number or CODE/N",
        "not-code": "{place} is not a room code",
        "not-number": "{place} is not a deal number",
        "not-race": "{place} is not CODE/N",
        "not-entry": "{place} is not 1 to 8 letters",
        "not-deck": "{place} is not the 104 cards of two packs",
        "unsorted": "{place} is not sorted by seat",
        "no-racers": "racers is empty",
        "other-seats": "logs has other seats than racers",
        "stranger": "{place} is about nobody who raced",
    },
    "signature": {
        "signed-by-server": "it is signed with the key {key}, as it should be",
        "signed": "it is signed with the key {key}; whether that is the server's, only the server can tell",
        "wrong-key": "it is signed with the key {key}, and should be with {expected}",
        "key-given-up": "the key {key} was given up more than a minute before the race was over",
        "bad-signature": "the signature is not one of this record",
    },
    "commitment": {
        "committed": "the secret is the one that was committed to",
        "promised": "the secret is the one that was promised before the race, signed with the key {key}",
        "draw-promised": "16 deals were promised before the race, signed with the key {key}",
        "open-deal": "an open deal needs no commitment",
        "half": "a secret and a commitment go together",
        "wrong-secret": "the secret is not the one that was committed to",
        "no-promise": "the server has not promised this deal",
        # An earlier key is easily forgotten with --key: promises are signed before records.
        "promise-wrong-key": "the promise is signed with the key {key}, which is not the server's"
        " (an earlier key of the server has to be given, too)",
        "promise-key-given-up": "the key {key} was given up more than a minute before the promise was made",
        "bad-promise": "the promise is not signed for this deal of this race",
        "late-promise": "the promise was made after the start",
    },
    "deal": {
        "dealt": "the deck is the one of this deal",
        "wrong-game": "the game is not the one that is set",
        "wrong-kind": "the deal is not of the kind that is set",
        "nonce-not-there": "gave a nonce, and was not there at the start",
        "commitment-not-there": "committed to a nonce, and is a bot or was not there at the start",
        "wrong-nonce": "gave another nonce than it had committed to",
        "no-such-deal": "there is no deal of this number",
        "wrong-deck": "the deck is not the one of this deal",
    },
    "winnable": {
        "can-be-won": "the deal is the one of the 16 that the racers' numbers chose, and it can be won:"
        " {stars} of 3 stars",
        "wrong-path": "the path does not lead from the secret to what was committed to",
        "wrong-leaf": "the racers' numbers chose deal {right} of the 16, counted from 0, and it is deal {stated}",
        "wrong-line": "the line does not win",
        "wrong-stars": "the stars are {stated}, and should be {right}",
        "other-stars": "the stars are {stated}, and {set} were set",
    },
    "moves": {
        "legal": "all moves are legal, {moves} in number",
        "bad-move": "{move} is not a move",
        "illegal-move": "{move} is not allowed there",
        "after-end": "{move} comes when the board is {outcome}",
    },
    "times": {
        "in-order": "all times are in order",
        "wrong-end": "the race does not end at its time limit",
        "wrong-over": "the race is not over when its last racer is",
        "events-unsorted": "the events are not in order",
        "late-unclear": "late says one thing, and the events another",
        "late-not-let-in": "came late, and nobody was let in late",
        "nothing-to-take-back": "took giving up back without having given up",
        "before-last-entry": "it is earlier than the entry before it",
        "after-race": "it is later than the end of the race",
        "before-start": "it is earlier than this racer's start",
        "after-racer": "it is later than this racer's end",
    },
    "results": {
        "results-follow": "all results follow from the moves",
        "wrong-result": "{field} is {stated}, and should be {right}",
    },
    "ranking": {
        "places-follow": "the places follow from the results",
        "wrong-place": "the place is {stated}, and should be {right}",
    },
    # Not about the record itself, but found by the command that fetches it from a server.
    "address": {"other-race": "this is the record of another race"},
    # Not wrong, but good to know.
    "remarks": {
        "numbers-given": "{given} of {racers} racers' numbers went into the deal",
        "no-numbers": "no racer's number went into the deal: the server alone chose the cards",
        "number-withheld": "seat {seat} promised a number and did not reveal it in time",
    },
}


def sentence(check: str, code: str, params: Mapping[str, Param]) -> str:
    """A finding of a check as an English sentence."""
    or_null = ", or null" if params.get("or_null") else ""
    return REASONS[check][code].format_map({name: _words(value) for name, value in params.items()}) + or_null


def _words(value: Param) -> str:
    if value is None:
        return "none"
    return str(value) if isinstance(value, (str, int)) else ", ".join(value)
