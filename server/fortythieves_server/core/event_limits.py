"""How many events of each kind the log of a room may have, so that nobody fills it for others. Pure.

Each kind has a number of its own: what strangers can cause without end uses up none of what racers and hosts need. What
ends a race, or leads out of the room, is taken however full the log is; each of these has to be preceded by something
that is counted, or happens once a racer, so the log is bounded all the same.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from types import MappingProxyType

from fortythieves.errors import Refused
from fortythieves_server.core import events


class Kind(IntEnum):
    """Who makes events happen, and why."""

    #: What watchers say: anybody with the link is one.
    WATCHERS = 0
    #: What people at their seats say, and what they are called.
    TALK = 1
    #: Who is ready, and who is not after all.
    READIES = 2
    #: Who comes, goes, and comes back.
    COMINGS = 3
    #: What races are made of.
    RACES = 4
    #: What hosts do.
    HOSTS = 5


#: A tournament of 30 rounds and 600 entrants has 18,000 who are ready, and as many results. In the hundred years of a
#: room of friends there are more, but no page would show them; all kinds together take half a second to be read.
MOST: Mapping[Kind, int] = MappingProxyType(
    {
        Kind.WATCHERS: 5_000,
        Kind.TALK: 15_000,
        Kind.READIES: 25_000,
        Kind.COMINGS: 30_000,
        Kind.RACES: 30_000,
        Kind.HOSTS: 8_000,
    }
)
#: What hosts have beyond that for what mends a room: to remove, to judge, to lock, to play a round again.
RESERVE = 2_000
#: How often each seat is come back to when nobody new is let in any more.
RETURNS = 200
#: The creator is let in up to this many times what others are.
CREATOR = 2
#: How often giving up can be taken back in a race. Then it is final.
TAKEN_BACK = 10

#: One for each kind.
Counts = tuple[int, ...]
NONE: Counts = (0,) * len(Kind)

KINDS: Mapping[type[events.Event], Kind] = MappingProxyType(
    {
        events.Created: Kind.HOSTS,
        events.Joined: Kind.COMINGS,
        events.Here: Kind.COMINGS,
        events.Away: Kind.COMINGS,
        events.Left: Kind.COMINGS,
        events.Entered: Kind.COMINGS,
        events.Withdrawn: Kind.COMINGS,
        events.Renamed: Kind.TALK,
        events.Chatted: Kind.TALK,
        events.Readied: Kind.READIES,
        events.Unreadied: Kind.READIES,
        events.Counted: Kind.RACES,
        events.Frozen: Kind.RACES,
        events.Contributed: Kind.RACES,
        events.Dealt: Kind.RACES,
        events.StartedLate: Kind.RACES,
        events.GaveUp: Kind.RACES,
        events.TookBack: Kind.RACES,
        events.Finished: Kind.RACES,
        events.SetUp: Kind.RACES,
        events.Drawn: Kind.RACES,
        events.Decided: Kind.RACES,
        events.Changed: Kind.HOSTS,
        events.Hosted: Kind.HOSTS,
        events.Locked: Kind.HOSTS,
        events.Unlisted: Kind.HOSTS,
        events.RoomClosed: Kind.HOSTS,
        events.Muted: Kind.HOSTS,
        events.Removed: Kind.HOSTS,
        events.Held: Kind.HOSTS,
        events.Planned: Kind.HOSTS,
        events.Timed: Kind.HOSTS,
        events.Paused: Kind.HOSTS,
        events.Skipped: Kind.HOSTS,
        events.Annulled: Kind.HOSTS,
        events.Confirmed: Kind.HOSTS,
        events.Disqualified: Kind.HOSTS,
        events.Reinstated: Kind.HOSTS,
        events.LinksDrawn: Kind.HOSTS,
        events.Released: Kind.HOSTS,
        events.CoHosted: Kind.HOSTS,
    }
)

#: What leads to the end of a race or out of the room, and not back; and what a racer who has committed to it reveals.
_ENDS = (events.Finished, events.GaveUp, events.Away, events.Left, events.Withdrawn, events.Contributed)


def kind_of(event: events.Event) -> Kind:
    """Under what an event counts."""
    if isinstance(event, events.Chatted) and not event.seat:
        return Kind.WATCHERS
    return KINDS[type(event)]


def counted(counts: Counts, event: events.Event) -> Counts:
    """How many there are with one more."""
    kind = kind_of(event)
    return (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])


def is_full(counts: Counts, kind: Kind) -> bool:
    """Whether there is no more of a kind, but for what ends or mends something."""
    return counts[kind] >= MOST[kind]


def check(counts: Counts, decided: Iterable[events.Event], *, mends: bool = False) -> None:
    """Raise `Refused` if the log takes no more of any of these. ``mends``: a host puts something right."""
    for event in decided:
        kind = kind_of(event)
        most = MOST[kind] + (RESERVE if mends and kind is Kind.HOSTS else 0)
        if counts[kind] >= most and not isinstance(event, _ENDS):
            raise Refused("log-full")


def check_entrance(counts: Counts, *, is_creator: bool) -> None:
    """Raise `Refused` if the log takes nobody else."""
    if counts[Kind.COMINGS] >= MOST[Kind.COMINGS] * (CREATOR if is_creator else 1):
        raise Refused("log-full")


def check_return(counts: Counts, returns: int) -> None:
    """Raise `Refused` for somebody who has come back so often since nobody new is let in."""
    if is_full(counts, Kind.COMINGS) and returns >= RETURNS:
        raise Refused("log-full")
