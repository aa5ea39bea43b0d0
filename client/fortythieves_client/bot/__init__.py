"""House bots: `run_bot` plays along in a room. They know nothing that a player does not know."""

from fortythieves_client.bot.house import run_bot
from fortythieves_client.bot.levels import LEVELS

__all__ = ["LEVELS", "run_bot"]
