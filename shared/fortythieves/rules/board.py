"""One player's board: where the cards are, which moves are legal, and whether the game is over.

    board = Board.deal(game("lucas"), deck_of_number(32001))
    while board.outcome is None:
        board.play(choose(board.legal_moves))

The server's board knows every card. A player's board knows only the cards that were revealed. The rules are the same.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

from fortythieves.errors import Refused
from fortythieves.rules.cards import HIDDEN, KING, PACKS, Card, rank
from fortythieves.rules.games import BUILD_RULES, Game, families, fitting
from fortythieves.rules.move_notation import DRAW, FOUNDATION, MOVES, REDEAL, STOCK, WASTE, Move

Outcome = Literal["won", "stuck"]


#: For each building rule and whether kings lie on aces: for every card, the cards that may be placed on it in a column.
_FITS = {(build, wrap): tuple(map(frozenset, fitting(build, wrap))) for build in BUILD_RULES for wrap in (False, True)}

#: Added to the number of a move that emptied a column which was filled again.
_REFILLED = 1 << 15


@cache
def _steps(home: str, base: int) -> tuple[tuple[tuple[Card, ...], tuple[Card, ...]], ...]:
    """For every card, the cards that the same foundations accept, and those that they accept after it."""
    steps: list[tuple[tuple[Card, ...], tuple[Card, ...]]] = [((), ())] * 52
    for heights in families(home, base):
        for alike, following in zip(heights, (*heights[1:], ()), strict=True):
            for card in alike:
                steps[card] = tuple(alike), tuple(following)
    return tuple(steps)


class Position(NamedTuple):
    """Where all cards are that are not home, also those that lie face down; `HIDDEN` for a card that is not known."""

    #: From left to right, the bottom card first.
    columns: tuple[tuple[Card, ...], ...]
    #: How many cards at the bottom of each column lie face down.
    face_down: tuple[int, ...]
    #: The last card is its top.
    waste: tuple[Card, ...]
    #: The last card is drawn next.
    stock: tuple[Card, ...]
    #: For every card, how many foundations accept it now.
    wanted: tuple[int, ...]
    redeals_left: int


class LegalMoves:
    """The legal moves of a board at this moment. ``move in`` looks only at the two piles of that move. ``for move in``
    finds each move when it is asked for: to change the board in the loop, loop over a ``list`` of the moves.
    """

    __slots__ = ("_board",)

    def __init__(self, board: "Board") -> None:
        self._board = board

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self._board._obstacle(move) is None

    def __iter__(self) -> Iterator[Move]:
        return self._board._moves()

    def __bool__(self) -> bool:
        return any(True for _ in self)


_MOVES = tuple(MOVES.values())
_NUMBERS = {move: number for number, move in enumerate(_MOVES)}


class Board:
    """A position, and the moves that led to it. `deal` and `of_start` make one."""

    __slots__ = (
        *(
            "_down",
            "_fits",
            "_hidden",
            "_history",
            "_piles",
            "_refills",
            "_runs",
            "_steps",
            "_stock",
            "_turned",
            "_wanted",
        ),
        *("base", "game", "home", "redeals_left"),
    )

    def __init__(self, game: Game, columns: list[list[Card]], stock: list[Card], first: Card | None = None) -> None:
        """``first``: the card that is dealt to its foundation, in games where it decides their first rank."""
        self.game = game
        #: The rank of the first card of each foundation.
        self.base = game.base if first is None else rank(first)
        self._fits = _FITS[game.build, game.wrap]
        self._refills = game.empty == "refill"
        #: For every card, the cards that may lie on it in a sequence.
        self._runs = _FITS[game.sequence, game.wrap]
        #: By the pile numbers of `move_notation`: the waste, the columns, and (at -1, the last) all cards on the
        #: foundations, in the order in which they got there. The last card of a pile is its top. One byte per card,
        #: because a server keeps a thousand boards.
        self._piles = [array("b", pile) for pile in ([], *columns, [])]
        #: How many cards at the bottom of each pile are face down. The board may still know them: because it knows
        #: every card, or because they were revealed before an undo.
        self._down = bytearray([0, *game.downs, 0])
        #: The last card is drawn next.
        self._stock = array("b", stock)
        #: How many cards were dealt face down, or to the stock.
        self._hidden = len(stock) + sum(self._down)
        #: How many redeals are left.
        self.redeals_left = game.redeals
        #: How many cards are on the foundations.
        self.home = 0
        self._steps = _steps(game.foundations, self.base)
        #: For every card, how many foundations accept it now. "Two per suit: a card goes to the pile of its suit
        #: whose top is one rank lower."
        self._wanted = bytearray(
            2 * len(alike) if rank(card) == self.base else 0 for card, (alike, _) in enumerate(self._steps)
        )
        #: Every move as its number in `MOVES`, which takes two bytes, and how many cards each revealed.
        self._history = array("H")
        self._turned = bytearray()
        for card in filter(game.is_dealt_home, PACKS) if first is None else (first,):
            self._piles[FOUNDATION].append(card)
            self._count_home(card, 1)

    @classmethod
    def deal(cls, game: Game, deck: Sequence[Card]) -> "Board":
        """A board that knows all cards of a deck. Raises `ValueError` if these are not the 104 cards of two packs."""
        if sorted(deck) != sorted(PACKS):
            raise ValueError("a deck is the 104 cards of two packs")
        # "The aces are lifted out wherever they lie and the rest keeps its order."
        cards = iter([card for card in deck if not game.is_dealt_home(card)])
        # "Dealt row by row, left to right; the bottom card of a column is the one dealt first."
        columns: list[list[Card]] = [[] for _ in range(game.columns)]
        for row in range(max(game.heights)):
            for column, height in zip(columns, game.heights, strict=True):
                if row < height:
                    column.append(next(cards))
        first = None if game.base else next(cards)
        return cls(game, columns, [*cards][::-1], first)

    @classmethod
    def of_start(cls, game: Game, start: Sequence[Sequence[Card]]) -> "Board":
        """A player's board: ``start`` has its columns, with `HIDDEN` for a face-down card, and if the first card of the
        stock is dealt to a foundation, this one, too. Raises `ValueError`.
        """
        columns = [list(column) for column in start]
        first = None if game.base or len(columns) != game.columns + 1 or len(columns[-1]) != 1 else columns.pop()[0]
        face_down = [card for column, down in zip(columns, game.downs, strict=False) for card in column[:down]]
        face_up = Counter(card for column, down in zip(columns, game.downs, strict=False) for card in column[down:])
        face_up.update([] if first is None else [first])
        dealt = Counter(card for card in PACKS if not game.is_dealt_home(card))
        if (
            tuple(map(len, columns)) != game.heights
            or (first is None) != bool(game.base)
            or any(card != HIDDEN for card in face_down)
            or not face_up <= dealt
        ):
            raise ValueError(f"no deal of {game.name} starts like this")
        return cls(game, columns, [HIDDEN] * game.stock, first)

    # The visible cards

    @property
    def columns(self) -> tuple[tuple[Card, ...], ...]:
        """The columns from left to right, the bottom card first, `HIDDEN` where a card lies face down."""
        # A list first: bots ask for this so often that a generator would take a tenth of their time.
        return tuple(
            [
                (HIDDEN,) * down + tuple(pile[down:]) if down else tuple(pile)
                for pile, down in zip(self._piles[1:-1], self._down[1:-1], strict=True)
            ]
        )

    def start(self) -> tuple[tuple[Card, ...], ...]:
        """The columns from which `of_start` makes the player's board. Raises `ValueError` after the first move."""
        if self._history:
            raise ValueError("the start of a board is only known before its first move")
        return self.columns if self.game.base else (*self.columns, tuple(self._piles[FOUNDATION]))

    @property
    def waste(self) -> tuple[Card, ...]:
        """The waste; its last card is the top."""
        return tuple(self._piles[WASTE])

    @property
    def stock_count(self) -> int:
        """How many cards are left to draw in this pass."""
        return len(self._stock)

    @property
    def foundations(self) -> tuple[tuple[int, ...], ...]:
        """For each family of `games.families`, the heights of its foundations, the highest first."""
        found = []
        for heights in families(self.game.foundations, self.base):
            wanted = [height for height, (card, *_) in enumerate(heights) for _ in range(self._wanted[card])]
            full = 2 * len(heights[0]) - len(wanted)  # a complete foundation accepts no card
            found.append((*[KING] * full, *wanted[::-1]))
        return tuple(found)

    @property
    def moves_made(self) -> int:
        """How many moves led here. Moves that were undone do not count."""
        return len(self._history)

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves that led here, without those that were undone."""
        return tuple(_MOVES[number % _REFILLED] for number in self._history)

    @property
    def last_turned(self) -> bool:
        """Whether the last move revealed a card. Undoing it would not make the player forget that card."""
        return bool(self._turned) and self._turned[-1] > 0

    @property
    def revealed(self) -> int:
        """How many of the cards that were dealt face down, or to the stock, have been revealed by these moves."""
        in_stock = len(self._stock) if self.redeals_left == self.game.redeals else 0  # a redeal needs an empty stock
        return self._hidden - in_stock - sum(self._down)

    def reveals(self, move: Move) -> bool:
        """Whether a legal move of cards reveals one: the next of its column, or one of the stock that fills it."""
        source, _, count = move
        left = len(self._piles[source]) - count
        if source == WASTE or left:
            return left == self._down[source] > 0
        return self._refills and not self._piles[WASTE] and len(self._stock) > 0

    @property
    def position(self) -> Position:
        """Where the cards are, if the board knows them: more than its player sees. For counting and searching."""
        columns, face_down = tuple(map(tuple, self._piles[1:-1])), tuple(self._down[1:-1])
        return Position(columns, face_down, self.waste, tuple(self._stock), tuple(self._wanted), self.redeals_left)

    def copy(self) -> "Board":
        """A copy of this board, with its history."""
        other = Board.__new__(Board)
        other.game = self.game
        other.home = self.home
        other.base = self.base
        other._fits = self._fits
        other._hidden = self._hidden
        other._refills = self._refills
        other._runs = self._runs
        other._steps = self._steps
        other._piles = [pile[:] for pile in self._piles]
        other._down = self._down[:]
        other._stock = self._stock[:]
        other.redeals_left = self.redeals_left
        other._wanted = self._wanted[:]
        other._history = self._history[:]
        other._turned = self._turned[:]
        return other

    # Legal moves

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves, found when asked for."""
        return LegalMoves(self)

    def _obstacle(self, move: Move) -> str | None:
        """Why a move is illegal here (one of `errors.REASONS`), or None if it is legal. No other code judges moves."""
        source, target, count = move
        if source == STOCK or target == STOCK:
            return self._obstacle_to_turning(move)
        last = self.game.columns
        if not (WASTE <= source <= last and FOUNDATION <= target <= last) or target in (source, WASTE):
            return "no-such-piles"
        pile = self._piles[source]
        if not pile:
            return "no-card"
        if count != 1:
            if target == FOUNDATION or source == WASTE or self.game.unit == "card":
                return "one-card"
            if not 1 < count <= self._run(source):
                return "no-sequence"
        card = pile[-count]
        if target == FOUNDATION:
            # "A card goes to the pile of its suit whose top is one rank lower", and stays there: no move has the
            # foundations as its source.
            return None if self._wanted[card] else "foundation-not-ready"
        onto = self._piles[target]
        # The last card of a column is never face down.
        if onto:
            return None if card in self._fits[onto[-1]] else f"build-{self.game.build}"
        return None if self._may_fill(card, source) else f"empty-{self.game.empty}"

    def _may_fill(self, card: Card, source: int) -> bool:
        """Whether an empty column takes a card from a pile. "An empty column takes any card that may be moved." """
        empty = self.game.empty
        # A column that is filled again stays empty only if no card is left to fill it.
        return empty in ("any", "refill") or (source == WASTE if empty == "waste" else rank(card) == KING)

    def _obstacle_to_turning(self, move: Move) -> str | None:
        if move == DRAW:
            return None if self._stock else "stock-empty"
        if move != REDEAL:
            return "no-such-piles"
        # "Redeal: only with an empty stock and a non-empty waste."
        if self._stock:
            return "stock-not-empty"
        if not self.redeals_left:
            return "no-redeal"
        return None if self._piles[WASTE] else "waste-empty"

    def _run(self, column: int) -> int:
        """How many cards make up the sequence at the end of a column: "a run of face-up cards at the end of a column in
        which every adjacent pair obeys the game's own building rule".
        """
        pile, fits = self._piles[column], self._runs
        most = min(len(pile) - self._down[column], KING)  # more cards than ranks only where kings lie on aces
        run = min(1, most)
        while run < most and pile[-run] in fits[pile[-run - 1]]:
            run += 1
        return run

    def _moves(self) -> Iterator[Move]:
        """The legal moves: first to draw or redeal, then those of cards that lie open."""
        for move in (DRAW, REDEAL):
            if self._obstacle_to_turning(move) is None:
                yield move
        yield from self._card_moves()

    def _card_moves(self) -> Iterator[Move]:
        piles, wanted, fits = self._piles, self._wanted, self._fits
        welcome = self._welcome()
        in_sequences, any_fills = self.game.unit != "card", self.game.empty in ("any", "refill")
        columns = range(1, self.game.columns + 1)
        takers = [(column, fits[piles[column][-1]]) for column in columns if piles[column]]
        empty = [column for column in columns if not piles[column]]
        for source in (WASTE, *columns):
            pile = piles[source]
            if not pile:
                continue
            if wanted[pile[-1]]:
                yield Move(source, FOUNDATION)
            longest = self._run(source) if in_sequences and source != WASTE else 1
            for count in range(1, longest + 1):
                card = pile[-count]
                if card in welcome:
                    for target, taken in takers:
                        if card in taken and target != source:
                            yield Move(source, target, count)
                if empty and (any_fills or self._may_fill(card, source)):
                    for target in empty:
                        yield Move(source, target, count)

    def _welcome(self) -> set[Card]:
        """The cards that some column accepts on its last card."""
        fits = self._fits
        return set().union(*[fits[column[-1]] for column in self._piles[1:-1] if column])

    # The outcome

    @property
    def outcome(self) -> Outcome | None:
        """``won``, ``stuck``, or None if the game continues.

        "No card can be moved now, and neither drawing through the rest of this pass nor, if a redeal is left, through
        one whole further pass would ever bring up a waste top that can be played." If that depends on a card that the
        board does not know, the outcome is None.
        """
        if self.home == len(PACKS):
            return "won"
        columns, wanted = self._piles[1:-1], self._wanted
        has_empty = not all(columns)
        if has_empty and self.game.empty in ("any", "refill"):
            return None  # an empty column accepts any card, and there is one: on another column, or to come
        if has_empty or self.game.wrap:
            if any(move.source != WASTE for move in self._card_moves()):
                return None
            welcome = self._welcome()
        else:
            for column in columns:
                if wanted[column[-1]]:
                    return None
            welcome = self._welcome()
            for column in columns:
                if column[-1] in welcome:
                    return None
            if self.game.unit != "card":
                for number, column in enumerate(columns, 1):
                    if not welcome.isdisjoint(column[-self._run(number) :]):
                        return None
        for card in self._tops_to_come():
            if card in welcome or card == HIDDEN or wanted[card] or (has_empty and self._may_fill(card, WASTE)):
                return None
        return "stuck"

    def _tops_to_come(self) -> Iterator[Card]:
        """Every card that is the top of the waste now, or will be if only draws and redeals are played."""
        waste, draw = self._piles[WASTE], self.game.draw
        drawn = waste + self._stock[::-1]
        yield from waste[-1:]
        yield from drawn[len(waste) + draw - 1 :: draw]
        yield from drawn[-1:]  # the last draw takes the rest, even if that is fewer cards
        if self.redeals_left:
            yield from drawn[draw - 1 :: draw]

    # Playing

    def play(self, move: Move, turned: Sequence[Card] = ()) -> tuple[Card, ...]:
        """Play a legal move. Returns the cards that it revealed, in the order in which they were revealed.

        ``turned``: these cards, for a board that does not know them. Raises `Refused` if the move is illegal, and
        `ValueError` if ``turned`` are not the right cards. After either, the board is unchanged.
        """
        obstacle = self._obstacle(move)
        if obstacle is not None:
            raise Refused("illegal-move", move=move, reason=obstacle)
        source, target, count = move
        if source == STOCK:
            return self._draw(turned)
        if target == STOCK:
            return self._redeal(turned)

        pile = self._piles[source]
        left = len(pile) - count
        shown: tuple[Card, ...] = ()
        number = _NUMBERS[move]
        # "A face-down card that becomes the last of its column is turned up at once, as part of the same move."
        if left and left == self._down[source]:
            shown = _agreed((pile[left - 1],), turned)
            pile[left - 1] = shown[0]
            self._down[source] -= 1
        elif not left and self._refills and source != WASTE:
            shown = () if self._piles[WASTE] else _agreed(self._next_drawn(), turned)
            number += _REFILLED if shown or self._piles[WASTE] else 0
        elif turned:
            raise ValueError(f"{move} reveals no card here")
        self._piles[target] += pile[left:]
        del pile[left:]
        if target == FOUNDATION:
            self._count_home(self._piles[FOUNDATION][-1], 1)
        if number >= _REFILLED:
            self._refill(pile, shown)
        self._history.append(number)
        self._turned.append(len(shown))
        return shown

    def _refill(self, column: "array[int]", drawn: Sequence[Card]) -> None:
        """Fill an empty column from the waste, after a draw if there is no waste."""
        waste = self._piles[WASTE]
        if drawn:
            del self._stock[-len(drawn) :]
            waste.extend(drawn)
        column.append(waste.pop())

    def _next_drawn(self) -> tuple[Card, ...]:
        return tuple(self._stock[: -self.game.draw - 1 : -1])

    def _draw(self, turned: Sequence[Card]) -> tuple[Card, ...]:
        # "Draw three turns min(3, cards left) one after another; the last one turned is the top of the waste."
        drawn = _agreed(self._next_drawn(), turned)
        del self._stock[-len(drawn) :]
        self._piles[WASTE].extend(drawn)
        self._history.append(_NUMBERS[DRAW])
        self._turned.append(len(drawn))
        return drawn

    def _redeal(self, turned: Sequence[Card]) -> tuple[Card, ...]:
        if turned:
            raise ValueError("a redeal reveals no card")
        # "The waste is turned over as a block, so the card that was drawn first is drawn first again."
        waste = self._piles[WASTE]
        self._stock = waste[::-1]
        del waste[:]
        self.redeals_left -= 1
        self._history.append(_NUMBERS[REDEAL])
        self._turned.append(0)
        return ()

    def undo(self) -> Move:
        """Undo the last move and return it. The board still knows the cards that were revealed. Raises `Refused`."""
        if not self._history:
            raise Refused("nothing-to-undo")
        number, turned = self._history.pop(), self._turned.pop()
        move = _MOVES[number % _REFILLED]
        source, target, count = move
        waste = self._piles[WASTE]
        if number >= _REFILLED:
            waste.append(self._piles[source].pop())
            self._stock += waste[len(waste) - turned :][::-1]
            del waste[len(waste) - turned :]
            turned = 0
        if source == STOCK:
            self._stock += waste[: -turned - 1 : -1]
            del waste[-turned:]
        elif target == STOCK:
            waste += self._stock[::-1]
            del self._stock[:]
            self.redeals_left += 1
        else:
            self._down[source] += turned
            pile = self._piles[target]
            self._piles[source] += pile[-count:]
            del pile[-count:]
            if target == FOUNDATION:
                self._count_home(self._piles[source][-1], -1)
        return move

    def _count_home(self, card: Card, change: int) -> None:
        """A card has gone home (1) or come back (-1)."""
        self.home += change
        wanted = self._wanted
        alike, following = self._steps[card]
        for other in alike:
            wanted[other] -= change
        for other in following:
            wanted[other] += change


def _agreed(known: tuple[Card, ...], given: Sequence[Card]) -> tuple[Card, ...]:
    """The cards at some places, from the board or from the caller. Raises `ValueError`."""
    if not given:
        if HIDDEN in known:
            raise ValueError("this move reveals a card that the board does not know, and nobody named it")
        return known
    if len(given) != len(known):
        raise ValueError(f"this move reveals {len(known)} cards, not {len(given)}")
    for there, card in zip(known, given, strict=True):
        if there not in (card, HIDDEN) or not 0 <= card < 52:
            raise ValueError("the revealed cards are not those that lie there")
    return tuple(given)
