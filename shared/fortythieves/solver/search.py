"""A search for moves that win a deal, with all cards known. It is the same in the browser (`client/web/src/solver`).

Positions are sorted into layers by the number of stock actions (draws and redeals) that led to them. In each layer the
search expands the best positions, as many as its width. The children of a position by moves of cards are in the same
layer, and its child by a stock action is in the next one. So every layer takes the same time, and the search always
comes to the end of the stock.

The same board gives the same line in both languages. All numbers are whole and below 2^31, and nothing depends on the
order of a set:

- Of two positions, the one with the lower value is expanded first. If they are equal, it is the one that was found
  first. `_Search._expand` says in which order children are found.
- Two positions of a layer are the same if they differ only in the order of the columns. Only the first one is kept.

What it does not find may exist all the same: that no win was found proves nothing.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final, NamedTuple

from fortythieves.rules.board import Board
from fortythieves.rules.cards import HIDDEN, KING, PACKS, Card
from fortythieves.rules.games import MOST_COLUMNS, fitting
from fortythieves.rules.move_notation import DRAW, FOUNDATION, REDEAL, WASTE, Move
from fortythieves.solver.piles import SAFE, Columns, Foundations, Wastes

#: The values of a position besides its piles: lower is better.
#: For each card that is not home.
NOT_HOME: Final = 100
#: For each empty column, and once more if there is any.
EMPTY: Final = -10
ANY_EMPTY: Final = -125

#: After this many expanded positions the search asks whether it should stop: every few milliseconds.
ASKS_EVERY: Final = 64

_HOME = tuple(Move(pile, FOUNDATION) for pile in range(MOST_COLUMNS + 1))


class Found(NamedTuple):
    """The result of a search."""

    #: They lead from the board to the win, or else to the first position that had the most cards home.
    moves: tuple[Move, ...]
    #: How many cards are home after these moves.
    home: int
    #: How many positions were expanded.
    positions: int
    #: The width of the search that won, or None.
    rung: int | None

    @property
    def won(self) -> bool:
        """Whether the moves lead to a win."""
        return self.rung is not None


class _Node(NamedTuple):
    """A position, and how the search came to it."""

    value: int
    #: Counts the positions of a search as they are found. No two are equal, so what follows is never compared.
    order: int
    columns: tuple[int, ...]
    waste: int
    stock: int
    redeals: int
    foundations: int
    home: int
    before: "_Node | None"
    #: The move after the position before, and the safe moves home after that.
    moves: tuple[Move, ...]


def search(board: Board, width: int, should_stop: Callable[[], bool] = lambda: False) -> Found:
    """Look for moves from a board to a win. The board knows all cards, and stays as it is.

    ``width``: how many positions are expanded after each number of stock actions. ``should_stop`` is asked every few
    milliseconds; if it returns True, the best line so far is returned. Raises `ValueError` if the board does not know
    all cards, or if the width is less than 1.
    """
    if width < 1:
        raise ValueError("the width of a search is at least 1")
    return _Search(board, width).run(should_stop)


class _Search:
    """One search. It is used once."""

    def __init__(self, board: Board, width: int) -> None:
        start, game = board.position, board.game
        if HIDDEN in start.stock or any(HIDDEN in pile for pile in start.columns):
            raise ValueError("a search needs a board that knows all cards")
        self._width = width
        self._draw = game.draw
        self._in_sequences = game.unit != "card"
        self._empty = game.empty
        self._refills = game.empty == "refill"
        self._fitting = fitting(game.build, game.wrap)
        self._columns = Columns(game, board.base)
        self._wastes = Wastes(game, board.base)
        self._foundations = Foundations(game, board.base)
        #: The positions of this layer and the next one: a heap each, and their origins.
        self._layer: list[_Node] = []
        self._seen: set[tuple[int, ...]] = set()
        self._next_layer: list[_Node] = []
        self._seen_next: set[tuple[int, ...]] = set()
        self._order = 0
        #: The first of the positions with the most cards home.
        self._best = self._after_safe_moves(
            [self._columns.dealt(pile, down) for pile, down in zip(start.columns, start.face_down, strict=True)],
            self._wastes.of(start.waste),
            self._wastes.of(start.stock),
            start.redeals_left,
            self._foundations.of(board.foundations),
            board.home,
            None,
            (),
        )
        self._layer.append(self._best)

    def run(self, should_stop: Callable[[], bool]) -> Found:
        """Search layer by layer."""
        positions = 0
        while self._layer and self._best.home < len(PACKS):
            for _ in range(self._width):
                if positions % ASKS_EVERY == 0 and should_stop():
                    return self._result(positions)
                positions += 1
                self._expand(heappop(self._layer))
                if not self._layer or self._best.home == len(PACKS):
                    break
            self._layer, self._next_layer = self._next_layer, []
            self._seen, self._seen_next = self._seen_next, set()
        return self._result(positions)

    def _result(self, positions: int) -> Found:
        steps: list[tuple[Move, ...]] = []
        node: _Node | None = self._best
        while node is not None:
            steps.append(node.moves)
            node = node.before
        moves = tuple(move for step in reversed(steps) for move in step)
        home = self._best.home
        return Found(moves, home, positions, self._width if home == len(PACKS) else None)

    def _expand(self, node: _Node) -> None:
        """Find the children of a position: first that of a draw, or else of a redeal; then of each pile, the waste and
        the columns from left to right, with their moves: home; then, for each count of cards, to each column that
        accepts them from left to right, and at last to the first empty column.
        """
        value, columns, waste, foundations = node.value, node.columns, node.waste, node.foundations
        self._turn_stock(node)
        known = self._columns
        top, below, worth, put, run = known.top, known.below, known.value, known.put, known.run
        says = self._foundations.says[foundations]
        # The columns that accept each card, and at last the first empty one, which accepts all.
        takers: dict[Card, list[int]] = {}
        for at, column in enumerate(columns):
            if column:
                for card in self._fitting[top[column]]:
                    if card in takers:
                        takers[card].append(at)
                    else:
                        takers[card] = [at]
        empty = columns.count(0)
        first_empty = [columns.index(0)] if empty else []
        takes_all = first_empty if self._empty in ("any", "refill") else []
        for found in takers.values() if takes_all else ():
            found += takes_all
        if empty and self._empty == "king":
            for king in range(KING - 1, 52, KING):
                takers[king] = [*takers.get(king, []), *first_empty]
        takes = takers.get
        fills = -EMPTY - (ANY_EMPTY if empty == 1 else 0)
        frees = EMPTY + (0 if empty else ANY_EMPTY)

        if waste:
            card = self._wastes.top[waste]
            if says[card]:
                self._play_home(node, WASTE)
            left = self._wastes.below[waste]
            rest = value + self._wastes.value[left] - self._wastes.value[waste]
            for at in (*takes(card, ()), *first_empty) if self._empty == "waste" else takes(card, takes_all):
                target = columns[at]
                piles = list(columns)
                piles[at] = column = put(target, card)
                gain = worth[column] - worth[target] if target else worth[column] + fills
                self._child(node, rest + gain, piles, left, Move(WASTE, at + 1), 0)

        for source, column in enumerate(columns):
            if not column:
                continue
            if says[top[column]]:
                self._play_home(node, source + 1)
            left = column
            cards: list[Card] = []
            for count in range(1, (run[column] if self._in_sequences else 1) + 1):
                card = top[left]
                cards.append(card)
                left = below[left]
                for at in takes(card, takes_all):
                    target = onto = columns[at]
                    if not (onto or left) or at == source:
                        continue  # to move a whole column to an empty one changes nothing
                    for moved in reversed(cards):
                        target = put(target, moved)
                    piles = list(columns)
                    piles[source] = left
                    piles[at] = target
                    gain = worth[target] - worth[onto] if onto else worth[target] + fills
                    rest = value + worth[left] - worth[column] + (0 if left else frees)
                    self._child(node, rest + gain, piles, waste, Move(source + 1, at + 1, count), left)

    def _child(self, node: _Node, value: int, columns: list[int], waste: int, move: Move, left: int) -> None:
        """Keep the position after a move between piles, if it is new. ``left``: the rest of the column."""
        stock, redeals, foundations = node.stock, node.redeals, node.foundations
        says = self._foundations.says[foundations]
        # Before the move no card could safely go home, so only a card that it has bared can.
        if (says[self._columns.top[left]] == SAFE if left else self._refills and move.source != WASTE) or (
            waste != node.waste and waste and says[self._wastes.top[waste]] == SAFE
        ):
            self._keep(self._after_safe_moves(columns, waste, stock, redeals, foundations, node.home, node, (move,)))
            return
        key = (*sorted(columns), waste, stock, redeals)
        if key in self._seen:
            return
        self._seen.add(key)
        self._order += 1
        child = _Node(value, self._order, tuple(columns), waste, stock, redeals, foundations, node.home, node, (move,))
        heappush(self._layer, child)

    def _play_home(self, node: _Node, pile: int) -> None:
        columns, waste = list(node.columns), node.waste
        if pile == WASTE:
            card, waste = self._wastes.top[waste], self._wastes.below[waste]
        else:
            card, columns[pile - 1] = self._columns.top[columns[pile - 1]], self._columns.below[columns[pile - 1]]
        foundations = self._foundations.after(node.foundations, card)
        self._keep(
            self._after_safe_moves(
                columns, waste, node.stock, node.redeals, foundations, node.home + 1, node, (_HOME[pile],)
            )
        )

    def _turn_stock(self, node: _Node) -> None:
        waste, stock, redeals = node.waste, node.stock, node.redeals
        put, top, below = self._wastes.put, self._wastes.top, self._wastes.below
        if stock:
            move = DRAW
            waste, stock = self._drawn(waste, stock)
        elif waste and redeals:
            move = REDEAL
            redeals -= 1
            while waste:
                stock, waste = put(stock, top[waste]), below[waste]
        else:
            return
        child = self._after_safe_moves(
            list(node.columns), waste, stock, redeals, node.foundations, node.home, node, (move,)
        )
        self._keep(child, in_next_layer=True)

    def _drawn(self, waste: int, stock: int) -> tuple[int, int]:
        """Waste and stock after a draw."""
        for _ in range(self._draw):
            if stock:
                waste, stock = self._wastes.put(waste, self._wastes.top[stock]), self._wastes.below[stock]
        return waste, stock

    def _refilled(self, columns: list[int], waste: int, stock: int) -> tuple[int, int]:
        """Fill the empty columns. Returns waste and stock."""
        for at, column in enumerate(columns):
            if not column and (waste or stock):
                if not waste:
                    waste, stock = self._drawn(waste, stock)
                columns[at], waste = self._columns.put(0, self._wastes.top[waste]), self._wastes.below[waste]
        return waste, stock

    def _keep(self, child: _Node, in_next_layer: bool = False) -> None:
        """Keep a position if it is new."""
        layer, seen = (self._next_layer, self._seen_next) if in_next_layer else (self._layer, self._seen)
        key = (*sorted(child.columns), child.waste, child.stock, child.redeals)
        if key in seen:
            return
        seen.add(key)
        if child.home > self._best.home:
            self._best = child
        heappush(layer, child)

    def _after_safe_moves(
        self,
        columns: list[int],
        waste: int,
        stock: int,
        redeals: int,
        foundations: int,
        home: int,
        before: _Node | None,
        moves: tuple[Move, ...],
    ) -> _Node:
        """The position after all moves home without any possible loss: from the waste, then from each column from
        left to right, repeated while there are any.
        """
        top, below = self._columns.top, self._columns.below
        says, after = self._foundations.says, self._foundations.after
        played = list(moves)
        # With a redeal left, a card that leaves the waste changes which cards come up three by three.
        waste_too = self._draw == 1 or not redeals
        going = True
        while going:
            going = False
            if self._refills and not all(columns):
                waste, stock = self._refilled(columns, waste, stock)
            while waste_too and waste and says[foundations][self._wastes.top[waste]] == SAFE:
                foundations = after(foundations, self._wastes.top[waste])
                waste = self._wastes.below[waste]
                played.append(_HOME[WASTE])
                going = True
            for at, column in enumerate(columns):
                while column and says[foundations][top[column]] == SAFE:
                    foundations = after(foundations, top[column])
                    column = columns[at] = below[column]
                    played.append(_HOME[at + 1])
                    going = True
        home += len(played) - len(moves)
        empty = columns.count(0)
        value = (
            sum([self._columns.value[column] for column in columns])
            + self._wastes.value[waste]
            - NOT_HOME * home
            + EMPTY * empty
            + (ANY_EMPTY if empty else 0)
        )
        self._order += 1
        return _Node(
            value, self._order, tuple(columns), waste, stock, redeals, foundations, home, before, tuple(played)
        )
