"""The three kinds of wrong, and every code a player can be told.

*Refused*: understood, not allowed, nothing happened; the peer is told a code and a sentence.
*Invalid*: the peer broke the protocol; the connection is closed.
A *bug* is any other exception: it is logged, and the peer learns no details.
"""

import reprlib
from collections.abc import Mapping
from types import MappingProxyType

#: Every code with its sentence. ``{...}`` is filled in by whoever refuses.
CODES: Mapping[str, str] = MappingProxyType(
    {
        # texts and deals
        "bad-json": "This line is not a JSON object.",
        "bad-request": "{detail}",
        "unknown-game": "There is no game called {game}.",
        "bad-deck": "A deck is the 104 cards of two packs: {detail}.",
        "bad-number": "Deal numbers go from 32001 to 100000000000000000000.",
        "bad-secret": "A secret is 32 bytes and a nonce is 16, both written in hexadecimal.",
        # moves
        "bad-move": "{move} is not a move.",
        "illegal-move": "{move} is not allowed here: {reason}.",
        "nothing-to-undo": "There is nothing to undo.",
        "undo-off": "Undo is off in this race.",
        "undo-turned": "The last move turned a card, and what was seen stays seen.",
        "out-of-turn": "Your board is at move {at}, not at {n}.",
        "not-racing": "You are not racing.",
        "not-started": "The race has not started.",
        "over": "The race is over.",
        "finished": "You have finished this race.",
        # rooms
        "bad-name": "A name has 1 to 24 characters.",
        "bad-chat": "A message has 1 to 300 characters.",
        "bad-title": "The name of an event has at most 60 characters.",
        "bad-reason": "A reason has at most 200 characters.",
        "bad-settings": "These settings do not work: {detail}.",
        "unknown-room": "There is no room {code}.",
        "newer-room": "A newer server has begun to serve room {code}; come again to get there.",
        "full": "This room is full.",
        "locked": "The host has locked this room.",
        "started": "The race has started, and this room takes nobody while it runs.",
        "kicked": "The host has removed you from this room.",
        "address-held": "The host lets nobody new in from your address for now. Try again in ten minutes.",
        "muted": "A host has muted you in this room.",
        "quiet": "In this tournament racers say nothing until the round is over.",
        "unknown-line": "There is no such line in the chat any more.",
        "no-watcher": "The one who said that has a seat. Remove them there.",
        "not-in-room": "Join a room first.",
        "in-room": "You are in a room already.",
        "not-host": "Only the host can do this.",
        "creator": "The one who opened this room, or was given it, cannot be removed or judged.",
        "not-creator": "Only the one who opened this tournament can do this.",
        "creators-tournament": "A tournament stays with the one who opened it. Appoint a co-host instead.",
        "bot-host": "A bot cannot be the host.",
        "unknown-seat": "Nobody sits at seat {seat}.",
        "racing": "Not while a race is on.",
        "not-watchable": "The host lets nobody watch this race.",
        "not-wider": "While a race is on, watching may only give away less than before, not more.",
        "watching": "You are watching; join the room to do this.",
        "unknown-race": "Room {code} has no race {race}, or no longer: results are kept for {days} days.",
        "not-over-yet": "Race {race} of room {code} is still on; watch it instead.",
        "not-over": "The race is not over yet.",
        "nobody-ready": "Nobody is here to race.",
        "too-early": "You can give up after the first 5 seconds.",
        "not-given-up": "It is too late to take that back: giving up is final.",
        "log-full": "This room has seen too much; open a new one.",
        "too-many-bots": "This server plays as many bots as it can. Try again later.",
        "enough-bots": "A room has at most {most} bots.",
        "bots-used-up": "Too many bots were added from your address. Try again in a few minutes.",
        "no-bots": "This server does not add bots.",
        # tournaments
        "bad-plan": "This plan does not work: {detail}.",
        "not-tournament": "This room is no tournament.",
        "tournament": "In a tournament the rounds begin by the plan; see the host's desk.",
        "wrong-password": "This tournament has a password, and that is not it.",
        "not-listed": "This tournament lets in those on its list, and that name is not on it.",
        "name-taken": "Somebody with this name is in already. If that is your name, tell the host.",
        "no-list": "This tournament has no list of names.",
        "listed-name": "Your name is the one on the list. The host can change the list.",
        "links-only": "This tournament lets in only those with a personal link. Ask the host for yours.",
        "wrong-link": "This personal link does not work, or no longer. Ask the host for a new one.",
        "link-used": "Somebody has used this personal link already. Ask the host for a new one.",
        "not-on-list": "That name is not on the list.",
        "disqualified": "You are disqualified; a host can take that back.",
        "too-late": "It is too late to enter this tournament.",
        "ended": "This tournament is over.",
        "too-few": "Nobody is left to pair: a round needs two entrants.",
        "no-round": "There is no round to do that to.",
        "no-reason": "Say why: everybody sees it.",
        "not-a-tournament": "This is not the export of a tournament: {detail}.",
        # records
        "not-a-record": "This is not the record of a race.",
        "cut-record": "This record is cut short or damaged.",
        "newer-record": "This record is of version {version}, and only versions up to 2 can be read here.",
        "huge-record": "The record is larger than one may be.",
        # the line
        "too-fast": "Too fast; wait a moment.",
        "too-many-rooms": "Too many new rooms; wait a while.",
        "server-full": "This server opens no new rooms for now, because it is nearly full; try again later.",
        "wrong-nonce": "That is not the number that you committed to for this race.",
        "reveal-late": "The numbers of this race are in; it is dealt without yours.",
        "bad-token": "This guest pass is not one of ours.",
        "expired-token": "This guest pass has expired.",
        "store-down": "The server cannot save anything right now; it goes on as soon as it can.",
    }
)


class Refused(Exception):
    """Understood and not allowed: nothing happened.

    ``code`` is one of `CODES`; ``str()`` is its sentence, filled in.
    """

    def __init__(self, code: str, /, **details: object) -> None:
        super().__init__(CODES[code].format(**details))
        self.code = code
        self.details = details


class Invalid(Exception):
    """The peer broke the protocol; ``str()`` says how."""


def shown(value: object) -> str:
    """Something a peer has sent, short and harmless enough to be quoted back in a sentence."""
    return reprlib.repr(value) if isinstance(value, str) else f"something of type {type(value).__name__}"
