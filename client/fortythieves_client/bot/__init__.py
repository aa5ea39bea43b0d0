"""House bots: `run_bot` plays in a room. A bot knows only what a player knows."""

from fortythieves_client.bot.house import run_bot

__all__ = ["run_bot"]
