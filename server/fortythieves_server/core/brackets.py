"""The brackets and the groups of a tournament, as its pages show them. Pure.

A seat is None if there is no entrant, and 0 while it is unknown.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, dropwhile
from typing import NamedTuple

from fortythieves.tournament import double, knockout, roundrobin
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import Entrants, decided, is_in, is_replayed
from fortythieves.tournament.rounds import Pair, Round
from fortythieves_server.core.view_types import BracketMatch, Brackets, Level, Stage, StageName

Seat = int | None


class Course(NamedTuple):
    """How far the brackets and the groups have been played."""

    brackets: Brackets | None = None
    #: The seats of each group, by their number in it.
    groups: tuple[tuple[int, ...], ...] = ()
    #: The stages of the rounds that have one, and of the next round.
    stages: Mapping[int, Stage] = {}
    next_stage: Stage | None = None
    #: The pairs of a round of the groups that did not race because one of them had left.
    walkovers: Mapping[int, list[Pair]] = {}
    #: By seat, the next opponent in the group. 0: none.
    coming: Mapping[str, int] = {}


def course(plan: Plan, entrants: Entrants, rounds: Iterable[Round]) -> Course:
    """The brackets and groups after these rounds. Those of a double elimination of a thousand take 40 ms (measured)."""
    drawn = [done for done in rounds if not done.skipped]
    if not drawn:
        return Course()
    match plan.format:
        case "knockout":
            return _knockout(entrants, drawn)
        case "double":
            return _double(plan, entrants, drawn)
        case "roundrobin":
            return _groups(plan, entrants, drawn)
    return Course()


def _winner(entrants: Entrants, done: Round, pair: Pair, winner: Seat) -> Seat:
    if winner is not None:
        return winner
    is_open = not done.counts or decided(entrants, done, pair).tied or is_replayed(entrants, done, pair)
    return 0 if is_open else None


_NAMES: Mapping[int, StageName] = {0: "final", 1: "semi", 2: "quarter"}


def _stage(later: int) -> Stage:
    """The stage of a round of a knock-out, before so many later ones."""
    return Stage(_NAMES.get(later, "last"), 2 << later)


def _knockout(entrants: Entrants, rounds: Sequence[Round]) -> Course:
    so_far = knockout.course(entrants, rounds)
    bracket, third = so_far.bracket, None
    spot = {seat: n for n, seat in enumerate(bracket.positions)}
    played: dict[tuple[int, int], BracketMatch] = {}
    for n, stage in enumerate(so_far.stages):
        for pair in stage.done.pairs:
            winner = _winner(entrants, stage.done, pair, so_far.winner(n, pair))
            if pair == stage.third:
                third = BracketMatch(stage.done.number, *pair, winner)
            else:
                level, (upper, lower) = bracket.level(*pair), sorted(pair, key=spot.__getitem__)
                played[level, spot[upper] >> level] = BracketMatch(stage.done.number, upper, lower, winner)
    levels: dict[str, Level] = {}
    sides = bracket.positions
    for level in range(1, bracket.levels + 1):
        pairs = enumerate(zip(sides[::2], sides[1::2], strict=True))
        matches = [
            played.get((level, row)) or BracketMatch(0, *pair, _walkover(entrants, *pair)) for row, pair in pairs
        ]
        levels[str(level)] = {"stage": _stage(bracket.levels - level), "matches": matches}
        sides = [match.winner for match in matches]
    following = bracket.meeting(so_far.alive) if so_far.stages[-1].done.counts else []
    return Course(
        brackets={"winners": levels, "losers": {}, "third": third},
        stages={stage.done.number: _stage(bracket.levels - stage.level) for stage in so_far.stages},
        next_stage=_stage(bracket.levels - bracket.level(*following[0])) if following else None,
    )


def _walkover(entrants: Entrants, one: Seat, other: Seat) -> Seat:
    """The entrant that advances without a race."""
    if one is None or other is None:
        return other if one is None else one
    here = [seat for seat in (one, other) if is_in(entrants, seat)]
    return here[0] if one and other and len(here) == 1 else 0


def _double(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> Course:
    so_far = double.course(plan, entrants, rounds)
    bracket, levels = so_far.bracket, so_far.bracket.levels
    known: dict[double.Source, Seat] = {double.Source("position", n): seat for n, seat in enumerate(bracket.positions)}
    matches: dict[double.Match, BracketMatch] = {}
    stages = [*so_far.stages]
    for at in range(1, double.last_round(levels) + 1):
        # Before the last draw, the entrants of the next draw advanced. After it, all that are still in can advance.
        stage = stages[0] if stages else None
        is_raced = stage is not None and stage.at == at
        for match in double.matches_of(at, levels):
            one, other = (known.get(source, 0) for source in double.sources(match, levels))
            here = [seat for seat in (one, other) if seat and (seat in stage.alive if stage else is_in(entrants, seat))]
            winner, dropped, number = _advancing(one, other, here, is_drawn=stage is not None), None, 0
            if stage is not None and is_raced and len(here) == 2:
                pair = bracket.pair(*here)
                winner, dropped, number = *stage.results[pair], stage.done.number
                winner = _winner(entrants, stage.done, pair, winner)
            known[double.Source("winner", match)] = winner
            known[double.Source("loser", match)] = dropped if winner != 0 or None in (one, other) else 0
            matches[match] = BracketMatch(number, one, other, winner)
        if is_raced:
            del stages[0]
    return Course(
        brackets={
            "winners": _levels(matches, "winners", levels, "up", "upper") | _finals(matches, levels),
            "losers": _without_empty(_levels(matches, "losers", 2 * levels - 2, "low", "lower")),
            "third": None,
        },
        stages={stage.done.number: _final(stage.at - 2 * levels) for stage in so_far.stages if stage.at >= 2 * levels},
        next_stage=next((_final(match.round - 1) for match in so_far.meeting.values() if match.side == "final"), None),
    )


def _advancing(one: Seat, other: Seat, here: Sequence[int], *, is_drawn: bool) -> Seat:
    """The entrant that advances without a race. ``here``: those that can. ``is_drawn``: if a later round is drawn."""
    if not is_drawn and (one is None or other is None):
        return other if one is None else one
    if not is_drawn and (one == 0 or other == 0 or len(here) == 2):
        return 0
    return here[0] if here else None


def _final(nth: int) -> Stage:
    return Stage("second" if nth else "final", 2)


def _levels(
    matches: Mapping[double.Match, BracketMatch], side: str, count: int, name: StageName, last: StageName
) -> dict[str, Level]:
    levels: dict[str, Level] = {
        str(number): {"stage": Stage(last if number == count else name, number), "matches": []}
        for number in range(1, count + 1)
    }
    for match, shown in matches.items():
        if match.side == side:
            levels[str(match.round)]["matches"].append(shown)
    return levels


def _finals(matches: Mapping[double.Match, BracketMatch], levels: int) -> dict[str, Level]:
    """The finals, after all levels. The second one only once both of its sides are known."""
    finals = [found for match, found in matches.items() if match.side == "final"]
    shown = finals if finals[1].one and finals[1].other else finals[:1]
    return {str(levels + 1 + nth): {"stage": _final(nth), "matches": [match]} for nth, match in enumerate(shown)}


def _without_empty(levels: dict[str, Level]) -> dict[str, Level]:
    """The levels without the first ones, in which no two entrants can meet."""

    def is_empty(level: tuple[str, Level]) -> bool:
        return all(None in (match.one, match.other) for match in level[1]["matches"])

    return dict(dropwhile(is_empty, levels.items()))


def _groups(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> Course:
    so_far = roundrobin.course(plan, rounds)
    cup = _knockout(entrants, so_far.cup) if so_far.cup else Course()
    still_open = so_far.open(entrants)
    if plan.advancing and not still_open and not so_far.cup:
        levels = plan.rounds_of(len(rounds[0].everybody)) - len(so_far.rounds)
        cup = Course(next_stage=_stage(max(0, levels - 1)))
    walkovers = {}
    for number, done in so_far.held.items():
        met = {frozenset(pair) for pair in done.pairs}
        pairs = chain.from_iterable(roundrobin.meetings(group, number) for group in so_far.groups)
        walkovers[done.number] = [
            (one, other) for one, other in pairs if other is not None and frozenset((one, other)) not in met
        ]
    following = [roundrobin.meetings(group, still_open[0]) for group in so_far.groups] if still_open else []
    coming: dict[str, int] = {}
    for one, other in chain.from_iterable(following):
        coming[str(one)] = other if other is not None and is_in(entrants, other) else 0
        if other is not None:
            coming[str(other)] = one if is_in(entrants, one) else 0
    return cup._replace(groups=so_far.groups, walkovers=walkovers, coming=coming)
