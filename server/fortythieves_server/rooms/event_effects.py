"""What the events of a room mean for its connections in this process."""

from collections.abc import Sequence

from fortythieves.errors import CODES
from fortythieves.protocol import to_client
from fortythieves.protocol.to_client import Close
from fortythieves.times import Ms
from fortythieves_server.core import events, evolve
from fortythieves_server.rooms.broadcast import Peers
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.rooms.seats import Seats
from fortythieves_server.rooms.spectators import Spectators


class EventEffects:
    """Applies events to the state of a room, and to its connections."""

    def __init__(self, cached: CachedRoom, peers: Peers, spectators: Spectators, seats: Seats) -> None:
        self._cached = cached
        self._peers = peers
        self._spectators = spectators
        self._seats = seats

    def apply(self, happened: Sequence[tuple[Ms, events.Event]]) -> None:
        """Apply the next events of the log, with their times."""
        cached = self._cached
        before = cached.room.race.number
        for at, event in happened:
            cached.room = evolve.evolve(cached.room, at, event)
        if cached.room.race.number != before:
            cached.forget_boards({})
            for peer in self._peers.seated.values():
                peer.entries_sent = None
                self._spectators.leave(peer)
        self._peers.room_changed()
        for _, event in happened:
            self._react(event)
        self._spectators.refresh_soon()

    def _react(self, event: events.Event) -> None:
        seated = self._peers.seated
        match event:
            case events.Left(seat, kicked):
                self._free_seat(seat, kicked=kicked)
            case events.Here(seat, via) if seat in seated and seated[seat].via != via:
                seated.pop(seat).send_queue.close(Close.TAKEN_OVER, "Another connection took this seat")
            case events.Removed():
                self._disconnect_banned()
            case events.Counted():
                self.hide_boards_from_racers()
            case events.StartedLate(seat):
                self.hide_boards_from_racers()
                if seat in seated:
                    self._cached.run_soon(self._seats.send_board(seat))
            case events.RoomClosed(reason):
                text = "An operator has closed this room"
                self.close(Close.ROOM_GONE, f"{text}: {reason}" if reason else text)
            case events.Changed(settings) if settings.watching == "nobody":
                for peer in list(self._peers.watchers):
                    self._disconnect(peer, Close.KICKED, CODES["not-watchable"])
                for peer in seated.values():
                    self._spectators.leave(peer)

    def _free_seat(self, seat: int, *, kicked: bool) -> None:
        peer = self._peers.seated.get(seat)
        if peer is not None:
            self._peers.leave(peer)
            peer.seat = 0
            if kicked:
                peer.send_queue.close(Close.KICKED, CODES["kicked"])
        if kicked:
            self._disconnect_banned()

    def _disconnect_banned(self) -> None:
        for watcher in [watcher for watcher in self._peers.watchers if watcher.guest in self._cached.room.banned]:
            self._disconnect(watcher, Close.KICKED, CODES["kicked"])

    def hide_boards_from_racers(self) -> None:
        """Stop showing boards to racers, on all their connections."""
        race = self._cached.room.race
        if not race.on:
            return
        for seat in race.active:
            if seat in self._peers.seated:
                self._spectators.leave(self._peers.seated[seat])
        racing = {race.racers[seat].guest for seat in race.active}
        for watcher in [watcher for watcher in self._peers.watchers if watcher.guest in racing]:
            self._disconnect(watcher, Close.TAKEN_OVER, "You race now, on another connection")

    def _disconnect(self, watcher: Peer, code: int, reason: str) -> None:
        self._peers.leave(watcher)
        watcher.send_queue.close(code, reason)

    def start_over(self) -> None:
        """Data was lost: send all connections the state that is left, as if they had just joined."""
        self._peers.start_over()
        self._spectators.forget()
        self.hide_boards_from_racers()
        for peer in self._peers.all():
            peer.send(to_client.Notice("data-lost", CODES["data-lost"]))
            self._welcome_again(peer)
        self._spectators.refresh_soon()

    def _welcome_again(self, peer: Peer) -> None:
        peer.entries_sent = None
        person = self._cached.room.people.get(peer.seat)
        if peer.seat and (person is None or person.guest != peer.guest):
            self._peers.leave(peer)
            peer.seat = 0
            peer.send_queue.close(Close.ROOM_GONE, "Your seat is no longer there")
            return
        self._peers.welcome(peer)
        if peer.seat:
            self._cached.run_soon(self._seats.send_board(peer.seat))

    def close(self, code: int, reason: str) -> None:
        """This process no longer serves the room."""
        self._cached.close()
        self._peers.close(code, reason)
