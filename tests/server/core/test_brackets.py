"""The brackets and groups that the pages of a tournament show. The example of each format is that of TOURNAMENTS.md."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from fortythieves.tournament.plan import Plan
from fortythieves.tournament.rounds import Round
from fortythieves_server.core.brackets import Course, course
from fortythieves_server.core.view_types import BracketMatch, Level
from tests.shared.tournament.play import ABSENT, Event, entrants_of, plan_of, unsolved


def drawn(number: int, pairs: str, byes: tuple[int, ...] = (), lost: tuple[int, ...] = ()) -> Round:
    """``pairs``: as in "4-5 3-6"."""
    met = tuple((int(pair[0]), int(pair[2])) for pair in pairs.split())
    return Round(number, tuple(sorted(seat for pair in met for seat in pair)), met, byes, lost=lost)


def raced(
    number: int, pairs: str, winners: Sequence[int], byes: tuple[int, ...] = (), lost: tuple[int, ...] = ()
) -> Round:
    """A pair without a winner is one of no-shows, and one with two winners is tied."""
    done = drawn(number, pairs, byes, lost)
    came = {seat for pair in done.pairs if {*pair} & {*winners} for seat in pair}
    race = {seat: unsolved(9 if seat in winners else 1) if seat in came else ABSENT for seat in done.seats}
    return replace(done, races=(race,))


def of(plan: Plan, count: int, rounds: Sequence[Round], **gone: str) -> Course:
    entrants = entrants_of(count)
    for name, state in gone.items():
        seat = int(name.removeprefix("n"))
        entrants[seat] = replace(entrants[seat], state=state)
    return course(plan, entrants, rounds)


def text(match: BracketMatch) -> str:
    """``1! 4``: 1 has won. ``-``: nobody; ``?``: not known yet."""
    sides = ("-" if seat is None else f"{seat or '?'}{'!' * (seat == match.winner != 0)}" for seat in match[1:3])
    return " ".join(sides)


def texts(levels: Mapping[str, Level]) -> list[str]:
    return [", ".join(map(text, level["matches"])) for level in levels.values()]


CUP = plan_of(format="knockout")


def winners(plan: Plan, count: int, rounds: Sequence[Round], **gone: str) -> list[str]:
    brackets = of(plan, count, rounds, **gone).brackets
    assert brackets is not None
    return texts(brackets["winners"])


def test_five_entrants_have_a_bracket_of_eight_and_the_best_three_have_byes() -> None:
    assert of(CUP, 5, []) == Course()
    first = drawn(1, "4-5", (1, 2, 3))
    assert winners(CUP, 5, [first]) == ["1! -, 4 5, 2! -, 3! -", "1 ?, 2 3", "? ?"]
    shown = of(CUP, 5, [first])
    assert shown.brackets is not None
    assert [level["stage"] for level in shown.brackets["winners"].values()] == [
        ("quarter", 8),
        ("semi", 4),
        ("final", 2),
    ]
    assert shown.stages == {1: ("quarter", 8)}
    assert shown.next_stage is None


def test_winners_go_on_and_losers_of_the_semi_finals_race_for_third_place() -> None:
    rounds = [raced(1, "4-5", [5], (1, 2, 3)), raced(2, "1-5 2-3", [1, 3]), raced(3, "1-3 2-5", [3, 5])]
    assert winners(CUP, 5, rounds) == ["1! -, 4 5!, 2! -, 3! -", "1! 5, 2 3!", "1 3!"]
    shown = of(CUP, 5, rounds)
    assert shown.brackets is not None
    assert shown.brackets["third"] == BracketMatch(3, 2, 5, 5)
    assert [*shown.stages.values()] == [("quarter", 8), ("semi", 4), ("final", 2)]
    assert of(CUP, 5, rounds[:1]).next_stage == ("semi", 4)


def test_ties_no_shows_draws_and_withdrawals_decide_who_goes_on() -> None:
    assert winners(CUP, 2, [raced(1, "1-2", [1, 2])]) == ["1 2"]
    assert winners(CUP, 4, [raced(1, "1-4 2-3", [2])]) == ["1 4, 2! 3", "- 2!"]
    assert winners(CUP, 4, [raced(1, "1-4 2-3", [1, 2]), drawn(2, "2-4")]) == ["1 4!, 2! 3", "4 2"]
    assert winners(CUP, 4, [raced(1, "1-4 2-3", [1, 2])], n1="withdrawn")[1] == "1 2!"


def test_a_match_that_is_to_be_raced_again_has_no_winner_yet() -> None:
    again = raced(1, "1-4 2-3", [1, 2]).played_again((1, 4))
    assert winners(CUP, 4, [again]) == ["1 4, 2! 3", "? 2"]


SIX = [
    raced(1, "4-5 3-6", [4, 3], (1, 2)),
    raced(2, "1-4 2-3", [1, 2], (5, 6), (5, 6)),
    raced(3, "3-5 4-6", [3, 4], (1, 2), (3, 4, 5, 6)),
    raced(4, "1-2 3-4", [2, 3], (), (3, 4)),
    raced(5, "1-3", [1], (2,), (1, 3)),
    raced(6, "1-2", [1], (), (1,)),
    raced(7, "1-2", [1], (), (1, 2)),
]


def double(count: int, *, second_final: bool = True, **gone: str) -> tuple[list[str], list[str]]:
    brackets = of(plan_of(format="double", second_final=second_final), 6, SIX[:count], **gone).brackets
    assert brackets is not None
    return texts(brackets["winners"]), texts(brackets["losers"])


def test_losers_wait_for_the_next_losers() -> None:
    up, low = double(1)
    assert up == ["1! -, 4! 5, 2! -, 3! 6", "1 4, 2 3", "? ?", "? ?"]
    assert low == ["5 ?, 6 ?", "? ?", "? ?"], "nobody can meet in its first round"


def test_both_brackets_lead_to_the_second_final_if_it_is_raced() -> None:
    up, low = double(7)
    assert up[1:] == ["1! 4, 2! 3", "1 2!", "2 1!", "1! 2"]
    assert low == ["5 3!, 6 4!", "3! 4", "3 1!"]
    assert len(double(6)[0]) == 5, "both have lost once"
    assert len(double(6, second_final=False)[0]) == 4
    shown = of(plan_of(format="double"), 6, SIX)
    assert shown.brackets is not None
    assert [level["stage"][0] for level in shown.brackets["winners"].values()] == [
        "up",
        "up",
        "upper",
        "final",
        "second",
    ]
    assert [level["stage"] for level in shown.brackets["losers"].values()] == [("low", 2), ("low", 3), ("lower", 4)]
    assert shown.stages == {6: ("final", 2), 7: ("second", 2)}
    following = [of(plan_of(format="double"), 6, SIX[:count]).next_stage for count in (3, 5, 6)]
    assert following == [None, ("final", 2), ("second", 2)]


def test_two_entrants_race_only_the_finals() -> None:
    brackets = of(plan_of(format="double"), 2, [raced(1, "1-2", [1])]).brackets
    assert brackets is not None
    assert texts(brackets["winners"]) == ["1! 2", "1 2"]
    assert brackets["losers"] == {}


def test_of_two_no_shows_nobody_drops_and_an_absent_entrant_lets_the_other_go_on() -> None:
    brackets = of(plan_of(format="double"), 6, [raced(1, "4-5 3-6", [3], (1, 2))]).brackets
    assert brackets is not None
    assert texts(brackets["winners"])[:2] == ["1! -, 4 5, 2! -, 3! 6", "1! -, 2 3"]
    assert texts(brackets["losers"]) == ["? 6", "? ?"], "one of 2 and 3 drops without a race"
    assert double(1, n4="withdrawn")[0][1] == "1! 4, 2 3"


#: Dan (4) left after the first round. The groups are 1, 4, 5 and 2, 3, 6.
GROUPS = [
    raced(1, "4-5 3-6", [4, 3], (1, 2)),
    raced(2, "2-3", [2], (5, 1, 6)),
    raced(3, "1-5 2-6", [1, 2], (3,)),
    replace(raced(4, "1-3 2-5", [1, 2]), seats=(1, 2, 5, 3)),
    raced(5, "1-2 5-3", [1, 3]),
]


def groups(count: int) -> Course:
    return of(plan_of(format="roundrobin", groups=2, advance=2), 6, GROUPS[:count], n4="withdrawn")


def test_groups_have_their_members_the_missed_duels_and_the_next_opponents() -> None:
    assert groups(1).groups == ((1, 4, 5), (2, 3, 6))
    assert groups(1).coming == {"5": 0, "1": 0, "4": 1, "6": 0, "2": 3, "3": 2}
    assert groups(3).walkovers == {1: [], 2: [(1, 4)], 3: []}
    assert groups(3).coming == {}


def test_the_knock_out_after_the_groups_has_stages_and_a_bracket() -> None:
    assert groups(2).next_stage is None
    assert groups(3).next_stage == ("semi", 4), "the next one has its name already"
    assert groups(3).brackets is None
    shown = groups(5)
    assert shown.stages == {4: ("semi", 4), 5: ("final", 2)}
    assert shown.brackets is not None
    assert texts(shown.brackets["winners"]) == ["1! 3, 2! 5", "1! 2"]
    assert shown.brackets["third"] == BracketMatch(5, 5, 3, 3)


def test_every_tournament_has_a_course() -> None:
    for form in ("knockout", "double", "roundrobin"):
        for seed in range(12):
            event = Event(plan_of(format=form, groups=1 + seed % 3, advance=seed % 2 * 2), 3 + seed, seed)
            for done in event.play():
                shown = course(event.plan, event.entrants, [*event.rounds, done])
                matches = [
                    match
                    for level in (shown.brackets or {"winners": {}})["winners"].values()
                    for match in level["matches"]
                ]
                assert all(match.round <= done.number for match in matches)
