"""The host's desk: results, replayed matches, pairs, half-point byes, names, announcements, and undo. Pure."""

from collections.abc import Sequence

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves.tournament.draw import half_byes_had
from fortythieves.tournament.results import is_in, is_replayed
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.standings import Comparison, comparison
from fortythieves_server.core import decide_entrants, decide_hosts, events
from fortythieves_server.core.clean_text import clean_announcement, clean_name, needed_reason
from fortythieves_server.core.evolve import evolve
from fortythieves_server.core.names import is_free
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, check_asks_for, entrant_at, tournament_of
from fortythieves_server.core.tournament import Tournament

#: A host announces nothing new before. A guess.
ANNOUNCE_EVERY = Ms(5_000)


def correct(room: Room, seat: int, request: to_server.Correct, context: Context) -> Events:
    tournament = tournament_of(room)
    heat = tournament.arena.ended.get(request.round)
    done = heat.round if heat is not None else tournament.rounds.get(request.round)
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
    if values and tuple(sorted(values)) not in _OF_A_PAIR:
        raise Refused("bad-result", detail="result-pair")
    if _comparison(tournament, done.number) == "bracket" and ((values and sum(values) != 1) or 0.5 in values):
        raise Refused("bad-result", detail="result-knockout")
    last = len(tournament.rounds)
    # The later rounds of the bracket were drawn from this result.
    if done.number != last and _comparison(tournament, last) == "bracket":
        raise Refused("bracket-drawn")


def _comparison(tournament: Tournament, number: int) -> Comparison:
    return comparison(tournament.plan, list(tournament.rounds.values())[:number])


def replay_match(room: Room, seat: int, request: to_server.ReplayMatch, context: Context) -> Events:
    tournament = tournament_of(room)
    last = tournament.last
    if last is None or not last.counts or tournament.drawn is not None:
        raise Refused("no-round")
    pair = next((pair for pair in last.pairs if request.seat in pair), None)
    if pair is None or not all(is_in(tournament.entrants, one) for one in pair):
        raise Refused("bad-result", detail="result-seat")
    if is_replayed(tournament.entrants, last, pair):
        return []
    return [events.MatchAnnulled(last.number, pair, seat, needed_reason(request.reason))]


def swap(room: Room, seat: int, request: to_server.Swap, context: Context) -> Events:
    tournament = tournament_of(room)
    if tournament.phase != "drawn" or tournament.last is None:
        raise Refused("no-round")
    last, one, other = tournament.last, request.one, request.other
    drawn = {*last.seats, *last.byes}
    # Rounds that follow from the first draw are fixed, and replayed ones. Boards follow from the order of the teams.
    is_fixed = (tournament.plan.has_schedule and last.number > 1) or tournament.plan.has_boards
    if is_fixed or last.races or not last.pairs or not {one, other} <= drawn or one == other:
        raise Refused("no-swap")
    if any({one, other} == {*pair} for pair in last.pairs):
        return []
    opponents = {seat: other for pair in last.pairs for seat, other in (pair, pair[::-1])}
    met, to_meet = (opponents.get(seat, 0) for seat in (one, other))  # 0: a bye
    if to_meet == request.against != met:
        return []  # they have been swapped
    if met != request.against or met == to_meet:  # another host has swapped them, or both have a bye
        raise Refused("no-swap")
    return [events.Swapped(last.number, one, other, seat)]


def half_bye(room: Room, seat: int, request: to_server.HalfBye, context: Context) -> Events:
    """An entrant asks for themselves, a host for any entrant."""
    tournament = tournament_of(room)
    check_asks_for(room, seat, request.seat)
    entrant = entrant_at(tournament, request.seat)
    if tournament.over:
        raise Refused("ended")
    if request.round <= len(tournament.rounds):
        raise Refused("no-half-bye", detail="half-bye-drawn", round=request.round)
    if (request.round in tournament.half_byes.get(request.seat, ())) == request.on:
        return []
    if request.on:
        plan, last = tournament.plan, tournament.plan.last_half_bye
        had = half_byes_had(list(tournament.rounds.values()), request.seat)
        if not last:
            raise Refused("no-half-bye", detail="half-byes-none")
        if request.round > last:
            raise Refused("no-half-bye", detail="half-byes-until", last=last)
        if entrant.state != "in":
            raise Refused("no-half-bye", detail="half-bye-out")
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
    if not is_free(room, name, room.guest_at(request.seat)) or row not in {None, entrant.name}:
        raise Refused("name-used")
    return [events.Renamed(request.seat, name, seat)]


def announce(room: Room, seat: int, request: to_server.Announce, context: Context) -> Events:
    last = tournament_of(room).announcement
    text = clean_announcement(request.text)
    if text == (last.text if last else ""):
        return []
    # A series of announcements would disturb racers and readers.
    if text and last is not None and context.now < last.at + ANNOUNCE_EVERY:
        raise Refused("too-fast")
    return [events.Announced(text, seat)]


def undo(room: Room, seat: int, request: to_server.Undo, context: Context) -> Events:
    tournament = tournament_of(room)
    if any(entry.undone and entry.at == request.at for entry in tournament.desk):
        return []
    if tournament.undoable != request.at:
        raise Refused("no-undo")
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
