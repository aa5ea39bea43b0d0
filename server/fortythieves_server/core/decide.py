"""The rules of a room: a request, or the clock, leads to events or is refused. Pure.

Each rule returns the events to append, or raises `Refused`. If the requested state is already there, it returns no
events, so a request that is sent twice is harmless. `may_move` says whether a seat may move at all; `playthrough`
says what the move does to the board.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.rules import deal
from fortythieves.rules.race_rules import TAKE_BACK_WITHIN, is_final
from fortythieves.rules.settings import SECRET, Settings
from fortythieves.times import Ms
from fortythieves_server.core import (
    decide_arena,
    decide_tournament,
    entry_list,
    event_limits,
    events,
    host_desk,
    host_role,
    moderation,
    operator_actions,
    race_end,
    stand_aside,
    team_choice,  # noqa: F401 - only its rule is needed here, which is registered when it is imported
    winnable_deals,
)
from fortythieves_server.core.clean_text import clean_chat, clean_name
from fortythieves_server.core.names import distinct
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Racer, Room, evolve
from fortythieves_server.core.rule_context import (
    RULES,
    Context,
    Events,
    counted,
    dealt,
    ended,
    not_in_tournament,
    on,
    out_of_race,
    own_racer,
    set_up,
    stopped,
)
from fortythieves_server.core.visibility import is_narrower

#: Nobody can give up at once, because a board deserves a look. A guess.
GIVE_UP_AFTER = Ms(5_000)
#: Somebody away this long, with no race running, loses the seat. A guess.
SEAT_AWAY = Ms(600_000)
#: The most bots in a room: a full table of friends, and few enough for one process.
MOST_BOTS = 6
COMMITMENT_DIGITS = 64


def join(room: Room, guest: str, request: to_server.Join, via: str, context: Context, address: str = "") -> Events:
    """A guest joins, or returns to a seat. ``address``: the hash of the guest's address, "" if unknown."""
    operator_actions.check_open(room)
    seat = room.seat_of(guest)
    if seat is not None:
        claimed = entry_list.claimed_at(room, seat, request)
        if room.people[seat].via == via:
            return claimed
        event_limits.check_return(room.counts, room.people[seat].returns)
        return [*back(room, seat, via, address), *claimed, *_late_start(room, guest, seat)]
    if room.of_arena is not None:
        raise Refused("full")  # everybody who races here has a seat
    kept = room.tournament.seat_of(guest) if room.tournament else None
    event_limits.check_entrance(room.counts, is_creator=room.is_creator(guest))
    if not room.is_creator(guest):
        _let_in(room, guest)
        if kept is None:
            moderation.check_address(room, guest, address, context.now)
    name = entry_list.name_of(room, guest, request)
    seat = kept or room.seats_given + 1
    entrance = decide_tournament.entrance(room, seat, guest, name) if room.tournament else []
    joined = events.Joined(seat, guest, name, request.bot, via, address)
    returned = host_role.returned(evolve(room, context.now, joined), seat)
    return [joined, *entrance, *returned, *_late_start(room, guest, seat)]


def _let_in(room: Room, guest: str) -> None:
    """Raise `Refused` if the room admits nobody else. The creator is always admitted."""
    if guest in room.banned:
        raise Refused("kicked")
    if room.locked:
        raise Refused("locked")
    if len(room.people) >= room.settings.seats:
        raise Refused("full")
    if room.race.on and room.settings.late == "refuse":
        raise Refused("started")


def back(room: Room, seat: int, via: str, address: str = "") -> Events:
    """The connection ``via`` serves the seat from now on."""
    return [events.Here(seat, via, address), *host_role.returned(room, seat)]


def _late_start(room: Room, guest: str, seat: int) -> Events:
    if room.settings.late != "join" or not room.race.on:
        return []
    # Somebody who has seen this deal, at any seat, cannot race on it again.
    seen = any(racer.guest == guest for racer in room.race.racers.values())
    return [] if seen else [events.StartedLate(seat)]


def gone(room: Room, seat: int, via: str) -> Events:
    """The connection is closed. If the seat has a newer one, nothing happens."""
    person = room.people.get(seat)
    return [events.Away(seat)] if person and person.via == via else []


def dead_connections(room: Room, alive: Callable[[str], bool]) -> Events:
    """Everybody whose connection is dead (for example because its process died) is away."""
    return [
        events.Away(seat) for seat, person in room.people.items() if person.via is not None and not alive(person.via)
    ]


def due(room: Room, context: Context) -> Events:
    """What is due by the clock. Any process may carry it out, any number of times."""
    if room.closed:
        return []
    race = room.race
    if race.revealing:
        return [*dealt(race, context.now), *host_role.due(room, context.now)]
    if race.on:
        absent = decide_arena.no_shows(room, context) if room.of_arena else decide_tournament.no_shows(room, context)
        ends = _due_in_race(room, context, sealed(absent))
        aside = [event for event in stand_aside.due(room, context) if event.seat not in sealed(ends)]
        return [*absent, *ends, *aside, *host_role.due(room, context.now)]
    if room.of_arena is not None:
        return decide_arena.heat_due(room, context)
    others = host_role.due(room, context.now)
    if room.tournament is not None:
        return _or_others(others, lambda: decide_tournament.due(room, context))
    others = _due_seats(room, context.now) + others
    return _or_others(others, lambda: _count(room, context)) if _starts_by_itself(room) else others


def _or_others(others: Events, begin: Callable[[], Events]) -> Events:
    """What begins, and what else is due. If nothing can begin yet, because winnable deals are missing, the rest."""
    try:
        return [*begin(), *others]
    except Refused:
        if not others:
            raise
        return others


def next_due(room: Room, progress: Mapping[int, Progress], *, watched: bool = False) -> Ms | None:
    """When something will next be due, or None. It may be early, but never late. ``watched``: see `Context`."""
    if room.closed:
        return None
    times: list[Ms] = []
    race = room.race
    if race.revealing and race.reveal_by is not None:
        times.append(race.reveal_by if race.withheld else room.at)
    elif race.on and (stops_at := race_end.stops_at(room)) is not None:
        times.append(stops_at)
        if watched:
            times += [max(at, race.starts_at or at) for at in stand_aside.passed_by(room, progress).values()]
        for seat, racer in race.racers.items():
            if racer.racing and racer.gave_up_at is not None:
                times.append(racer.gave_up_at + TAKE_BACK_WITHIN)
            if racer.racing and seat in progress and progress[seat].outcome:
                times.append(progress[seat].at)
    if room.of_arena is not None:
        at = decide_arena.heat_next_due(room, progress)
        times += [] if at is None else [at]
    elif room.tournament is not None:
        at = decide_tournament.next_due(room, progress)
        times += [] if at is None else [at]
    elif not race.on:
        times += [person.away_at + SEAT_AWAY for person in room.people.values() if person.away_at is not None]
        if _starts_by_itself(room):
            times.append(room.at)
    follower = host_role.follower(room)
    if follower is not None:
        times.append(follower.at)
    return min(times, default=None)


def _due_in_race(room: Room, context: Context, out: Collection[int]) -> Events:
    """The ends of all races that have ended, except for the seats in ``out``."""
    race, stops_at = room.race, race_end.stops_at(room)
    if stops_at is not None and race.ends_at is not None and stops_at <= context.now < race.ends_at:
        return [end for end in stopped(room, context) if end.seat not in out]
    racing = ((seat, racer) for seat, racer in race.racers.items() if racer.racing and seat not in out)
    ends = (ended(race, seat, racer, context) for seat, racer in racing)
    return [end for end in ends if end is not None]


def _due_seats(room: Room, now: Ms) -> Events:
    return [
        events.Left(seat)
        for seat, person in room.people.items()
        if person.away_at is not None and now >= person.away_at + SEAT_AWAY
    ]


def _starts_by_itself(room: Room) -> bool:
    """Auto-start: everybody here is ready, and there are two of them, or the room has one seat."""
    present = [person for person in room.people.values() if person.here]
    enough = len(present) >= min(2, room.settings.seats)
    waiting = room.race.starts_at is None
    return room.settings.auto_start and waiting and enough and all(person.ready for person in present)


def _count(room: Room, context: Context) -> Events:
    racers = tuple(seat for seat, person in sorted(room.people.items()) if person.here or person.ready)
    if not racers:
        raise Refused("nobody-ready")
    return counted(room, racers, context)


def _mends(request: to_server.Command) -> bool:
    """Whether a host repairs something or removes somebody. A part of the log is reserved for that."""
    if isinstance(request, host_desk.MENDS):
        return True
    match request:
        case to_server.Kick() | to_server.Remove() | to_server.Judge() | to_server.Withdraw() | to_server.Release():
            return True
        case to_server.Lock(locked=on) | to_server.Mute(on=on):
            return on
        case to_server.Round(do=do):
            return do in {"pause", "end", "skip", "replay", "replay_unfinished", "confirm"}
    return False


def decide(room: Room, seat: int, request: to_server.Command, context: Context) -> Events:
    """The events that follow from a seat's request. Raises `Refused`."""
    operator_actions.check_open(room)
    if seat not in room.people:
        raise Refused("not-in-room")
    decided = RULES[type(request)](room, seat, request, context)
    event_limits.check(room.counts, decided, mends=_mends(request))
    return decided


def _not_while_on(room: Room) -> None:
    if room.race.on:
        raise Refused("racing")


def watch(room: Room, guest: str, request: to_server.Watch, now: Ms = Ms(0), address: str = "") -> str:
    """A guest watches. Returns the guest's name. There are no events: spectators are not recorded."""
    operator_actions.check_open(room)
    if room.settings.watching == "nobody":
        raise Refused("not-watchable")
    if guest in room.banned and not room.is_creator(guest):
        raise Refused("kicked")
    if room.race.is_raced_by(guest):
        raise Refused("racing")
    if not room.is_creator(guest) and room.seat_of(guest) is None:
        moderation.check_address(room, guest, address, now)
    return clean_name(request.name)


def spectator_chats(room: Room, guest: str, name: str, request: to_server.Chat, address: str = "") -> Events:
    """A spectator chats. Racers only see it after their race."""
    if guest in room.banned and not room.is_creator(guest):
        raise Refused("kicked")
    moderation.check_voice(room, guest)
    text = clean_chat(request.text)
    if any((line.guest, line.key, line.text) == (guest, request.key, text) for line in room.chat.values()):
        return []
    # Checked now and not on entering: if somebody with this name has taken a seat since, the name is theirs.
    said: Events = [events.Chatted(0, request.key, text, distinct(room, name, guest), guest, address)]
    event_limits.check(room.counts, said)
    return said


def check_may_watch(room: Room, guest: str) -> None:
    """Raise `Refused` for a guest who still races: racers see no other board, whichever connection they use."""
    if room.race.is_raced_by(guest):
        raise Refused("racing")
    if room.race.on and room.settings.watching == "nobody":
        raise Refused("not-watchable")


def may_react(room: Room, guest: str) -> None:
    """Raise `Refused` for a guest who has been muted or removed."""
    if guest in room.banned and not room.is_creator(guest):
        raise Refused("kicked")
    moderation.check_voice(room, guest)


def may_review(room: Room, seat: int) -> None:
    if seat != room.host:
        raise Refused("not-host")


@on(to_server.ChangeSettings, host=True)
def _change(room: Room, seat: int, request: to_server.ChangeSettings, context: Context) -> Events:
    tournament = room.tournament
    before = tournament.settings if tournament else room.settings
    settings = before.changed(request.settings)
    gives_up_winnable = _gives_up_winnable(room, settings, request)
    if room.race.on or (tournament and tournament.drawn is not None):
        _only_watchers_see_less(replace(before, deal=settings.deal) if gives_up_winnable else before, settings)
    if settings.deal != before.deal:
        winnable_deals.check(settings, tournament.plan if tournament else None, context)
    known = room.race.revealed.deal if room.race.revealed else None
    if settings.practice is not None and settings.deal != known:
        raise Refused("bad-settings", detail="practice-elsewhere")
    # The creator is admitted even if all seats are taken.
    if settings.seats < min(len(room.people), before.seats):
        raise Refused("bad-settings", detail="people-here", people=len(room.people))
    return [] if settings == before and not gives_up_winnable else [events.Changed(settings, gives_up_winnable)]


def _gives_up_winnable(room: Room, settings: Settings, request: to_server.ChangeSettings) -> bool:
    """Whether a drawn round that waits for winnable deals is to be raced on an ordinary secret one."""
    drawn = room.tournament is not None and room.tournament.drawn is not None
    waits = drawn and room.race.starts_at is None and room.race.is_winnable
    return waits and settings.deal == SECRET and "deal" in request.settings


def _only_watchers_see_less(old: Settings, new: Settings) -> None:
    """During a race the settings are fixed. Only what spectators see may become less."""
    if replace(old, watch=new.watch, delay=new.delay) != new:
        raise Refused("racing")
    if not is_narrower(new, old):
        raise Refused("not-wider")


@on(to_server.Ready)
def _ready(room: Room, seat: int, request: to_server.Ready, context: Context) -> Events:
    _not_while_on(room)
    if room.race.starts_at is not None:
        raise Refused("over")
    return _readied(room, seat, request.commitment)


def _readied(room: Room, seat: int, said: str) -> Events:
    """A new commitment replaces the old one, so the acknowledged one is used for the deal.

    Clients that do not commit send the nonce itself. It counts as none.
    """
    commitment = said if len(said) == COMMITMENT_DIGITS else ""
    person = room.people[seat]
    return [] if person.ready and person.commitment == commitment else [events.Readied(seat, commitment=commitment)]


@on(to_server.Reveal)
def _reveal(room: Room, seat: int, request: to_server.Reveal, context: Context) -> Events:
    """The position of `Dealt` in the log decides what is in time, not the clock. So all processes agree."""
    race = room.race
    if race.commitments.get(seat) != deal.nonce_commitment(bytes.fromhex(request.nonce)):
        raise Refused("wrong-nonce")
    if race.nonces.get(seat) == request.nonce:
        return []
    if not race.revealing:
        raise Refused("reveal-late")
    return [events.Contributed(seat, request.nonce)]


@on(to_server.Unready)
def _unready(room: Room, seat: int, request: to_server.Unready, context: Context) -> Events:
    _not_while_on(room)
    return [events.Unreadied(seat)] if room.people[seat].ready else []


@on(to_server.Start, host=True)
def _start(room: Room, seat: int, request: to_server.Start, context: Context) -> Events:
    not_in_tournament(room)
    if room.race.on:
        return []
    if room.race.starts_at is not None:
        raise Refused("over")
    return _count(room, context)


@on(to_server.Lock, host=True)
def _lock(room: Room, seat: int, request: to_server.Lock, context: Context) -> Events:
    return [] if room.locked == request.locked else [events.Locked(request.locked)]


@on(to_server.AddBot, host=True)
def _add_bot(room: Room, seat: int, request: to_server.AddBot, context: Context) -> Events:
    """No event yet. The bot joins by itself; this only checks whether it would be admitted."""
    if sum(person.bot for person in room.people.values()) >= MOST_BOTS:
        raise Refused("enough-bots", most=MOST_BOTS)
    join(room, "", to_server.Join(0, room.code, "bot", None, True), "", context)
    return []


@on(to_server.Chat)
def _chat(room: Room, seat: int, request: to_server.Chat, context: Context) -> Events:
    moderation.check_voice(room, room.people[seat].guest)
    tournament = room.tournament
    if tournament is not None and tournament.plan.quiet and room.race.on and seat in room.race.racers:
        raise Refused("quiet")
    text = clean_chat(request.text)
    if any((line.seat, line.key, line.text) == (seat, request.key, text) for line in room.chat.values()):
        return []
    return [events.Chatted(seat, request.key, text)]


@on(to_server.Rename)
def _rename(room: Room, seat: int, request: to_server.Rename, context: Context) -> Events:
    _not_while_on(room)
    if room.of_arena is not None:
        raise Refused("tournament")
    if entry_list.is_bound(room, seat):
        raise Refused("listed-name")
    name = distinct(room, clean_name(request.name), room.people[seat].guest)
    return [] if name == room.people[seat].name else [events.Renamed(seat, name)]


@on(to_server.GiveUp)
def _give_up(room: Room, seat: int, request: to_server.GiveUp, context: Context) -> Events:
    racer = own_racer(room, seat, context.now)
    if context.now < (room.race.starts_at or Ms(0)) + GIVE_UP_AFTER:
        raise Refused("too-early")
    plan = room.of_arena or (room.tournament and room.tournament.plan)
    if plan and plan.deadly:
        return [*out_of_race(room, seat, "left", context)]
    return [] if racer.gave_up_at is not None else [events.GaveUp(seat)]


@on(to_server.TakeBack)
def _take_back(room: Room, seat: int, request: to_server.TakeBack, context: Context) -> Events:
    racer = room.race.racers.get(seat)
    if racer is not None and _has_given_up_for_good(racer, context.now):
        raise Refused("not-given-up")
    racer = own_racer(room, seat, context.now)
    if racer.gave_up_at is None:
        return []
    if racer.taken_back >= event_limits.TAKEN_BACK:
        raise Refused("not-given-up")
    return [events.TookBack(seat)]


def _has_given_up_for_good(racer: Racer, now: Ms) -> bool:
    """Whether giving up is final, even if that is not in the log yet."""
    if not racer.racing:
        return racer.state == "gave_up"
    return racer.gave_up_at is not None and is_final(racer.gave_up_at, now)


@on(to_server.Rematch)
def _rematch(room: Room, seat: int, request: to_server.Rematch, context: Context) -> Events:
    not_in_tournament(room)
    if room.race.on:
        raise Refused("not-over")
    if room.race.starts_at is None:
        return _readied(room, seat, request.commitment)
    following = set_up(room, context)
    return [following, *_readied(evolve(room, context.now, following), seat, request.commitment)]


@on(to_server.Leave)
def _leave(room: Room, seat: int, request: to_server.Leave, context: Context) -> Events:
    ends = out_of_race(room, seat, "left", context)
    if room.of_arena is not None:
        return [*ends]  # the seat is kept: it is called to this race, and to no other
    return [*ends, *decide_tournament.left(room, seat), events.Left(seat)]


def may_move(room: Room, seat: int, race: int, now: Ms) -> None:
    """Raise `Refused` unless the seat may make a move now. Its board judges the move itself."""
    current = room.race
    if race != current.number:
        raise Refused("over" if race < current.number else "not-started")
    if seat not in current.movers or not (current.starts_at or Ms(0)) <= now < (current.stops_at or Ms(0)):
        own_racer(room, seat, now)  # raises with the reason, if there is another one
        raise Refused("finished")  # has given up


def sealed(decided: Sequence[events.Event]) -> dict[int, int]:
    """The seats whose move logs these events close, and how many entries each log must have then."""
    return {event.seat: event.moves for event in decided if isinstance(event, events.Finished)}
