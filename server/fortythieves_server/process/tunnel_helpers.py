"""The programs that can share a server beyond its network, and which of them the operator wants."""

import re
import shutil
from collections.abc import Callable, Sequence
from typing import NamedTuple

from fortythieves_server.common.errors import StartError


class Helper(NamedTuple):
    """A program that tunnels. ``command`` ends with the port, or an address that contains it."""

    name: str
    command: Callable[[str, int], Sequence[str]]
    #: What its public address looks like in its output.
    address: re.Pattern[str]


def _ssh(service: str, port: int) -> Sequence[str]:
    return (
        *("ssh", "-T", "-o", "BatchMode=yes", "-o", "ExitOnForwardFailure=yes", "-o", "ServerAliveInterval=15"),
        *("-o", "StrictHostKeyChecking=accept-new", "-R", f"80:127.0.0.1:{port}", "--", service),
    )


#: In the order in which they are looked for. ssh needs the name of a service.
HELPERS = (
    Helper(
        "cloudflared",
        # The user's own configuration may be that of another tunnel, and replaces --url.
        lambda _, port: (
            *("cloudflared", "tunnel", "--config", "/dev/null", "--no-autoupdate"),
            *("--url", f"http://127.0.0.1:{port}"),
        ),
        # It names api.trycloudflare.com if that gives no tunnel.
        re.compile(r"https://(?!api\.)[a-z0-9-]+\.trycloudflare\.com(?![\w.-])"),
    ),
    Helper("tailscale", lambda _, port: ("tailscale", "funnel", str(port)), re.compile(r"https://[\w.-]+\.ts\.net\b")),
    # Services print other links, too. Their tunnel's address has no path.
    Helper("ssh", _ssh, re.compile(r"https://[\w-]+(?:\.[\w-]+)+(?::\d+)?(?![\w.:/-])")),
)


class Choice(NamedTuple):
    """The helper that the operator wants: "" for the first one that is installed, and the service for ssh."""

    name: str = ""
    service: str = ""

    @classmethod
    def parse(cls, text: str) -> "Choice":
        choice = cls(*text.partition(":")[::2])
        if choice.name not in {helper.name for helper in HELPERS} or (choice.name == "ssh") != bool(choice.service):
            raise ValueError(f"{text!r} is not cloudflared, tailscale, or ssh: with a service")
        if not re.fullmatch(r"(?!-)[\w.@:-]*", choice.service):
            raise ValueError(f"{choice.service!r} is not a service, such as nokey@localhost.run")
        return choice

    def check(self) -> None:
        """Raises `StartError` if the helper is not installed."""
        if self.helper is None:
            wanted = self.name or "cloudflared or tailscale"
            raise StartError(
                f"Sharing needs {wanted}, which is not installed. macOS: brew install cloudflared. Debian and Ubuntu: "
                "https://pkg.cloudflare.com. Fedora, Arch: install cloudflared from the packages. Others: "
                "https://tailscale.com/download. Or name an ssh service with --share-with."
            )

    @property
    def helper(self) -> Helper | None:
        """The helper, if it is installed."""
        for helper in HELPERS:
            if (self.name == helper.name or not (self.name or helper.name == "ssh")) and shutil.which(helper.name):
                return helper
        return None
