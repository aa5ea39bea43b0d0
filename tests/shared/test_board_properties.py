"""The board compared with a naive second implementation, and properties that every game must have."""

from collections import Counter
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import HIDDEN, PACKS, Card, card_name, parse_card
from fortythieves.rules.games import GAMES
from fortythieves.rules.move_notation import MOVES
from tests.examples import examples
from tests.shared import reference
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


def a_game(key: str, dice: Dice, most: int = 250) -> Iterator[tuple[Board, list[Card]]]:
    """A board after each move or undo, with the deck that was dealt."""
    deck = a_deck(key, dice)
    board = Board.deal(GAMES[key], deck)
    yield board, deck
    for _ in range(dice.below(most)):
        if board.moves_made and (not board.legal_moves or dice.happens(0.1)):
            board.undo()
        elif board.legal_moves:
            board.play(greedy_move(board, dice))
        yield board, deck


def a_position(key: str, dice: Dice, most: int = 250) -> tuple[Board, list[Card]]:
    """The board at the end of `a_game`."""
    *_, last = a_game(key, dice, most)
    return last


def home_on(board: Board) -> Counter[Card]:
    """Every card on the foundations."""
    tops = [(suit, top) for suit in range(4) for top in board.foundation(suit)]
    return Counter(suit * 13 + height for suit, top in tops for height in range(top))


def known_to(board: Board) -> Counter[Card]:
    """Every card that a board knows, shown or not."""
    columns, _, *others = board.position[:4]
    return Counter(card for pile in [*columns, *others] for card in pile if card != HIDDEN) + home_on(board)


def open_on(board: Board) -> Counter[Card]:
    """Every card that lies face up anywhere."""
    return Counter(card for pile in [*board.columns, board.waste] for card in pile if card != HIDDEN) + home_on(board)


def seen_on(board: Board) -> tuple[object, ...]:
    """Everything public about a board, except its moves."""
    foundations = tuple(board.foundation(suit) for suit in range(4))
    return board.columns, board.waste, board.stock_count, board.redeals_left, board.home, foundations


def as_reference(board: Board, deck: list[Card]) -> reference.Position:
    """The same moves, played by the second implementation."""
    position = reference.dealt(board.game.key, list(map(card_name, deck)))
    for move in board.history:
        following = reference.after(position, str(move))
        assert following is not None, f"{move} is not legal for the reference"
        position = following
    return position


def described(position: reference.Position) -> tuple[object, ...]:
    """`seen_on` for the second implementation."""
    foundations = []
    for suit in "CSHD":
        ranks = Counter(name[0] for name in position.home if name[1] == suit)
        heights = [sum(count > pile for count in ranks.values()) for pile in (0, 1)]
        foundations.append(tuple(heights))
    columns = tuple(
        tuple(parse_card("##" if at < face_down else name) for at, name in enumerate(cards))
        for cards, face_down in position.columns
    )
    waste = tuple(map(parse_card, position.waste))
    return columns, waste, len(position.stock), position.redeals, len(position.home), tuple(foundations)


# Against the reference


@some_games
@given(KEYS, SEEDS)
def test_the_board_agrees_with_the_reference(key: str, seed: int) -> None:
    board, deck = a_position(key, Dice(seed))
    position = as_reference(board, deck)
    assert seen_on(board) == described(position)
    assert sorted(map(str, board.legal_moves)) == reference.legal(position)
    assert board.outcome == reference.outcome(position)


# Moves


@some_games
@given(KEYS, SEEDS)
def test_a_move_is_accepted_exactly_if_it_is_among_the_legal_ones(key: str, seed: int) -> None:
    board, _ = a_position(key, Dice(seed))
    legal = list(board.legal_moves)
    assert len(set(legal)) == len(legal)
    assert bool(board.legal_moves) == bool(legal)
    before, made = board.position, board.moves_made
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
        assert board.moves_made == made
    assert board.position == before


@some_games
@given(KEYS, SEEDS)
def test_all_104_cards_are_always_there(key: str, seed: int) -> None:
    for board, _ in a_game(key, Dice(seed)):
        assert known_to(board) == Counter(PACKS)


@some_games
@given(KEYS, SEEDS)
def test_undo_goes_back_through_every_position_to_the_deal(key: str, seed: int) -> None:
    dice = Dice(seed)
    board = Board.deal(GAMES[key], a_deck(key, dice))
    past = []
    for _ in range(dice.below(250)):
        if not board.legal_moves:
            break
        past.append((board.position, seen_on(board), board.outcome, board.last_turned))
        board.play(greedy_move(board, dice))
    while past:
        board.undo()
        assert (board.position, seen_on(board), board.outcome, board.last_turned) == past.pop()
    assert board.moves_made == 0


# The player's board


@some_games
@given(KEYS, SEEDS)
def test_the_players_board_shows_what_the_servers_does_and_knows_only_what_was_turned(key: str, seed: int) -> None:
    dice = Dice(seed)
    deck = a_deck(key, dice)
    server = Board.deal(GAMES[key], deck)
    player = Board.of_start(server.game, server.start())
    assert known_to(player) == open_on(server)
    for _ in range(dice.below(250)):
        if server.moves_made and (not server.legal_moves or dice.happens(0.15)):
            assert player.undo() == server.undo()
        elif server.legal_moves:
            move = greedy_move(server, dice)
            before = known_to(player)
            turned = server.play(move)
            assert player.play(move, turned) == turned
            assert known_to(player) - before <= Counter(turned)
        assert seen_on(player) == seen_on(server)
        assert sorted(player.legal_moves) == sorted(server.legal_moves)
        assert (player.moves_made, player.last_turned) == (server.moves_made, server.last_turned)
        assert player.outcome in (server.outcome, None)
        if sum(known_to(player).values()) == len(PACKS):
            assert player.outcome == server.outcome


# Copies


@some_games
@given(KEYS, SEEDS)
def test_a_copy_is_equal_and_apart(key: str, seed: int) -> None:
    dice = Dice(seed)
    board, _ = a_position(key, dice)
    before, seen = board.position, seen_on(board)
    other = board.copy()
    assert (other.position, seen_on(other), other.moves_made) == (before, seen, board.moves_made)
    while other.moves_made:
        other.undo()
    for _ in range(20):
        if other.legal_moves:
            other.play(greedy_move(other, dice))
    assert (board.position, seen_on(board)) == (before, seen)
