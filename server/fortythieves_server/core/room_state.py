"""The state of a room and its races, and how events change it. Pure.

`Room` follows from the room log: ``replay(log)`` always equals the live room. Time is by the store's clock and
comes with each event. What depends on the present (has the race started?) takes ``now``. `decide` decides what may
happen next.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from fortythieves.record.promise import Promise
from fortythieves.rules import deal, games, winnable
from fortythieves.rules.cards import Card
from fortythieves.rules.race_rules import Ending
from fortythieves.rules.ranking import Result, Rule, is_ranked, places, rule_of_record
from fortythieves.rules.settings import SECRET, Settings
from fortythieves.times import Ms, ms_of
from fortythieves.tournament.rounds import Played
from fortythieves_server.core import event_limits, events
from fortythieves_server.core import tournament as tournaments
from fortythieves_server.core.tournament import Tournament

#: How many chat messages a room keeps. A guess.
CHAT_KEPT = 50
#: How long new guests of a held address are refused. A guess.
BLOCKED_FOR = Ms(600_000)

#: The deck is settled at least this long before the start. If Redis was away until later, the start is
#: postponed. Everybody hears of it in time, and no clock runs while there are no cards.
DEALT_BEFORE = Ms(500)

State = Literal["racing"] | Ending


class Person(msgspec.Struct, frozen=True):
    """Somebody at a seat of the room."""

    guest: str
    name: str
    bot: bool
    #: When they took the seat.
    since: Ms
    #: The connection that serves the seat, or None if they are away.
    via: str | None
    away_at: Ms | None = None
    #: From "ready"; it may be "". None: not ready.
    nonce: str | None = None
    #: The hash of the address, "" if unknown.
    address: str = ""
    #: The SHA-256 of a nonce, from "ready". "": none.
    commitment: str = ""
    #: How often they have returned since nobody new is admitted.
    returns: int = 0
    #: When they returned last.
    back_at: Ms = Ms(0)

    @property
    def here(self) -> bool:
        return self.via is not None

    @property
    def is_house_bot(self) -> bool:
        """Whether it is a bot of a server: these come from no address."""
        return self.bot and not self.address

    @property
    def ready(self) -> bool:
        return self.nonce is not None


class Racer(msgspec.Struct, frozen=True):
    """A seat in a race. It stays when its player leaves the room."""

    guest: str
    name: str
    state: State = "racing"
    gave_up_at: Ms | None = None
    result: Result | None = None
    bot: bool = False
    #: Joined with the clock running.
    late: bool = False
    taken_back: int = 0
    #: Whether they agree to end the race.
    wants_end: bool = False
    #: They stand aside (`stand_aside`) as long as they have made so many moves. None: they do not.
    aside: int | None = None
    #: How often they have said one of both, or taken it back.
    end_votes: int = 0
    #: The hashes of the seat's addresses during the race.
    addresses: frozenset[str] = frozenset()

    @property
    def plays(self) -> bool:
        return self.racing and self.gave_up_at is None

    @property
    def racing(self) -> bool:
        return self.state == "racing"


class Chosen(msgspec.Struct, frozen=True):
    """What is known of the winnable deal that the nonces chose, besides its secret."""

    #: Its place among the 16, and the hashes from its leaf to the root, its sibling first.
    leaf: int
    path: tuple[str, ...]
    #: Moves that win it.
    line: tuple[str, ...]
    stars: int


class Race(msgspec.Struct, frozen=True, dict=True):
    """One deal, and those who race on it. It is set up, counts down, runs, and is over when all have finished."""

    number: int
    settings: Settings
    secret: str
    revealed: events.Revealed | None = None
    starts_at: Ms | None = None
    racers: Mapping[int, Racer] = {}
    nonces: Mapping[int, str] = {}
    #: The SHA-256 of each nonce by seat, frozen when the countdown begins.
    commitments: Mapping[int, str] = {}
    #: The promise that the server signed before the race.
    promise: Promise | None = None
    #: The version of its record: 1 if the race began on a server without commitments, 3 with a winnable deal.
    version: int = 1
    #: Until when nonces are accepted. None: the deck is settled, or there is no countdown yet.
    reveal_by: Ms | None = None
    #: The root of the tree over the winnable deals that were claimed for it. "": none were.
    root: str = ""
    #: These deals, until one is chosen. Then the others are forgotten: they go to other races.
    claimed: events.Claimed | None = None
    #: The one that was chosen. Its secret is that of the race.
    chosen: Chosen | None = None

    @property
    def is_secret(self) -> bool:
        """Whether the deal is secret. Otherwise it has a number, or was played before."""
        return self.settings.deal == SECRET or self.is_winnable

    @property
    def is_winnable(self) -> bool:
        """Whether the deal is one of the pool."""
        return self.settings.winnable is not None

    @cached_property
    def commitment(self) -> str | None:
        """What the server commits to. With a winnable deal there is nothing to commit to before the countdown."""
        if self.is_winnable:
            return self.root or None
        return deal.commitment(bytes.fromhex(self.secret)) if self.is_secret else None

    @cached_property
    def deck(self) -> list[Card]:
        """The 104 cards in the order in which they are dealt. Raises `ValueError` before they are settled."""
        if self.revealing:
            raise ValueError(f"race {self.number} is not dealt yet")
        if self.settings.practice is not None:
            if self.revealed is None or self.revealed.deal != self.settings.deal:
                raise ValueError(f"the deal {self.settings.deal} is missing")
            again = [bytes.fromhex(nonce) for _, nonce in sorted(self.revealed.nonces.items())]
            return deal.deck_of_secret(bytes.fromhex(self.revealed.secret), again)
        if self.is_winnable:
            if self.chosen is None:
                raise ValueError(f"no winnable deal was chosen for race {self.number}")
            return deal.deck_of_secret(bytes.fromhex(self.secret), [])
        if not self.is_secret:
            return deal.deck_of_number(deal.parse_number(self.settings.deal))
        nonces = [bytes.fromhex(nonce) for _, nonce in sorted(self.nonces.items())]
        return deal.deck_of_secret(bytes.fromhex(self.secret), nonces)

    @property
    def game(self) -> games.Game:
        return games.game(self.settings.game)

    @cached_property
    def ends_at(self) -> Ms | None:
        """When the time is up for everybody."""
        return None if self.starts_at is None else self.starts_at + ms_of(self.settings.time_limit)

    @cached_property
    def stops_at(self) -> Ms | None:
        """When nobody may move any more: `ends_at`, or earlier, if somebody has won and the settings say so."""
        wins = [racer.result.when for racer in self.racers.values() if racer.result and racer.result.solved]
        if self.ends_at is None or not wins or not self.settings.after_win:
            return self.ends_at
        return min(self.ends_at, min(wins) + ms_of(self.settings.after_win))

    @cached_property
    def over_at(self) -> Ms | None:
        """When the last racer finished, or None."""
        whens = [racer.result.when for racer in self.racers.values() if racer.result]
        return max(whens) if whens and len(whens) == len(self.racers) else None

    @property
    def on(self) -> bool:
        """Whether it counts down or runs."""
        return self.starts_at is not None and self.over_at is None

    @cached_property
    def movers(self) -> frozenset[int]:
        """The seats that may move while the race runs."""
        if self.revealing:
            return frozenset()
        return frozenset(seat for seat, racer in self.racers.items() if racer.plays)

    def is_racing(self, seat: int) -> bool:
        return self.on and seat in self.racers and self.racers[seat].racing

    def is_raced_by(self, guest: str) -> bool:
        """Whether the race is on and the guest still races in it, at any seat, on any connection."""
        return self.on and any(racer.guest == guest and racer.racing for racer in self.racers.values())

    @property
    def active(self) -> list[int]:
        """The seats that still race."""
        return [seat for seat, racer in self.racers.items() if racer.racing]

    @property
    def revealing(self) -> bool:
        """Whether nonces may still be revealed, so that nobody knows the deck yet."""
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
        done = ((seat, racer.state, racer.result) for seat, racer in self.racers.items() if racer.result)
        return places({seat: result for seat, state, result in done if is_ranked(state, result.moves, self.rule)})

    @property
    def rule(self) -> Rule:
        """The ranking rule: that of its record, even if it began on an older server."""
        return rule_of_record(self.version)


class ChatMessage(msgspec.Struct, frozen=True):
    seat: int
    name: str
    at: Ms
    key: str
    text: str
    #: The author, and the hash of their address. "" in old rooms.
    guest: str = ""
    address: str = ""
    #: A race during which somebody outside it wrote this. Those who still race in it do not see it.
    kept_from: int | None = None


class Room(msgspec.Struct, frozen=True):
    """A room: people at numbered seats (never reused), a host, settings, and its races."""

    code: str
    settings: Settings
    race: Race
    people: Mapping[int, Person] = {}
    host: int | None = None
    #: The guest who opened the room. The host's role is theirs and returns to them. "" before anyone came.
    creator: str = ""
    creator_name: str = ""
    #: The guest to whom the role was handed over for good, while they are in the room. "" if nobody.
    handed_to: str = ""
    locked: bool = False
    banned: frozenset[str] = frozenset()
    #: A chat message of each muted guest, by its number.
    muted: Mapping[int, ChatMessage] = {}
    #: Until when new guests of an address (given as its hash) are refused.
    blocked_addresses: Mapping[str, Ms] = {}
    #: Races before the current one, by number.
    past: Mapping[int, Race] = {}
    #: Chat messages by the number of their event.
    chat: Mapping[int, ChatMessage] = {}
    #: How many seats were ever taken.
    seats_given: int = 0
    #: How many events the log has, how many of each kind, and when the last one happened.
    n: int = 0
    counts: event_limits.Counts = event_limits.NONE
    at: Ms = Ms(0)
    tournament: Tournament | None = None
    opened_at: Ms = Ms(0)
    #: The hash of the address that opened it. "" in old rooms.
    address: str = ""
    #: Whether an operator has taken it off the front page, and whether one has closed it.
    unlisted: bool = False
    closed: bool = False
    #: It is for one race of an arena, and whether the arena knows how that ended.
    of_arena: events.OfArena | None = None
    is_reported: bool = False

    @property
    def co_hosts(self) -> frozenset[int]:
        """Who has the host's rights besides the host."""
        return self.tournament.co_hosts if self.tournament else frozenset()

    @property
    def organiser(self) -> str:
        """The guest to whom the host's role returns."""
        return self.handed_to or self.creator

    def is_creator(self, guest: str) -> bool:
        return guest != "" and guest == self.creator

    def is_muted(self, guest: str) -> bool:
        return any(line.guest == guest for line in self.muted.values())

    def guest_at(self, seat: int) -> str:
        """The guest of a seat, even of a seat that is kept for an absent entrant. "" if nobody's."""
        if seat in self.people:
            return self.people[seat].guest
        return self.tournament.guests.get(seat, "") if self.tournament else ""

    def is_led_by(self, seat: int) -> bool:
        return seat == self.host or seat in self.co_hosts

    def seat_of(self, guest: str) -> int | None:
        return next((seat for seat, person in self.people.items() if person.guest == guest), None)


def begin(at: Ms, event: events.Created) -> Room:
    race = Race(1, event.settings, event.secret, event.revealed, promise=event.promise)
    plan = event.plan
    tournament = Tournament(plan, event.settings, event.password, idle_since=at) if plan is not None else None
    room = Room(
        event.code, event.settings, race, n=1, at=at, tournament=tournament, opened_at=at, address=event.address
    )
    if event.of_arena is None:
        return room
    called = event.of_arena.racers
    people = {one.seat: Person(one.guest, one.name, one.bot, at, None, away_at=at) for one in called}
    return replace(room, people=people, seats_given=max(people, default=0), of_arena=event.of_arena)


def evolve(room: Room, at: Ms, event: events.Event) -> Room:
    """The room after an event that happened at ``at``. Events about somebody who has left change nothing."""
    counts = event_limits.counted(room.counts, event)
    return replace(RULES[type(event)](room, at, event), n=room.n + 1, at=at, counts=counts)


def replay(log: Iterable[tuple[Ms, events.Event]]) -> Room:
    """The room that follows from a log of (time, event). Raises `ValueError` if it does not begin with `Created`."""
    entries = iter(log)
    at, created = next(entries)
    if not isinstance(created, events.Created):
        raise ValueError(f"a room log begins with created, not {created!r}")
    return replay_onto(begin(at, created), entries)


def replay_onto(room: Room, log: Iterable[tuple[Ms, events.Event]]) -> Room:
    for at, event in log:
        room = evolve(room, at, event)
    return room


E_ = TypeVar("E_", bound=events.Event)
RULES: dict[type[events.Event], Callable[[Room, Ms, Any], Room]] = {}


def _on(kind: type[E_]) -> Callable[[Callable[[Room, Ms, E_], Room]], Callable[[Room, Ms, E_], Room]]:
    def register(function: Callable[[Room, Ms, E_], Room]) -> Callable[[Room, Ms, E_], Room]:
        RULES[kind] = function
        return function

    return register


def _with_person(room: Room, seat: int, **changes: Any) -> Room:
    if seat not in room.people:
        return room
    return replace(room, people={**room.people, seat: replace(room.people[seat], **changes)})


def _with_racer(room: Room, seat: int, **changes: Any) -> Room:
    racer = room.race.racers.get(seat)
    if racer is None or not racer.racing:
        return room
    racers = {**room.race.racers, seat: replace(racer, **changes)}
    return replace(room, race=replace(room.race, racers=racers))


def _unready(people: Mapping[int, Person]) -> dict[int, Person]:
    return {seat: replace(person, nonce=None, commitment="") for seat, person in people.items()}


def _simple(room: Room, at: Ms, event: events.Event) -> Room:
    match event:
        case events.Away(seat):
            return _with_person(room, seat, via=None, away_at=at)
        case events.Readied(seat, nonce, commitment):
            return _with_person(room, seat, nonce=nonce, commitment=commitment)
        case events.Unreadied(seat):
            return _with_person(room, seat, nonce=None, commitment="")
        case events.Locked(locked):
            return replace(room, locked=locked)
        case events.Unlisted(unlisted):
            return replace(room, unlisted=unlisted)
        case events.ResultReported():
            return replace(room, is_reported=True)
        case events.RoomClosed():
            people = {seat: replace(person, via=None, away_at=at, nonce=None) for seat, person in room.people.items()}
            return replace(room, people=people, closed=True)
        case events.Contributed(seat, nonce):
            return replace(room, race=replace(room.race, nonces={**room.race.nonces, seat: nonce}))
        case events.GaveUp(seat):
            return _with_racer(room, seat, gave_up_at=at)
        case events.TookBack(seat):
            racer = room.race.racers.get(seat)
            taken_back = racer.taken_back + 1 if racer else 0
            return _with_racer(room, seat, gave_up_at=None, taken_back=taken_back, aside=None)
        case events.EndVoted(seat, on):
            racer = room.race.racers.get(seat)
            return _with_racer(room, seat, wants_end=on, end_votes=racer.end_votes + 1 if racer else 0)
        case events.StoodAside(seat, moves):
            racer = room.race.racers.get(seat)
            return _with_racer(room, seat, aside=moves, end_votes=racer.end_votes + 1 if racer else 0)
        case events.Muted(number, on):
            others = {muted: line for muted, line in room.muted.items() if muted != number}
            return replace(room, muted={**others, number: room.chat[number]} if on and number in room.chat else others)
        case events.Removed(number):
            guest = room.chat[number].guest if number in room.chat else ""
            return replace(room, banned=room.banned | {guest}) if guest else room
        case events.AddressBlocked(address):
            blocked = {known: until for known, until in room.blocked_addresses.items() if until > at}
            return replace(room, blocked_addresses={**blocked, address: at + BLOCKED_FOR})
    raise TypeError(f"a room has no rule for {event!r}")


RULES |= dict.fromkeys(
    (
        *(events.Away, events.Readied, events.Unreadied, events.Locked, events.Unlisted, events.RoomClosed),
        *(events.Contributed, events.GaveUp, events.TookBack, events.EndVoted, events.StoodAside, events.Muted),
        *(events.Removed, events.AddressBlocked, events.ResultReported),
    ),
    _simple,
)


@_on(events.Joined)
def _joined(room: Room, at: Ms, event: events.Joined) -> Room:
    person = Person(event.guest, event.name, event.bot, at, event.via, address=event.address)
    # A program may organise a tournament. In other rooms, a bot is never host while a person is there.
    opens = not room.creator and (room.tournament is not None or not event.bot)
    creator = event.guest if opens else room.creator
    people, seats_given = {**room.people, event.seat: person}, max(room.seats_given, event.seat)
    after = replace(room, people=people, creator=creator, seats_given=seats_given)
    after = _with_name(after, event.guest, event.name)
    return replace(after, host=event.seat) if _becomes_host(after, event) else after


def _becomes_host(room: Room, event: events.Joined) -> bool:
    if room.tournament is not None:
        return room.host is None and room.is_creator(event.guest)
    # Among bots only, a bot is the host until a person comes.
    return room.host is None or (room.people[room.host].bot and not event.bot)


@_on(events.Here)
def _here(room: Room, at: Ms, event: events.Here) -> Room:
    person = room.people.get(event.seat)
    returns = person.returns if person else 0
    if event_limits.is_full(room.counts, event_limits.Kind.COMINGS):
        returns += 1
    after = _with_person(room, event.seat, via=event.via, away_at=None, returns=returns, back_at=at)
    if not event.address:
        return after
    racer = room.race.racers.get(event.seat)
    if racer is not None:
        after = _with_racer(after, event.seat, addresses=racer.addresses | {event.address})
    return _with_person(after, event.seat, address=event.address)


@_on(events.Left)
def _left(room: Room, at: Ms, event: events.Left) -> Room:
    person = room.people.get(event.seat)
    if person is None:
        return room
    people = {seat: other for seat, other in room.people.items() if seat != event.seat}
    banned = room.banned | {person.guest} if event.kicked else room.banned
    handed_to = "" if room.handed_to == person.guest else room.handed_to
    after = replace(room, people=people, banned=banned, handed_to=handed_to)
    if room.host != event.seat:
        return after
    host = stand_in(after)
    tournament = room.tournament
    if tournament and host is not None:
        tournament = tournaments.hosted(tournament, at, host)
    return replace(after, host=host, tournament=tournament)


def stand_in(room: Room, seats: Collection[int] | None = None) -> int | None:
    """Who of these seats (None: all seats) becomes the host when the host is away.

    Those who are here come first, then people before bots. Among them it is the organiser, the creator, or who came
    first. A tournament can only be run by its creator and the co-hosts.
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


@_on(events.Renamed)
def _renamed(room: Room, at: Ms, event: events.Renamed) -> Room:
    if event.by is not None:
        tournament = room.tournament and tournaments.evolve(room.tournament, at, event)
    else:
        tournament = room.tournament and tournaments.renamed(room.tournament, event.seat, event.name)
    after = replace(_with_person(room, event.seat, name=event.name), tournament=tournament)
    return _with_name(after, room.guest_at(event.seat), event.name)


def _with_name(room: Room, guest: str, name: str) -> Room:
    """Keep the creator's name up to date. Nobody else may have it."""
    return replace(room, creator_name=name) if room.is_creator(guest) else room


@_on(events.Changed)
def _changed(room: Room, at: Ms, event: events.Changed) -> Room:
    tournament = room.tournament and replace(room.tournament, settings=event.settings)
    # The plan's changes for the round that is drawn or running stay in force.
    ours = (
        tournaments.settings_of(tournament, tournament.drawn)
        if tournament and tournament.drawn is not None
        else event.settings
    )
    if event.gives_up_winnable or (tournament and tournament.drawn is not None and room.race.settings.deal == SECRET):
        # The plan may give the round a winnable deal. If the host has given that up, this stays so.
        ours = replace(ours, deal=SECRET)
    race = room.race if room.race.starts_at is not None else replace(room.race, settings=ours)
    people = room.people if event.gives_up_winnable else _unready(room.people)
    return replace(room, settings=ours, race=race, people=people, tournament=tournament)


@_on(events.Hosted)
def _hosted(room: Room, at: Ms, event: events.Hosted) -> Room:
    if event.seat not in room.people:
        return room
    tournament = room.tournament and tournaments.hosted(room.tournament, at, event.seat)
    guest = room.people[event.seat].guest
    handed_to = guest if event.for_good else room.handed_to
    # If it is handed back to the creator, everything is as at first.
    return replace(
        room, host=event.seat, handed_to="" if handed_to == room.creator else handed_to, tournament=tournament
    )


@_on(events.Counted)
def _counted(room: Room, at: Ms, event: events.Counted) -> Room:
    racing = {seat: room.people[seat] for seat in event.racers if seat in room.people}
    race = replace(
        room.race,
        starts_at=at + ms_of(room.race.settings.countdown),
        racers={seat: _racer(person) for seat, person in racing.items()},
        nonces={seat: person.nonce for seat, person in racing.items() if person.nonce},
    )
    tournament = room.tournament and tournaments.evolve(room.tournament, at, event)
    return replace(room, race=race, people=_unready(room.people), tournament=tournament)


@_on(events.Frozen)
def _frozen(room: Room, at: Ms, event: events.Frozen) -> Room:
    reveal_by = at + event.within if event.commitments else None
    # The promise of a winnable deal is made now. That from before is of the secret deal that the race could have had.
    promise = event.promise if room.race.is_winnable else room.race.promise or event.promise
    frozen = replace(room.race, commitments=event.commitments, nonces={}, reveal_by=reveal_by)
    return replace(room, race=replace(frozen, promise=promise, version=2))


@_on(events.Claimed)
def _claimed(room: Room, at: Ms, event: events.Claimed) -> Room:
    race = replace(room.race, root=root_of(event), claimed=event, version=3)
    # If nobody is committed to a nonce, there is nothing to wait for.
    return replace(room, race=race if race.revealing else _with_choice(race))


def root_of(claimed: events.Claimed) -> str:
    """The commitment to these deals."""
    return winnable.root_of(_leaves(claimed)).hex()


def _leaves(claimed: events.Claimed) -> list[bytes]:
    return winnable.leaves_of([bytes.fromhex(secret) for secret in claimed.secrets])


def _with_choice(race: Race) -> Race:
    """The race with the deal that the nonces choose, if it has winnable deals of which none is chosen yet."""
    claimed = race.claimed
    if claimed is None:
        return race
    nonces = [bytes.fromhex(nonce) for _, nonce in sorted(race.nonces.items())]
    leaf = winnable.choice_of(bytes.fromhex(race.root), nonces)
    path = tuple(step.hex() for step in winnable.path_of(_leaves(claimed), leaf))
    chosen = Chosen(leaf, path, claimed.lines[leaf], claimed.stars[leaf])
    return replace(race, secret=claimed.secrets[leaf], claimed=None, chosen=chosen)


@_on(events.Dealt)
def _dealt(room: Room, at: Ms, event: events.Dealt) -> Room:
    race = _with_choice(room.race)
    starts_at = max(race.starts_at or Ms(0), at + DEALT_BEFORE)
    # For a racer who left before the start, the number of cards home depends on the deal, so it is computed again.
    racers = {seat: _put_off(racer, starts_at) for seat, racer in race.racers.items()}
    return replace(room, race=replace(race, starts_at=starts_at, reveal_by=None, racers=racers))


def _put_off(racer: Racer, starts_at: Ms) -> Racer:
    result = racer.result
    return racer if result is None else replace(racer, result=result._replace(reached_at=starts_at))


def _racer(person: Person) -> Racer:
    addresses = frozenset((person.address,)) if person.address else frozenset()
    return Racer(person.guest, person.name, bot=person.bot, addresses=addresses)


@_on(events.StartedLate)
def _started_late(room: Room, at: Ms, event: events.StartedLate) -> Room:
    person = room.people.get(event.seat)
    if person is None:
        return room
    racers = {**room.race.racers, event.seat: replace(_racer(person), late=True)}
    return replace(room, race=replace(room.race, racers=racers))


@_on(events.Finished)
def _finished(room: Room, at: Ms, event: events.Finished) -> Room:
    result = Result(event.end == "solved", event.when, event.home, event.reached_at, event.moves)
    after = _with_racer(room, event.seat, state=event.end, result=result)
    over_at = after.race.over_at
    if over_at is not None:
        # All have left before the cards were dealt. Nobody can reveal anything any more, so the choice is made.
        after = replace(after, race=_with_choice(after.race))
    if after.tournament is None or over_at is None or room.race.over_at is not None:
        return after
    rule = after.race.rule
    played = {
        seat: Played(racer.state, racer.result, rule)
        for seat, racer in after.race.racers.items()
        if racer.result and racer.state != "racing"
    }
    times = after.race.starts_at or Ms(0), over_at
    return replace(after, tournament=tournaments.raced(after.tournament, after.race.number, times, played))


@_on(events.SetUp)
def _set_up(room: Room, at: Ms, event: events.SetUp) -> Room:
    past = {**room.past, room.race.number: room.race}
    race = Race(room.race.number + 1, room.settings, event.secret, room.race.revealed, promise=event.promise)
    return replace(room, race=race, past=past, people=_unready(room.people))


@_on(events.Entered)
def _entered(room: Room, at: Ms, event: events.Entered) -> Room:
    person = room.people.get(event.seat)
    if person is None or room.tournament is None:
        return room
    return replace(room, tournament=tournaments.entered(room.tournament, at, event.seat, person.guest, person.name))


@_on(events.Drawn)
def _drawn(room: Room, at: Ms, event: events.Drawn) -> Room:
    if room.tournament is None:
        return room
    tournament = tournaments.evolve(room.tournament, at, event)
    settings = tournaments.settings_of(tournament, event.round)
    return replace(room, settings=settings, race=replace(room.race, settings=settings), tournament=tournament)


@_on(events.Matched)
def _matched(room: Room, at: Ms, event: events.Matched) -> Room:
    after = _of_tournament(room, at, event)
    called = {seat for race in event.races for seat in race.seats}
    people = {
        seat: replace(person, via=None, away_at=at) if seat in called else person
        for seat, person in after.people.items()
    }
    return replace(after, people=people)


@_on(events.Released)
def _released(room: Room, at: Ms, event: events.Released) -> Room:
    after = _of_tournament(room, at, event)
    return after if event.seat is None else _with_person(after, event.seat, name=event.name)


@_on(events.Undone)
def _undone(room: Room, at: Ms, event: events.Undone) -> Room:
    before = room.tournament.entrants if room.tournament else {}
    after = _of_tournament(room, at, event)
    # People are called as they are called as entrants.
    for seat, entrant in (after.tournament.entrants if after.tournament else {}).items():
        if seat in before and before[seat].name != entrant.name:
            after = _with_name(_with_person(after, seat, name=entrant.name), room.guest_at(seat), entrant.name)
    return after


def _of_tournament(room: Room, at: Ms, event: events.Event) -> Room:
    """Events that only concern the tournament."""
    return replace(room, tournament=room.tournament and tournaments.evolve(room.tournament, at, event))


RULES |= dict.fromkeys(
    (
        *(events.Withdrawn, events.Planned, events.Decided, events.Timed, events.Paused, events.Skipped),
        *(events.Annulled, events.Confirmed, events.Disqualified, events.Reinstated, events.LinksDrawn),
        *(events.CoHosted, events.Corrected, events.MatchAnnulled, events.RoundStopped, events.Swapped),
        *(events.Announced, events.HalfBye, events.CheckedIn, events.CheckInEnded, events.Registration),
        *(events.ArenaOpened, events.HeatEnded, events.Teamed),
    ),
    _of_tournament,
)


@_on(events.Chatted)
def _chatted(room: Room, at: Ms, event: events.Chatted) -> Room:
    person = room.people.get(event.seat)
    name = person.name if person else event.name
    # What counts is whether the sender raced then. A racer who is done knows what others do not know yet.
    sender = room.race.racers.get(event.seat)
    kept_from = room.race.number if room.race.on and (sender is None or not sender.plays) else None
    guest, address = (person.guest, person.address) if person else (event.guest, event.address)
    line = ChatMessage(event.seat, name, at, event.key, event.text, guest, address, kept_from)
    chat = {**room.chat, room.n + 1: line}
    if len(chat) > CHAT_KEPT:
        del chat[next(iter(chat))]
    return replace(room, chat=chat)
