"""Measure the rules.

    python -m tests.bench.bench_rules

For each game, over random games of 250 moves at most: microseconds to read and play a move, to play a log from its
texts (a fold), to find all legal moves, to see whether one is legal, and to say how the board stands. The best of some
rounds is taken, for whatever else the machine does can only make a round slower.
"""

from collections.abc import Callable, Sequence
from time import perf_counter

from fortythieves.board import Board
from fortythieves.deal import deck_of_number
from fortythieves.games import GAMES, Game
from fortythieves.moves import parse_move
from tests.shared.players import Dice, greedy_move

GAMES_EACH, MOST_MOVES, ROUNDS = 20, 250, 5

#: A board at some point of a game, and the text of the move that was played then.
Moment = tuple[Board, str]


def moments(game: Game) -> list[list[Moment]]:
    """Some games, move by move."""
    dice = Dice(1)
    games = []
    for number in range(32_001, 32_001 + GAMES_EACH):
        board = Board.deal(game, deck_of_number(number))
        played: list[Moment] = []
        while board.outcome is None and len(played) < MOST_MOVES:
            move = greedy_move(board, dice)
            played.append((board.copy(), str(move)))
            board.play(move)
        games.append(played)
    return games


def microseconds(work: Callable[[], object], times: int) -> float:
    """How long one of so many pieces of work takes."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = perf_counter()
        work()
        best = min(best, perf_counter() - begin)
    return best * 1e6 / times


def fold(start: Board, texts: Sequence[str]) -> Board:
    board = start.copy()
    for text in texts:
        board.play(parse_move(text))
    return board


def measure(game: Game) -> str:
    """A line of the table."""
    games = moments(game)
    logs = [(played[0][0], [text for _, text in played]) for played in games]
    boards = [board for played in games for board, _ in played]
    pairs = [(board, parse_move(text)) for played in games for board, text in played]
    moves = len(boards)
    play = microseconds(lambda: [fold(start, texts) for start, texts in logs], moves)
    legal = microseconds(lambda: [list(board.legal_moves) for board in boards], moves)
    one = microseconds(lambda: [move in board.legal_moves for board, move in pairs], moves)
    outcome = microseconds(lambda: [board.outcome for board in boards], moves)
    return f"{game.key:14} {moves:6} {play:7.2f} {play * 250:10.0f} {legal:10.1f} {one:9.2f} {outcome:8.2f}"


def main() -> None:
    print(
        f"{'microseconds':14} {'moves':>6} {'play':>7} {'250 moves':>10} {'legal':>10} {'is legal':>9} {'outcome':>8}"
    )
    for game in GAMES.values():
        print(measure(game))


if __name__ == "__main__":
    main()
