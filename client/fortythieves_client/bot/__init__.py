"""House bots: `run_bot` plays along in a room. They know nothing that a player does not know."""

from fortythieves_client.bot.house import run_bot

__all__ = ["run_bot"]
