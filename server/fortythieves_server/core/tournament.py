"""A tournament: its entrants, its rounds, and the actions of its hosts. Pure.

It is the part of a room that lasts from race to race. `fortythieves.tournament` computes pairs and standings.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from fortythieves.rules.ranking import Result
from fortythieves.rules.settings import Settings
from fortythieves.times import Ms, ms_of
from fortythieves.tournament.draw import Draw, follows, plays_on
from fortythieves.tournament.plan import LISTS, Format, Plan
from fortythieves.tournament.results import is_in, is_out
from fortythieves.tournament.rounds import Correction, Entrant, Pair, Round
from fortythieves.tournament.standings import Row, places_in, standings
from fortythieves.tournament.teams import TeamRow, members, table
from fortythieves_server.core import arena, brackets, events, view_types
from fortythieves_server.core.arena import Arena, short
from fortythieves_server.core.view_types import Announced, AuditEntry

#: From the draw to the countdown. All entrants see the pairs and commit to a nonce. A guess.
DRAWN_FOR = Ms(15_000)
#: How long check-in is open before its end. A guess: an hour before the start, people are on their way.
CHECK_IN_FOR = Ms(3_600_000)
#: If a host moves the start so close that check-in would be over, it is open for this long, or until the draw. A guess.
CHECK_IN_LEAST = Ms(120_000)
#: How many audit entries of the hosts are kept. A guess.
DESK_KEPT = 100

#: The fields that a host's action can change, and that undoing it restores. The rest follows from them.
_OF_HOSTS = {
    *("plan", "password", "entrants", "rounds", "races", "drawn", "seats", "annulled", "idle_since", "timed", "at"),
    *("paused", "released", "announcement", "half_byes", "checked_in", "check_in_over", "registration"),
}
#: If one of these is restored, the clock decides anew whether the last round is decided, and the tournament over.
_DECIDE = frozenset(("plan", "races", "skipped", "corrections", "replayed", "annulled", "drawn"))

#: So many results in the standings take 15 ms (measured), and those of thirty rounds of a thousand 250 ms. So do the
#: brackets of so many entrants of a double elimination.
MANY_RESULTS, MANY_IN_BRACKETS = 2_000, 300
#: They follow from the plan, the entrants, the rounds and the pars alone, and are kept while these stay the same.
_KEPT = ("standings", "teams", "course")

#: The reason of a withdrawal because the list name was released.
RELEASED = "released"
#: The reason of a withdrawal because the entrant did not check in.
NOT_CHECKED_IN = "check_in"


def is_released(entrant: Entrant) -> bool:
    """Whether the entrant's list name was released. A disqualified entrant's reason is a host's own text."""
    return entrant.state == "withdrawn" and entrant.reason == RELEASED


class CheckInTimes(NamedTuple):
    opens: Ms
    ends: Ms


class Change(NamedTuple):
    """A place in a value, with its content before and after. `UNSET`: the key of a mapping was missing."""

    #: The names of fields and the keys of mappings that lead to it.
    path: tuple[Any, ...]
    before: Any
    after: Any


class Step(msgspec.Struct, frozen=True):
    at: Ms
    changes: tuple[Change, ...]


class Tournament(msgspec.Struct, frozen=True, dict=True):
    plan: Plan
    settings: Settings  # the room's settings, without the plan's changes for a round
    password: str = ""
    entrants: Mapping[int, Entrant] = {}
    guests: Mapping[int, str] = {}  # the guest of each seat, even if absent
    rounds: Mapping[int, Round] = {}
    pars: Mapping[int, int] = {}  # of races, if they break ties
    races: Mapping[int, tuple[int, ...]] = {}  # the races that count, by round, in the order of `Round.races`
    games: Mapping[int, str] = {}  # the game of each drawn round. The plan may have changed since.
    starts: Mapping[int, Ms] = {}  # when these races started
    drawn: int | None = None  # the round with a race that is set up or running
    seats: tuple[int, ...] = ()
    counted: bool = False  # whether its race runs or counts down
    #: The rounds that are marked as decided. Before that, a tie may be replayed.
    decided: frozenset[int] = frozenset()
    annulled: int | None = None
    idle_since: Ms = Ms(0)  # when the last race ended, or the room was opened
    #: Whether a host set the time of the next round, and that time.
    timed: bool = False
    at: Ms | None = None
    paused: bool = False
    over: bool = False
    co_hosts: frozenset[int] = frozenset()
    links: str = ""  # the key from which personal links are derived (hex). "" before a host asks for them.
    released: Mapping[str, int] = {}  # how often each name of the list (casefolded) was released
    desk: tuple[AuditEntry, ...] = ()
    announcement: Announced | None = None
    cut: tuple[int, ...] = ()  # the seats that were cut off when a host ended the last round
    #: The seats that have checked in, and whether check-in is over.
    checked_in: frozenset[int] = frozenset()
    check_in_over: bool = False
    set_at: Ms = Ms(0)  # when a host last set the start of the first round, or the plan
    #: "": as in the plan. Otherwise a host, or the clock, has closed or opened registration.
    registration: Literal["", "closed", "open"] = ""
    #: By seat, the rounds that are not drawn yet and in which an entrant is to have a half-point bye.
    half_byes: Mapping[int, tuple[int, ...]] = {}
    #: The actions of hosts since the last draw, which can be taken back from the last one on.
    steps: tuple[Step, ...] = ()
    arena: Arena = Arena()  # the races of an arena

    @property
    def is_arena(self) -> bool:
        return self.plan.format == "arena"

    @property
    def has_list(self) -> bool:
        return self.plan.entry == "list"

    @property
    def begun(self) -> bool:
        return bool(self.rounds) or self.arena.opened_at is not None

    @cached_property
    def standings(self) -> tuple[Row, ...]:
        """The standings after all rounds so far. The standings of an arena are in its sheets."""
        return standings(self.plan, self.entrants, self.with_pars)

    @cached_property
    def teams(self) -> tuple[TeamRow, ...]:
        """The standings of the teams after the same rounds. Empty if there are no teams."""
        return table(self.plan, self.entrants, list(self.rounds.values()))

    @cached_property
    def course(self) -> brackets.Course:
        """The brackets and groups after the same rounds."""
        return brackets.course(self.plan, self.entrants, self.rounds.values())

    @property
    def lacks_standings(self) -> bool:
        """Whether the standings are still unknown, and take too long for the event loop."""
        is_double = self.plan.format == "double" and bool(self.rounds) and len(self.entrants) > MANY_IN_BRACKETS
        is_large = is_double or len(self.entrants) * len(self.rounds) > MANY_RESULTS
        return is_large and "standings" not in vars(self)

    @property
    def lacks_par(self) -> int | None:
        """A counted race whose par breaks ties and is not known yet."""
        if "par" not in self.plan.tiebreak_order:
            return None
        return next((race for races in self.races.values() for race in races if race not in self.pars), None)

    @property
    def with_pars(self) -> list[Round]:
        """The rounds with the pars of their races, as far as they are known."""
        races = self.races
        return [
            replace(done, pars=tuple(map(self.pars.get, races.get(number, ())))) if self.pars else done
            for number, done in self.rounds.items()
        ]

    def know(self, rows: tuple[Row, ...], teams: tuple[TeamRow, ...], course: brackets.Course) -> None:
        """Take the standings, which were computed elsewhere."""
        vars(self).update(standings=rows, teams=teams, course=course)

    def shown(self, once: Callable[..., Any]) -> view_types.Tournament:
        """The public view. ``once(make, key, *things)``: ``make(*things)``, unless that is known from the last time."""
        plan: Any = msgspec.json.decode(msgspec.json.encode(self.plan.with_lists_of(Plan())))
        plan |= {name: len(getattr(self.plan, name)) for name in LISTS}
        out = frozenset(seat for seat in self.entrants if is_out(self.entrants, seat))
        rows = self.standings if self.rounds else ()
        course = self.course
        shown: view_types.Tournament = {
            "plan": plan,
            "phase": self.phase,
            "paused": self.paused,
            "round": len(self.rounds),
            "rounds_planned": self._rounds_planned,
            "next_at": self.next_at,
            "again": self.again,
            "may_enter": self.may_enter(),
            "closed": self.closed,
            "closes_at": self.closes_at,
            "check_in": self._shown_check_in,
            "entrants": {str(seat): msgspec.to_builtins(entrant) for seat, entrant in self.entrants.items()},
            "co_hosts": sorted(self.co_hosts),
            "rounds": {
                str(number): once(
                    _shown_round,
                    number,
                    done,
                    {row.seat: row.rounds[number - 1] for row in rows},
                    self.games[number],
                    {race: self.starts[race] for race in self.races.get(number, ())},
                    self._state_of(done),
                    self.plan.format,
                    out,
                    course.stages.get(number),
                    course.walkovers.get(number),
                )
                for number, done in self.rounds.items()
            },
            # Before the first race, each new entrant would cause a message to all clients.
            "standings": [
                view_types.Standing(row.place, row.seat, short(row.score), [*map(short, row.tiebreaks)])
                for row in (self.standings if self.races else ())
            ],
            "tiebreaks": list(self.plan.tiebreak_order),
            "desk": list(self.desk),
            "undo": self.undoable,
            "announcement": self.announcement,
            "unfinished": [*self.unfinished],
            "half_byes": {str(seat): list(rounds) for seat, rounds in self.half_byes.items() if rounds},
        }
        if self.teams and self.races:
            shown["teams"] = [
                view_types.TeamStanding(row.place, row.team, short(row.score), [*map(short, row.tiebreaks)])
                for row in self.teams
            ]
        if course.brackets:
            shown["brackets"] = course.brackets
        if course.next_stage:
            shown["next_stage"] = course.next_stage
        if course.groups:
            shown["groups"] = [list(group) for group in course.groups]
            shown["coming"] = dict(course.coming)
        if self.is_arena:
            shown["arena"] = arena.shown(self.arena, self.plan, self.entrants)
        return shown

    @property
    def _shown_check_in(self) -> view_types.CheckIn | None:
        if not self.has_check_in or self.rounds:
            return None
        opens, ends = self.check_in_times or (None, None)
        return {
            "opens": opens,
            "ends": ends,
            "over": self.check_in_over,
            # Not a list: a patch of a list always has all of it.
            "here": {str(seat): True for seat in sorted(self.checked_in)},
        }

    @property
    def has_check_in(self) -> bool:
        """Whether entrants have to check in before the first draw. An arena has no draw."""
        return bool(self.plan.check_in) and not self.is_arena

    @property
    def check_in_times(self) -> CheckInTimes | None:
        """When check-in is open. None: there is none, it is over, or the start of the first round is unknown."""
        starts_at = self.next_at
        if not self.has_check_in or self.check_in_over or self.rounds or starts_at is None:
            return None
        ends = max(starts_at - ms_of(self.plan.check_in), self.set_at + CHECK_IN_LEAST)
        ends = min(ends, starts_at - DRAWN_FOR)
        return CheckInTimes(ends - CHECK_IN_FOR, ends)

    @property
    def closes_at(self) -> Ms | None:
        at, closes = self.next_at, self.plan.entry_closes
        return None if self.begun or self.registration or at is None or closes is None else at - ms_of(closes)

    @property
    def closed(self) -> view_types.Closed | None:
        """Why no new entrant may enter, whatever the round is. None: a new entrant may."""
        if self.registration == "closed":
            return "closed"
        # A host may reopen registration, but the places of groups are limited.
        most = None if self.registration == "open" else self.plan.most
        places = None if self.rounds else self.plan.most_entrants
        return "full" if any(limit is not None and self.count_in >= limit for limit in (most, places)) else None

    @property
    def _rounds_planned(self) -> int:
        """The number of rounds, if it is known, otherwise the rounds so far."""
        first = self.rounds.get(1)
        in_it = [*first.seats, *first.byes] if first else [one for one in self.entrants.values() if one.state == "in"]
        return max(self.plan.rounds_of(len(in_it)), len(self.rounds))

    def _state_of(self, done: Round) -> view_types.RoundState:
        if done.skipped:
            return "skipped"
        if self.drawn == done.number:
            return "racing" if self.counted else "drawn"
        return "confirmed" if done.confirmed else "played"

    def round_at(self, number: int) -> Round | None:
        """A round, or a race of an arena that is over."""
        heat = self.arena.ended.get(number)
        return heat.round if heat else self.rounds.get(number)

    @property
    def last(self) -> Round | None:
        return self.rounds[max(self.rounds)] if self.rounds else None

    @property
    def phase(self) -> view_types.Phase:
        if self.is_arena and not self.over:
            return "entry" if self.arena.opened_at is None else "racing"
        if self.drawn is not None:
            return "racing" if self.counted else "drawn"
        if self.over:
            return "over"
        return "pause" if self.rounds else "entry"

    @property
    def undecided(self) -> bool:
        """Whether the last round was raced but is not marked as decided."""
        last = self.last
        return self.drawn is None and last is not None and last.number not in self.decided and self.annulled is None

    @property
    def next_at(self) -> Ms | None:
        """When the next countdown begins. None: a host must start it."""
        if self.paused or self.phase in {"racing", "over"}:
            return None
        if self.timed or not self.rounds:
            return self.at if self.timed else self.plan.starts_at
        return self.idle_since + ms_of(self.plan.pause) if self.plan.by_timer else None

    @property
    def again(self) -> bool:
        """Whether the next draw repeats the last round: it was annulled, or has a tie to replay."""
        last = self.last
        return last is not None and self.drawn is None and (self.annulled == last.number or bool(self.playing_on))

    @property
    def playing_on(self) -> tuple[int, ...]:
        """The seats that replay in the last round before it is decided."""
        return plays_on(self.plan, self.entrants, list(self.rounds.values())) if self.rounds else ()

    @property
    def next_round(self) -> int | None:
        """The number of the round to draw now, for less than it takes to draw it. None if nothing is left to play."""
        last = self.last
        if self.again and last is not None:
            return last.number
        return len(self.rounds) + 1 if follows(self.plan, self.entrants, list(self.rounds.values())) else None

    def next_draw(self, chance: str, draw: Draw) -> events.Drawn | None:
        """The next draw: a new round, or the last one again. None if nothing is left. ``chance``: 64 hex digits."""
        last = self.last
        if last is not None and self.again:
            seats = last.seats if self.annulled == last.number else self.playing_on
            return events.Drawn(last.number, seats, last.pairs, last.byes, again=True)
        number = len(self.rounds) + 1
        rests = tuple(seat for seat, rounds in self.half_byes.items() if number in rounds)
        drawing = draw(self.plan, self.entrants, list(self.rounds.values()), chance, rests)
        return None if drawing is None else events.Drawn(number, **msgspec.structs.asdict(drawing))

    @property
    def unfinished(self) -> tuple[Pair, ...]:
        """The pairs of the last round with an entrant that was cut off, so that their match can be replayed.

        Not if one of them had won the deal: then the other one has lost. Nor if one of them has left.
        """
        last = self.last
        if not self.cut or last is None or not last.counts or self.drawn is not None:
            return ()
        return tuple(pair for pair in last.pairs if self._is_cut_off(last, pair))

    def _is_cut_off(self, last: Round, pair: Pair) -> bool:
        is_here = all(is_in(self.entrants, seat) and seat in last.races[-1] for seat in pair)
        is_won = any(race[seat].state == "solved" for race in last.races for seat in pair if seat in race)
        return is_here and not is_won and any(seat in self.cut and seat not in last.corrected for seat in pair)

    @property
    def last_step(self) -> tuple[Step, ...]:
        """The changes by the last action of a host, the latest first. An action can consist of several events."""
        at = self.steps[-1].at if self.steps else None
        return tuple(step for step in reversed(self.steps) if step.at == at)

    @property
    def undoable(self) -> Ms | None:
        """When the action was that can be taken back now. None: there is none, or something else changed the same."""
        value = self
        for step in self.last_step:
            if not all(still_holds(value, change) for change in step.changes):
                return None
            value = _without(value, step)
        return self.last_step[0].at if self.last_step else None

    def seat_of(self, guest: str) -> int | None:
        return next((seat for seat, known in self.guests.items() if known == guest), None)

    def was_drawn(self, seat: int) -> bool:
        """Whether the entrant was in the draw of any round. From then on it stays in its team."""
        return any(seat in done.everybody for done in self.rounds.values())

    def is_shut_out(self, seat: int | None) -> bool:
        """Whether the bracket, or the groups, were made without the seat, or without a new entrant."""
        return self.plan.has_schedule and bool(self.rounds) and (seat is None or not self.was_drawn(seat))

    @property
    def count_in(self) -> int:
        return sum(entrant.state == "in" for entrant in self.entrants.values())

    def may_enter(self, seat: int | None = None) -> bool:
        entrant = self.entrants.get(seat) if seat is not None else None
        if self.over or (entrant is not None and entrant.state == "disqualified"):
            return False
        if self.closed and (entrant is None or (self.closed == "full" and not self.begun)):
            return False
        if not self.rounds:
            if self.is_arena and self.arena.stopped_at is not None:
                return False
            # An entrant without check-in enters late.
            late = self.check_in_over and seat not in self.checked_in
            return not late or self.plan.may_enter(1, len(self.entrants), ended=False)
        if self.is_shut_out(seat):
            return False
        ended = self.drawn is None and not self.again
        return entrant is not None or self.plan.may_enter(len(self.rounds), len(self.entrants), ended=ended)


def _shown_round(
    done: Round,
    points: Mapping[int, float | None],
    game: str,
    starts: Mapping[int, Ms],
    state: view_types.RoundState,
    form: Format,
    out: Collection[int],
    stage: view_types.Stage | None,
    walkovers: list[Pair] | None,
) -> view_types.Round:
    """``starts``: when each of its races started, by number. ``out``: the disqualified entrants."""
    # The first race of each seat that counts. Later races are replays of tied pairs.
    raced = {
        seat: (number, played)
        for number, race in reversed([*zip(starts, done.races, strict=True)])
        for seat, played in race.items()
    }
    places = places_in(Plan(format=form), dict.fromkeys(out, Entrant("", state="disqualified")), done)
    results = {}
    for seat, (number, played) in sorted(raced.items()):
        won, ms = points.get(seat), max(Ms(0), played.when - starts[number])
        given = None if won is None else short(won)
        row = view_types.RoundResult(places.get(seat), played.state, played.home, played.moves, ms, given)
        results[str(seat)] = row
    shown: view_types.Round = {
        "game": game,
        "races": list(starts),
        "pairs": [*done.pairs],
        "byes": list(done.byes),
        "state": state,
        "results": results,
    }
    if done.half_byes:
        shown["half_byes"] = list(done.half_byes)
    if done.lost:
        shown["lost"] = list(done.lost)
    if done.corrections:
        shown["corrections"] = arena.shown_corrections(done)
    if stage:
        shown["stage"] = stage
    if walkovers:
        shown["walkovers"] = walkovers
    return shown


def settings_of(tournament: Tournament, number: int) -> Settings:
    """The settings of a round. In a blind one, all boards of others are hidden."""
    settings = tournament.plan.settings_of(tournament.settings, number)
    return replace(settings, watch="progress") if tournament.plan.blind else settings


def entered(tournament: Tournament, at: Ms, seat: int, guest: str, name: str) -> Tournament:
    """The tournament with an entrant. To enter during check-in is to check in; an entrant after it is late."""
    known = tournament.entrants.get(seat)
    times = tournament.check_in_times
    checked_in = tournament.checked_in | ({seat} if times is not None and times.opens <= at else set())
    is_late = tournament.check_in_over and not tournament.rounds and seat not in checked_in
    since = len(tournament.rounds) + (2 if is_late else 1)
    if known is not None:
        entrant = replace(known, state="in", reason="", since=known.since if tournament.rounds else since)
    else:
        entrant = Entrant(name, since)
    guests, entrants = {**tournament.guests, seat: guest}, {**tournament.entrants, seat: entrant}
    waiting = replace(tournament.arena, since={**tournament.arena.since, seat: at})
    after = replace(tournament, entrants=entrants, guests=guests, checked_in=checked_in, arena=waiting)
    return _in_teams_of_lines(after, [seat])


def _in_team(tournament: Tournament, seat: int, team: str, board: int = 0) -> Tournament:
    """The tournament with an entrant at a place in the order of a team. 0: where the entry list has it, or at the end.

    "": in no team.
    """
    plan, entrants = tournament.plan, tournament.entrants
    if not team:
        return _with_entrant(tournament, seat, team="", board=0)
    order = [other for other in members(entrants).get(team, ()) if other != seat]
    if not board:
        rows = {name: n for n, name in enumerate(plan.listed)} if plan.entry == "list" else {}
        own = rows.get(entrants[seat].name, len(rows))
        further_down = (n for n, other in enumerate(order, start=1) if rows.get(entrants[other].name, -1) > own)
        board = next(further_down, len(order) + 1)
    order.insert(board - 1, seat)
    ordered = {other: replace(entrants[other], team=team, board=n) for n, other in enumerate(order, start=1)}
    return replace(tournament, entrants={**entrants, **ordered})


def _in_teams_of_lines(tournament: Tournament, seats: Iterable[int]) -> Tournament:
    """The tournament with these entrants in the teams of their lines, unless they have been drawn already."""
    teams = tournament.plan.team_of_line
    for seat in seats:
        entrant = tournament.entrants[seat]
        team = teams.get(entrant.name, "")
        if team not in {"", entrant.team} and not tournament.was_drawn(seat):
            tournament = _in_team(tournament, seat, team)
    return tournament


def _renamed(tournament: Tournament, at: Ms, event: events.Renamed) -> Tournament:
    plan, entrant = tournament.plan, tournament.entrants.get(event.seat)
    if entrant and event.by is not None and plan.entry == "list":
        # The row of the list gets the name, too. Otherwise another guest could claim the old one.
        listed = tuple(event.name if row == entrant.name else row for row in plan.listed)
        tournament = replace(tournament, plan=replace(plan, listed=listed))
    return _with_entrant(tournament, event.seat, name=event.name)


def raced(tournament: Tournament, number: int, times: tuple[Ms, Ms], played: Mapping[int, Result]) -> Tournament:
    """The race of the drawn round is over. ``times``: its start and its end."""
    if tournament.drawn is None:
        return tournament
    done = tournament.rounds[tournament.drawn]
    return replace(
        tournament,
        rounds={**tournament.rounds, done.number: replace(done, races=(*done.races, played))},
        races={**tournament.races, done.number: (*tournament.races.get(done.number, ()), number)},
        starts={**tournament.starts, number: times[0]},
        drawn=None,
        counted=False,
        idle_since=times[1],
        timed=False,
    )


def _with_entrant(tournament: Tournament, seat: int, **changes: Any) -> Tournament:
    known = tournament.entrants.get(seat)
    if known is None:
        return tournament
    return replace(tournament, entrants={**tournament.entrants, seat: replace(known, **changes)})


def _with_round(tournament: Tournament, number: int, **changes: Any) -> Tournament:
    if tournament.is_arena:
        return _recounted(replace(tournament, arena=arena.changed(tournament.arena, number, **changes)))
    return replace(tournament, rounds={**tournament.rounds, number: replace(tournament.rounds[number], **changes)})


def evolve(tournament: Tournament, at: Ms, event: events.Event) -> Tournament:
    after = _evolved(tournament, at, event)
    if all(getattr(after, name) == getattr(tournament, name) for name in ("plan", "entrants", "rounds", "pars")):
        vars(after).update({name: value for name, value in vars(tournament).items() if name in _KEPT})
    return after


def _evolved(tournament: Tournament, at: Ms, event: events.Event) -> Tournament:
    after = RULES[type(event)](tournament, at, event)
    entry = _audit_entry(at, event)
    # Entrants of an arena leave and return all the time, which would fill the list of host actions.
    if entry is None or (tournament.is_arena and isinstance(event, events.Withdrawn) and entry.by is None):
        return after
    after = replace(after, desk=(*after.desk, entry)[-DESK_KEPT:])
    if entry.by is None or isinstance(event, events.Undone):
        return after
    changed = tuple(changes(tournament, after, fields=_OF_HOSTS))
    return replace(after, steps=(*after.steps, Step(at, changed))[-DESK_KEPT:]) if changed else after


#: Events by the clock, or by an entrant, that belong in the list of host actions.
_BY_CLOCK = events.Withdrawn | events.Timed | events.Skipped | events.CheckInEnded | events.Registration | events.Hosted


def _audit_entry(at: Ms, event: events.Event) -> AuditEntry | None:
    by = getattr(event, "by", None)
    if by is None and not isinstance(event, _BY_CLOCK):
        return None
    about = getattr(event, "seat", getattr(event, "round", None))
    what = str(type(event).__struct_config__.tag)
    match event:
        case events.Paused(paused=False):
            what = "resumed"
        case events.Timed(round=int()):
            what = "started"
        case events.Disqualified(on=False):
            what = "reinstated"
        case events.CoHosted(on=False):
            what = "not_co_hosted"
        case events.Registration(is_open):
            what = "entry_opened" if is_open else "entry_closed"
        case events.CheckInEnded(out):
            return AuditEntry(at, None, what, None, str(len(out)))
        case events.HalfBye(on=is_given, round=number):
            return AuditEntry(at, by, what if is_given else "no_half_bye", about, str(number))
    fields = ("reason", "why", "row", "name", "text", "team")
    return AuditEntry(at, by, what, about, next((getattr(event, name) for name in fields if hasattr(event, name)), ""))


def _checked_in(tournament: Tournament, at: Ms, event: events.CheckedIn) -> Tournament:
    after = replace(tournament, checked_in=tournament.checked_in | {event.seat})
    return _with_entrant(after, event.seat, state="in", reason="", since=1)


def _check_in_ended(tournament: Tournament, at: Ms, event: events.CheckInEnded) -> Tournament:
    after = replace(tournament, check_in_over=True)
    for seat in event.out:
        after = _with_entrant(after, seat, state="withdrawn", reason=NOT_CHECKED_IN)
    return after


def _disqualified(tournament: Tournament, at: Ms, event: events.Disqualified) -> Tournament:
    state, reason = ("disqualified", event.reason) if event.on else ("in", "")
    return _recounted(_with_entrant(tournament, event.seat, state=state, reason=reason))


def _half_bye(tournament: Tournament, at: Ms, event: events.HalfBye) -> Tournament:
    rounds = {*tournament.half_byes.get(event.seat, ())} - {event.round} | ({event.round} if event.on else set())
    return replace(tournament, half_byes={**tournament.half_byes, event.seat: tuple(sorted(rounds))})


def _counted(tournament: Tournament, at: Ms, event: events.Counted) -> Tournament:
    # The pairs and the start are settled now, and can no longer be taken back.
    steps = tuple(
        step
        for step in tournament.steps
        if not any(change.path[0] in {"timed", "at"} or "pairs" in change.path for change in step.changes)
    )
    return replace(tournament, counted=tournament.drawn is not None, timed=False, steps=steps)


def _skipped(tournament: Tournament, at: Ms, event: events.Skipped) -> Tournament:
    after = _with_round(tournament, event.round, skipped=True)
    return after if after.is_arena else _reopened(after, at, event.round, None)


def _annulled(tournament: Tournament, at: Ms, event: events.Annulled) -> Tournament:
    number = event.round
    after = _with_round(tournament, number, races=(), skipped=False, confirmed=False, corrections=(), replayed={})
    return _reopened(replace(after, races={**tournament.races, number: ()}), at, number, number)


def _match_annulled(tournament: Tournament, at: Ms, event: events.MatchAnnulled) -> Tournament:
    again = replace(tournament.rounds[event.round].played_again(event.pair), confirmed=False)
    return _reopened(replace(tournament, rounds={**tournament.rounds, event.round: again}), at, event.round, None)


def _corrected(tournament: Tournament, at: Ms, event: events.Corrected) -> Tournament:
    done = tournament.round_at(event.round)
    changed = {seat for seat, _ in event.points}
    kept = [one for one in (done.corrections if done else ()) if one.seat not in changed]
    new = [Correction(seat, float(value), event.reason) for seat, value in event.points if value is not None]
    corrections = tuple(sorted([*kept, *new], key=lambda one: one.seat))
    return _with_round(tournament, event.round, corrections=corrections)


def _arena_opened(tournament: Tournament, at: Ms, event: events.ArenaOpened) -> Tournament:
    opened = replace(tournament.arena, opened_at=at)
    return replace(tournament, arena=opened, timed=False, at=None, steps=())


def _matched(tournament: Tournament, at: Ms, event: events.Matched) -> Tournament:
    one_for_all = None if tournament.plan.ladder else tournament.settings.game
    games = {race.number: one_for_all or settings_of(tournament, race.number).game for race in event.races}
    return replace(tournament, arena=arena.matched(tournament.arena, at, event, games))


def _check_in_again(tournament: Tournament, at: Ms) -> Tournament:
    """If the start is put off, check-in can open once more."""
    starts_at = tournament.next_at
    is_put_off = starts_at is None or starts_at - max(ms_of(tournament.plan.check_in), DRAWN_FOR) > at
    return replace(tournament, check_in_over=False) if is_put_off else tournament


def _round_stopped(tournament: Tournament, at: Ms, event: events.RoundStopped) -> Tournament:
    stopped = replace(tournament.arena, stopped_at=at) if tournament.is_arena else tournament.arena
    return replace(tournament, arena=stopped, cut=event.cut)


def _recounted(tournament: Tournament) -> Tournament:
    """The tournament with recomputed points of all races of an arena, because other races or entrants count."""
    if not tournament.is_arena:
        return tournament
    return replace(tournament, arena=arena.counted(tournament.arena, tournament.plan, tournament.entrants))


def _planned(tournament: Tournament, at: Ms, event: events.Planned) -> Tournament:
    # A new time in the plan replaces a time that a host set before.
    old = tournament.plan
    plan = event.plan.with_lists_of(old, event.same)
    timed = tournament.timed and plan.starts_at == old.starts_at
    after = replace(tournament, plan=plan, password=event.password or tournament.password, timed=timed, set_at=at)
    if plan.listed_teams != old.listed_teams:
        after = _in_teams_of_lines(after, after.entrants)
    if plan.starts_at != old.starts_at:
        after = _check_in_again(after, at)
    last = tournament.last
    if last is None or plan.has_schedule or plan.rounds == old.rounds:
        return after
    # If the number of rounds changes, the tournament may no longer be over.
    idle_since = at if tournament.over else tournament.idle_since
    return replace(after, decided=tournament.decided - {last.number}, over=False, idle_since=idle_since)


def _drawn(tournament: Tournament, at: Ms, event: events.Drawn) -> Tournament:
    # After a time without any server a draw may be late. All entrants still get the full time to see it.
    begins = max(tournament.next_at or at, at + DRAWN_FOR)
    games = {**tournament.games, event.round: settings_of(tournament, event.round).game}
    after = replace(tournament, drawn=event.round, seats=event.seats, annulled=None, timed=True, at=begins, games=games)
    after = replace(after, steps=(), cut=())
    if event.again:
        return after
    drawn = Round(event.round, event.seats, event.pairs, event.byes, half_byes=event.half_byes, lost=event.lost)
    left = {
        seat: tuple(number for number in asked if number > event.round) for seat, asked in tournament.half_byes.items()
    }
    return replace(after, rounds={**tournament.rounds, event.round: drawn}, half_byes=left)


def _reopened(tournament: Tournament, at: Ms, number: int, annulled: int | None) -> Tournament:
    """The tournament after a round was skipped or annulled: nothing is drawn, and the round is not decided."""
    decided = tournament.decided - {number}
    return replace(tournament, decided=decided, annulled=annulled, over=False, drawn=None, idle_since=at, timed=False)


def _swapped(tournament: Tournament, at: Ms, event: events.Swapped) -> Tournament:
    if tournament.drawn is None:
        return tournament
    instead = {event.one: event.other, event.other: event.one}

    def swapped(seats: Iterable[int]) -> tuple[int, ...]:
        return tuple(instead.get(seat, seat) for seat in seats)

    drawn = tournament.rounds[tournament.drawn]
    pairs = tuple((instead.get(a, a), instead.get(b, b)) for a, b in drawn.pairs)
    after = replace(tournament, seats=swapped(tournament.seats))
    return _with_round(after, drawn.number, seats=swapped(drawn.seats), pairs=pairs, byes=swapped(drawn.byes))


def _undone(tournament: Tournament, at: Ms, event: events.Undone) -> Tournament:
    steps, since, after = tournament.last_step, event.since, tournament
    for step in steps:
        after = _without(after, step)
    changed = {name for step in steps for change in step.changes for name in change.path}
    if "idle_since" in changed:
        after = replace(after, idle_since=at)
    last = after.last
    if last is not None and not _DECIDE.isdisjoint(changed):
        after = replace(after, decided=after.decided - {last.number}, over=False)
    after = _recounted(after)
    desk = tuple(
        entry._replace(undone=True) if entry.at == since and entry.by is not None else entry for entry in after.desk
    )
    return replace(after, desk=desk, steps=after.steps[: -len(steps)])


def _without(tournament: Tournament, step: Step) -> Tournament:
    for change in reversed(step.changes):
        tournament = taken_back(tournament, change)
    return tournament


def _released(tournament: Tournament, at: Ms, event: events.Released) -> Tournament:
    row = event.row.casefold()
    after = replace(tournament, released={**tournament.released, row: tournament.released.get(row, 0) + 1})
    if event.seat is None:
        return after
    out = {} if is_out(after.entrants, event.seat) else {"state": "withdrawn", "reason": RELEASED}
    return _with_entrant(after, event.seat, name=event.name, **out)


#: How each event changes a tournament.
RULES: Mapping[type[events.Event], Callable[[Tournament, Ms, Any], Tournament]] = {
    events.Withdrawn: lambda before, at, event: _with_entrant(before, event.seat, state="withdrawn", reason=event.why),
    events.CheckedIn: _checked_in,
    events.CheckInEnded: _check_in_ended,
    events.Registration: lambda before, at, event: replace(before, registration="open" if event.open else "closed"),
    events.HalfBye: _half_bye,
    events.Teamed: lambda before, at, event: _in_team(before, event.seat, event.team, event.board),
    events.Planned: _planned,
    events.Drawn: _drawn,
    events.Counted: _counted,
    events.Decided: lambda before, at, event: replace(before, decided=before.decided | {event.round}, over=event.last),
    events.Timed: lambda before, at, event: _check_in_again(replace(before, timed=True, at=event.at, set_at=at), at),
    events.Paused: lambda before, at, event: replace(before, paused=event.paused),
    events.Skipped: _skipped,
    events.Annulled: _annulled,
    events.MatchAnnulled: _match_annulled,
    events.Corrected: _corrected,
    events.Swapped: _swapped,
    events.Renamed: _renamed,
    events.Changed: lambda before, at, event: replace(before, settings=event.settings),
    events.Hosted: lambda before, at, event: before,
    events.Announced: lambda before, at, event: replace(
        before, announcement=Announced(at, event.text) if event.text else None
    ),
    events.RoundStopped: _round_stopped,
    events.ArenaOpened: _arena_opened,
    events.Matched: _matched,
    events.ParFound: lambda before, at, event: replace(before, pars={**before.pars, event.race: event.par}),
    events.HeatEnded: lambda before, at, event: replace(
        before, arena=arena.ended(before.arena, at, event, before.plan, before.entrants)
    ),
    events.Undone: _undone,
    events.Confirmed: lambda before, at, event: _with_round(before, event.round, confirmed=True),
    events.Disqualified: _disqualified,
    events.LinksDrawn: lambda before, at, event: replace(before, links=event.key),
    events.Released: _released,
    events.CoHosted: lambda before, at, event: replace(
        before, co_hosts=before.co_hosts - {event.seat} | ({event.seat} if event.on else set())
    ),
}


# The places at which two values of structs and mappings differ


def changes(before: Any, after: Any, path: tuple[Any, ...] = (), fields: Collection[str] = ()) -> Iterator[Change]:
    """All places at which two values at ``path`` differ. ``fields``: only these ones of a struct, if there are any."""
    if before is after:
        return
    if isinstance(before, Struct) and type(before) is type(after):
        for name in before.__struct_fields__:
            if not fields or name in fields:
                yield from changes(getattr(before, name), getattr(after, name), (*path, name))
    elif isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in {**before, **after}:
            yield from changes(before.get(key, UNSET), after.get(key, UNSET), (*path, key))
    elif before != after:
        yield Change(path, before, after)


def still_holds(value: Any, change: Change) -> bool:
    """Whether nothing else has changed this place since."""
    for step in change.path:
        if isinstance(value, Mapping):
            value = value.get(step, UNSET)
        elif isinstance(value, Struct) and step in value.__struct_fields__:
            value = getattr(value, step)
        else:
            return False
    return bool(value == change.after)


def taken_back(value: Any, change: Change) -> Any:
    """The value with the earlier content of this place."""
    if not change.path:
        return change.before
    step, deeper = change.path[0], change._replace(path=change.path[1:])
    if isinstance(value, Mapping):
        before = taken_back(value.get(step, UNSET), deeper)
        others = {key: other for key, other in value.items() if key != step}
        # A key that stays keeps its position.
        return others if before is UNSET else {**value, step: before}
    return replace(value, **{step: taken_back(getattr(value, step), deeper)})
