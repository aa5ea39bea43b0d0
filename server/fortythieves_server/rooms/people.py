"""What the events of a room mean for the connections here."""

from collections.abc import Sequence

from fortythieves.errors import CODES
from fortythieves.protocol import to_client
from fortythieves.protocol.to_client import Close
from fortythieves.times import Ms
from fortythieves_server.core import events, evolve
from fortythieves_server.rooms.broadcast import Peers
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.rooms.schedule import Schedule
from fortythieves_server.rooms.seat import Seats
from fortythieves_server.rooms.spectators import Spectators


class People:
    """Applies events to the state, and to everybody who is connected."""

    def __init__(
        self, cached: CachedRoom, peers: Peers, spectators: Spectators, seats: Seats, schedule: Schedule
    ) -> None:
        self._cached = cached
        self._peers = peers
        self._spectators = spectators
        self._seats = seats
        self._schedule = schedule

    def apply(self, happened: Sequence[tuple[Ms, events.Event]]) -> None:
        """Apply the next events of the log, with their times."""
        cached = self._cached
        before = cached.room.race.number
        for at, event in happened:
            cached.room = evolve.evolve(cached.room, at, event)
        if cached.room.race.number != before:
            self._seats.start_over({})
            for peer in self._peers.seated.values():
                peer.entries_sent = None
                self._spectators.leave(peer)
        self._peers.room_changed()
        for _, event in happened:
            self._react(event)
        self._schedule.show_soon()
        self._schedule.set()

    def _react(self, event: events.Event) -> None:
        seated = self._peers.seated
        match event:
            case events.Left(seat, kicked):
                self._take_the_seat(seat, kicked=kicked)
            case events.Here(seat, via) if seat in seated and seated[seat].via != via:
                seated.pop(seat).send_queue.close(Close.TAKEN_OVER, "Another connection took this seat")
            case events.Removed():
                self._turn_the_banned_away()
            case events.Counted():
                self.keep_racers_from_watching()
            case events.StartedLate(seat):
                self.keep_racers_from_watching()
                if seat in seated:
                    self._cached.soon(self._seats.of(seat).send_board())
            case events.RoomClosed(reason):
                said = "An operator has closed this room"
                self.close(Close.ROOM_GONE, f"{said}: {reason}" if reason else said)
            case events.Changed(settings) if settings.watching == "nobody":
                for peer in list(self._peers.watchers):
                    self._turn_away(peer, Close.KICKED, CODES["not-watchable"])
                for peer in seated.values():
                    self._spectators.leave(peer)

    def _take_the_seat(self, seat: int, *, kicked: bool) -> None:
        peer = self._peers.seated.pop(seat, None)
        if peer is not None:
            self._spectators.leave(peer)
            peer.seat = 0
            if kicked:
                peer.send_queue.close(Close.KICKED, CODES["kicked"])
        if kicked:
            self._turn_the_banned_away()

    def _turn_the_banned_away(self) -> None:
        for watcher in [watcher for watcher in self._peers.watchers if watcher.guest in self._cached.room.banned]:
            self._turn_away(watcher, Close.KICKED, CODES["kicked"])

    def keep_racers_from_watching(self) -> None:
        """Stop showing boards to anybody who races, on any connection."""
        race = self._cached.room.race
        if not race.on:
            return
        for seat in race.active:
            if seat in self._peers.seated:
                self._spectators.leave(self._peers.seated[seat])
        racing = {race.racers[seat].guest for seat in race.active}
        for watcher in [watcher for watcher in self._peers.watchers if watcher.guest in racing]:
            self._turn_away(watcher, Close.TAKEN_OVER, "You race now, on another connection")

    def _turn_away(self, watcher: Peer, code: int, reason: str) -> None:
        self._peers.leave(watcher)
        self._spectators.leave(watcher)
        watcher.send_queue.close(code, reason)

    def start_over(self) -> None:
        """Data was lost: treat everybody as if they had just come."""
        self._peers.start_over()
        self._spectators.forget()
        self.keep_racers_from_watching()
        self._schedule.start_over()
        for peer in list(self._peers.everybody()):
            peer.send(to_client.Notice("data-lost", CODES["data-lost"]))
            self._come_again(peer)
        self._schedule.show_soon()

    def _come_again(self, peer: Peer) -> None:
        peer.entries_sent = None
        person = self._cached.room.people.get(peer.seat)
        if peer.seat and (person is None or person.guest != peer.guest):
            self._peers.leave(peer)
            peer.seat = 0
            peer.send_queue.close(Close.ROOM_GONE, "Your seat is no longer there")
            return
        self._peers.welcome(peer)
        if peer.seat:
            self._cached.soon(self._seats.of(peer.seat).send_board())

    def close(self, code: int, reason: str) -> None:
        self._cached.gone = True
        self._peers.close(code, reason)
        self._seats.start_over({})  # frees memory now, without waiting for the garbage collector
        self._schedule.cancel()
