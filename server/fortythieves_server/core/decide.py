"""The decisions of a room: a request, or the clock, leads to events or is refused. Pure.

`RULES` has the rule for each request. `check_may_move` decides who may move; `playthrough` makes the move.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from fortythieves.errors import Refused, refuse_if
from fortythieves.protocol import to_server
from fortythieves.rules.cards import PACKS
from fortythieves.rules.race_rules import TAKE_BACK_WITHIN
from fortythieves.times import Ms, ms_of
from fortythieves_server.core import (
    decide_arena,
    decide_challenge,
    decide_circle,
    decide_entrants,
    decide_hosts,
    decide_lobby,
    decide_race_end,
    decide_tournament,
    event_limits,
    events,
)
from fortythieves_server.core.names_and_texts import clean_chat, clean_name, distinct_beside_list
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.core.rule_context import (
    Context,
    Events,
    Rule,
    earliest,
    end_by_clock,
    not_in_tournament,
    own_racer,
    stop_all,
)

#: A player away this long, with no race running, loses the seat. A guess.
SEAT_AWAY = Ms(600_000)
#: The same for a guest who looks for an opponent: time for a reload. A guess.
SEEKER_AWAY = Ms(10_000)


def by_host(rule: Rule, *, or_co_host: bool = False) -> Rule:
    """The rule, for the host only, or also for co-hosts."""

    def rule_for_hosts(room: Room, seat: int, request: to_server.Command, context: Context) -> Events:
        refuse_if(room.host != seat and not (or_co_host and seat in room.co_hosts), "not-host")
        return rule(room, seat, request, context)

    return rule_for_hosts


by_co_host = partial(by_host, or_co_host=True)

#: The rule for each request of a seat.
RULES: Mapping[type[to_server.Command], Rule] = {
    to_server.ChangeSettings: by_host(decide_lobby.change_settings),
    to_server.Ready: decide_lobby.ready,
    to_server.Unready: decide_lobby.unready,
    to_server.Reveal: decide_lobby.reveal,
    to_server.Start: by_host(decide_lobby.start),
    to_server.Rematch: decide_lobby.rematch,
    to_server.Rename: decide_lobby.rename,
    to_server.Chat: decide_lobby.chat,
    to_server.Leave: decide_lobby.leave,
    to_server.Lock: by_host(decide_lobby.lock),
    to_server.AddBot: by_host(decide_lobby.add_bot),
    to_server.HandOver: by_host(decide_hosts.hand_over),
    to_server.CoHost: by_host(decide_hosts.appoint_co_host),
    to_server.Kick: by_host(decide_hosts.kick),
    to_server.Admit: by_host(decide_hosts.admit),
    to_server.Mute: by_co_host(decide_hosts.mute),
    to_server.Remove: by_co_host(decide_hosts.remove),
    to_server.GiveUp: decide_race_end.give_up,
    to_server.TakeBack: decide_race_end.take_back,
    to_server.StandAside: decide_race_end.stand_aside,
    to_server.AgreeToEnd: decide_race_end.agree_to_end,
    to_server.EndRace: by_host(decide_race_end.end_race),
    to_server.CheckIn: decide_entrants.check_in,
    to_server.Team: decide_entrants.choose_team,
    to_server.Registration: by_co_host(decide_entrants.set_registration),
    to_server.ShowList: by_co_host(decide_entrants.show_list),
    to_server.Release: by_co_host(decide_entrants.release_name),
    to_server.Enter: decide_tournament.enter,
    to_server.ChangePlan: by_co_host(decide_tournament.change_plan),
    to_server.Timer: by_co_host(decide_tournament.set_timer),
    to_server.Round: by_co_host(decide_tournament.control_round),
    to_server.Judge: by_co_host(decide_tournament.judge),
    to_server.Withdraw: by_co_host(decide_tournament.withdraw),
    to_server.HalfBye: decide_tournament.half_bye,
    to_server.Correct: by_co_host(decide_tournament.correct),
    to_server.ReplayMatch: by_co_host(decide_tournament.replay_match),
    to_server.Swap: by_co_host(decide_tournament.swap),
    to_server.RenameEntrant: by_co_host(decide_tournament.rename_entrant),
    to_server.Announce: by_co_host(decide_tournament.announce),
    to_server.Undo: by_co_host(decide_tournament.undo),
}


def decide(room: Room, seat: int, request: to_server.Command, context: Context) -> Events:
    """The events that follow from a seat's request. Raises `Refused`."""
    decide_hosts.check_open(room)
    refuse_if(seat not in room.people, "not-in-room")
    decided = RULES[type(request)](room, seat, request, context)
    # A stranger who stands in must leave the reserve to the owner.
    mends = room.is_in_owners_hands and _mends(request)
    event_limits.check(room.counts, decided, room.people[seat].address, mends=mends)
    return decided


def _mends(request: to_server.Command) -> bool:
    """Whether a host repairs something or removes a person. A part of the log is reserved for that."""
    match request:
        case to_server.Correct() | to_server.ReplayMatch() | to_server.Swap() | to_server.Undo():
            return True
        case to_server.Kick() | to_server.Remove() | to_server.Judge() | to_server.Withdraw() | to_server.Release():
            return True
        case to_server.Admit():
            return True
        case to_server.Lock(locked=on) | to_server.Mute(on=on):
            return on
        case to_server.Round(do=do):
            return do in {"pause", "end", "skip", "replay", "replay_unfinished", "confirm"}
    return False


def disconnect(room: Room, seat: int, via: str) -> Events:
    """The connection is closed. If the seat has a newer one, nothing happens."""
    person = room.people.get(seat)
    return [events.Away(seat)] if person and person.via == via else []


def dead_connections(room: Room, alive: Callable[[str], bool]) -> Events:
    """All players with a dead connection (for example because its process died) are away."""
    return [events.Away(seat) for seat, person in room.people.items() if person.via and not alive(person.via)]


def due(room: Room, context: Context) -> Events:
    """The events that are due by the clock. Any process may carry them out, any number of times."""
    if room.closed:
        return []
    if room.challenge is not None:
        return decide_challenge.due(room, context.now)
    if room.circle is not None:
        return []
    race = room.race
    if race.revealing and race.reveal_by is not None:
        # The deck is settled as soon as all nonces are revealed, or the time for that is up.
        is_open = race.withheld and context.now < race.reveal_by
        return [*([] if is_open else [events.Dealt()]), *decide_hosts.due(room, context.now)]
    if race.on:
        absent = decide_arena.no_shows(room, context) if room.of_arena else decide_tournament.no_shows(room, context)
        ends = _due_in_race(room, context, sealed(absent))
        aside = [event for event in decide_race_end.due(room, context) if event.seat not in sealed(ends)]
        return [*absent, *ends, *aside, *decide_hosts.due(room, context.now)]
    if room.of_arena is not None:
        return decide_arena.heat_due(room, context)
    others = decide_hosts.due(room, context.now)
    if room.tournament is None:
        away = ((seat, person.away_at) for seat, person in room.people.items() if person.away_at is not None)
        kept = _seat_kept(room)
        others = [*(events.Left(seat) for seat, away_at in away if context.now >= away_at + kept), *others]
        if not _starts_by_itself(room):
            return others
    begin = decide_tournament.due if room.tournament else decide_lobby.begin_countdown_of_ready
    try:
        return [*begin(room, context), *others]
    except Refused:  # winnable deals are missing, so nothing can begin
        if not others:
            raise
        return others


def next_due(room: Room, progress: Mapping[int, Progress], *, watched: bool = False) -> Ms | None:
    """When something will next be due, or None. It may be early, but never late. ``watched``: see `Context`."""
    if room.closed:
        return None
    if room.challenge is not None:
        return decide_challenge.next_due(room)
    if room.circle is not None:
        return decide_circle.next_due(room)
    race, follower = room.race, decide_hosts.follower(room)
    times = [follower and follower[0], room.at if decide_circle.race_to_report(room) else None]
    if race.revealing:
        times.append(race.reveal_by if race.withheld else room.at)
    elif race.on and (stops_at := decide_race_end.stops_at(room)) is not None:
        times.append(stops_at)
        if watched:
            times += [max(at, race.starts_at or at) for at in decide_race_end.passed_by(room, progress).values()]
        for seat, racer in race.racers.items():
            if racer.racing and racer.gave_up_at is not None:
                times.append(racer.gave_up_at + TAKE_BACK_WITHIN)
            if racer.racing and seat in progress and progress[seat].outcome:
                times.append(progress[seat].at)
    if room.of_arena is not None:
        times.append(decide_arena.heat_next_due(room, progress))
    elif room.tournament is not None:
        times += [decide_tournament.next_due(room, progress), room.at if room.tournament.lacks_par else None]
    elif not race.on:
        kept = _seat_kept(room)
        times += [person.away_at + kept for person in room.people.values() if person.away_at is not None]
        times.append(room.at if _starts_by_itself(room) else None)
    return earliest(*times)


def _due_in_race(room: Room, context: Context, out: Collection[int]) -> Events:
    """The ends of all races that have ended, except for the seats in ``out``."""
    race, stops_at = room.race, decide_race_end.stops_at(room)
    if stops_at is not None and race.ends_at is not None and stops_at <= context.now < race.ends_at:
        return [end for end in stop_all(room, context) if end.seat not in out]
    ends = (end_by_clock(race, seat, context) for seat in race.active if seat not in out)
    return [end for end in ends if end is not None]


def _seat_kept(room: Room) -> Ms:
    return SEEKER_AWAY if room.seeks_people else SEAT_AWAY


def _starts_by_itself(room: Room) -> bool:
    """Auto-start: all present players are ready, and there are two of them, or the room has one seat."""
    present = [person for person in room.people.values() if person.here]
    enough = len(present) >= min(2, room.settings.seats)
    waiting = room.race.starts_at is None
    return room.settings.auto_start and waiting and enough and all(person.ready for person in present)


def watch(room: Room, guest: str, request: to_server.Watch, now: Ms = Ms(0), address: str = "") -> str:
    """A guest watches. Returns the guest's name. There are no events: spectators are not recorded."""
    decide_hosts.check_open(room)
    refuse_if(room.settings.watching == "nobody", "not-watchable")
    refuse_if(guest in room.banned and not room.is_creator(guest), "kicked")
    refuse_if(not request.projector and room.race.is_raced_by(guest), "racing")
    if not room.is_creator(guest) and room.seat_of(guest) is None:
        decide_hosts.check_address(room, guest, address, now)
    return clean_name(request.name)


def spectator_chats(
    room: Room, guest: str, name: str, request: to_server.Chat, address: str = "", face: int = 0
) -> Events:
    """A spectator chats. Racers only see it after their race."""
    check_may_react(room, guest)
    if room.circle is not None:
        refuse_if(room.circle.hides_from(guest), "not-member")
    if room.challenge is not None:
        # Their words could tell something to guests who have not raced yet.
        refuse_if(room.challenge.hides_from(guest), "try-first")
        refuse_if(room.challenge.opened.day, "no-chat")  # it has no host who could remove anyone
    text = clean_chat(request.text)
    if any((message.guest, message.key, message.text) == (guest, request.key, text) for message in room.chat.values()):
        return []
    # Checked with each message: a player with this name may have taken a seat since the spectator entered.
    name = distinct_beside_list(room, name, guest)
    chatted: Events = [events.Chatted(0, request.key, text, name, guest, address, face)]
    event_limits.check(room.counts, chatted, address)
    return chatted


#: How many predictions a race takes, and half of them from one address. More would only make the numbers larger.
MOST_PREDICTIONS = 100


def predict(room: Room, guest: str, request: to_server.Predict, context: Context, address: str = "") -> Events:
    """A guest outside the race says who will win it. No view has that before the race is over."""
    not_in_tournament(room)
    check_may_react(room, guest)
    race, known = room.race, room.race.predictions
    if guest in known and known[guest].seat == request.seat:
        return []
    is_early = race.on and len(race.racers) > 1 and _is_first_third(race, context)
    is_full = event_limits.has_no_place(MOST_PREDICTIONS, [one.address for one in known.values()], address)
    refuse_if(race.seat_of(guest) is not None, "racing")
    refuse_if(guest in known or is_full or not is_early, "no-prediction")
    refuse_if(request.seat not in race.racers, "unknown-seat", seat=request.seat)
    predicted: Events = [events.Predicted(request.seat, guest, address)]
    event_limits.check(room.counts, predicted, address)
    return predicted


def _is_first_third(race: Race, context: Context) -> bool:
    """Whether less than a third of the time is over, and no racer has brought a third of the cards home."""
    until = (race.starts_at or context.now) + ms_of(race.settings.time_limit // 3)
    return context.now < until and all(3 * one.home < len(PACKS) for one in context.progress.values())


def check_may_watch(room: Room, guest: str) -> None:
    """Raise `Refused` for a guest in the race: racers see no other board, whichever connection they use."""
    refuse_if(room.race.is_raced_by(guest), "racing")
    refuse_if(room.race.on and room.settings.watching == "nobody", "not-watchable")


def check_may_react(room: Room, guest: str, racer: int = 0) -> None:
    """``racer``: the seat of an active one, whom a tournament can forbid to."""
    refuse_if(racer and room.tournament and room.tournament.plan.quiet, "quiet")
    refuse_if(guest in room.banned and not room.is_creator(guest), "kicked")
    refuse_if(room.is_muted(guest), "muted")


def check_may_move(room: Room, seat: int, race: int, now: Ms) -> None:
    """Raise `Refused` unless the seat may make a move now. Its board judges the move itself."""
    current = room.race
    if race != current.number:
        raise Refused("over" if race < current.number else "not-started")
    if seat not in current.movers or not (current.starts_at or Ms(0)) <= now < (current.stops_at or Ms(0)):
        own_racer(room, seat, now)  # raises with the reason, if there is another one
        raise Refused("finished")  # has given up


def sealed(decided: Sequence[events.Event]) -> dict[int, int]:
    """The seats with move logs that these events close, and how many entries each log must have then."""
    return {event.seat: event.moves for event in decided if isinstance(event, events.Finished)}
