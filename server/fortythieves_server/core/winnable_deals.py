"""Where deals that can be won are possible. Pure."""

from fortythieves.errors import Refused
from fortythieves.rules.settings import WINNABLE, Settings
from fortythieves.tournament.plan import Plan
from fortythieves_server.core.rule_context import Context


def check(settings: Settings, plan: Plan | None, context: Context) -> None:
    """Raise `Refused` if a race of a room is to be on a winnable deal, and none can be."""
    of_rounds = [row.get("deal") for row in plan.ladder] if plan is not None else []
    if not any(asked in WINNABLE for asked in (settings.deal, *of_rounds)):
        return
    if plan is not None and plan.format == "arena":
        # It has hundreds of small races at once, and each of them would take 16 deals that the pool does not have.
        raise Refused("bad-settings", detail="winnable-arena")
    if not context.has_winnable:
        raise Refused("bad-settings", detail="winnable-off")
