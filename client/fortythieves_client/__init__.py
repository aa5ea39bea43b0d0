"""A client for Forty Thieves Race in Python, and what is built on it.

async with Client("http://192.168.1.5:8000") as client:
    room = await client.create("Ann", game="lucas")
    await client.ready()
    await client.until(lambda: client.race)
    turned = await client.play("draw")
"""

from fortythieves_client.connection import Client, Closed, RefusedByServer
from fortythieves_client.race import Entry, OwnRace, Progress
from fortythieves_client.room import Room

__all__ = ["Client", "Closed", "Entry", "OwnRace", "Progress", "RefusedByServer", "Room"]
