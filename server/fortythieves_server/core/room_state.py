"""The state of a room and its races. Pure: questions about the present (has the race started?) take ``now``."""

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Literal, NamedTuple

import msgspec

from fortythieves.record.race_record import Deal, Winnable, dealt_deck
from fortythieves.record.signature import Promise
from fortythieves.rules import deal, games
from fortythieves.rules.cards import Card
from fortythieves.rules.race_rules import Ending
from fortythieves.rules.ranking import Result, places
from fortythieves.rules.settings import SECRET, Settings
from fortythieves.solver.day import DayProof
from fortythieves.times import Ms, ms_of
from fortythieves_server.core import event_limits, events
from fortythieves_server.core.challenge import Challenge
from fortythieves_server.core.circle import Circle
from fortythieves_server.core.match import Match
from fortythieves_server.core.tournament import Tournament

State = Literal["racing"] | Ending


class Person(msgspec.Struct, frozen=True):
    guest: str
    name: str
    bot: bool
    since: Ms  # when they took the seat
    via: str | None  # the connection that serves the seat, or None if they are away
    away_at: Ms | None = None
    address: str = ""  # its hash, "" if unknown
    commitment: str | None = None  # the SHA-256 of a nonce; "": ready without a nonce; None: not ready
    returns: int = 0  # how often they have returned since the log admits no new player
    back_at: Ms = Ms(0)  # when they returned last
    arrived_at: Ms = Ms(0)  # when their connection asked for the seat

    @property
    def here(self) -> bool:
        return self.via is not None

    @property
    def is_house_bot(self) -> bool:
        """Whether it is a bot of a server: these come from no address."""
        return self.bot and not self.address

    @property
    def ready(self) -> bool:
        return self.commitment is not None


class Racer(msgspec.Struct, frozen=True):
    """A seat in a race. It stays when its player leaves the room."""

    guest: str
    name: str
    state: State = "racing"
    gave_up_at: Ms | None = None
    result: Result | None = None
    bot: bool = False
    late: bool = False  # joined with the clock running
    taken_back: int = 0
    wants_end: bool = False  # agrees to end the race
    aside: int | None = None  # stands aside (`decide_race_end`) as long as the log has this many moves
    end_votes: int = 0  # how often they have changed one of both
    addresses: frozenset[str] = frozenset()  # the hashes of the seat's addresses during the race

    @property
    def plays(self) -> bool:
        return self.racing and self.gave_up_at is None

    @property
    def racing(self) -> bool:
        return self.state == "racing"


class Prediction(NamedTuple):
    """Which racer will win, as a guest says."""

    seat: int
    address: str  # the hash of the guest's address


class Race(msgspec.Struct, frozen=True, dict=True):
    """One deal, and its racers. It is set up, counts down, runs, and is over when all have finished."""

    number: int
    settings: Settings
    secret: str
    starts_at: Ms | None = None
    racers: Mapping[int, Racer] = {}
    nonces: Mapping[int, str] = {}
    commitments: Mapping[int, str] = {}  # The SHA-256 of each nonce by seat, frozen when the countdown begins
    promise: Promise | None = None  # the promise that the server signed before the race
    #: Until when nonces are accepted. None: the deck is settled, or there is no countdown yet.
    reveal_by: Ms | None = None
    root: str = ""  # the root of the tree over the winnable deals that were claimed for it. "": none were.
    #: These deals, until one is chosen. Then the others are forgotten: they go to other races.
    claimed: events.Claimed | None = None
    predictions: Mapping[str, Prediction] = {}  # by guest, until the next race is set up
    chosen: Winnable | None = None  # the one that was chosen. Its secret is that of the race.
    source: tuple[str, int] | None = None  # the earlier race of which this is the deal: the room, and the number
    ended_by: int | None = None  # the host that ended it
    day: DayProof | None = None  # how its deal follows from the key of a day

    @property
    def is_secret(self) -> bool:
        """Whether the deal is secret. Otherwise it has a number."""
        return self.settings.deal == SECRET or self.is_winnable

    @property
    def is_winnable(self) -> bool:
        return self.settings.winnable is not None

    @cached_property
    def commitment(self) -> str | None:
        """The server's commitment. With a winnable deal there is none before the countdown."""
        if self.is_winnable:
            return self.root or None
        return deal.commitment(bytes.fromhex(self.secret)) if self.is_secret else None

    @property
    def dealt(self) -> Deal:
        """The source of the deck. Raises `ValueError` before it is settled."""
        if self.revealing:
            raise ValueError(f"race {self.number} is not dealt yet")
        if not self.is_secret:
            return Deal(number=self.settings.deal)
        if self.is_winnable and self.chosen is None:
            raise ValueError(f"no winnable deal was chosen for race {self.number}")
        return Deal(self.secret, self.nonces, None, self.commitments, self.promise, self.chosen, self.source, self.day)

    @cached_property
    def deck(self) -> list[Card]:
        """The 104 cards in the order in which they are dealt. Raises `ValueError` before they are settled."""
        return dealt_deck(self.dealt)

    @property
    def game(self) -> games.Game:
        return games.game(self.settings.game)

    @cached_property
    def ends_at(self) -> Ms | None:
        return None if self.starts_at is None else self.starts_at + ms_of(self.settings.time_limit)

    @cached_property
    def results(self) -> Mapping[int, Result]:
        """The result of each seat that no longer races."""
        return {seat: racer.result for seat, racer in self.racers.items() if racer.result}

    @cached_property
    def stops_at(self) -> Ms | None:
        """The end of all moves: `ends_at`, or earlier after a win, depending on the settings."""
        wins = [result.when for result in self.results.values() if result.solved]
        if self.ends_at is None or not wins or not self.settings.after_win:
            return self.ends_at
        return min(self.ends_at, min(wins) + ms_of(self.settings.after_win))

    @cached_property
    def over_at(self) -> Ms | None:
        """When the last racer finished, or None."""
        whens = [result.when for result in self.results.values()]
        return max(whens) if whens and len(whens) == len(self.racers) else None

    @property
    def on(self) -> bool:
        return self.starts_at is not None and self.over_at is None

    @cached_property
    def movers(self) -> frozenset[int]:
        """The seats that may move while the race runs."""
        if self.revealing:
            return frozenset()
        return frozenset(seat for seat, racer in self.racers.items() if racer.plays)

    def is_racing(self, seat: int) -> bool:
        return self.on and seat in self.racers and self.racers[seat].racing

    @cached_property
    def _guests(self) -> frozenset[str]:
        """The guests who still race."""
        return frozenset(racer.guest for racer in self.racers.values() if self.on and racer.racing)

    def seat_of(self, guest: str) -> int | None:
        """The seat at which a guest raced, even if the race is over for them."""
        return next((seat for seat, racer in self.racers.items() if racer.guest == guest), None)

    def is_raced_by(self, guest: str) -> bool:
        """Whether the race is on and the guest still races in it, at any seat, on any connection."""
        return guest in self._guests

    @property
    def active(self) -> list[int]:
        return [seat for seat, racer in self.racers.items() if racer.racing]

    @property
    def revealing(self) -> bool:
        """Whether nonces may still be revealed, so that the deck is still unknown."""
        return self.reveal_by is not None and self.on

    @property
    def withheld(self) -> frozenset[int]:
        """The seats in the race that may still reveal the nonce to which they committed."""
        missing = self.commitments.keys() - self.nonces.keys()
        return frozenset(seat for seat in missing if self.racers[seat].racing)

    def has_started(self, now: Ms) -> bool:
        return self.starts_at is not None and not self.revealing and self.starts_at <= now

    def running(self, now: Ms) -> bool:
        return self.has_started(now) and self.over_at is None

    @cached_property
    def places(self) -> Mapping[int, int]:
        """The place of each seat after the race. Disqualified racers and no-shows have none."""
        if self.over_at is None:
            return {}
        return places({seat: result for seat, result in self.results.items() if result.is_ranked})


class ChatMessage(msgspec.Struct, frozen=True):
    seat: int
    name: str
    at: Ms
    key: str
    text: str
    #: The author, and the hash of their address.
    guest: str
    address: str
    #: The race during which a person outside it wrote this. Its active racers do not see it.
    kept_from: int | None = None
    face: int = 0


class RemovedGuest(msgspec.Struct, frozen=True):
    guest: str
    name: str
    address: str  # its hash
    #: Whether a stand-in has removed them. Then it ends when the room's owner is the host again.
    by_stand_in: bool


class Room(msgspec.Struct, frozen=True):
    """A room: people at numbered seats (never reused), a host, settings, and its races."""

    code: str
    settings: Settings
    race: Race
    people: Mapping[int, Person] = {}
    #: The face of each seat (`faces`), also of people who left but are in the race or the tournament.
    faces: Mapping[int, int] = {}
    host: int | None = None
    creator: str = ""  # the guest that opened the room, to whom the role returns; "" before any guest joined
    creator_name: str = ""
    handed_to: str = ""  # the guest that got the role for good, while in the room; "": none
    locked: bool = False
    removed: Mapping[int, RemovedGuest] = {}  # people who may not enter, by the number of the event that removed them
    muted: Mapping[int, ChatMessage] = {}  # a chat message of each muted guest, by its number
    blocked_addresses: Mapping[str, Ms] = {}  # until when new guests of an address (given as its hash) are refused
    match: Match = Match()
    past: Mapping[int, Race] = {}  # races before the current one, by number
    chat: Mapping[int, ChatMessage] = {}  # chat messages by the number of their event
    seats_given: int = 0  # how many seats were ever taken
    #: How many events the log has, how many of each kind, and when the last one happened.
    n: int = 0
    counts: event_limits.Counts = event_limits.NONE
    at: Ms = Ms(0)
    tournament: Tournament | None = None
    opened_at: Ms = Ms(0)
    address: str = ""  # the hash of the address that opened it
    #: Whether an operator has taken it off the front page, and whether one has closed it.
    unlisted: bool = False
    closed: bool = False
    challenge: Challenge | None = None
    circle: Circle | None = None
    of_circle: str = ""  # the circle whose members race here
    #: It is for one race of an arena or one try of a challenge.
    of_arena: events.OfArena | None = None
    reported: int = 0  # the last race of which the arena, the challenge or the circle knows how it ended

    @property
    def without_seats(self) -> Challenge | Circle | None:
        """What the room is, if it has no seats: all its people are spectators, and some of them see less."""
        return self.challenge or self.circle

    @property
    def closed_to(self) -> str | None:
        """Why a newcomer would get no seat now, as the code of a refusal. A tournament has its own reasons."""
        if self.locked:
            return "locked"
        if len(self.people) >= self.settings.seats:
            return "full"
        return "started" if self.race.on and self.settings.late == "refuse" else None

    @property
    def is_reported(self) -> bool:
        return self.reported == self.race.number

    @property
    def co_hosts(self) -> frozenset[int]:
        """The seats with the host's rights besides the host."""
        return self.tournament.co_hosts if self.tournament else frozenset()

    @property
    def organiser(self) -> str:
        """The guest to whom the host's role returns."""
        return self.handed_to or self.creator

    @property
    def banned(self) -> frozenset[str]:
        """The removed guests."""
        return frozenset(one.guest for one in self.removed.values())

    @property
    def is_in_owners_hands(self) -> bool:
        """Whether an owner of the room is its host, or a person to whom its creator has given a role."""
        host = self.people.get(self.host) if self.host is not None else None
        return self.tournament is not None or (host is not None and host.guest in {self.creator, self.organiser})

    @property
    def seeks_people(self) -> bool:
        """Whether its people look for opponents: a room for that, until its first race is over."""
        return self.settings.seeking and self.tournament is None and self.race.number == 1 and self.race.over_at is None

    def is_creator(self, guest: str) -> bool:
        return guest != "" and guest == self.creator

    def is_muted(self, guest: str) -> bool:
        return any(message.guest == guest for message in self.muted.values())

    def guest_at(self, seat: int) -> str:
        """The guest of a seat, even of a seat that is kept for an absent entrant. "": none."""
        if seat in self.people:
            return self.people[seat].guest
        return self.tournament.guests.get(seat, "") if self.tournament else ""

    def is_led_by(self, seat: int) -> bool:
        return seat == self.host or seat in self.co_hosts

    def seat_of(self, guest: str) -> int | None:
        return next((seat for seat, person in self.people.items() if person.guest == guest), None)

    def via_of(self, guest: str) -> str | None:
        """The connection that has the guest's seat."""
        seat = self.seat_of(guest)
        return None if seat is None else self.people[seat].via


def stand_in(room: Room, seats: Collection[int] | None = None) -> int | None:
    """Which of these seats (None: all seats) becomes the host when the host is away.

    Present players are before absent ones, then people before bots. Among them it is the organiser, the creator, or
    the first to join. A tournament can only be run by its creator and the co-hosts.
    """
    people = room.people
    allowed = [
        seat
        for seat in (people if seats is None else seats)
        if room.tournament is None or seat in room.co_hosts or room.is_creator(people[seat].guest)
    ]

    def order(seat: int) -> tuple[bool, bool, bool, bool, Ms, int]:
        person = people[seat]
        is_creator = room.is_creator(person.guest)
        is_bot = person.bot and not is_creator
        return is_bot, not person.here, person.guest != room.organiser, not is_creator, person.since, seat

    return min(allowed, key=order, default=None)
