"""The three kinds of errors, and every error code that a client can receive.

*Refused*: the request was understood but is not allowed. Nothing happened; the client gets a code and a sentence.
*Invalid*: the client broke the protocol. The connection is closed.
A *bug* is any other exception. It is logged, and the client learns no details.
"""

import reprlib
from collections.abc import Mapping
from types import MappingProxyType

#: Every code and its sentence. `Refused` fills in the ``{...}``.
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
        "undo-turned": "The last move revealed a card, so it cannot be undone.",
        "out-of-turn": "Your board is at move {at}, not at {n}.",
        "not-racing": "You are not racing.",
        "not-started": "The race has not started.",
        "over": "The race is over.",
        "finished": "You have finished this race.",
        # rooms
        "bad-name": "A name has 1 to 24 characters.",
        "bad-chat": "A message has 1 to 300 characters.",
        "bad-title": "The name of an event has at most 60 characters.",
        "bad-about": "A description has at most 2000 characters.",
        "bad-reason": "A reason has at most 200 characters.",
        "bad-announcement": "An announcement has at most 280 characters.",
        "bad-settings": "These settings do not work: {detail}.",
        "unknown-room": "There is no room {code}.",
        "full": "This room is full.",
        "locked": "The host has locked this room.",
        "started": "The race has started. Nobody can join this room while it runs.",
        "kicked": "The host has removed you from this room.",
        "address-held": "The host lets in no new guests from your address for now. Try again in ten minutes.",
        "muted": "A host has muted you in this room.",
        "quiet": "In this tournament, racers cannot chat until the round is over.",
        "unknown-line": "This chat message is no longer there.",
        "no-watcher": "The author of this message has a seat. Remove them there.",
        "not-in-room": "Join a room first.",
        "in-room": "You are already in a room.",
        "not-host": "Only the host can do this.",
        "creator": "The host who opened or took over this room cannot be removed or disqualified.",
        "not-creator": "Only the host who opened this tournament can do this.",
        "creators-tournament": "A tournament stays with the host who opened it. Appoint a co-host instead.",
        "bot-host": "A bot cannot be the host.",
        "unknown-seat": "Nobody has seat {seat}.",
        "racing": "This is not possible during a race.",
        "not-watchable": "The host does not allow spectators in this race.",
        "not-wider": "During a race, spectators may be shown less than before, but not more.",
        "watching": "You are a spectator. Join the room to do this.",
        "unknown-race": "Room {code} has no race {race}, or it was deleted: results are kept for {days} days.",
        "not-over-yet": "Race {race} of room {code} is still running. Watch it instead.",
        "not-over": "The race is not over yet.",
        "nobody-ready": "There is nobody here to race.",
        "winnable-preparing": "Winnable deals are being prepared: {ready} of {needed}. Wait, or choose another deal.",
        "winnable-quota": "Too many races on winnable deals from your address. Wait a while, or choose another deal.",
        "too-early": "You can give up after the first 5 seconds.",
        "not-given-up": "It is too late to take that back. Giving up is final.",
        "voted-too-often": "You have changed your mind too often in this race.",
        "log-full": "This room has reached its event limit. Open a new one.",
        "too-many-bots": "This server runs as many bots as it can. Try again later.",
        "enough-bots": "A room has at most {most} bots.",
        "bots-used-up": "Too many bots were added from your address. Try again in a few minutes.",
        "no-bots": "This server has no bots.",
        # tournaments
        "bad-plan": "This plan does not work: {detail}.",
        "not-tournament": "This room is no tournament.",
        "tournament": "In a tournament, rounds start as planned. See the host's desk.",
        "wrong-password": "Wrong password.",
        "not-listed": "This tournament admits only names on its list, and yours is not on it.",
        "name-taken": "Somebody with this name has already entered. If it is your name, tell the host.",
        "no-list": "This tournament has no list of names.",
        "listed-name": "Your name comes from the list. Only the host can change the list.",
        "links-only": "This tournament needs a personal link. Ask the host for yours.",
        "wrong-link": "This personal link is not valid, or no longer. Ask the host for a new one.",
        "link-used": "This personal link has already been used. Ask the host for a new one.",
        "not-on-list": "That name is not on the list.",
        "disqualified": "You are disqualified. A host can take that back.",
        "entry-closed": "Registration for this tournament is closed. Only a host can open it again.",
        "entry-full": "This tournament is full.",
        "no-check-in": "Check-in is not open.",
        "too-late": "It is too late to enter this tournament.",
        "ended": "This tournament is over.",
        "too-few": "There are too few entrants: a round needs two.",
        "no-round": "There is no round for this.",
        "no-race": "There is no race with this number that is over and counts.",
        "name-used": "Somebody else has this name.",
        "no-undo": "This can no longer be taken back.",
        "bad-result": "This cannot be a result of that round: {detail}.",
        "bracket-drawn": "The next round of the bracket is drawn from this result already.",
        "no-swap": "These two cannot be swapped.",
        "no-half-bye": "This half-point bye is not possible: {detail}.",
        "no-team": "This is not possible with the team: {detail}.",
        "no-reason": "Give a reason. Everybody can read it.",
        "not-a-tournament": "This is not the export of a tournament: {detail}.",
        # records
        "not-a-record": "This is not the record of a race.",
        "cut-record": "This record is cut short or damaged.",
        "newer-record": "This record is of version {version}, and only version 1 can be read here.",
        "huge-record": "The record is larger than one may be.",
        # the line
        "too-fast": "Too fast. Wait a moment.",
        "too-many-rooms": "Too many new rooms. Wait a while.",
        "server-full": "This server is nearly full and opens no new rooms. Try again later.",
        "wrong-nonce": "This is not the number that you committed to for this race.",
        "reveal-late": "Your number came too late. This race is dealt without it.",
        "bad-token": "This guest token was not issued by this server.",
        "expired-token": "This guest token has expired.",
        "store-down": "The server cannot save anything right now. It continues as soon as it can.",
        # only as notices
        "store-back": "Everything is saved again.",
        "data-lost": "The server has lost data. This is what is left.",
    }
)

#: Values of ``{reason}`` or ``{detail}`` in a sentence of `CODES`. Each has a code, so that a client can translate
#: it in another language. The ``{...}`` of a reason are parameters of the same refusal.
REASONS: Mapping[str, str] = MappingProxyType(
    {
        # moves
        "no-such-piles": "there are no such two piles",
        "no-card": "there is no card to move",
        "one-card": "only one card moves at a time",
        "no-sequence": "these cards are not a sequence",
        "foundation-not-ready": "the foundation is not ready for this card",
        "build-same-suit": "a column is built down in one suit",
        "build-different-suit": "a column is built down in different suits",
        "build-alternating-colour": "a column is built down in alternating colours",
        "stock-empty": "the stock is empty",
        "stock-not-empty": "the stock is not empty yet",
        "no-redeal": "there is no redeal left",
        "waste-empty": "the waste is empty",
        # settings
        "late-needs-secrecy": "where one may join late, watchers see progress or the frontier",
        "practice-elsewhere": "a practice deal can only be chosen in a replay",
        "people-here": "{people} people are here",
        "winnable-arena": "the races of an arena cannot be on winnable deals",
        "winnable-off": "this server has no winnable deals",
        # plans of tournaments
        "points-decimals": "points have at most two decimals",
        "out-of-range": "{setting} is a number from {least} to {most}",
        "points-order": "no place gets more points than the place before it",
        "listed-twice": "a name is on the list twice",
        "tiebreak-of-format": "tie-break {tiebreak} is not for this format",
        "tiebreak-twice": "each tie-break can be chosen only once",
        "apart-many": "{name} is kept apart from more than {most} others",
        "groups-advance": "of several groups, at least one entrant of each goes on",
        "groups-one": "of a single group nobody goes on, or at least two",
        "groups-full": "{entrants} entrants are too many for {groups} groups: at most {most}",
        "second-final-fixed": "the second final cannot change after the first draw",
        "groups-fixed": "the groups cannot change after the first draw",
        "team-format": "teams are for points and for a Swiss",
        "team-one": "of a team, at least two members count",
        "team-most": "a team has at least as many members as count in a round",
        "team-lines": "the list has more teams than names",
        "team-fixed": "the size of the teams cannot change after the first draw",
        "name-listed-twice": "{name} is on the list twice",
        "list-long": "the list has {names} names, and {most} is the most",
        "listed-name": "{name} cannot be a name: a name has 1 to {most} characters",
        "names-alike": "{name} and {other} look alike",
        "unknown-round-setting": "a round has no setting {setting} of its own",
        "round-deal": "a round is on a secret deal or on a numbered one",
        "practice-in-tournament": "a practice deal cannot be used in a tournament",
        "password-needed": "entry by password needs a password",
        "format-fixed": "the format cannot change after the first draw",
        "points-fixed": "the points cannot change after the first draw",
        "tiebreaks-fixed": "the tie-breaks cannot change after the first draw",
        "rounds-drawn": "{rounds} rounds have already been drawn",
        "arena-open": "in an arena everybody sees the other races: blind and quiet are not possible",
        "arena-fixed": "the size of a race and the streak cannot change once the arena is open",
        "blind-fixed": "blind cannot change between the draw and the end of a round",
        "deadly-fixed": "deadly cannot change between the draw and the end of a round",
        "start-past": "that time is in the past",
        "start-far": "that time is more than {days} days away",
        # corrected results
        "result-points": "points are from 0 to 1000, with at most two decimals",
        "result-pair": "of a pair one wins, or both tie, or nobody wins",
        "result-knockout": "of a pair in a knock-out, one wins",
        "result-seat": "this entrant did not race in it",
        # half-point byes
        "half-byes-none": "there are none in this tournament",
        "half-byes-until": "the last round for one is round {last}",
        "half-byes-most": "an entrant may have {most}",
        "half-bye-drawn": "round {round} is drawn already",
        "half-bye-out": "only an entrant who takes part can have one",
        # teams
        "team-none": "there are no teams in this tournament",
        "team-full": "{team} is full, with {most} members",
        "team-drawn": "whoever has been drawn stays in their team",
        "team-line": "the list says who is in which team",
        "knockout-skip": "a knock-out needs every round; replay it instead",
        "groups-skip": "everybody meets everybody else, so no round can be skipped; replay it instead",
    }
)


class Refused(Exception):
    """Understood and not allowed: nothing happened. ``code`` is one of `CODES`; ``str()`` is its sentence, filled in.
    A ``reason`` or ``detail`` that is one of `REASONS` is said in its words.
    """

    def __init__(self, code: str, /, **details: object) -> None:
        # Only these two: a name chosen by a player can look like a code.
        words = {name: REASONS[str(details[name])] for name in ("reason", "detail") if details.get(name) in REASONS}
        said = {name: text.format(**details) for name, text in words.items()}
        super().__init__(CODES[code].format(**{**details, **said}))
        self.code = code
        self.details = details

    @property
    def parameters(self) -> dict[str, int | str]:
        """The parameters of the sentence, for clients in another language."""
        return {name: value if isinstance(value, int) else str(value) for name, value in self.details.items()}


def refuse_if(condition: object, code: str, /, **details: object) -> None:
    if condition:
        raise Refused(code, **details)


class CannotRead(Exception):
    """There is nothing to check. ``str()`` is the reason."""


class Invalid(Exception):
    """The peer broke the protocol; ``str()`` explains how."""


def shown(value: object) -> str:
    """Something a peer has sent, short and harmless enough to be quoted back in a sentence."""
    return reprlib.repr(value) if isinstance(value, str) else f"something of type {type(value).__name__}"
