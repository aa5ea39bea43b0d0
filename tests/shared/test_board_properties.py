"""Properties that the board of every game must have. test_vectors.py compares it with a second implementation."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import HIDDEN, PACKS, Card
from fortythieves.rules.games import GAMES
from fortythieves.rules.move_notation import MOVES
from tests.examples import examples
from tests.shared.players import Dice, any_deck, easy_deck, greedy_move, hard_deck

SEEDS = st.integers(0, 2**32)
KEYS = st.sampled_from(list(GAMES))

#: One example is a whole game of some hundred moves.
some_games = examples(20)


def a_deck(key: str, dice: Dice) -> list[Card]:
    """Any deck, or one that leads to late positions, or one that leads nowhere."""
    game = GAMES[key]
    match dice.below(3):
        case 0:
            return any_deck(dice)
        case 1:
            return easy_deck(game, dice)
        case _:
            return hard_deck(game, dice)


def home_on(board: Board) -> Counter[Card]:
    tops = [(suit, top) for suit in range(4) for top in board.foundations[suit]]
    return Counter(suit * 13 + height for suit, top in tops for height in range(top))


def known_to(board: Board) -> Counter[Card]:
    """Every card that a board knows, shown or not."""
    columns, _, *others = board.position[:4]
    return Counter(card for pile in [*columns, *others] for card in pile if card != HIDDEN) + home_on(board)


def open_on(board: Board) -> Counter[Card]:
    return Counter(card for pile in [*board.columns, board.waste] for card in pile if card != HIDDEN) + home_on(board)


def seen_on(board: Board) -> tuple[object, ...]:
    """Everything public about a board, except its moves."""
    foundations = board.foundations
    return board.columns, board.waste, board.stock_count, board.redeals_left, board.home, foundations


def state(board: Board) -> tuple[object, ...]:
    return board.position, seen_on(board), board.outcome, board.last_turned


@some_games
@given(KEYS, SEEDS)
def test_the_player_sees_what_was_turned_and_undo_goes_back_through_every_position(key: str, seed: int) -> None:
    dice = Dice(seed)
    server = Board.deal(GAMES[key], a_deck(key, dice))
    player = Board.of_start(server.game, server.start())
    assert known_to(player) == open_on(server)
    past: list[tuple[object, ...]] = []
    for _ in range(dice.below(250)):
        if past and (not server.legal_moves or dice.happens(0.15)):
            assert player.undo() == server.undo()
            assert state(server) == past.pop()
        elif server.legal_moves:
            past.append(state(server))
            move = greedy_move(server, dice)
            before = known_to(player)
            turned = server.play(move)
            assert player.play(move, turned) == turned
            assert known_to(player) - before <= Counter(turned)
        assert known_to(server) == Counter(PACKS)
        assert seen_on(player) == seen_on(server)
        assert sorted(player.legal_moves) == sorted(server.legal_moves)
        assert (player.moves_made, player.last_turned) == (server.moves_made, server.last_turned)
        assert player.outcome in (server.outcome, None)
        if sum(known_to(player).values()) == len(PACKS):
            assert player.outcome == server.outcome
    while past:
        server.undo()
        assert state(server) == past.pop()
    assert server.moves_made == 0


@some_games
@given(KEYS, SEEDS)
def test_exactly_the_legal_moves_are_accepted_and_a_copy_is_equal_and_apart(key: str, seed: int) -> None:
    dice = Dice(seed)
    board = Board.deal(GAMES[key], a_deck(key, dice))
    for _ in range(dice.below(250)):
        if board.legal_moves:
            board.play(greedy_move(board, dice))
    before, legal, other = state(board), list(board.legal_moves), board.copy()
    assert len(set(legal)) == len(legal)
    assert bool(board.legal_moves) == bool(legal)
    for move in MOVES.values():
        assert (move in board.legal_moves) == (move in legal)
        try:
            board.play(move)
        except Refused as refused:
            assert refused.code == "illegal-move"
            assert move not in legal
        else:
            assert move in legal
            board.undo()
    assert state(board) == state(other) == before
    while other.moves_made:
        other.undo()
    assert (state(board), other.home) == (before, board.game.home)
