"""A second, slow implementation of double elimination: the table of TOURNAMENTS.md, line by line, with two lists."""

from fortythieves.tournament.rounds import Round
from tests.shared.tournament.naive import Table, beaten, is_in, raced, ranked, result, spots, there
from tests.shared.tournament.play import Event

Spot = int | None
Meeting = tuple[Spot, Spot]


def crossed(fallen: list[Spot], number: int) -> list[Spot]:
    """The losers in the order of the matches they drop to. The bits of ``number`` swap halves, quarters and so on."""
    if len(fallen) < 2:
        return fallen
    half = len(fallen) // 2
    one, other = (fallen[half:], fallen[:half]) if number % 2 else (fallen[:half], fallen[half:])
    return crossed(one, number // 2) + crossed(other, number // 2)


def by_twos(spots: list[Spot]) -> list[Meeting]:
    return list(zip(spots[::2], spots[1::2], strict=True))


class Double:
    """Both brackets after the rounds drawn so far."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.drawn = [done for done in event.rounds if not done.skipped]
        self.seeded = [*self.drawn[0].byes, *self.drawn[0].seats]
        self.up: list[Spot] = spots(self.seeded)
        self.levels = len(self.up).bit_length() - 1
        #: The losers' bracket, and the losers of the latest round of the winners' bracket.
        self.low: list[Spot] = []
        self.fallen: list[Spot] = []
        self.losses = dict.fromkeys(self.seeded, 0)
        self.out: set[int] = set()
        self.undecided: set[int] = set()
        self.won_last: Spot = None
        self.behind = dict.fromkeys(self.seeded, 0)
        at = 0
        for line in range(1, 2 * self.levels + 2):
            if at < len(self.drawn):
                at += self.hold(line, self.drawn[at], self.drawn[at + 1] if at + 1 < len(self.drawn) else None)

    def hold(self, line: int, done: Round, following: Round | None) -> bool:
        """Apply one line of the table. Returns whether two entrants of the drawn round meet in it."""
        ups, lows = self.meetings(line)
        there = {*done.everybody}
        self.out |= {*self.seeded} - there
        held = any(one in there and other in there for one, other in (*ups, *lows))
        if held:
            self.undecided = set()
            self.behind |= {seat: self.rounds_behind(line - 1, seat) for seat in there}
        on, fell = self.results(ups, there, done, following)
        low, _ = self.results(lows, there, done, following)
        if line == 2 * self.levels:
            self.up, self.low, self.fallen = on, fell, []
        else:
            self.up, self.fallen = (on, fell) if ups else (self.up, self.fallen)
            self.low = low if lows else self.low
        if held and done.races:
            on_now = there - self.out - self.undecided
            self.behind |= {seat: self.rounds_behind(line, seat) for seat in on_now}
        return held

    def meetings(self, line: int) -> tuple[list[Meeting], list[Meeting]]:
        """The meetings in the winners' bracket and in the losers' bracket."""
        if line > 2 * self.levels:
            return [], [(self.up[0], self.low[0])]
        if line == 2 * self.levels:
            return [(self.up[0], (self.low or self.fallen)[0])], []
        ups = by_twos(self.up) if line == 1 or line % 2 == 0 else []
        if line == 1:
            return ups, []
        if line == 2:
            return ups, by_twos(self.fallen)
        if line % 2 == 0:
            return ups, by_twos(self.low)
        return ups, list(zip(self.low, crossed(self.fallen, (line - 1) // 2), strict=True))

    def rounds_behind(self, line: int, seat: int) -> int:
        """The score after a line of the table, for an entrant who is still in."""
        if self.losses[seat]:
            return max(0, line - 1)
        # 1 after round 1 of the winners' bracket, which is in line 1; 3 after round 2, in line 2, and so on.
        return line if line % 2 or line == 0 else line + 1

    def results(
        self, meetings: list[Meeting], there: set[int], done: Round, following: Round | None
    ) -> tuple[list[Spot], list[Spot]]:
        """For each meeting, its winner, and its loser if not out."""
        on: list[Spot] = []
        fell: list[Spot] = []
        for meeting in meetings:
            here = [seat for seat in meeting if seat in there and seat is not None]
            if len(here) < 2:
                on.append(here[0] if here else None)
                fell.append(None)
                continue
            one, other = sorted(here, key=self.seeded.index)
            winner = self.result(one, other, done, following)
            loser = None if winner is None else one + other - winner
            on.append(winner)
            if {one, other} & self.undecided:
                fell.append(None)
                continue
            self.won_last = winner
            if loser is None:
                self.out |= {one, other}
            else:
                self.losses[loser] += 1
                is_last = self.losses[winner or 0] > 0 and self.losses[loser] == 1 and not self.event.plan.second_final
                self.out |= {loser} if self.losses[loser] == 2 or is_last else set()
            fell.append(None if loser in self.out else loser)
        return on, fell

    def result(self, one: int, other: int, done: Round, following: Round | None) -> Spot:
        """The winner. If the next round is drawn, its entrants show who won."""
        again = [seat for seat in (one, other) if following and seat in following.everybody]
        if following and again:
            fell = [seat for seat in again if seat in following.lost and not self.losses[seat]]
            return one + other - fell[0] if fell else again[0]
        winner, is_open = result(self.event, done, (one, other))
        if is_open:
            self.undecided |= {one, other}
        return winner

    @property
    def still(self) -> set[int]:
        """The entrants that can still win."""
        return {seat for seat in self.seeded if seat not in self.out and is_in(self.event, seat)}

    @property
    def winner(self) -> Spot:
        """The last one left, or the winner of the last final."""
        if self.undecided or not self.drawn or not self.drawn[-1].races or len(self.still) > 1:
            return None
        is_final = len(self.up) == len(self.low) == 1 and not self.fallen
        return next(iter(self.still), self.won_last if is_final else None)


def double(event: Event) -> Table:
    brackets = Double(event)
    races = [race for done in brackets.drawn for race in done.races]
    rows: dict[int, tuple[float, float]] = {}
    for seat in there(event):
        if seat not in brackets.still and not any(seat in raced(event, race) for race in races):
            rows[seat] = (0, -1)
            continue
        score = 2 * brackets.levels if seat == brackets.winner else brackets.behind.get(seat, 0)
        own = [done for done in brackets.drawn if done.races and seat in done.seats]
        rows[seat] = (score, beaten(event, own[-1], seat) if own else 0)
    return ranked(rows, 1 if brackets.still or brackets.winner is not None else 2)
