"""The rules of each format: the one place that tells the formats apart after a draw. `draw` has their draws."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from fortythieves.tournament import arena, double, knockout, points, roundrobin, swiss
from fortythieves.tournament.plan import Format, Plan
from fortythieves.tournament.results import Entrants
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.score import Score

#: The comparison in a round: of all with all, in pairs, or in pairs with one survivor.
Comparison = Literal["field", "pairs", "bracket"]


class FormatRules(NamedTuple):
    """The rules of a format. Rounds are given in order."""

    #: With whom entrants are compared in the last of these rounds.
    comparison: Callable[[Plan, Sequence[Round]], Comparison]
    #: The score of each of these seats. A seat without one has no place.
    scores: Callable[[Plan, Entrants, Sequence[Round], Sequence[int]], dict[int, Score]]
    #: Whether there is no winner and cannot be one any more. Then the first place is empty.
    is_vacant: Callable[[Plan, Entrants, Sequence[Round]], bool] = lambda plan, entrants, rounds: False
    #: The number of the first round with pairs that do not follow from the first draw, or None.
    misdrawn: Callable[[Plan, Sequence[Round]], int | None] = lambda plan, rounds: None
    #: Whether entrants are compared in pairs, and not all with all.
    has_pairs: bool = True
    #: Whether a draw among hundreds takes long.
    is_slow: bool = False


FORMATS: Mapping[Format, FormatRules] = MappingProxyType(
    {
        "points": FormatRules(
            comparison=lambda plan, rounds: "field",
            scores=points.scores,
            has_pairs=False,
        ),
        "knockout": FormatRules(
            comparison=lambda plan, rounds: "bracket",
            scores=lambda plan, entrants, rounds, seats: knockout.scores(entrants, rounds, seats),
            is_vacant=lambda plan, entrants, rounds: knockout.is_vacant(entrants, rounds),
            misdrawn=lambda plan, rounds: knockout.misdrawn(rounds),
        ),
        "double": FormatRules(
            comparison=lambda plan, rounds: "bracket",
            scores=double.scores,
            is_vacant=double.is_vacant,
            misdrawn=double.misdrawn,
        ),
        "swiss": FormatRules(
            comparison=lambda plan, rounds: "pairs",
            scores=swiss.scores,
            is_slow=True,
        ),
        "roundrobin": FormatRules(
            comparison=lambda plan, rounds: "bracket" if roundrobin.is_cup(plan, rounds) else "pairs",
            scores=roundrobin.scores,
            is_vacant=roundrobin.is_vacant,
            misdrawn=roundrobin.misdrawn,
            is_slow=True,
        ),
        "arena": FormatRules(
            comparison=lambda plan, rounds: "field",
            scores=arena.scores,
            has_pairs=False,
        ),
    }
)


def comparison(plan: Plan, rounds: Sequence[Round]) -> Comparison:
    """With whom entrants are compared in the last of these rounds."""
    return FORMATS[plan.format].comparison(plan, rounds)
