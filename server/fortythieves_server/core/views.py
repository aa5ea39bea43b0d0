"""The public view of a room, and how it changed. Pure. Nothing hidden is ever in a view.

The public view is a nested map of plain values. It is the same for all people in the room, changes only with an event
of the room log, and PROTOCOL.md documents each field.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import msgspec

from fortythieves.rules.settings import Settings
from fortythieves.times import Ms
from fortythieves_server.core import challenge, circle, view_types
from fortythieves_server.core.room_state import ChatMessage, Person, Race, Racer, Room
from fortythieves_server.core.tournament import Tournament

PAST_SHOWN = 10
#: How many removed people are shown. A guess.
REMOVED_SHOWN = 50

#: How many outdated parts of a view may stay cached. Forgetting one at a time is not worth the work.
SPARE = 64

#: A `view_types.View`, or a part of it that is sent as a patch.
View = dict[str, Any]
P_ = TypeVar("P_")


class Views:
    """The views of one room over time. Unchanged parts are the same objects as before, and not rebuilt."""

    def __init__(self) -> None:
        #: Each part of a view and its input, by the function that made it and a number.
        self._made: defaultdict[Callable[..., object], dict[int, tuple[Any, ...]]] = defaultdict(dict)
        #: The tournament that was shown last, and its view.
        self._shown: tuple[Tournament | None, view_types.Tournament | None] = (None, None)

    @property
    def most_kept(self) -> int:
        """The number of cached parts of the largest kind."""
        return max(map(len, self._made.values()), default=0)

    def of(self, room: Room) -> Mapping[bool, View]:
        """The view for active racers (True), and for all others (False), with more of the chat.

        Of a challenge: for guests who have not finished a try, and for all others. Of a circle: for guests who are not
        members, and for members.
        """
        settings: Settings = self._once(msgspec.to_builtins, 0, room.settings)
        past = [*room.past.items()][-PAST_SHOWN:]
        common = view_types.View(
            code=room.code,
            host=room.host,
            creator=room.seat_of(room.creator),
            locked=room.locked,
            settings=settings,
            people={str(seat): self._once(_person, seat, person) for seat, person in room.people.items()},
            faces={str(seat): face for seat, face in room.faces.items()},
            race=_race(room, self._racers(room)),
            # Earlier races of a tournament are in its rounds.
            past={} if room.tournament else {str(number): self._once(_past, number, race) for number, race in past},
            tournament=self._tournament(room.tournament),
            chat=self._chat(room, racing=False),
            # The muted guests, each by one of their messages, and the last removed people.
            muted={str(number): message.name for number, message in room.muted.items()},
            removed={str(number): one.name for number, one in [*room.removed.items()][-REMOVED_SHOWN:]},
        )
        if room.match.best_of > 1:
            common["match"] = _match(room)
        if room.of_arena is not None:
            common["arena"] = room.of_arena.arena
        everybody = cast("View", common)
        # For racers even a name would be a message.
        hidden: View = {"muted": {}, "removed": {}} if room.race.on else {}
        racers = {**everybody, "chat": self._chat(room, racing=True), **hidden}
        if room.without_seats is not None:
            everybody = {**everybody, **without_seats(room, blind=False)}
            racers = {**racers, **without_seats(room, blind=True), "chat": {}}
        # Drop outdated parts, once most of the cached parts are outdated.
        in_race = room.race.racers
        for make, shown in ((_chat_line, room.chat), (_person, room.people), (_past, room.past), (_racer, in_race)):
            made = self._made[make]
            if len(made) > 2 * len(shown) + SPARE:
                self._made[make] = {key: made[key] for key in shown if key in made}
        return {True: everybody if everybody == racers else racers, False: everybody}

    def _tournament(self, tournament: Tournament | None) -> view_types.Tournament | None:
        if tournament is not self._shown[0]:
            self._shown = tournament, tournament.shown(self._once) if tournament else None
        return self._shown[1]

    def _racers(self, room: Room) -> dict[str, view_types.Racer]:
        places, blind = room.race.places, is_blind(room)
        racers = room.race.racers.items()
        return {str(seat): self._once(_racer, seat, racer, places.get(seat), blind) for seat, racer in racers}

    def _chat(self, room: Room, *, racing: bool) -> dict[str, view_types.ChatLine]:
        hidden_for = room.race.number if racing and room.race.on else None
        shown = ((n, one) for n, one in room.chat.items() if one.kept_from is None or one.kept_from != hidden_for)
        return {str(n): self._once(_chat_line, n, message) for n, message in shown}

    def _once(self, make: Callable[..., P_], key: int, *things: object) -> P_:
        known = self._made[make].get(key)
        # Most inputs are the very same objects, so comparing them is fast.
        if known is None or known[1:] != things:
            known = self._made[make][key] = make(*things), *things
        part: P_ = known[0]
        return part


def without_seats(room: Room, *, blind: bool) -> View:
    """The part of the view that only a room without seats has, and its faces. ``blind``: for guests who see less."""
    if room.challenge is not None:
        shown: View = {"challenge": challenge.shown(room.challenge, room.race.source, blind=blind)}
        return {**shown, "faces": challenge.faces(room.challenge, blind=blind)}
    if room.circle is not None:
        return {"circle": circle.shown(room.circle, blind=blind), "faces": circle.faces(room.circle, blind=blind)}
    return {}


def is_blind(room: Room) -> bool:
    return room.tournament is not None and room.tournament.plan.blind and room.race.on


def _person(person: Person) -> view_types.Person:
    return cast("view_types.Person", {name: getattr(person, name) for name in view_types.Person.__annotations__})


def _race(room: Room, racers: dict[str, view_types.Racer]) -> view_types.Race:
    race, over = room.race, room.race.over_at is not None
    source, parent = race.source, None if room.of_arena is None else (room.of_arena.arena, 1)
    # The record of the earlier race has the deck, and its promise shows which race it is. So a try shows its challenge.
    is_hidden = source not in (None, parent) and not over
    predicted = Counter(str(one.seat) for one in race.predictions.values()) if over else {}
    shown: view_types.Race = {
        "number": race.number,
        "game": race.settings.game,
        "commitment": race.commitment,
        "promise": cast("Any", race.promise._asdict()) if race.commitment and race.promise and not is_hidden else None,
        "starts_at": race.starts_at,
        "ends_at": race.stops_at,
        # Published once they are frozen, so that no racer can choose a nonce knowing the nonces of others.
        "commitments": {str(seat): commitment for seat, commitment in sorted(race.commitments.items())},
        # Published once the deck is settled, so that no racer can withhold a nonce knowing the nonces of others.
        "nonces": {} if race.revealing else {str(seat): nonce for seat, nonce in sorted(race.nonces.items())},
        "over_at": race.over_at,
        "secret": race.secret if over and race.is_secret and race.day is None else None,
        "stars": stars_of(race),
        # How the deal was one of those that the server was committed to. The record has the winning line, too.
        "leaf": race.chosen.leaf if over and race.chosen else None,
        "path": [*race.chosen.path] if over and race.chosen else None,
        "source": parent if is_hidden else source,
        "agreed": [seat for seat in race.active if race.racers[seat].wants_end],
        "aside": {str(seat): aside for seat in race.active if (aside := race.racers[seat].aside) is not None},
        "racers": racers,
    }
    if predicted:
        shown["predicted"] = dict(predicted)
    if race.ended_by is not None:
        shown["ended_by"] = race.ended_by
    if race.day is not None:
        shown["day"] = race.day.day
    return shown


def stars_of(race: Race) -> int | None:
    """How hard the race's winnable deal is: as the settings say, or else, once a deal is chosen, as it is."""
    return (race.chosen.stars if race.chosen else race.settings.winnable) or None


def _racer(racer: Racer, place: int | None, blind: bool) -> view_types.Racer:
    """A racer. ``blind``: only the state is shown."""
    if blind and racer.racing:
        return {"name": racer.name, "state": "racing", "gave_up_at": racer.gave_up_at}
    if blind:
        return {"name": racer.name, "state": "done"}
    _, finished_at, home, moves, reached_at = racer.result or (None,) * 5
    return {
        "name": racer.name,
        "state": racer.state,
        "gave_up_at": racer.gave_up_at,
        "finished_at": finished_at,
        "home": home,
        "moves": moves,
        "reached_at": reached_at,
        "place": place,
    }


def _past(race: Race) -> view_types.PastRace:
    places = []
    for seat, (state, when, home, moves, _) in race.results.items():
        ms = max(Ms(0), when - (race.starts_at or Ms(0)))  # some leave before the start
        name, place = race.racers[seat].name, race.places.get(seat)
        places.append(view_types.PastPlace(seat, name, place, state, home, moves, ms))
    return {"game": race.settings.game, "places": places}


def _match(room: Room) -> view_types.Match:
    """The match, by the seats that the winners have now, or had when they left."""
    now = {person.guest: seat for seat, person in room.people.items() if person.guest in room.match.wins}
    wins = {guest: (now.get(guest, seat), name, races) for guest, (seat, name, races) in room.match.wins.items()}
    winner = wins.get(room.match.winner)
    shown = {str(seat): (name, races) for seat, name, races in wins.values()}
    return {"first_to": room.match.first_to, "wins": shown, "winner": winner and winner[0]}


def _chat_line(message: ChatMessage) -> view_types.ChatLine:
    return cast("view_types.ChatLine", {name: getattr(message, name) for name in view_types.ChatLine.__annotations__})


def merge_patch(old: Mapping[str, Any], new: Mapping[str, Any]) -> View:
    """The JSON merge patch (RFC 7396) from ``old`` to ``new``. In a view, clients read null and absent alike."""
    patch: View = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        if value == before:
            continue
        if isinstance(value, dict) and isinstance(before, dict):
            patch[key] = merge_patch(before, value)
        else:
            patch[key] = value
    return patch
