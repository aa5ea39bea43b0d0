"""How events change a room. Pure: ``replay(log)`` always equals the live room. The store's clock gives the times."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from fortythieves.record.race_record import Winnable
from fortythieves.rules import winnable
from fortythieves.rules.settings import SECRET
from fortythieves.times import Ms, ms_of
from fortythieves_server.core import challenge as challenges
from fortythieves_server.core import circle as circles
from fortythieves_server.core import event_limits, events
from fortythieves_server.core import tournament as tournaments
from fortythieves_server.core.challenge import Challenge
from fortythieves_server.core.match import Match
from fortythieves_server.core.room_state import (
    ChatMessage,
    Person,
    Prediction,
    Race,
    Racer,
    RemovedGuest,
    Room,
    stand_in,
)
from fortythieves_server.core.tournament import Tournament

#: How many chat messages a room keeps. A guess.
CHAT_KEPT = 50
#: How long new guests of a blocked address are refused. A guess.
BLOCKED_FOR = Ms(600_000)

#: The deck is settled at least this long before the start, so that all hear of it in time. Otherwise the start waits.
DEALT_BEFORE = Ms(500)


def begin(at: Ms, event: events.Created) -> Room:
    race, plan = _first_race(event), event.plan
    tournament = Tournament(plan, event.settings, event.password, idle_since=at) if plan is not None else None
    room = Room(event.code, event.settings, race, tournament=tournament, address=event.address, of_arena=event.of_arena)
    called = event.of_arena.racers if event.of_arena else ()
    people = {one.seat: Person(one.guest, one.name, one.bot, at, None, away_at=at) for one in called}
    match = Match() if plan or event.of_arena else Match(event.settings.best_of)
    faces = {one.seat: one.face for one in called}
    room = replace(room, people=people, faces=faces, match=match, of_circle=event.of_circle)
    if event.circle is not None:
        room = replace(room, circle=circles.founded(at, event.circle))
    if event.challenge is not None:
        challenge = challenges.opened(event.challenge)
        room = replace(room, challenge=challenge, creator=event.challenge.guest, creator_name=event.challenge.name)
    return replace(room, seats_given=max(people, default=0), n=1, at=at, opened_at=at)


def _first_race(event: events.Created) -> Race:
    given = event.given
    if given is None:
        day = event.challenge.day if event.challenge else None
        return Race(1, event.settings, event.secret, promise=event.promise, day=day)
    return Race(
        1,
        event.settings,
        given.secret or "",
        nonces=given.nonces,
        commitments=given.commitments,
        promise=given.promise,
        chosen=given.winnable,
        source=given.source,
        day=given.day,
    )


def evolve(room: Room, at: Ms, event: events.Event) -> Room:
    """The room after an event that happened at ``at``. Events about a person that has left change nothing."""
    kind, n, person = type(event), room.n + 1, room.people.get(getattr(event, "seat", 0))
    is_brief = isinstance(event, events.Left) and person is not None and at < person.since + event_limits.BRIEF
    counts = event_limits.counted(room.counts, event, _address(room, event), is_brief=is_brief)
    if room.tournament and kind in tournaments.RULES:
        room = replace(room, tournament=tournaments.evolve(room.tournament, at, event))
    after = RULES[kind](room, at, event) if kind in RULES else room
    if after.host != room.host:
        after = _owner_back(after)
    return replace(after, n=n, at=at, counts=counts)


def _address(room: Room, event: events.Event) -> str:
    """The hash of the address of the guest who caused an event. "": unknown."""
    is_hosts = event_limits.kind_of(event) is event_limits.Kind.HOSTS
    if not is_hosts and (address := getattr(event, "address", "")):
        return str(address)
    seat = getattr(event, "by", None) or room.host if is_hosts else getattr(event, "seat", None)
    person = room.people.get(seat or 0)
    return person.address if person is not None else ""


def replay(log: Iterable[tuple[Ms, events.Event]]) -> Room:
    """The room that follows from a log of (time, event). Raises `ValueError` if it does not begin with `Created`."""
    entries = iter(log)
    at, created = next(entries)
    if not isinstance(created, events.Created):
        raise ValueError(f"a room log begins with created, not {created!r}")
    return replay_onto(begin(at, created), entries)


def replay_onto(room: Room, log: Iterable[tuple[Ms, events.Event]]) -> Room:
    for is_of_challenge, some in groupby(log, lambda entry: isinstance(entry[1], challenges.EVENTS)):
        if is_of_challenge and room.challenge is not None:
            room = _of_challenge(room, room.challenge, [*some])
        else:
            for at, event in some:
                room = evolve(room, at, event)
    return room


def _of_challenge(room: Room, challenge: Challenge, log: Sequence[tuple[Ms, events.Event]]) -> Room:
    """The room after some events that only change its challenge."""
    counts = room.counts
    for _, event in log:
        counts = event_limits.counted(counts, event, _address(room, event), is_brief=False)
    challenge = challenges.evolve(challenge, (event for _, event in log))
    return replace(room, challenge=challenge, n=room.n + len(log), at=log[-1][0], counts=counts)


def _with_person(room: Room, seat: int, **changes: Any) -> Room:
    if seat not in room.people:
        return room
    return replace(room, people={**room.people, seat: replace(room.people[seat], **changes)})


def _with_race(room: Room, **changes: Any) -> Room:
    return replace(room, race=replace(room.race, **changes))


def _with_racer(room: Room, seat: int, *, count: str = "", **changes: Any) -> Room:
    """The room with changes of an active racer. ``count``: a field that counts them."""
    racer = room.race.racers.get(seat)
    if racer is None or not racer.racing:
        return room
    if count:
        changes[count] = getattr(racer, count) + 1
    return _with_race(room, racers={**room.race.racers, seat: replace(racer, **changes)})


def _unready(people: Mapping[int, Person]) -> dict[int, Person]:
    return {seat: replace(person, commitment=None) for seat, person in people.items()}


def _joined(room: Room, at: Ms, event: events.Joined) -> Room:
    person = Person(
        event.guest, event.name, event.bot, at, event.via, address=event.address, arrived_at=event.arrived_at
    )
    # A program may organise a tournament. In other rooms, a bot is never host while a person is there.
    opens = not room.creator and (room.tournament is not None or not event.bot)
    creator = event.guest if opens else room.creator
    people, seats_given = {**room.people, event.seat: person}, max(room.seats_given, event.seat)
    faces = {**room.faces, event.seat: event.face}
    after = replace(room, people=people, faces=faces, creator=creator, seats_given=seats_given)
    after = _with_name(after, event.guest, event.name)
    if room.host is None:
        becomes_host = room.tournament is None or after.is_creator(event.guest)
    else:  # among bots only, a bot is the host until a person joins
        becomes_host = room.tournament is None and people[room.host].bot and not event.bot
    return replace(after, host=event.seat) if becomes_host else after


def _here(room: Room, at: Ms, event: events.Here) -> Room:
    person = room.people.get(event.seat)
    returns = person.returns if person else 0
    if event_limits.is_full(room.counts, event_limits.Kind.RETURNS, person.address if person else ""):
        returns += 1
    known: dict[str, Any] = {"address": event.address} if event.address else {}
    known |= {"via": event.via, "arrived_at": event.arrived_at, "back_at": at}
    after = _with_person(room, event.seat, away_at=None, returns=returns, **known)
    racer = room.race.racers.get(event.seat)
    if racer is None or not event.address:
        return after
    return _with_racer(after, event.seat, addresses=racer.addresses | {event.address})


def _left(room: Room, at: Ms, event: events.Left) -> Room:
    person = room.people.get(event.seat)
    if person is None:
        return room
    people = {seat: other for seat, other in room.people.items() if seat != event.seat}
    removed = _with_removed(room, person.guest, person.name, person.address) if event.kicked else room.removed
    handed_to = "" if room.handed_to == person.guest else room.handed_to
    is_shown = event.seat in room.race.racers or (room.tournament and event.seat in room.tournament.entrants)
    faces = room.faces if is_shown else {seat: face for seat, face in room.faces.items() if seat != event.seat}
    after = replace(room, people=people, faces=faces, removed=removed, handed_to=handed_to)
    if room.host != event.seat:
        return after
    host, tournament = stand_in(after), room.tournament
    if tournament and host is not None:
        tournament = tournaments.evolve(tournament, at, events.Hosted(host))
    return replace(after, host=host, tournament=tournament)


def _renamed(room: Room, at: Ms, event: events.Renamed) -> Room:
    if event.face is not None and event.seat in room.people:
        room = replace(room, faces={**room.faces, event.seat: event.face})
    return _with_name(_with_person(room, event.seat, name=event.name), room.guest_at(event.seat), event.name)


def _with_name(room: Room, guest: str, name: str) -> Room:
    """Keep the creator's name up to date. It is reserved for the creator."""
    return replace(room, creator_name=name) if room.is_creator(guest) else room


def _changed(room: Room, at: Ms, event: events.Changed) -> Room:
    ours, tournament = event.settings, room.tournament
    is_drawn = False
    if tournament and tournament.drawn is not None:
        ours, is_drawn = tournaments.settings_of(tournament, tournament.drawn), True
    if event.gives_up_winnable or (is_drawn and room.race.settings.deal == SECRET):
        # The plan may give the round a winnable deal. If the host has given that up, this stays so.
        ours = replace(ours, deal=SECRET)
    people = room.people if event.gives_up_winnable else _unready(room.people)
    after = replace(room, settings=ours, people=people)
    return after if room.race.starts_at is not None else _with_next(after, replace(room.race, settings=ours))


def _hosted(room: Room, at: Ms, event: events.Hosted) -> Room:
    if event.seat not in room.people:
        return room
    handed_to = room.people[event.seat].guest if event.for_good else room.handed_to
    # If it is handed back to the creator, everything is as at first.
    return replace(room, host=event.seat, handed_to="" if handed_to == room.creator else handed_to)


def _counted(room: Room, at: Ms, event: events.Counted) -> Room:
    racing = {seat: room.people[seat] for seat in event.racers if seat in room.people}
    race = replace(
        room.race,
        starts_at=at + ms_of(room.race.settings.countdown),
        racers={seat: _racer(person) for seat, person in racing.items()},
    )
    if race.source is None:
        # The promise of a winnable deal is made now. That from before is of the secret deal that it could have had.
        promise = event.promise if race.is_winnable else race.promise
        reveal_by = at + event.within if event.commitments else None
        race = replace(race, commitments=event.commitments, reveal_by=reveal_by, promise=promise)
    return replace(room, race=race, people=_unready(room.people))


def _claimed(room: Room, at: Ms, event: events.Claimed) -> Room:
    race = replace(room.race, root=root_of(event), claimed=event)
    # Without any commitment to a nonce, there is nothing to wait for.
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
    chosen = Winnable(claimed.stars[leaf], leaf, path, claimed.lines[leaf])
    return replace(race, secret=claimed.secrets[leaf], claimed=None, chosen=chosen)


def _dealt(room: Room, at: Ms, event: events.Dealt) -> Room:
    race = _with_choice(room.race)
    starts_at = max(race.starts_at or Ms(0), at + DEALT_BEFORE)
    # The cards home of a racer that left before the start are as dealt, so they are home since the start.
    racers = {
        seat: replace(racer, result=racer.result and racer.result._replace(reached_at=starts_at))
        for seat, racer in race.racers.items()
    }
    return replace(room, race=replace(race, starts_at=starts_at, reveal_by=None, racers=racers))


def _racer(person: Person) -> Racer:
    addresses = frozenset((person.address,)) if person.address else frozenset()
    return Racer(person.guest, person.name, bot=person.bot, addresses=addresses)


def _started_late(room: Room, at: Ms, event: events.StartedLate) -> Room:
    person = room.people.get(event.seat)
    if person is None:
        return room
    return _with_race(room, racers={**room.race.racers, event.seat: replace(_racer(person), late=True)})


def _finished(room: Room, at: Ms, event: events.Finished) -> Room:
    after = _with_racer(room, event.seat, state=event.end, result=event.result)
    over_at = after.race.over_at
    if over_at is not None:
        # All have left before the cards were dealt. No nonce can be revealed any more, so the choice is made.
        after = replace(after, race=_with_choice(after.race))
    if over_at is None or room.race.over_at is not None:
        return after
    if after.tournament is None:
        racers = {seat: (racer.guest, racer.name) for seat, racer in after.race.racers.items()}
        first = [seat for seat, place in after.race.places.items() if place == 1]
        return replace(after, match=after.match.raced(racers, first))
    times = after.race.starts_at or Ms(0), over_at
    return replace(after, tournament=tournaments.raced(after.tournament, after.race.number, times, after.race.results))


def _set_up(room: Room, at: Ms, event: events.SetUp) -> Room:
    past = {**room.past, room.race.number: replace(room.race, predictions={})}
    race = Race(room.race.number + 1, room.settings, event.secret, promise=event.promise)
    return _with_next(replace(room, past=past, people=_unready(room.people)), race)


def _with_next(room: Room, race: Race) -> Room:
    """The room with the next race, which may begin a new match."""
    is_of_friends = room.tournament is None and room.of_arena is None
    match = room.match.for_next_race(race.settings.best_of) if is_of_friends else room.match
    return replace(room, race=race, match=match)


def _predicted(room: Room, at: Ms, event: events.Predicted) -> Room:
    known = room.race.predictions
    if not room.race.on or event.guest in known:
        return room
    return _with_race(room, predictions={**known, event.guest: Prediction(event.racer, event.address)})


def _entered(room: Room, at: Ms, event: events.Entered) -> Room:
    person = room.people.get(event.seat)
    if person is None or room.tournament is None:
        return room
    return replace(room, tournament=tournaments.entered(room.tournament, at, event.seat, person.guest, person.name))


def _drawn(room: Room, at: Ms, event: events.Drawn) -> Room:
    if room.tournament is None:
        return room
    settings = tournaments.settings_of(room.tournament, event.round)
    return replace(_with_race(room, settings=settings), settings=settings)


def _matched(room: Room, at: Ms, event: events.Matched) -> Room:
    for seat in {seat for race in event.races for seat in race.seats}:
        room = _with_person(room, seat, via=None, away_at=at)
    return room


def _undone(room: Room, at: Ms, event: events.Undone) -> Room:
    """People are called as they are called as entrants."""
    for seat, entrant in (room.tournament.entrants if room.tournament else {}).items():
        guest, person = room.guest_at(seat), room.people.get(seat)
        if room.is_creator(guest) or (person and person.name != entrant.name):
            room = _with_name(_with_person(room, seat, name=entrant.name), guest, entrant.name)
    return room


def _challenge_changed(room: Room, at: Ms, event: events.Event) -> Room:
    return replace(room, challenge=room.challenge and challenges.evolve(room.challenge, [event]))


def _chatted(room: Room, at: Ms, event: events.Chatted) -> Room:
    person = room.people.get(event.seat)
    name = person.name if person else event.name
    # Depends on whether the sender raced at that time. A finished racer knows cards that active racers do not know.
    sender = room.race.racers.get(event.seat)
    kept_from = room.race.number if room.race.on and (sender is None or not sender.plays) else None
    guest, address = (person.guest, person.address) if person else (event.guest, event.address)
    face = room.faces.get(event.seat, event.face)
    message = ChatMessage(event.seat, name, at, event.key, event.text, guest, address, kept_from, face)
    chat = {**room.chat, room.n + 1: message}
    if len(chat) > CHAT_KEPT:
        del chat[next(iter(chat))]
    return replace(room, chat=chat)


def _room_closed(room: Room, at: Ms, event: events.RoomClosed) -> Room:
    people = {seat: replace(person, via=None, away_at=at, commitment=None) for seat, person in room.people.items()}
    return replace(room, people=people, closed=True)


def _muted(room: Room, at: Ms, event: events.Muted) -> Room:
    muted = {number: message for number, message in room.muted.items() if number != event.message}
    if event.on and event.message in room.chat:
        muted[event.message] = room.chat[event.message]
    return replace(room, muted=muted)


def _removed(room: Room, at: Ms, event: events.Removed) -> Room:
    message = room.chat.get(event.message)
    if message is None or not message.guest:
        return room
    return replace(room, removed=_with_removed(room, message.guest, message.name, message.address))


def _with_removed(room: Room, guest: str, name: str, address: str) -> dict[int, RemovedGuest]:
    return {**room.removed, room.n + 1: RemovedGuest(guest, name, address, not room.is_in_owners_hands)}


def _owner_back(room: Room) -> Room:
    """What a stand-in has removed ends."""
    if not room.is_in_owners_hands:
        return room
    return _without_removed(room, {number for number, one in room.removed.items() if one.by_stand_in})


def _without_removed(room: Room, numbers: Collection[int]) -> Room:
    """The room in which these people are no longer removed, and their addresses no longer blocked."""
    addresses = {one.address for number, one in room.removed.items() if number in numbers}
    if not addresses:
        return room
    removed = {number: one for number, one in room.removed.items() if number not in numbers}
    blocked = {address: until for address, until in room.blocked_addresses.items() if address not in addresses}
    return replace(room, removed=removed, blocked_addresses=blocked)


def _address_blocked(room: Room, at: Ms, event: events.AddressBlocked) -> Room:
    blocked = {address: until for address, until in room.blocked_addresses.items() if until > at}
    return replace(room, blocked_addresses={**blocked, event.address: at + BLOCKED_FOR})


#: How each event changes a room, after it has changed the tournament (`tournaments.RULES`).
RULES: Mapping[type[events.Event], Callable[[Room, Ms, Any], Room]] = {
    events.Joined: _joined,
    events.Here: _here,
    events.Away: lambda room, at, event: _with_person(room, event.seat, via=None, away_at=at),
    events.Left: _left,
    events.Renamed: _renamed,
    events.Changed: _changed,
    events.Readied: lambda room, at, event: _with_person(room, event.seat, commitment=event.commitment),
    events.Hosted: _hosted,
    events.Locked: lambda room, at, event: replace(room, locked=event.locked),
    events.Unlisted: lambda room, at, event: replace(room, unlisted=event.unlisted),
    events.RoomClosed: _room_closed,
    events.Counted: _counted,
    events.Claimed: _claimed,
    events.Contributed: lambda room, at, event: _with_race(room, nonces={**room.race.nonces, event.seat: event.nonce}),
    events.Dealt: _dealt,
    events.StartedLate: _started_late,
    events.GaveUp: lambda room, at, event: _with_racer(room, event.seat, gave_up_at=at),
    events.TookBack: lambda room, at, event: _with_racer(
        room, event.seat, count="taken_back", gave_up_at=None, aside=None
    ),
    events.RaceEnded: lambda room, at, event: _with_race(room, ended_by=event.seat),
    events.EndVoted: lambda room, at, event: _with_racer(room, event.seat, count="end_votes", wants_end=event.on),
    events.StoodAside: lambda room, at, event: _with_racer(room, event.seat, count="end_votes", aside=event.moves),
    events.Finished: _finished,
    events.SetUp: _set_up,
    events.Predicted: _predicted,
    events.Chatted: _chatted,
    events.Muted: _muted,
    events.Removed: _removed,
    events.Admitted: lambda room, at, event: _without_removed(room, {event.number}),
    events.AddressBlocked: _address_blocked,
    events.Entered: _entered,
    events.Drawn: _drawn,
    events.Matched: _matched,
    events.ResultReported: lambda room, at, event: replace(room, reported=event.race),
    **dict.fromkeys(
        (
            *(events.MemberCame, events.MemberWent, events.Appointed),
            *(events.CircleChanged, events.DealAdded, events.DealDropped, events.RaceOpened, events.Scored),
        ),
        lambda room, at, event: replace(room, circle=circles.evolve(room.circle, at, event)),
    ),
    **dict.fromkeys(challenges.EVENTS, _challenge_changed),
    events.Released: lambda room, at, event: _with_person(room, event.seat, name=event.name),
    events.Undone: _undone,
}
