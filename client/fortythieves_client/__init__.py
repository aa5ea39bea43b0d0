"""A Python client for Forty Thieves Race, and the house bots. client/README.md shows a program that plays.

To read the code, start at `merge`. `room` and `race` hold the state that a client sees, `connection` gets it from the
server, and `bot` plays.
"""

from fortythieves.errors import Refused
from fortythieves_client.clock import ServerClock
from fortythieves_client.connection import Client
from fortythieves_client.line import Closed
from fortythieves_client.race import OwnRace, Progress
from fortythieves_client.room import Room
from fortythieves_client.verify import CannotRead

__all__ = ["CannotRead", "Client", "Closed", "OwnRace", "Progress", "Refused", "Room", "ServerClock"]
