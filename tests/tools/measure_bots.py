"""Let the house bots play, and print their results.

    python -m tests.tools.measure_bots --deals 100 --game lucas --game limited

For each game and level: mean cards home, games won, moves, and the thinking time (mean and longest).
"""

import argparse
from statistics import fmean

from fortythieves.rules.games import GAMES, game
from fortythieves_client.bot.levels import LEVELS
from tests.client.bot.games import play


def measure(key: str, level: int, deals: int) -> str:
    """A line of the table."""
    games = [play(game(key), LEVELS[level], seed) for seed in range(deals)]
    home = fmean(played.board.home for played in games)
    won = fmean(played.board.outcome == "won" for played in games)
    moves = fmean(played.board.moves_made for played in games)
    thinking = [seconds * 1000 for played in games for seconds in played.thinking]
    times = f"{fmean(thinking):6.1f} ms {max(thinking):5.0f} ms"
    return f"{key:14} {level:5} {home:6.1f} {won:6.0%} {moves:6.0f} {times}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Let the house bots play.")
    parser.add_argument("--game", action="append", choices=GAMES, help="which game, once for each (all)")
    parser.add_argument("--deals", type=int, default=20, help="how many deals of each (20)")
    options = parser.parse_args()
    print("game           level   home    won  moves   thinks  longest")
    for key in options.game or GAMES:
        for level in LEVELS:
            print(measure(key, level, options.deals), flush=True)


if __name__ == "__main__":
    main()
