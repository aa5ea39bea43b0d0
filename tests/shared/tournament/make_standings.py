"""Write shared/vectors/standings.json: tournaments at random, with the standings that follow from their races.

    python -m tests.shared.tournament.make_standings

The page that works a tournament out again stands by the same standings as Python (standings.js of the web client).
A test fails when this would write anything else: look at the difference, and commit it if the rules were meant to
change. Each tournament is an object:

- ``plan``: ``format``, ``points``, ``tiebreaks`` (null: those of the format), ``rules`` (their version), of a round
  robin ``groups`` and ``advance``, of a double elimination ``second_final``, of an arena ``streak``, and with teams
  ``team_size``;
- ``states``: by seat, whether each is in, withdrawn or disqualified;
- ``rounds``: as in the file of TOURNAMENTS.md, without the results; ``races`` has the numbers of those that count;
- ``races``: by number and by seat, how each race went: its end, when that was, cards home, since when, moves;
- ``standings``: as in the file, each row a list: place, seat, score, tie-breaks, rounds;
- ``in_teams``, if there are teams: by seat, the team and the position in its order;
- ``teams``, if there are teams: as in the file, each row a list: place, team, score, tie-breaks, rounds, who counted;
- ``misdrawn``: the first round in which others met than the bracket or the groups say, or null.
"""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import astuple, replace

from fortythieves.tournament.formats import FORMATS as RULES_OF
from fortythieves.tournament.formats import comparison
from fortythieves.tournament.plan import TIEBREAKS, Format, Tiebreak
from fortythieves.tournament.rounds import Correction, Played, Round
from fortythieves.tournament.standings import standings
from fortythieves.tournament.teams import members, table
from tests.shared.tournament.play import ABSENT, Event, arena_of, event_of, plan_of, teams_of, unsolved

FILE = Path(__file__).parents[3] / "shared" / "vectors" / "standings.json"

Vector = dict[str, Any]
FORMATS: list[Format] = ["points", "knockout", "double", "swiss", "roundrobin"]
#: How many groups, how many of each go on, and how many enter.
GROUPS = ((1, None, 2), (1, None, 5), (1, 2, 6), (1, 4, 7), (2, None, 6), (2, 2, 9), (2, 1, 8), (3, 2, 11), (4, 2, 17))


class Even(Event):
    """All are as good as each other, so that many ties are still ties when they have been raced on often enough."""

    def result(self, seat: int) -> Played | None:
        absent = not self.calm and self.random.random() < 0.1
        return ABSENT if absent else unsolved(int(self.random.random() < 0.2))


class Absent(Event):
    """Half of all do not come, and those who come are all different."""

    def result(self, seat: int) -> Played | None:
        return ABSENT if self.random.random() < 0.5 else unsolved(1 + self.random.randint(0, 9) * 17 + seat)


def events() -> Iterator[Event]:
    """Everything that happens in tournaments, and cups of all sizes in which nobody leaves."""
    seeds = itertools.count()
    for count in range(2, 34):
        yield event_of("knockout", count, "calm", calm=True).to_the_end()
        yield event_of("knockout", count, "trouble").to_the_end()
    for count in (2, 3, 4, 4, 4, 5, 6, 7, 8, 8, 16):
        yield Even(plan_of(format="knockout", third_place=count != 7), count, ("even", count, next(seeds))).to_the_end()
    for count in range(4, 24):
        yield swapped(event_of("knockout", count, "swapped", calm=True).to_the_end())
    for count in (2, 2, 3, 4, *range(2, 17), 4, 4, 8):
        yield Absent(plan_of(format="knockout"), count, ("absent", count, next(seeds))).to_the_end()
    for kind in FORMATS:
        nothing = event_of(kind, 3, "nothing counts", calm=True)
        nothing.rounds = [replace(drawn, skipped=True) for drawn in itertools.islice(nothing.play(), 1)]
        yield nothing
    for count in range(2, 9):
        yield event_of("points", count, "trouble", 3).to_the_end()
        yield event_of(
            "points", count, "tie-breaks", 4, points=(3, 2, 1), tiebreaks=turned("points", count)
        ).to_the_end()
        yield event_of("swiss", count, "trouble", 3).to_the_end()
        yield event_of("swiss", count, "tie-breaks", 5, tiebreaks=turned("swiss", count), half_byes=1).to_the_end()
    for count in (8, 12, 16):
        yield event_of("swiss", count, "calm", 4, calm=True, tiebreaks=("direct", "buchholz_cut1")).to_the_end()
    for count in range(2, 7):
        yield event_of("swiss", count, "of old", 4, rules=1).to_the_end()
        yield Absent(plan_of(format="knockout", rules=1), count, ("of old", count)).to_the_end()
    for count in range(3, 9):
        yield corrected(event_of("points", count, "corrected", 3).to_the_end())
        yield corrected(event_of("swiss", count, "corrected", 3).to_the_end())
        yield corrected(event_of("knockout", count, "corrected").to_the_end(), 1)
    for n, (groups, advance, count) in enumerate(GROUPS):
        changes: Any = {"groups": groups, "advance": advance, "tiebreaks": turned("roundrobin", n) if n % 2 else None}
        yield event_of("roundrobin", count, "calm", calm=True, **changes).to_the_end()
        for times in range(3):
            yield event_of("roundrobin", count, ("trouble", times), **changes).to_the_end()
        yield swapped(event_of("roundrobin", count, "swapped", calm=True, **changes).to_the_end())
        yield corrected(event_of("roundrobin", count, "corrected", **changes).to_the_end(), 2)
        plan = plan_of(format="roundrobin", **changes)
        for times in range(3 if advance else 1):
            yield Absent(plan, count, ("absent", n, times)).to_the_end()
        yield Even(plan, count, ("even", n)).to_the_end()
    for count in (*range(2, 18), 33):
        final = bool(count % 3)
        yield event_of("double", count, "calm", calm=True, second_final=final).to_the_end()
        yield swapped(event_of("double", count, "swapped", calm=True).to_the_end())
        yield misjudged(event_of("double", count, "misjudged", calm=True).to_the_end())
        yield corrected(event_of("double", count, "corrected", second_final=final).to_the_end(), 1)
        for times in range(3):
            yield event_of("double", count, ("trouble", times), second_final=final).to_the_end()
    for count in (2, 2, 3, 4, 5, 6, 8):
        plan = plan_of(format="double", second_final=count != 5)
        yield Even(plan, count, ("even", count, next(seeds))).to_the_end()
        for _ in range(3):
            yield Absent(plan, count, ("absent", count, next(seeds))).to_the_end()
    for count in range(3, 16):
        for kind in ("points", "swiss"):
            yield teams_of(kind, count, "trouble", 5, team_size=2 + count % 3).to_the_end()
            yield corrected(teams_of(kind, count, "corrected", 3).to_the_end())
        yield teams_of("points", count, "ties", 2, points=(2, 1, 1)).to_the_end()
    for count in (6, 12, 13, 20):
        yield teams_of("swiss", count, "calm", 4, calm=True, team_size=2 + count % 2).to_the_end()
        yield teams_of("points", count, "calm", 3, calm=True, points=(3, 2, 1)).to_the_end()
        yield out_at_the_end(teams_of("points", count, "a whole team is out", 2).to_the_end())
    yield alone()
    for seed in (1, 5, 12):  # in which the direct encounter decides
        yield teams_of("swiss", 12, ("direct", seed), 3, calm=True).to_the_end()
    for count in range(2, 10):
        ties = turned("arena", count)
        yield arena_of(count, "duels", tiebreaks=ties).to_the_end()
        yield arena_of(count, "calm", calm=True, streak=3, tiebreaks=ties).to_the_end()
        yield corrected(arena_of(count, "corrected", 12, streak=1).to_the_end())
        yield arena_of(count, "fields", 20, race_size=4, points=(4, 2, 1), streak=0).to_the_end()


def turned(kind: Format, by: int) -> tuple[Tiebreak, ...]:
    """The tie-breaks of a format, so that each is the first one at some time."""
    known = TIEBREAKS[kind]
    return (*known[by % len(known) :], *known[: by % len(known)])


def corrected(event: Event, rounds: int = 3) -> Event:
    """The same with results in its last rounds that a host corrected, and matches that were raced again."""
    for at in range(len(event.rounds))[-rounds:]:
        done = event.rounds[at]
        if not done.counts:
            continue
        corrections: tuple[Correction, ...] = ()
        if not done.pairs:
            seat = event.random.choice(done.seats)
            corrections = (Correction(seat, event.random.choice((0.0, 12.5, 30.0))),)
        elif event.random.random() < 0.7:
            one, other = event.random.choice(done.pairs)
            values = (
                ((1.0, 0.0), (0.0, 1.0))
                if comparison(event.plan, event.rounds[: at + 1]) == "bracket"
                else ((0.0, 1.0), (0.5, 0.5), (0.0, 0.0))
            )
            given = event.random.choice(values)
            corrections = (Correction(one, given[0]), Correction(other, given[1]))
        if done.pairs and event.random.random() < 0.5:
            pair = event.random.choice(done.pairs)
            again = done.played_again(pair)
            done = replace(again, races=(*again.races, {seat: event.result(seat) or ABSENT for seat in pair}))
        event.rounds[at] = replace(done, corrections=corrections)
    return event


def halfway(event: Event) -> Event:
    """The same when the round in the middle is drawn, or if there were ties, when they are still to be raced on."""
    event.rounds = event.rounds[: (len(event.rounds) + 1) // 2]
    if event.rounds:
        last = event.rounds.pop()
        event.rounds.append(replace(last, races=last.races[:1] if len(last.races) > 1 else (), skipped=False))
    return event


def swapped(event: Event) -> Event:
    """The same with somebody in the place of one who raced in a round; in the first one all seeds stay as they are."""
    at = event.random.randrange(len(event.rounds))
    done = event.rounds[at]
    one = event.random.choice(done.seats)
    other = event.random.choice([seat for seat in (event.entrants if at else done.seats) if seat != one])
    of = {one: other, other: one}
    pairs = tuple((of.get(a, a), of.get(b, b)) for a, b in done.pairs)
    seats = tuple(itertools.chain(*pairs)) if at else done.seats
    byes = tuple(of.get(seat, seat) for seat in done.byes)
    event.rounds[at] = replace(done, seats=seats, pairs=pairs, byes=byes)
    return event


def misjudged(event: Event) -> Event:
    """The same with a round of a double elimination in which somebody has lost who has not, or the other way round."""
    at = event.random.randrange(1, len(event.rounds))
    done = event.rounds[at]
    wrong = {event.random.choice(done.everybody)}
    event.rounds[at] = replace(done, lost=tuple(sorted({*done.lost} ^ wrong)))
    return event


def out_at_the_end(event: Event) -> Event:
    """The same with everybody of a team disqualified."""
    for seat in next(iter(members(event.entrants).values())):
        event.set_state(seat, "disqualified")
    return event


def alone() -> Event:
    """Three teams with the same points, and one of them was the best alone once."""
    event = teams_of("points", 3, "alone", 2, calm=True, points=(4, 4))
    event.entrants = {seat: replace(one, team=f"Team {seat}") for seat, one in event.entrants.items()}
    races = [{1: unsolved(9), 2: ABSENT, 3: unsolved(8)}, {1: ABSENT, 2: unsolved(9), 3: ABSENT}]
    event.rounds = [Round(n, (1, 2, 3), races=(race,)) for n, race in enumerate(races, start=1)]
    return event


def vector(event: Event) -> Vector:
    numbers = itertools.count(1)
    drawn = [(done, [next(numbers) for _ in done.races]) for done in event.rounds]
    return {
        "plan": {
            "format": event.plan.format,
            "points": _short(event.plan.points),
            "tiebreaks": event.plan.tiebreaks,
            "rules": event.plan.rules,
            **(
                {"groups": event.plan.groups, "advance": event.plan.advance}
                if event.plan.format == "roundrobin"
                else {}
            ),
            **({"second_final": event.plan.second_final} if event.plan.format == "double" else {}),
            **({"streak": event.plan.streak} if event.plan.format == "arena" else {}),
            **({"team_size": event.plan.team_size} if event.plan.team_size else {}),
        },
        "states": {seat: one.state for seat, one in event.entrants.items()},
        "rounds": [_round(done, races) for done, races in drawn],
        # A race that does not count for somebody has a result of theirs as well.
        "races": {
            number: {
                seat: _played(one)
                for seat, one in {
                    **{seat: unsolved(9) for seat, n in done.replayed.items() if races.index(number) < n},
                    **race,
                }.items()
            }
            for done, races in drawn
            for number, race in zip(races, done.races, strict=True)
        },
        "misdrawn": RULES_OF[event.plan.format].misdrawn(event.plan, event.rounds),
        "standings": _short(tuple(map(astuple, standings(event.plan, event.entrants, event.rounds)))),
        **(_in_teams(event) if event.plan.team_size else {}),
    }


def _in_teams(event: Event) -> dict[str, Any]:
    return {
        "in_teams": {seat: [one.team, one.board] for seat, one in event.entrants.items() if one.team},
        "teams": _short(tuple(map(astuple, table(event.plan, event.entrants, event.rounds)))),
    }


def _round(done: Round, races: list[int]) -> dict[str, Any]:
    plain = {name: getattr(done, name) for name in ("number", "seats", "pairs", "byes", "half_byes", "skipped")}
    corrections = [{"seat": one.seat, "value": _short(one.value), "reason": ""} for one in done.corrections]
    rare = {"lost": done.lost, "corrections": corrections, "replayed": dict(done.replayed)}
    return {**plain, "races": races, **{name: value for name, value in rare.items() if value}}


def _played(one: Played) -> list[Any]:
    return [one.state, one.result.when, one.result.home, one.result.reached_at, one.result.moves]


def _short(value: object) -> object:
    """The same, with whole numbers as such."""
    if isinstance(value, tuple):
        return [_short(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def text() -> str:
    """What the file says: JSON, a tournament a line."""
    vectors = [found for event in events() for found in (vector(event), vector(halfway(event)))]
    return "[\n" + ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in vectors) + "\n]\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
