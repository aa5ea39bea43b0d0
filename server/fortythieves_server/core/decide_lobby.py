"""The rules of a room before a race: joining, settings, readiness, nonces, chat, names, and leaving. Pure."""

from msgspec.structs import replace

from fortythieves.errors import Refused, refuse_if
from fortythieves.protocol import to_server
from fortythieves.rules import deal
from fortythieves.rules.settings import SECRET
from fortythieves.times import Ms
from fortythieves_server.core import decide_entrants, decide_hosts, decide_tournament, events, rule_context
from fortythieves_server.core.event_limits import check_entrance, check_return
from fortythieves_server.core.evolve import evolve
from fortythieves_server.core.faces import face_for
from fortythieves_server.core.names_and_texts import clean_chat, clean_name, distinct_beside_list
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, not_in_tournament
from fortythieves_server.core.visibility import is_narrower

#: The most bots in a room: a full table of friends, and few enough for one process.
MOST_BOTS = 6
#: Of connections that ask for a seat within this time, the one that is decided last gets it. How long each waited is
#: only known to a few ms.
TOGETHER = Ms(100)


def join(
    room: Room,
    guest: str,
    request: to_server.Join,
    via: str,
    context: Context,
    address: str = "",
    waited: Ms = Ms(0),
    before: str | None = None,
) -> Events:
    """A guest joins, or returns to a seat. ``address``: the hash of the guest's address, "" if unknown.

    ``waited``: since the request came. One that came earlier than that of another connection takes no seat from it.
    ``before``: the connection that had the seat when the request came. That one is earlier, whatever the clocks say.
    """
    arrived_at = context.now - waited
    decide_hosts.check_open(room)
    seat = room.seat_of(guest)
    if seat is not None:
        claimed = decide_entrants.claimed_at(room, seat, request)
        person = room.people[seat]
        is_replaced = not person.here or person.via == before or person.arrived_at <= arrived_at + TOGETHER
        if person.via == via or not is_replaced:
            return claimed
        check_return(room.counts, person.address, person.returns)
        return [*reconnect(room, seat, via, address, arrived_at), *claimed, *_late_start(room, guest, seat)]
    refuse_if(room.of_arena is not None or room.without_seats is not None, "full")  # all its racers have seats, or none
    kept = room.tournament.seat_of(guest) if room.tournament else None
    check_entrance(room.counts, address, is_creator=room.is_creator(guest))
    if not room.is_creator(guest):
        _let_in(room, guest)
        if kept is None:
            decide_hosts.check_address(room, guest, address, context.now)
    name = decide_entrants.name_of(room, guest, request)
    seat = kept or room.seats_given + 1
    entrance = decide_tournament.entrance(room, seat, guest, name) if room.tournament else []
    face = room.faces.get(seat)  # a kept seat keeps its face
    face = face_for(room, seat, request.face, bot=request.bot) if face is None else face
    joined = events.Joined(seat, guest, name, request.bot, via, address, face, arrived_at)
    returned = decide_hosts.returned(evolve(room, context.now, joined), seat)
    return [joined, *entrance, *returned, *_late_start(room, guest, seat)]


def _let_in(room: Room, guest: str) -> None:
    """Raise `Refused` if the room admits no other guest. The creator is always admitted."""
    refuse_if(guest in room.banned, "kicked")
    if room.closed_to is not None:
        raise Refused(room.closed_to)


def reconnect(room: Room, seat: int, via: str, address: str, arrived_at: Ms = Ms(0)) -> Events:
    return [events.Here(seat, via, address, arrived_at), *decide_hosts.returned(room, seat)]


def _late_start(room: Room, guest: str, seat: int) -> Events:
    if room.settings.late != "join" or not room.race.on:
        return []
    # A guest that has seen this deal, at any seat, cannot race on it a second time.
    return [] if room.race.seat_of(guest) is not None else [events.StartedLate(seat)]


def change_settings(room: Room, seat: int, request: to_server.ChangeSettings, context: Context) -> Events:
    tournament, race = room.tournament, room.race
    before = tournament.settings if tournament else room.settings
    settings = before.changed(request.settings)
    is_drawn = tournament is not None and tournament.drawn is not None
    # A drawn round that waits for winnable deals can be raced on an ordinary secret one.
    waits = is_drawn and race.starts_at is None and race.is_winnable
    gives_up_winnable = waits and settings.deal == SECRET and "deal" in request.settings
    if race.on or is_drawn:
        # During a race the settings are fixed. Only the view of spectators may become narrower.
        deal_before = settings.deal if gives_up_winnable else before.deal
        refuse_if(replace(before, watch=settings.watch, delay=settings.delay, deal=deal_before) != settings, "racing")
        refuse_if(not is_narrower(settings, before), "not-wider")
    if (settings.deal, settings.game) != (before.deal, before.game):
        rule_context.check_winnable(settings, tournament.plan if tournament else None, context)
    # The creator is admitted even if all seats are taken.
    if settings.seats < min(len(room.people), before.seats):
        raise Refused("bad-settings", detail="people-here", people=len(room.people))
    return [] if settings == before and not gives_up_winnable else [events.Changed(settings, gives_up_winnable)]


def ready(room: Room, seat: int, request: to_server.Ready, context: Context) -> Events:
    refuse_if(room.race.on, "racing")
    refuse_if(room.race.starts_at is not None, "over")
    return _readied(room, seat, request.commitment)


def _readied(room: Room, seat: int, commitment: str | None) -> Events:
    """A new commitment replaces the old one, so the acknowledged one is used for the deal."""
    return [] if room.people[seat].commitment == commitment else [events.Readied(seat, commitment)]


def reveal(room: Room, seat: int, request: to_server.Reveal, context: Context) -> Events:
    """The position of `Dealt` in the log decides which nonces are in time, not the clock. So all processes agree."""
    race = room.race
    refuse_if(race.commitments.get(seat) != deal.nonce_commitment(bytes.fromhex(request.nonce)), "wrong-nonce")
    if race.nonces.get(seat) == request.nonce:
        return []
    refuse_if(not race.revealing, "reveal-late")
    return [events.Contributed(seat, request.nonce)]


def unready(room: Room, seat: int, request: to_server.Unready, context: Context) -> Events:
    refuse_if(room.race.on, "racing")
    return _readied(room, seat, None)


def start(room: Room, seat: int, request: to_server.Start, context: Context) -> Events:
    not_in_tournament(room)
    if room.race.on:
        return []
    refuse_if(room.race.starts_at is not None, "over")
    return begin_countdown_of_ready(room, context)


def begin_countdown_of_ready(room: Room, context: Context) -> Events:
    racers = [seat for seat, person in sorted(room.people.items()) if person.here or person.ready]
    refuse_if(not racers, "nobody-ready")
    return rule_context.begin_countdown(room, racers, context)


def lock(room: Room, seat: int, request: to_server.Lock, context: Context) -> Events:
    return [] if room.locked == request.locked else [events.Locked(request.locked)]


def add_bot(room: Room, seat: int, request: to_server.AddBot, context: Context) -> Events:
    """No event yet. The bot joins by itself; this only checks whether it would be admitted."""
    refuse_if(sum(person.bot for person in room.people.values()) >= MOST_BOTS, "enough-bots", most=MOST_BOTS)
    join(room, "", to_server.Join(0, room.code, "bot", None, True), "", context)
    return []


def chat(room: Room, seat: int, request: to_server.Chat, context: Context) -> Events:
    refuse_if(room.is_muted(room.people[seat].guest), "muted")
    refuse_if(room.tournament and room.tournament.plan.quiet and room.race.on and seat in room.race.racers, "quiet")
    text = clean_chat(request.text)
    if any((message.seat, message.key, message.text) == (seat, request.key, text) for message in room.chat.values()):
        return []
    return [events.Chatted(seat, request.key, text)]


def rename(room: Room, seat: int, request: to_server.Rename, context: Context) -> Events:
    refuse_if(room.race.on, "racing")
    refuse_if(room.of_arena is not None, "tournament")
    person, face = room.people[seat], room.faces[seat]
    if request.face is not None and request.face != face:
        face = face_for(room, seat, request.face, bot=person.bot)
    name = clean_name(request.name)
    if name != person.name:
        refuse_if(decide_entrants.is_bound(room, seat), "listed-name")
        name = distinct_beside_list(room, name, person.guest)
    changed_face = None if face == room.faces[seat] else face
    return [] if name == person.name and changed_face is None else [events.Renamed(seat, name, face=changed_face)]


def rematch(room: Room, seat: int, request: to_server.Rematch, context: Context) -> Events:
    not_in_tournament(room)
    refuse_if(room.race.on, "not-over")
    if room.race.starts_at is None:
        return _readied(room, seat, request.commitment)
    following = rule_context.set_up_race(room, context)
    return [following, *_readied(evolve(room, context.now, following), seat, request.commitment)]


def leave(room: Room, seat: int, request: to_server.Leave, context: Context) -> Events:
    ends = rule_context.take_out_of_race(room, seat, "left", context)
    # In a race of an arena the seat is kept: it is called to this race, and to no other.
    return [*ends, *([] if room.of_arena else [*rule_context.leave_tournament(room, seat), events.Left(seat)])]
