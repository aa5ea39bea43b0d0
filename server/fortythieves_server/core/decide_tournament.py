"""The rules of a tournament: the requests of its hosts and entrants, and its clock. Pure."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.times import Ms, ms_of
from fortythieves.tournament.plan import LISTS, MOST_LISTED, Plan
from fortythieves.tournament.results import is_in, is_out
from fortythieves.tournament.standings import comparison
from fortythieves_server.core import decide_arena, decide_entrants, decide_hosts, events
from fortythieves_server.core.clean_text import clean_about, clean_name, clean_reason, clean_title, needed_reason
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import (
    Context,
    Events,
    begin_countdown,
    check_winnable,
    earliest,
    end_of_race,
    entrant_at,
    set_up_race,
    stop_all,
    take_out_of_race,
    tournament_of,
)
from fortythieves_server.core.tournament import DRAWN_FOR, Tournament, is_released

#: A later start is probably a mistake, and rooms are kept until their start. A leap year has 366 days.
LATEST_DAYS = 366
LATEST = ms_of(LATEST_DAYS * 24 * 3_600)

#: An entrant absent for less than this is not a no-show: a reloaded page, or a phone that changes its network, is back
#: by then. A guess.
BACK_WITHIN = Ms(20_000)

#: The parts of a plan that decide the score, and the details of their refusals. The first draw, or the opening of an
#: arena, fixes them. A host can still correct a single result.
_FIXED = {
    "format": "format-fixed",
    "points": "points-fixed",
    "tiebreak_order": "tiebreaks-fixed",
    "team_size": "team-fixed",
    "second_final": "second-final-fixed",
    **dict.fromkeys(("race_size", "streak"), "arena-fixed"),
    **dict.fromkeys(("groups", "advance"), "groups-fixed"),
}
_FIXED_WHILE_DRAWN = {"blind": "blind-fixed", "deadly": "deadly-fixed"}


def no_shows(room: Room, context: Context) -> Events:
    """Withdraw absent entrants without a move some time after the start. They may come back."""
    race = room.race
    decided: Events = []
    for seat, late in _absent(room, context.progress).items():
        if context.now >= late:
            end = end_of_race(race, seat, "did_not_start", late, context)
            decided += [end, events.Withdrawn(seat, "no_show")]
    return decided


def _absent(room: Room, progress: Mapping[int, Progress]) -> dict[int, Ms]:
    """The absent entrants without a move in a running race, and when each of them is a no-show."""
    race = room.race
    if room.tournament is None or race.revealing or race.starts_at is None or race.ends_at is None:
        return {}
    at = race.starts_at + ms_of(room.tournament.plan.no_show)
    absent = {}
    for seat in race.active:
        person = room.people.get(seat)
        if seat not in progress and (person is None or not person.here):
            since = person.away_at if person else None
            absent[seat] = min(at if since is None else max(at, since + BACK_WITHIN), race.ends_at)
    return absent


def due(room: Room, context: Context) -> Events:
    """The events that are due by the clock while no race runs."""
    tournament = tournament_of(room)
    if tournament.is_arena:
        return decide_entrants.due(tournament, context.now) or decide_arena.due(room, tournament, context)
    if not tournament.undecided:
        return decide_entrants.due(tournament, context.now) or _begin(room, tournament, context)
    if tournament.last and not tournament.playing_on:
        return [events.Decided(tournament.last.number, tournament.next_round is None)]
    return _begin(room, tournament, context)


def next_due(room: Room, progress: Mapping[int, Progress]) -> Ms | None:
    """When `due` or `no_shows` will next have something to do, or None."""
    tournament = tournament_of(room)
    if tournament.is_arena:
        return earliest(decide_entrants.next_due(tournament), decide_arena.next_due(room, tournament))
    if room.race.on:
        return min(_absent(room, progress).values(), default=None)
    if tournament.undecided and not tournament.playing_on:
        return room.at
    return earliest(_begins_at(room, tournament), decide_entrants.next_due(tournament))


def _begins_at(room: Room, tournament: Tournament) -> Ms | None:
    lead = DRAWN_FOR if tournament.drawn is None else ms_of(room.settings.countdown)
    return None if tournament.next_at is None else tournament.next_at - lead


def _begin(room: Room, tournament: Tournament, context: Context) -> Events:
    """When it is time: the draw, and later the countdown."""
    at, begin = _begins_at(room, tournament), _draw if tournament.drawn is None else _count
    return begin(room, tournament, context) if at is not None and context.now >= at else []


def _draw(room: Room, tournament: Tournament, context: Context) -> Events:
    # Randomness that reveals nothing about the secret of the deal.
    chance = hashlib.sha256(b"draw" + bytes.fromhex(context.secret)).hexdigest()
    drawn = tournament.next_draw(chance, context.draw)
    if drawn is None:
        last = tournament.last
        # Too few have come, or too many have left since the last round.
        return [events.Timed(None)] if last is None else [events.Decided(last.number, True)]
    # A race that was set up but never started can be used: its deal is still secret.
    return [drawn] if room.race.starts_at is None else [set_up_race(room, context), drawn]


def _count(room: Room, tournament: Tournament, context: Context) -> Events:
    racers = [seat for seat in tournament.seats if seat in room.people and is_in(tournament.entrants, seat)]
    return begin_countdown(room, racers, context) if racers else [events.Skipped(tournament.drawn or 0, None, "nobody")]


def entrance(room: Room, seat: int, guest: str, name: str) -> Events:
    """The events that follow when a guest joins the room of a tournament. Raises `Refused`."""
    tournament = tournament_of(room)
    if not room.creator or room.is_creator(guest) or not tournament.may_enter(seat):
        return []
    known = tournament.entrants.get(seat)
    # An entrant with a released name has claimed another one, or the same one.
    renamed: Events = [events.Renamed(seat, name)] if known and is_released(known) else []
    return [*renamed, events.Entered(seat)] if renamed or known is None else []


def enter(room: Room, seat: int, request: to_server.Enter, context: Context) -> Events:
    tournament = tournament_of(room)
    if request.on == is_in(tournament.entrants, seat):
        return []
    if not request.on:
        return _withdrawn(room, seat, "left", None, context)
    if is_out(tournament.entrants, seat):
        raise Refused("disqualified")
    decide_entrants.check_registration(tournament, seat)
    decide_entrants.check_list_entry(room, seat)
    return [events.Entered(seat)]


def _withdrawn(room: Room, seat: int, why: events.Why, by: int | None, context: Context) -> Events:
    if tournament_of(room).over:  # leaving after the end changes nothing
        raise Refused("ended")
    return [*take_out_of_race(room, seat, "left", context), events.Withdrawn(seat, why, by)]


def change_plan(room: Room, seat: int, request: to_server.ChangePlan, context: Context) -> Events:
    tournament = tournament_of(room)
    old, plan = tournament.plan, changed(tournament.plan, request.plan)
    rounds = len(tournament.rounds)
    fixed = (_FIXED if tournament.begun else {}) | (_FIXED_WHILE_DRAWN if tournament.drawn is not None else {})
    for name, detail in fixed.items():
        if getattr(plan, name) != getattr(old, name):
            raise Refused("bad-plan", detail=detail)
    if not tournament.begun:
        plan.check_room(tournament.count_in)
    if not plan.has_schedule and plan.rounds < rounds:
        raise Refused("bad-plan", detail="rounds-drawn", rounds=rounds)
    if plan.entry == "password" and not (tournament.password or context.password):
        raise Refused("bad-plan", detail="password-needed")
    if plan.starts_at != old.starts_at:
        check_start(plan.starts_at, context.now)
    if (plan.format, plan.ladder) != (old.format, old.ladder):
        check_winnable(tournament.settings, plan, context)
    if plan == old and not context.password:
        return []
    same = tuple(name for name in LISTS if getattr(plan, name) == getattr(old, name))
    return [events.Planned(plan.with_lists_of(Plan(), same), seat, context.password, same=same)]


def changed(plan: Plan, changes: Mapping[str, Any]) -> Plan:
    """The plan with some changes, its texts cleaned. Raises `Refused`."""
    listed, about = changes.get("listed"), changes.get("about")
    if isinstance(about, str):
        changes = {**changes, "about": clean_about(about)}
    if isinstance(listed, Sequence) and len(listed) <= MOST_LISTED:
        cleaned = [decide_entrants.clean_listed_name(name) if isinstance(name, str) else name for name in listed]
        changes = {**changes, "listed": cleaned}
    after = plan.changed(changes)
    if "listed_teams" in changes:
        after = replace(after, listed_teams=decide_entrants.clean_teams(after.listed_teams))
    if "name" in changes:
        after = replace(after, name=clean_title(after.name))
    if "listed" in changes:
        decide_entrants.check_list(after.listed)
    if "apart" in changes:
        after = replace(after, apart=tuple(tuple(map(clean_name, group)) for group in after.apart))
    return after


def check_start(at: Ms | None, now: Ms) -> None:
    if at is not None and at <= now:
        raise Refused("bad-plan", detail="start-past")
    if at is not None and at > now + LATEST:
        raise Refused("bad-plan", detail="start-far", days=LATEST_DAYS)


def set_timer(room: Room, seat: int, request: to_server.Timer, context: Context) -> Events:
    tournament = tournament_of(room)
    if tournament.phase in {"racing", "over"}:
        raise Refused("no-round")
    check_start(request.at, context.now)
    return [] if tournament.timed and tournament.at == request.at else [events.Timed(request.at, seat)]


def control_round(room: Room, seat: int, request: to_server.Round, context: Context) -> Events:
    tournament = tournament_of(room)
    if tournament.is_arena and (decided := decide_arena.by_host(room, tournament, seat, request, context)) is not None:
        return decided
    if request.do == "confirm":
        return _confirm(tournament, seat, request.round)
    if request.do in {"pause", "resume"}:
        paused = request.do == "pause"
        return [] if tournament.paused == paused else [events.Paused(paused, seat)]
    return _ROUND[request.do](room, tournament, seat, clean_reason(request.reason), context)


def _start(room: Room, tournament: Tournament, seat: int, reason: str, context: Context) -> Events:
    match tournament.phase:
        case "racing":
            return []
        case "over":
            raise Refused("no-round")
        case "drawn":
            at, number = context.now, tournament.drawn
        case _:
            at, number = context.now + DRAWN_FOR, tournament.next_round
            if number is None:
                # A bracket without a match to race has its winner. In other formats, entrants may still return.
                last = tournament.last
                if last is None or comparison(tournament.plan, list(tournament.rounds.values())) != "bracket":
                    raise Refused("too-few")
                return [events.Decided(last.number, True)]
    going_on: Events = [events.Paused(False, seat)] if tournament.paused else []
    going_on += decide_entrants.end_check_in(tournament, context.now)
    return [*going_on, events.Timed(at, seat, number)]


def _skip(room: Room, tournament: Tournament, seat: int, reason: str, context: Context) -> Events:
    last = tournament.last
    if last is None or last.skipped:
        raise Refused("no-round")
    if tournament.plan.has_schedule:
        raise Refused("bad-plan", detail="groups-skip" if tournament.plan.format == "roundrobin" else "knockout-skip")
    return [*stop_all(room, context), events.Skipped(last.number, seat, reason)]


def _replay(room: Room, tournament: Tournament, seat: int, reason: str, context: Context) -> Events:
    last = tournament.last
    if last is None or tournament.annulled == last.number:
        raise Refused("no-round")
    return [*stop_all(room, context), events.Annulled(last.number, seat, reason)]


def _confirm(tournament: Tournament, seat: int, number: int | None) -> Events:
    """Confirm one round. None: the last one that is decided."""
    decided = [done for done in tournament.decided if not tournament.rounds[done].skipped]
    wanted = max(decided, default=None) if number is None else number
    if wanted is None or wanted not in decided:
        raise Refused("no-round")
    return [] if tournament.rounds[wanted].confirmed else [events.Confirmed(wanted, seat)]


def _end(room: Room, tournament: Tournament, seat: int, reason: str, context: Context) -> Events:
    if tournament.drawn is None or not room.race.on:
        raise Refused("no-round")
    if not room.race.has_started(context.now):
        raise Refused("not-started")
    ends = stop_all(room, context)
    # A racer that had won or given up before is not cut off, even if that is not in the log yet.
    cut = tuple(end.seat for end in ends if end.end in {"timed_out", "did_not_start"})
    return [events.RoundStopped(tournament.drawn, seat, reason, cut), *ends]


def _replay_unfinished(room: Room, tournament: Tournament, seat: int, reason: str, context: Context) -> Events:
    """Replay all matches that were cut off when a host ended the round."""
    if tournament.last is None:
        raise Refused("no-round")
    return [events.MatchAnnulled(tournament.last.number, pair, seat, reason) for pair in tournament.unfinished]


_ROUND = {"start": _start, "end": _end, "skip": _skip, "replay": _replay, "replay_unfinished": _replay_unfinished}


def judge(room: Room, seat: int, request: to_server.Judge, context: Context) -> Events:
    entrant = entrant_at(tournament_of(room), request.seat)
    person = room.people.get(request.seat)
    address = person.address if person and request.out and request.hold else ""
    held_off = decide_hosts.block_address(room, address, seat, context.now)
    if (entrant.state == "disqualified") == request.out:
        return held_off
    decide_hosts.check_judgement(room, seat, request.seat)
    reason = needed_reason(request.reason)
    if not request.out:
        if tournament_of(room).is_shut_out(request.seat):
            raise Refused("too-late")  # the bracket has no place for this entrant
        return [events.Reinstated(request.seat, seat, reason)]
    end = take_out_of_race(room, request.seat, "kicked", context)
    return [*end, events.Disqualified(request.seat, seat, reason), *held_off]


def withdraw(room: Room, seat: int, request: to_server.Withdraw, context: Context) -> Events:
    entrant = entrant_at(tournament_of(room), request.seat)
    if entrant.state != "in":
        return []
    decide_hosts.check_judgement(room, seat, request.seat)
    return _withdrawn(room, request.seat, "host", seat, context)
