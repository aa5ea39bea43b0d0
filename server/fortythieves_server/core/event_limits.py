"""How many events of each kind a room log may have, so that no person can fill it for others. Pure.

Each kind has its own limit: events that strangers can cause without end take nothing from racers and hosts. Events that
end a race or lead out of the room are always accepted. Each of these follows a counted event or happens once per
racer, so the log is bounded anyway.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum

from fortythieves.errors import refuse_if
from fortythieves_server.core import events

#: The kinds of events, by their causes.
Kind = IntEnum("Kind", "WATCHERS TALK READIES COMINGS RACES HOSTS ARENA PLANS", start=0)

#: A tournament of 30 rounds and 600 entrants has 18,000 ready events, and as many results. A room of friends could use
#: more in a hundred years, but no page would show it. Reading a log at all limits takes half a second.
MOST: Mapping[Kind, int] = {
    Kind.WATCHERS: 5_000,  # chat of spectators: any guest with the link can be one
    Kind.TALK: 15_000,  # chat and names of people with seats
    Kind.READIES: 25_000,
    Kind.COMINGS: 30_000,  # joining, leaving and coming back
    Kind.RACES: 30_000,
    Kind.HOSTS: 8_000,
    Kind.ARENA: 50_000,  # the races of an arena
    Kind.PLANS: 5_000,  # changes of the plan of a tournament, each the more the more names it has
}
#: Extra events for hosts that repair a room: remove, disqualify, lock, replay a round.
RESERVE = 2_000
#: How often a player can return to a seat once the log admits no new player.
RETURNS = 200
#: The creator is admitted up to this many times the limit of others.
CREATOR = 2
#: How often giving up can be taken back in a race. After that it is final.
TAKEN_BACK = 10
#: How often a racer can change their mind about ending the race, and about standing aside.
END_VOTES = 10

#: This many names in a plan count as one event more: up to 1,700 bytes, so that all plans of a log have at most 9 MB.
NAMES = 20

#: The number of events of each kind.
Counts = tuple[int, ...]
NONE: Counts = (0,) * len(Kind)

_OF_RACES = (
    *(events.Counted, events.Claimed, events.Contributed, events.Dealt, events.StartedLate),
    *(events.GaveUp, events.TookBack, events.EndVoted, events.StoodAside, events.Finished, events.SetUp),
    *(events.Drawn, events.Decided, events.CheckInEnded),
)
_OF_COMINGS = (
    *(events.Joined, events.Here, events.Away, events.Left, events.Entered, events.Withdrawn),
    *(events.HalfBye, events.CheckedIn, events.Teamed),
)
#: All events that are not listed are caused by hosts.
KINDS: Mapping[type[events.Event], Kind] = {
    **dict.fromkeys(events.KINDS, Kind.HOSTS),
    **dict.fromkeys((events.Renamed, events.Chatted), Kind.TALK),
    **dict.fromkeys((events.Readied, events.Unreadied), Kind.READIES),
    **dict.fromkeys(_OF_COMINGS, Kind.COMINGS),
    **dict.fromkeys(_OF_RACES, Kind.RACES),
    **dict.fromkeys((events.ArenaOpened, events.Matched, events.HeatEnded, events.ResultReported), Kind.ARENA),
    events.Planned: Kind.PLANS,
}

#: Events that lead to the end of a race or out of the room, and the nonce that a racer reveals after committing to it.
_ENDS = (
    *(events.Finished, events.GaveUp, events.Away, events.Left, events.Withdrawn, events.Contributed),
    *(events.HeatEnded, events.ResultReported),
)


def kind_of(event: events.Event) -> Kind:
    if isinstance(event, events.Chatted) and not event.seat:
        return Kind.WATCHERS
    if isinstance(event, events.Renamed | events.HalfBye | events.CheckedIn | events.Teamed) and event.by is not None:
        return Kind.HOSTS
    return KINDS[type(event)]


def counted(counts: Counts, event: events.Event) -> Counts:
    kind = kind_of(event)
    more = 1 + event.plan.names // NAMES if isinstance(event, events.Planned) else 1
    return (*counts[:kind], counts[kind] + more, *counts[kind + 1 :])


def is_full(counts: Counts, kind: Kind) -> bool:
    """Whether the limit of a kind is reached. Some events are accepted nevertheless."""
    return counts[kind] >= MOST[kind]


def check(counts: Counts, decided: Iterable[events.Event], *, mends: bool = False) -> None:
    """Raise `Refused` if the log cannot take these events. ``mends``: a host repairs something."""
    for event in decided:
        kind = kind_of(event)
        most = MOST[kind] + (RESERVE if mends and kind is Kind.HOSTS else 0)
        refuse_if(counts[kind] >= most and not isinstance(event, _ENDS), "log-full")


def check_entrance(counts: Counts, *, is_creator: bool = False, returns: int | None = None) -> None:
    """Raise `Refused` if the log admits no other player, or not one that has returned so often since it is full."""
    most = MOST[Kind.COMINGS] * (CREATOR if is_creator else 1)
    refuse_if(counts[Kind.COMINGS] >= most and (returns is None or returns >= RETURNS), "log-full")
