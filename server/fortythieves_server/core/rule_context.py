"""The types that all rules share: their input and their output. Pure.

Each rule returns the events to append, or raises `Refused`. If the requested state is already there, it returns no
events, so a request that is sent twice is harmless.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fortythieves.errors import found, refuse_if
from fortythieves.record.signature import Promise
from fortythieves.rules import deal, race_rules
from fortythieves.rules.race_rules import Ending, Removal
from fortythieves.rules.settings import WINNABLE, Settings
from fortythieves.solver.effort import PREPARED
from fortythieves.times import Ms, ms_of
from fortythieves.tournament.draw import Draw, draw
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import is_in
from fortythieves.tournament.rounds import Entrant
from fortythieves_server.core import events
from fortythieves_server.core.evolve import root_of
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Race, Racer, Room
from fortythieves_server.core.tournament import Tournament

#: How long nonces may be revealed after the countdown has begun, and how long before the start that ends at least.
REVEAL_WITHIN, REVEAL_BEFORE = Ms(3_000), Ms(1_000)

Events = list[events.Event]
#: Signs the server's promise of a deal, given a room code, the number of a race, a commitment, and a time.
Sign = Callable[[str, int, str, Ms], Promise | None]


def unsigned(code: str, race: int, commitment: str, at: Ms) -> None:
    """Promise nothing."""


class NeedsClaim(Exception):
    """A countdown is to begin on a winnable deal, and for that deals must be claimed from the pool."""

    def __init__(self, race: int, game: str, stars: int) -> None:
        super().__init__(f"race {race} needs winnable deals of {game} with {stars or 'any'} stars")
        self.race = race
        self.game = game
        self.stars = stars


#: The winnable deals claimed for a race, given its number, the game and the stars. Raises `NeedsClaim` if they have to
#: be claimed first, or `Refused` if that is not possible.
Claim = Callable[[int, str, int], events.Claimed]


def unclaimed(race: int, game: str, stars: int) -> events.Claimed:
    raise NeedsClaim(race, game, stars)


class Context(NamedTuple):
    """Outside input for a decision: the time, randomness, the boards' progress, and expensive functions."""

    now: Ms
    secret: str  # 64 hex digits from a cryptographic generator, new for each decision
    progress: Mapping[int, Progress]
    password: str = ""  # the hash of the password in the request, "" if there is none
    watched: bool = False  # whether a person watches the boards on this process
    sign: Sign = unsigned  # needs the server's key. Equal input gives equal output, so it makes no decision.
    #: `draw.draw`, which makes no decision either. May raise another error, so that it is made elsewhere first.
    draw: Draw = draw
    claim: Claim = unclaimed
    has_winnable: bool = False  # whether this server has winnable deals at all


#: A rule: the room, the seat that asks, the request, and the context.
Rule = Callable[[Room, int, Any, Context], Events]


def earliest(*times: Ms | None) -> Ms | None:
    return min((at for at in times if at is not None), default=None)


def set_up_race(room: Room, context: Context) -> events.SetUp:
    promise = promise_deal(context.sign, room.code, room.race.number + 1, context.secret, context.now)
    return events.SetUp(context.secret, promise)


def promise_deal(sign: Sign, code: str, race: int, secret: str, at: Ms) -> Promise | None:
    """The promise that a race uses this secret, if it is on an ordinary secret deal."""
    return sign(code, race, deal.commitment(bytes.fromhex(secret)), at)


def begin_countdown(room: Room, racers: Sequence[int], context: Context) -> Events:
    """Begin the countdown for these seats. Bots add no nonce: a server that plays some could choose last."""
    people = [(seat, room.people[seat]) for seat in racers]
    within = min(REVEAL_WITHIN, ms_of(room.race.settings.countdown) - REVEAL_BEFORE)
    commitments = {seat: person.commitment for seat, person in people if person.commitment and not person.bot}
    race = room.race
    if race.source is not None:
        return [events.Counted((*racers,))]
    if race.settings.winnable is not None:
        claimed = context.claim(race.number, race.settings.game, race.settings.winnable)
        promise = context.sign(room.code, race.number, root_of(claimed), context.now)
        return [events.Counted((*racers,), commitments, within, promise), claimed]
    return [events.Counted((*racers,), commitments if race.is_secret else {}, within)]


def end_by_clock(race: Race, seat: int, context: Context) -> events.Finished | None:
    """How the race has ended already for a racer that still counts as racing, if it has."""
    if race.revealing or race.ends_at is None:
        return None  # Its time has not begun, however late it is.
    end = race_rules.ended(context.progress.get(seat), race.racers[seat].gave_up_at, race.ends_at, context.now)
    return None if end is None else _finished(race, seat, *end, context)


def end_of_race(race: Race, seat: int, end: Ending, when: Ms, context: Context) -> events.Finished:
    """The end of the race for an active racer: as it has ended already, or else like this."""
    return end_by_clock(race, seat, context) or _finished(race, seat, end, when, context)


def _finished(race: Race, seat: int, end: Ending, when: Ms, context: Context) -> events.Finished:
    if progress := context.progress.get(seat):
        return events.Finished(seat, end, when, progress.home, progress.moves, progress.reached_at)
    # Without a move, the cards home are as dealt.
    return events.Finished(seat, end, when, race.game.home, 0, race.starts_at or when)


def advance(race: Race, seat: int, progress: Mapping[int, Progress]) -> int:
    """How many cards a racer has revealed and brought home. Other entries can be repeated, so they prove nothing."""
    one = progress.get(seat)
    return 0 if one is None else one.revealed + one.home - race.game.home


def stop_all(room: Room, context: Context) -> list[events.Finished]:
    return [end for seat in room.race.active for end in take_out_of_race(room, seat, "stopped", context)]


def take_out_of_race(room: Room, seat: int, how: Removal, context: Context) -> list[events.Finished]:
    """The end of the race for an active racer, none for others."""
    race = room.race
    if seat not in race.active:
        return []
    starts_at = race.starts_at or Ms(0)
    # Until the cards are dealt the start may still be put off, so a racer that leaves now leaves before it.
    now = min(context.now, starts_at - Ms(1)) if race.revealing else context.now
    end = race_rules.removed(how, now, context.progress.get(seat), starts_at)
    # A win counts even if the racer leaves right after it.
    return [end_of_race(race, seat, end, now, context)]


def tournament_of(room: Room) -> Tournament:
    return found(room.tournament, "not-tournament")


def entrant_at(tournament: Tournament, seat: int) -> Entrant:
    return found(tournament.entrants.get(seat), "unknown-seat", seat=seat)


def check_asks_for(room: Room, by: int, seat: int) -> None:
    """Raise `Refused` unless a seat asks for itself, or a host asks for it."""
    refuse_if(seat != by and not room.is_led_by(by), "not-host")


def not_in_tournament(room: Room) -> None:
    refuse_if(room.tournament is not None or room.of_arena is not None, "tournament")


def own_racer(room: Room, seat: int, now: Ms) -> Racer:
    """The seat's racer, which must be racing now. Otherwise raises `Refused` with the reason."""
    race = room.race
    racer = found(race.racers.get(seat), "not-racing")
    refuse_if(not racer.racing, "finished")
    refuse_if(not race.running(now), "not-started")
    refuse_if(race.stops_at is not None and now >= race.stops_at, "over")
    return racer


def check_winnable(settings: Settings, plan: Plan | None, context: Context) -> None:
    """Raise `Refused` if a race of a room is to be on a winnable deal, and none can be."""
    of_rounds = [settings.changed(row) for row in plan.ladder] if plan is not None else []
    on_winnable = [one for one in (settings, *of_rounds) if one.deal in WINNABLE]
    if not on_winnable:
        return
    # An arena has hundreds of small races at a time, and each would take 16 deals that the pool does not have.
    refuse_if(plan is not None and plan.format == "arena", "bad-settings", detail="winnable-arena")
    refuse_if(not context.has_winnable, "bad-settings", detail="winnable-off")
    refuse_if(any(one.game not in PREPARED for one in on_winnable), "bad-settings", detail="winnable-rare")


def leave_tournament(room: Room, seat: int) -> Events:
    """Withdraw an entrant that leaves the room. The seat is kept."""
    tournament = room.tournament
    leaves = tournament and not tournament.over and is_in(tournament.entrants, seat)
    return [events.Withdrawn(seat, "left")] if leaves else []
