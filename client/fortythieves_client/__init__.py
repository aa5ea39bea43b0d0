"""A Python client for Forty Thieves Race, and the house bots. client/README.md shows a program that plays.

To read the code, start at `room` and `race`, the state that a client sees. `reconnecting` keeps the connection,
`client` joins all this, and `bot` plays. `verify`, `standings` and `deal_check` check proofs.
"""

from fortythieves.errors import CannotRead, Refused
from fortythieves_client.client import Client
from fortythieves_client.race import OwnRace, Progress
from fortythieves_client.reconnecting import Closed, ServerClock
from fortythieves_client.room import Room

__all__ = ["CannotRead", "Client", "Closed", "OwnRace", "Progress", "Refused", "Room", "ServerClock"]
