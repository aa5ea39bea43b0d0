"""The settings of one race, which its host chooses."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

import msgspec

from fortythieves.errors import Refused
from fortythieves.rules.deal import parse_number
from fortythieves.rules.games import GAMES, game

Undo = Literal["none", "turned", "free"]
Late = Literal["refuse", "watch", "join"]
Watching = Literal["everyone", "link", "nobody"]
Watch = Literal["progress", "frontier", "delayed", "open"]

SECRET = "secret"
#: How many stars a deal that can be won must have. 0: any number.
WINNABLE: Final[Mapping[str, int]] = MappingProxyType(
    {"winnable": 0, "winnable-1": 1, "winnable-2": 2, "winnable-3": 3}
)


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings that hold for every racer. A race always has a time limit, so every race ends."""

    #: Key of the game, see `fortythieves.rules.games`.
    game: str = "forty-thieves"
    #: Seconds from the start until the race ends for all.
    time_limit: Annotated[int, msgspec.Meta(ge=60, le=14_400)] = 1200
    #: ``none``; ``turned``: only moves that revealed no card; ``free``: every move.
    undo: Undo = "turned"
    #: A player who joins during a race is refused, watches progress, or races with the clock running.
    late: Late = "watch"
    #: ``secret``; ``winnable``: a secret deal that can be won, or ``winnable-1`` to ``-3`` with that many stars; or the
    #: number of a numbered deal as text (it may exceed 64 bits).
    deal: Annotated[str, msgspec.Meta(max_length=21)] = SECRET
    #: How many seats the room has.
    seats: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 8
    #: Whether the front page lists the room.
    public: bool = False
    #: Seconds from "start" until the race begins.
    countdown: Annotated[int, msgspec.Meta(ge=3, le=10)] = 5
    #: Whether the race starts by itself when all present players are ready.
    auto_start: bool = True
    #: The allowed spectators: everyone (the front page lists the race), everyone with the link, or none.
    watching: Watching = "link"
    #: How much spectators see of the boards, see `fortythieves_server.core.visibility`.
    watch: Watch = "frontier"
    #: Seconds for which the others may play on after the first win. 0: until the time limit. `FRIENDS` has the default
    #: of races among friends.
    after_win: Annotated[int, msgspec.Meta(ge=0, le=14_400)] = 0
    #: Whether the clients offer hints. The server cannot check that, because a client can find a good move without
    #: asking: it is an agreement of the racers.
    hints: bool = False
    #: Whether people who look for an opponent are seated here, before the first race.
    seeking: bool = False
    #: By how many seconds the ``delayed`` policy holds back each move.
    delay: Annotated[int, msgspec.Meta(ge=10, le=300)] = 60

    #: How many races a match has at most, of two racers: the first to win most of them wins it. 1: there is no match.
    best_of: Literal[1, 3, 5, 7] = 1

    def changed(self, changes: Mapping[str, Any]) -> "Settings":
        """A copy with some changes. Raises `Refused` ("bad-settings") with a sentence about the mistake."""
        try:
            settings = msgspec.convert({**msgspec.to_builtins(self), **changes}, Settings)
        except msgspec.ValidationError as error:
            raise Refused("bad-settings", detail=str(error)) from None
        settings.check()
        return settings

    def check(self) -> None:
        """Raise `Refused` for values that the types cannot exclude: an unknown game, a number out of range."""
        if self.game not in GAMES:
            game(self.game)
        if self.deal != SECRET and self.winnable is None:
            parse_number(self.deal)
        if self.late == "join" and self.watch not in {"progress", "frontier"}:
            # Otherwise a player could watch first, and then race with that knowledge.
            raise Refused("bad-settings", detail="late-needs-secrecy")

    @property
    def winnable(self) -> int | None:
        """How many stars the deal must have, which can be won; 0: any number. None for another deal."""
        return WINNABLE.get(self.deal)


#: The settings of a new room for a race among friends.
FRIENDS = Settings(after_win=120)
