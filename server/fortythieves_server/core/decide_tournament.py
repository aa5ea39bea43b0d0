"""The rules of a tournament: its clock, and the requests of its entrants and hosts. Pure.

Hosts draw, pause and end rounds, judge entrants, change results, pairs and names, make announcements, and undo that.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from fortythieves.errors import Refused, found, refuse_if
from fortythieves.protocol import to_server
from fortythieves.times import Ms, ms_of
from fortythieves.tournament.draw import half_byes_had
from fortythieves.tournament.plan import LISTS, MOST_APART, MOST_GROUPS_APART, MOST_LISTED, Plan
from fortythieves.tournament.results import is_in, is_out, is_replayed
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.standings import Comparison, comparison
from fortythieves_server.core import decide_arena, decide_entrants, decide_hosts, events, names_and_texts, rule_context
from fortythieves_server.core.evolve import evolve
from fortythieves_server.core.names_and_texts import clean_name, is_free, needed_reason
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, begin_countdown, entrant_at, stop_all, tournament_of
from fortythieves_server.core.tournament import DRAWN_FOR, Tournament, is_released

#: A later start is probably a mistake, and rooms are kept until their start. A leap year has 366 days.
LATEST_DAYS = 366
LATEST = ms_of(LATEST_DAYS * 24 * 3_600)

#: How long an absent entrant is no no-show: reloading a page, or changing the network of a phone, takes less. A guess.
BACK_WITHIN = Ms(20_000)

#: The parts of a plan that decide the score, and the details of their refusals. The first draw or race fixes them.
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
            end = rule_context.end_of_race(race, seat, "did_not_start", late, context)
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
        return rule_context.earliest(decide_entrants.next_due(tournament), decide_arena.next_due(room, tournament))
    if room.race.on:
        return min(_absent(room, progress).values(), default=None)
    if tournament.undecided and not tournament.playing_on:
        return room.at
    return rule_context.earliest(_begins_at(room, tournament), decide_entrants.next_due(tournament))


def _begins_at(room: Room, tournament: Tournament) -> Ms | None:
    lead = DRAWN_FOR if tournament.drawn is None else ms_of(room.settings.countdown)
    return None if tournament.next_at is None else tournament.next_at - lead


def _begin(room: Room, tournament: Tournament, context: Context) -> Events:
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
    return [drawn] if room.race.starts_at is None else [rule_context.set_up_race(room, context), drawn]


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
    refuse_if(is_out(tournament.entrants, seat), "disqualified")
    decide_entrants.check_registration(tournament, seat)
    decide_entrants.check_list_entry(room, seat)
    return [events.Entered(seat)]


def _withdrawn(room: Room, seat: int, why: events.Why, by: int | None, context: Context) -> Events:
    refuse_if(tournament_of(room).over, "ended")  # leaving after the end changes nothing
    return [*rule_context.take_out_of_race(room, seat, "left", context), events.Withdrawn(seat, why, by)]


def change_plan(room: Room, seat: int, request: to_server.ChangePlan, context: Context) -> Events:
    tournament = tournament_of(room)
    old, plan = tournament.plan, changed(tournament.plan, request.plan)
    rounds = len(tournament.rounds)
    fixed = (_FIXED if tournament.begun else {}) | (_FIXED_WHILE_DRAWN if tournament.drawn is not None else {})
    for name, detail in fixed.items():
        refuse_if(getattr(plan, name) != getattr(old, name), "bad-plan", detail=detail)
    if not tournament.begun:
        plan.check_room(tournament.count_in)
    refuse_if(not plan.has_schedule and plan.rounds < rounds, "bad-plan", detail="rounds-drawn", rounds=rounds)
    if plan.entry == "password" and not (tournament.password or context.password):
        raise Refused("bad-plan", detail="password-needed")
    if plan.starts_at != old.starts_at:
        check_start(plan.starts_at, context.now)
    if (plan.format, plan.ladder) != (old.format, old.ladder):
        rule_context.check_winnable(tournament.settings, plan, context)
    if plan == old and not context.password:
        return []
    same = tuple(name for name in LISTS if getattr(plan, name) == getattr(old, name))
    return [events.Planned(plan.with_lists_of(Plan(), same), seat, context.password, same=same)]


class Cleaned(dict[str, Any]):
    """Changes to a plan whose texts `cleaned` has cleaned."""


def changed(plan: Plan, changes: Mapping[str, Any]) -> Plan:
    """The plan with some changes, its texts cleaned. Raises `Refused`."""
    after = plan.changed(changes if isinstance(changes, Cleaned) else cleaned(changes))
    if "apart" in changes and after.entry == "list" and not after.team_size:  # teams may be founded later
        known = {name.casefold() for name in after.listed}
        stranger = next((name for group in after.apart for name in group if name.casefold() not in known), None)
        refuse_if(stranger is not None, "bad-plan", detail="apart-unknown", name=stranger)
    return after


def cleaned(changes: Mapping[str, Any]) -> Cleaned:
    """The changes with clean texts. Then `Plan.changed` checks them: two texts can be equal once they are clean.

    Raises `Refused`. Values of wrong types, and lists that are too long, stay as they are. Full lists take 0.2 s.
    """
    after = Cleaned(changes)
    for name, clean in (("about", names_and_texts.clean_about), ("name", names_and_texts.clean_title)):
        if isinstance(text := changes.get(name), str):
            after[name] = clean(text)
    if (listed := _texts(changes.get("listed"), MOST_LISTED)) is not None:
        after["listed"] = [*map(decide_entrants.clean_listed_name, listed)]
        decide_entrants.check_list(after["listed"])
    if (teams := _texts(changes.get("listed_teams"), MOST_LISTED)) is not None:
        after["listed_teams"] = decide_entrants.clean_teams(teams)
    apart = changes.get("apart")
    if isinstance(apart, Sequence) and len(apart) <= MOST_GROUPS_APART:
        groups = [_texts(group, MOST_APART + 1) for group in apart]
        if None not in groups:
            after["apart"] = [[*map(decide_entrants.clean_listed_name, group or ())] for group in groups]
    return after


def _texts(values: object, most: int) -> Sequence[str] | None:
    """A list of at most so many texts, or None if the value is something else."""
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) > most:
        return None
    return values if all(isinstance(value, str) for value in values) else None


def check_start(at: Ms | None, now: Ms) -> None:
    refuse_if(at is not None and at <= now, "bad-plan", detail="start-past")
    refuse_if(at is not None and at > now + LATEST, "bad-plan", detail="start-far", days=LATEST_DAYS)


def set_timer(room: Room, seat: int, request: to_server.Timer, context: Context) -> Events:
    tournament = tournament_of(room)
    refuse_if(tournament.phase in {"racing", "over"}, "no-round")
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
    return _ROUND[request.do](room, tournament, seat, names_and_texts.clean_reason(request.reason), context)


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
    last = found(tournament.last, "no-round")
    refuse_if(last.skipped, "no-round")
    if tournament.plan.has_schedule:
        raise Refused("bad-plan", detail="groups-skip" if tournament.plan.format == "roundrobin" else "knockout-skip")
    return [*stop_all(room, context), events.Skipped(last.number, seat, reason)]


def _replay(room: Room, tournament: Tournament, seat: int, reason: str, context: Context) -> Events:
    last = found(tournament.last, "no-round")
    refuse_if(tournament.annulled == last.number, "no-round")
    return [*stop_all(room, context), events.Annulled(last.number, seat, reason)]


def _confirm(tournament: Tournament, seat: int, number: int | None) -> Events:
    """Confirm one round. None: the last one that is decided."""
    decided = [done for done in tournament.decided if not tournament.rounds[done].skipped]
    wanted = found(max(decided, default=None) if number is None else number, "no-round")
    refuse_if(wanted not in decided, "no-round")
    return [] if tournament.rounds[wanted].confirmed else [events.Confirmed(wanted, seat)]


def _end(room: Room, tournament: Tournament, seat: int, reason: str, context: Context) -> Events:
    if tournament.drawn is None or not room.race.on:
        raise Refused("no-round")
    refuse_if(not room.race.has_started(context.now), "not-started")
    ends = stop_all(room, context)
    # A racer that had won or given up before is not cut off, even if that is not in the log yet.
    cut = tuple(end.seat for end in ends if end.end in {"timed_out", "did_not_start"})
    return [events.RoundStopped(tournament.drawn, seat, reason, cut), *ends]


def _replay_unfinished(room: Room, tournament: Tournament, seat: int, reason: str, context: Context) -> Events:
    number = found(tournament.last, "no-round").number
    return [events.MatchAnnulled(number, pair, seat, reason) for pair in tournament.unfinished]


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
        refuse_if(tournament_of(room).is_shut_out(request.seat), "too-late")  # the bracket has no place for them
        return [events.Disqualified(request.seat, False, seat, reason)]
    end = rule_context.take_out_of_race(room, request.seat, "kicked", context)
    return [*end, events.Disqualified(request.seat, True, seat, reason), *held_off]


def withdraw(room: Room, seat: int, request: to_server.Withdraw, context: Context) -> Events:
    entrant = entrant_at(tournament_of(room), request.seat)
    if entrant.state != "in":
        return []
    decide_hosts.check_judgement(room, seat, request.seat)
    return _withdrawn(room, request.seat, "host", seat, context)


# Results, matches, pairs, half-point byes, names and announcements

#: A host announces nothing new before. A guess.
ANNOUNCE_EVERY = Ms(5_000)


def correct(room: Room, seat: int, request: to_server.Correct, context: Context) -> Events:
    tournament = tournament_of(room)
    done = tournament.round_at(request.round)
    if done is None or not done.counts or done.number == tournament.drawn:
        raise Refused("no-race" if tournament.is_arena else "no-round")
    if _comparison(tournament, done.number) != "field":
        _check_pair(tournament, done, request.given)
    elif any(one not in done.seats for one, _ in request.given):
        raise Refused("bad-result", detail="result-seat")
    elif any(value is not None and round(value, 2) != value for _, value in request.given):
        raise Refused("bad-result", detail="result-points")
    reason = needed_reason(request.reason)
    changed = any(done.corrected.get(one) != value for one, value in request.given)
    return [events.Corrected(done.number, request.given, seat, reason)] if changed else []


#: The points of a pair: a win, a tie, or nothing for both. None: the points of the races.
_OF_A_PAIR = {(0.0, 1.0), (0.5, 0.5), (0.0, 0.0)}


def _check_pair(tournament: Tournament, done: Round, points: Sequence[events.SeatPoints]) -> None:
    if sorted(one for one, _ in points) not in [sorted(pair) for pair in done.pairs]:
        raise Refused("bad-result", detail="result-seat")
    values = [value for _, value in points if value is not None]
    refuse_if(values and tuple(sorted(values)) not in _OF_A_PAIR, "bad-result", detail="result-pair")
    if _comparison(tournament, done.number) == "bracket" and ((values and sum(values) != 1) or 0.5 in values):
        raise Refused("bad-result", detail="result-knockout")
    last = len(tournament.rounds)
    # The later rounds of the bracket were drawn from this result.
    refuse_if(done.number != last and _comparison(tournament, last) == "bracket", "bracket-drawn")


def _comparison(tournament: Tournament, number: int) -> Comparison:
    return comparison(tournament.plan, list(tournament.rounds.values())[:number])


def replay_match(room: Room, seat: int, request: to_server.ReplayMatch, context: Context) -> Events:
    tournament = tournament_of(room)
    last = found(tournament.last, "no-round")
    refuse_if(not last.counts or tournament.drawn is not None, "no-round")
    pair = found(next((pair for pair in last.pairs if request.seat in pair), None), "bad-result", detail="result-seat")
    refuse_if(not all(is_in(tournament.entrants, one) for one in pair), "bad-result", detail="result-seat")
    if is_replayed(tournament.entrants, last, pair):
        return []
    return [events.MatchAnnulled(last.number, pair, seat, needed_reason(request.reason))]


def swap(room: Room, seat: int, request: to_server.Swap, context: Context) -> Events:
    tournament = tournament_of(room)
    last, one, other = found(tournament.last, "no-round"), request.one, request.other
    refuse_if(tournament.phase != "drawn", "no-round")
    drawn = {*last.seats, *last.byes}
    # Rounds that follow from the first draw are fixed, and replayed ones. Boards follow from the order of the teams.
    is_fixed = (tournament.plan.has_schedule and last.number > 1) or tournament.plan.has_boards
    refuse_if(is_fixed or last.races or not last.pairs or not {one, other} <= drawn or one == other, "no-swap")
    if any({one, other} == {*pair} for pair in last.pairs):
        return []
    opponents = {seat: other for pair in last.pairs for seat, other in (pair, pair[::-1])}
    met, to_meet = (opponents.get(seat, 0) for seat in (one, other))  # 0: a bye
    if to_meet == request.against != met:
        return []  # they have been swapped
    refuse_if(met != request.against or met == to_meet, "no-swap")  # another host has swapped them, or both have a bye
    return [events.Swapped(last.number, one, other, seat)]


def half_bye(room: Room, seat: int, request: to_server.HalfBye, context: Context) -> Events:
    tournament = tournament_of(room)
    rule_context.check_asks_for(room, seat, request.seat)
    entrant = entrant_at(tournament, request.seat)
    refuse_if(tournament.over, "ended")
    refuse_if(request.round <= len(tournament.rounds), "no-half-bye", detail="half-bye-drawn", round=request.round)
    if (request.round in tournament.half_byes.get(request.seat, ())) == request.on:
        return []
    if request.on:
        plan, last = tournament.plan, tournament.plan.last_half_bye
        had = half_byes_had(list(tournament.rounds.values()), request.seat)
        refuse_if(not last, "no-half-bye", detail="half-byes-none")
        refuse_if(request.round > last, "no-half-bye", detail="half-byes-until", last=last)
        refuse_if(entrant.state != "in", "no-half-bye", detail="half-bye-out")
        if had + len(tournament.half_byes.get(request.seat, ())) >= plan.half_byes:
            raise Refused("no-half-bye", detail="half-byes-most", most=plan.half_byes)
    return [events.HalfBye(request.seat, request.round, request.on, None if request.seat == seat else seat)]


def rename_entrant(room: Room, seat: int, request: to_server.RenameEntrant, context: Context) -> Events:
    tournament = tournament_of(room)
    entrant = entrant_at(tournament, request.seat)
    name = clean_name(request.name)
    if name == entrant.name:
        return []
    decide_hosts.check_judgement(room, seat, request.seat)
    row = decide_entrants.row_like(tournament, name) if tournament.plan.entry == "list" else None
    refuse_if(not is_free(room, name, room.guest_at(request.seat)) or row not in {None, entrant.name}, "name-used")
    return [events.Renamed(request.seat, name, seat)]


def announce(room: Room, seat: int, request: to_server.Announce, context: Context) -> Events:
    last = tournament_of(room).announcement
    text = names_and_texts.clean_announcement(request.text)
    if text == (last.text if last else ""):
        return []
    # A series of announcements would disturb racers and readers.
    refuse_if(text and last is not None and context.now < last.at + ANNOUNCE_EVERY, "too-fast")
    return [events.Announced(text, seat)]


def undo(room: Room, seat: int, request: to_server.Undo, context: Context) -> Events:
    tournament = tournament_of(room)
    if any(entry.undone and entry.at == request.at for entry in tournament.desk):
        return []
    refuse_if(tournament.undoable != request.at, "no-undo")
    undone = events.Undone(request.at, seat)
    after = tournament_of(evolve(room, context.now, undone))
    for one, entrant in after.entrants.items():
        before = tournament.entrants.get(one)
        # A change of the order of a team changes the board of each member, so boards are not compared.
        if before is None or (before.name, before.state, before.team) != (entrant.name, entrant.state, entrant.team):
            decide_hosts.check_judgement(room, seat, one)
        if before is not None and before.name != entrant.name and not is_free(room, entrant.name, room.guest_at(one)):
            raise Refused("name-used")
    return [undone]


def par_found(room: Room, race: int, par: int) -> Events:
    """The par of a race is known. Another process may have found it, too."""
    return [events.ParFound(race, par)] if tournament_of(room).lacks_par == race else []
