"""The rules of one race, as its host sets them."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from fortythieves.errors import Refused
from fortythieves.rules.deal import parse_number
from fortythieves.rules.games import GAMES, game

Undo = Literal["none", "turned", "free"]
Late = Literal["refuse", "watch", "join"]
Watching = Literal["everyone", "link", "nobody"]
Watch = Literal["progress", "frontier", "delayed", "open"]

SECRET = "secret"
_PRACTICE = re.compile(r"([A-Z]{6})/([1-9][0-9]{0,5})")


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What holds for every racer of a race alike.

    A race always has a time limit, so that every race ends.
    """

    #: Key of the game, see `fortythieves.rules.games`.
    game: str = "forty-thieves"
    #: Seconds from the start until the race ends for everybody.
    time_limit: Annotated[int, msgspec.Meta(ge=60, le=14_400)] = 1200
    #: ``none``; ``turned``: back to the last turned card (what was seen stays seen); ``free``.
    undo: Undo = "turned"
    #: Whoever comes while a race runs is refused, watches progress, or joins with the clock running.
    late: Late = "watch"
    #: ``secret``; the number of an open deal as text (it may be larger than 64 bits); or ``CODE/N``, for practice: the
    #: deal of race N of room CODE, which is over.
    deal: Annotated[str, msgspec.Meta(max_length=21)] = SECRET
    #: How many people the room takes.
    seats: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 8
    #: Whether the front page lists the room.
    public: bool = False
    #: Seconds from "start" to the first card.
    countdown: Annotated[int, msgspec.Meta(ge=3, le=10)] = 5
    #: Whether the race starts by itself once everybody here is ready.
    auto_start: bool = True
    #: Who may watch: everyone (the front page lists the race), whoever has the link, nobody.
    watching: Watching = "link"
    #: How much watchers see of the boards, see `fortythieves_server.core.visibility`.
    watch: Watch = "frontier"
    #: Seconds that the ``delayed`` policy holds every move back.
    delay: Annotated[int, msgspec.Meta(ge=10, le=300)] = 60

    def changed(self, changes: Mapping[str, Any]) -> "Settings":
        """These settings with some changed.

        Raises `Refused` ("bad-settings") with what is wrong in words.
        """
        try:
            settings = msgspec.convert({**msgspec.to_builtins(self), **changes}, Settings)
        except msgspec.ValidationError as error:
            raise Refused("bad-settings", detail=str(error)) from None
        settings.check()
        return settings

    def check(self) -> None:
        """Raise `Refused` for what the types cannot say: an unknown game, a number out of range."""
        if self.game not in GAMES:
            game(self.game)
        if self.deal != SECRET and self.practice is None:
            parse_number(self.deal)
        if self.late == "join" and self.watch not in {"progress", "frontier"}:
            # Or somebody could watch first, and then race on what was seen.
            raise Refused("bad-settings", detail="where one may join late, watchers see progress or the frontier")

    @property
    def practice(self) -> tuple[str, int] | None:
        """The room and the number of the race whose deal is played again, or None."""
        again = _PRACTICE.fullmatch(self.deal)
        return (again[1], int(again[2])) if again else None
