"""How events change a room. Pure.

`Room` follows from the room log: ``replay(log)`` always equals the live room. Each event has its time by the store's
clock.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from fortythieves.rules import winnable
from fortythieves.rules.ranking import Result
from fortythieves.rules.settings import SECRET
from fortythieves.times import Ms, ms_of
from fortythieves.tournament.rounds import Played
from fortythieves_server.core import event_limits, events
from fortythieves_server.core import tournament as tournaments
from fortythieves_server.core.room_state import ChatMessage, Chosen, Person, Race, Racer, Room, stand_in
from fortythieves_server.core.tournament import Tournament

#: How many chat messages a room keeps. A guess.
CHAT_KEPT = 50
#: How long new guests of a blocked address are refused. A guess.
BLOCKED_FOR = Ms(600_000)

#: The deck is settled at least this long before the start. If Redis was away until later, the start is
#: postponed. All clients hear of it in time, and no clock runs while there are no cards.
DEALT_BEFORE = Ms(500)


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
    """The room after an event that happened at ``at``. Events about a person that has left change nothing."""
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
    return {seat: replace(person, commitment=None) for seat, person in people.items()}


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
    # Among bots only, a bot is the host until a person joins.
    return room.host is None or (room.people[room.host].bot and not event.bot)


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


def _renamed(room: Room, at: Ms, event: events.Renamed) -> Room:
    if event.by is not None:
        tournament = room.tournament and tournaments.evolve(room.tournament, at, event)
    else:
        tournament = room.tournament and tournaments.renamed(room.tournament, event.seat, event.name)
    after = replace(_with_person(room, event.seat, name=event.name), tournament=tournament)
    return _with_name(after, room.guest_at(event.seat), event.name)


def _with_name(room: Room, guest: str, name: str) -> Room:
    """Keep the creator's name up to date. It is reserved for the creator."""
    return replace(room, creator_name=name) if room.is_creator(guest) else room


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


def _counted(room: Room, at: Ms, event: events.Counted) -> Room:
    racing = {seat: room.people[seat] for seat in event.racers if seat in room.people}
    race = replace(
        room.race,
        starts_at=at + ms_of(room.race.settings.countdown),
        racers={seat: _racer(person) for seat, person in racing.items()},
        commitments=event.commitments,
        reveal_by=at + event.within if event.commitments else None,
        # The promise of a winnable deal is made now. That from before is of the secret deal that it could have had.
        promise=event.promise if room.race.is_winnable else room.race.promise,
    )
    tournament = room.tournament and tournaments.evolve(room.tournament, at, event)
    return replace(room, race=race, people=_unready(room.people), tournament=tournament)


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
    chosen = Chosen(leaf, path, claimed.lines[leaf], claimed.stars[leaf])
    return replace(race, secret=claimed.secrets[leaf], claimed=None, chosen=chosen)


def _dealt(room: Room, at: Ms, event: events.Dealt) -> Room:
    race = _with_choice(room.race)
    starts_at = max(race.starts_at or Ms(0), at + DEALT_BEFORE)
    # For a racer that left before the start, the number of cards home depends on the deal, so it is recomputed.
    racers = {seat: _put_off(racer, starts_at) for seat, racer in race.racers.items()}
    return replace(room, race=replace(race, starts_at=starts_at, reveal_by=None, racers=racers))


def _put_off(racer: Racer, starts_at: Ms) -> Racer:
    result = racer.result
    return racer if result is None else replace(racer, result=result._replace(reached_at=starts_at))


def _racer(person: Person) -> Racer:
    addresses = frozenset((person.address,)) if person.address else frozenset()
    return Racer(person.guest, person.name, bot=person.bot, addresses=addresses)


def _started_late(room: Room, at: Ms, event: events.StartedLate) -> Room:
    person = room.people.get(event.seat)
    if person is None:
        return room
    racers = {**room.race.racers, event.seat: replace(_racer(person), late=True)}
    return replace(room, race=replace(room.race, racers=racers))


def _finished(room: Room, at: Ms, event: events.Finished) -> Room:
    result = Result(event.end == "solved", event.when, event.home, event.reached_at, event.moves)
    after = _with_racer(room, event.seat, state=event.end, result=result)
    over_at = after.race.over_at
    if over_at is not None:
        # All have left before the cards were dealt. No nonce can be revealed any more, so the choice is made.
        after = replace(after, race=_with_choice(after.race))
    if after.tournament is None or over_at is None or room.race.over_at is not None:
        return after
    played = {
        seat: Played(racer.state, racer.result)
        for seat, racer in after.race.racers.items()
        if racer.result and racer.state != "racing"
    }
    times = after.race.starts_at or Ms(0), over_at
    return replace(after, tournament=tournaments.raced(after.tournament, after.race.number, times, played))


def _set_up(room: Room, at: Ms, event: events.SetUp) -> Room:
    past = {**room.past, room.race.number: room.race}
    race = Race(room.race.number + 1, room.settings, event.secret, room.race.revealed, promise=event.promise)
    return replace(room, race=race, past=past, people=_unready(room.people))


def _entered(room: Room, at: Ms, event: events.Entered) -> Room:
    person = room.people.get(event.seat)
    if person is None or room.tournament is None:
        return room
    return replace(room, tournament=tournaments.entered(room.tournament, at, event.seat, person.guest, person.name))


def _drawn(room: Room, at: Ms, event: events.Drawn) -> Room:
    if room.tournament is None:
        return room
    tournament = tournaments.evolve(room.tournament, at, event)
    settings = tournaments.settings_of(tournament, event.round)
    return replace(room, settings=settings, race=replace(room.race, settings=settings), tournament=tournament)


def _matched(room: Room, at: Ms, event: events.Matched) -> Room:
    after = _of_tournament(room, at, event)
    called = {seat for race in event.races for seat in race.seats}
    people = {
        seat: replace(person, via=None, away_at=at) if seat in called else person
        for seat, person in after.people.items()
    }
    return replace(after, people=people)


def _released(room: Room, at: Ms, event: events.Released) -> Room:
    after = _of_tournament(room, at, event)
    return after if event.seat is None else _with_person(after, event.seat, name=event.name)


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


def _chatted(room: Room, at: Ms, event: events.Chatted) -> Room:
    person = room.people.get(event.seat)
    name = person.name if person else event.name
    # Depends on whether the sender raced at that time. A finished racer knows cards that active racers do not know.
    sender = room.race.racers.get(event.seat)
    kept_from = room.race.number if room.race.on and (sender is None or not sender.plays) else None
    guest, address = (person.guest, person.address) if person else (event.guest, event.address)
    message = ChatMessage(event.seat, name, at, event.key, event.text, guest, address, kept_from)
    chat = {**room.chat, room.n + 1: message}
    if len(chat) > CHAT_KEPT:
        del chat[next(iter(chat))]
    return replace(room, chat=chat)


def _room_closed(room: Room, at: Ms, event: events.RoomClosed) -> Room:
    people = {seat: replace(person, via=None, away_at=at, commitment=None) for seat, person in room.people.items()}
    return replace(room, people=people, closed=True)


def _contributed(room: Room, at: Ms, event: events.Contributed) -> Room:
    return replace(room, race=replace(room.race, nonces={**room.race.nonces, event.seat: event.nonce}))


def _took_back(room: Room, at: Ms, event: events.TookBack) -> Room:
    return _with_racer(room, event.seat, gave_up_at=None, aside=None, taken_back=_count(room, event, "taken_back"))


def _count(room: Room, event: events.TookBack | events.EndVoted | events.StoodAside, field: str) -> int:
    """How often the racer has done this, with this event."""
    racer = room.race.racers.get(event.seat)
    return 0 if racer is None else getattr(racer, field) + 1


def _muted(room: Room, at: Ms, event: events.Muted) -> Room:
    muted = {number: message for number, message in room.muted.items() if number != event.message}
    if event.on and event.message in room.chat:
        muted[event.message] = room.chat[event.message]
    return replace(room, muted=muted)


def _removed(room: Room, at: Ms, event: events.Removed) -> Room:
    guest = room.chat[event.message].guest if event.message in room.chat else ""
    return replace(room, banned=room.banned | {guest}) if guest else room


def _address_blocked(room: Room, at: Ms, event: events.AddressBlocked) -> Room:
    blocked = {address: until for address, until in room.blocked_addresses.items() if until > at}
    return replace(room, blocked_addresses={**blocked, event.address: at + BLOCKED_FOR})


#: How each event changes a room. Events that are not in this table only concern the tournament.
RULES: Mapping[type[events.Event], Callable[[Room, Ms, Any], Room]] = {
    **dict.fromkeys(tournaments.RULES, _of_tournament),
    events.Joined: _joined,
    events.Here: _here,
    events.Away: lambda room, at, event: _with_person(room, event.seat, via=None, away_at=at),
    events.Left: _left,
    events.Renamed: _renamed,
    events.Changed: _changed,
    events.Readied: lambda room, at, event: _with_person(room, event.seat, commitment=event.commitment),
    events.Unreadied: lambda room, at, event: _with_person(room, event.seat, commitment=None),
    events.Hosted: _hosted,
    events.Locked: lambda room, at, event: replace(room, locked=event.locked),
    events.Unlisted: lambda room, at, event: replace(room, unlisted=event.unlisted),
    events.RoomClosed: _room_closed,
    events.Counted: _counted,
    events.Claimed: _claimed,
    events.Contributed: _contributed,
    events.Dealt: _dealt,
    events.StartedLate: _started_late,
    events.GaveUp: lambda room, at, event: _with_racer(room, event.seat, gave_up_at=at),
    events.TookBack: _took_back,
    events.EndVoted: lambda room, at, event: _with_racer(
        room, event.seat, wants_end=event.on, end_votes=_count(room, event, "end_votes")
    ),
    events.StoodAside: lambda room, at, event: _with_racer(
        room, event.seat, aside=event.moves, end_votes=_count(room, event, "end_votes")
    ),
    events.Finished: _finished,
    events.SetUp: _set_up,
    events.Chatted: _chatted,
    events.Muted: _muted,
    events.Removed: _removed,
    events.AddressBlocked: _address_blocked,
    events.Entered: _entered,
    events.Drawn: _drawn,
    events.Matched: _matched,
    events.ResultReported: lambda room, at, event: replace(room, is_reported=True),
    events.Released: _released,
    events.Undone: _undone,
}
