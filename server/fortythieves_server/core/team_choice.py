"""Who is in which team of a tournament: entrants choose one, and hosts move entrants and order a team. Pure.

Names of teams are compared by how they look, like those of people. Whoever has been drawn stays in their team: what
they raced was for it.
"""

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.tournament.teams import members
from fortythieves_server.core import events
from fortythieves_server.core.clean_text import clean_name
from fortythieves_server.core.lookalikes import looks
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, on, tournament_of
from fortythieves_server.core.tournament import Tournament


def _no_team(detail: str, **parameters: object) -> Refused:
    return Refused("no-team", detail=detail, **parameters)


def team_like(tournament: Tournament, name: str) -> str:
    """The team that has a name which looks like this one, or else the name itself."""
    look = looks(name)
    known = dict.fromkeys([*tournament.plan.listed_teams, *(one.team for one in tournament.entrants.values())])
    return next((team for team in known if team and not look.isdisjoint(looks(team))), name)


@on(to_server.Team)
def _team(room: Room, seat: int, request: to_server.Team, context: Context) -> Events:
    """Of an entrant for themselves, or of a host for anybody."""
    tournament = tournament_of(room)
    if (request.seat != seat or request.board) and not room.is_led_by(seat):
        raise Refused("not-host")
    entrant = tournament.entrants.get(request.seat)
    if entrant is None:
        raise Refused("unknown-seat", seat=request.seat)
    if not tournament.plan.team_size:
        raise _no_team("team-none")
    if tournament.over:
        raise Refused("ended")
    team = team_like(tournament, clean_name(request.team)) if request.team else ""
    others = [one for one in members(tournament.entrants).get(team, ()) if one != request.seat]
    board = min(request.board, len(others) + 1)
    if team == entrant.team and board in {0, entrant.board}:
        return []
    if team != entrant.team:
        _check_change(room, tournament, seat, request.seat, team)
    by_host = request.seat != seat or board > 0
    return [events.Teamed(request.seat, team, board, seat if by_host else None)]


def _check_change(room: Room, tournament: Tournament, by: int, seat: int, team: str) -> None:
    """Raise `Refused` if somebody may not be moved to this team."""
    if tournament.was_drawn(seat):
        raise _no_team("team-drawn")
    if not room.is_led_by(by) and tournament.plan.team_of_line.get(tournament.entrants[seat].name):
        raise _no_team("team-line")
    most = tournament.plan.most_members
    if team and most is not None and _count_in(tournament, team) >= most:
        raise _no_team("team-full", team=team, most=most)


def _count_in(tournament: Tournament, team: str) -> int:
    return sum(one.team == team and one.state == "in" for one in tournament.entrants.values())
