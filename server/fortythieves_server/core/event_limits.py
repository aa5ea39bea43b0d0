"""How many events of each kind a room log may have, so that no person can fill it for others. Pure.

Each kind has its own limit: events that strangers can cause without end take nothing from racers and hosts. When half
of such a kind is used, the rest is shared: an address gets at most half of what all others leave. So one address never
takes everything, and a school behind one address gets three quarters.

Events that end a race or lead out of the room are always accepted. Each of these follows a counted event or happens
once per racer, so the log is bounded anyway.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from fortythieves.errors import refuse_if
from fortythieves.times import Ms
from fortythieves_server.core import events

#: The kinds of events, by their causes.
Kind = IntEnum("Kind", "WATCHERS TALK READIES COMINGS RETURNS RACES HOSTS ARENA PLANS TRIES", start=0)

#: A tournament of 30 rounds and 600 entrants has 18,000 ready events, and as many results. A room of friends could use
#: more in a hundred years, but no page would show it. Reading a log at all limits takes half a second.
MOST: Mapping[Kind, int] = {
    Kind.WATCHERS: 5_000,  # chat and predictions of spectators: any guest with the link can be one
    Kind.TALK: 15_000,  # chat and names of people with seats
    Kind.READIES: 25_000,
    Kind.COMINGS: 15_000,  # joining, entering and leaving
    Kind.RETURNS: 25_000,  # disconnecting and coming back
    Kind.RACES: 30_000,
    Kind.HOSTS: 10_000,  # a stranger can be one, as a stand-in for an absent host
    Kind.ARENA: 50_000,  # the races of an arena
    Kind.TRIES: 25_000,  # the starts and the results of 12,500 tries of a challenge
    Kind.PLANS: 5_000,  # changes of the plan of a tournament, each the more the more names it has
}
#: The kinds that strangers can use up. Their second half is shared.
SHARED = {Kind.WATCHERS, Kind.TALK, Kind.READIES, Kind.COMINGS, Kind.RETURNS, Kind.RACES, Kind.HOSTS, Kind.TRIES}
#: A guest who leaves so soon costs the address twice as much: four events instead of two. A guess.
BRIEF, BRIEF_LEAVING = Ms(60_000), 3
#: Extra events for hosts that repair a room: remove, disqualify, lock, replay a round.
RESERVE = 2_000
#: How often a player can return to a seat once the limit of returns is reached.
RETURNS = 200
#: The creator is admitted up to this many times the limit of others.
CREATOR = 2
#: How often giving up can be taken back in a race. After that it is final.
TAKEN_BACK = 10
#: How often a racer can change their mind about ending the race, and about standing aside.
END_VOTES = 10

#: This many names in a plan count as one event more: up to 1,700 bytes, so that all plans of a log have at most 9 MB.
NAMES = 20


class Counts(NamedTuple):
    """How many events there are."""

    of_kind: tuple[int, ...] = (0,) * len(Kind)
    #: How much each address has used of the second half of a kind.
    of_address: Mapping[tuple[Kind, str], int] = {}


NONE = Counts()

_OF_RACES = (
    *(events.Counted, events.Claimed, events.Contributed, events.Dealt, events.StartedLate),
    *(
        events.GaveUp,
        events.TookBack,
        events.EndVoted,
        events.RaceEnded,
        events.StoodAside,
        events.Finished,
        events.SetUp,
    ),
    *(events.Drawn, events.Decided, events.CheckInEnded, events.ParFound),
)
_OF_COMINGS = (
    *(events.Joined, events.Left, events.Entered, events.Withdrawn),
    *(events.HalfBye, events.CheckedIn, events.Teamed, events.MemberCame, events.MemberWent),
)
#: All events that are not listed are caused by hosts.
KINDS: Mapping[type[events.Event], Kind] = {
    **dict.fromkeys(events.KINDS, Kind.HOSTS),
    **dict.fromkeys((events.Renamed, events.Chatted), Kind.TALK),
    events.Predicted: Kind.WATCHERS,
    events.Readied: Kind.READIES,
    **dict.fromkeys(_OF_COMINGS, Kind.COMINGS),
    **dict.fromkeys((events.Here, events.Away), Kind.RETURNS),
    **dict.fromkeys(_OF_RACES, Kind.RACES),
    **dict.fromkeys((events.ArenaOpened, events.Matched, events.HeatEnded, events.ResultReported), Kind.ARENA),
    **dict.fromkeys((events.TryStarted, events.TryFinished), Kind.TRIES),
    **dict.fromkeys((events.Scored, events.DealAdded, events.DealDropped, events.RaceOpened), Kind.TRIES),
    events.Planned: Kind.PLANS,
}

#: Events that lead to the end of a race or out of the room, and the nonce that a racer reveals after committing to it.
_ENDS = (
    *(events.Finished, events.GaveUp, events.Away, events.Left, events.Withdrawn, events.Contributed),
    *(events.HeatEnded, events.ResultReported, events.TryFinished, events.ChallengeClosed),
    *(events.MemberWent, events.Scored, events.DealDropped),
)

#: Events that are accepted even when Redis is too full for anything but running races.
_ALWAYS = (*_ENDS, events.Hosted, events.RoomClosed)


def kind_of(event: events.Event) -> Kind:
    if isinstance(event, events.Chatted) and not event.seat:
        return Kind.WATCHERS
    if isinstance(event, events.Renamed | events.HalfBye | events.CheckedIn | events.Teamed) and event.by is not None:
        return Kind.HOSTS
    return KINDS[type(event)]


def counted(counts: Counts, event: events.Event, address: str = "", *, is_brief: bool = False) -> Counts:
    """The counts after an event that was caused from an address. ``is_brief``: it ends a visit shorter than `BRIEF`."""
    kind = kind_of(event)
    more = 1 + event.plan.names // NAMES if isinstance(event, events.Planned) else 1
    of_kind, used = counts.of_kind, counts.of_kind[kind]
    of_kind = (*of_kind[:kind], used + more, *of_kind[kind + 1 :])
    if kind not in SHARED or not address or 2 * used < MOST[kind]:
        return counts._replace(of_kind=of_kind)
    own = counts.of_address.get((kind, address), 0) + (BRIEF_LEAVING if is_brief else more)
    return Counts(of_kind, {**counts.of_address, (kind, address): own})


def is_full(counts: Counts, kind: Kind, address: str = "") -> bool:
    """Whether the limit of a kind is reached, for an address. Some events are accepted nevertheless."""
    return _is_used_up(MOST[kind] - counts.of_kind[kind], counts.of_address.get((kind, address), 0))


def _is_used_up(left: int, own: int) -> bool:
    # Without the own ones of an address, ``left + own`` would be free, and half of that is its share.
    return left <= 0 or (own > 0 and own >= left)


def has_no_place(most: int, addresses: Sequence[str], address: str) -> bool:
    """Whether an address gets none of ``most`` places. ``addresses``: one for each place that is taken."""
    return _is_used_up(most - len(addresses), addresses.count(address) if address else 0)


def check(counts: Counts, decided: Iterable[events.Event], address: str = "", *, mends: bool = False) -> None:
    """Raise `Refused` if the log cannot take these events from an address. ``mends``: a host repairs something."""
    for event in decided:
        kind = kind_of(event)
        is_reserved = mends and kind is Kind.HOSTS and counts.of_kind[kind] < MOST[kind] + RESERVE
        refuse_if(is_full(counts, kind, address) and not is_reserved and not isinstance(event, _ENDS), "log-full")


def check_needed(decided: Iterable[events.Event], *, racing: bool) -> None:
    """Raise `Refused` if Redis has no space for these events, because no running race needs them.

    ``racing``: whether a race of the room is on.
    """
    for event in decided:
        is_of_race = kind_of(event) is Kind.RACES or isinstance(event, events.Here)
        refuse_if(not isinstance(event, _ALWAYS) and not (racing and is_of_race), "server-full")


def check_entrance(counts: Counts, address: str, *, is_creator: bool) -> None:
    """Raise `Refused` if the log admits no new player from an address."""
    is_used_up = counts.of_kind[Kind.COMINGS] >= MOST[Kind.COMINGS] * CREATOR
    refuse_if(is_used_up if is_creator else is_full(counts, Kind.COMINGS, address), "log-full")


def check_return(counts: Counts, address: str, returns: int) -> None:
    """Raise `Refused` if a player cannot return to a seat, and has done so ``returns`` times since the log is full."""
    refuse_if(is_full(counts, Kind.RETURNS, address) and returns >= RETURNS, "log-full")
