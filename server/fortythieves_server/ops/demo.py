"""The page /break of a demo: visitors kill a process while bots race, and see that no acknowledged move is lost."""

import asyncio
import json
import logging
import math
import os
import random
import secrets
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aiohttp import web

from fortythieves_server.common import child_process
from fortythieves_server.common.child_process import close_input, own_program, pipes
from fortythieves_server.common.limits import key_of
from fortythieves_server.common.prices import BREAK, Accounts
from fortythieves_server.ops import page
from fortythieves_server.ops.routes import answer_html, password_check
from fortythieves_server.web.headers import fresh, is_of_another_site, is_of_own_machine, language_of

log = logging.getLogger(__name__)

#: The program of the bots. They race in public rooms, and compare what was acknowledged with the records.
COMMAND = own_program("fortythieves_client.load.show")
#: Seconds after a kill until the next one. By then the processes run again, and visitors have seen the effect.
PAUSE = 5.0
#: Seconds in which the bots must end, and after which they are started again.
GRACE, AGAIN = 3.0, 1.0

PATH = "/break"


class Demo:
    """The bots, and the processes that may be killed: ``running`` gives those of each kind."""

    def __init__(self, running: Callable[[], Mapping[str, Sequence[int]]]) -> None:
        #: What the bots count (`fortythieves_client.load.show`).
        self.counts: Mapping[str, Any] = {}
        self.kills = 0
        #: The kind of the process that was killed last.
        self.last = ""
        self._running = running
        self._all = {kind: len(pids) for kind, pids in running().items()}
        self._killed_at = float("-inf")

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, count in self._all.items() if count]

    @property
    def since(self) -> float:
        """Seconds since the last kill."""
        return asyncio.get_running_loop().time() - self._killed_at

    @property
    def wait(self) -> float:
        """Seconds until the next kill. 0: now. A process that is away is there again soon."""
        is_whole = all(len(pids) >= self._all[kind] for kind, pids in self._running().items())
        return max(PAUSE - self.since, 0 if is_whole else 1)

    def kill(self, kind: str) -> None:
        pid = random.choice(self._running()[kind])
        log.warning("a visitor of the demo kills process %s (%s)", pid, kind)
        os.kill(pid, signal.SIGKILL)
        self.kills, self.last, self._killed_at = self.kills + 1, kind, asyncio.get_running_loop().time()

    async def race(self, url: str) -> None:
        """Let bots race on a server without end."""
        while True:
            process = await child_process.start_helper(*COMMAND)
            requests, answers = pipes(process)
            requests.write(f"{url}\n".encode())
            try:
                while line := await answers.readline():
                    self.counts = json.loads(line)
            finally:
                await child_process.end(process, ask=close_input, seconds=GRACE)
            await asyncio.sleep(AGAIN)


def demo_routes(demo: Demo, url: str, accounts: Accounts, token: str | None) -> list[web.RouteDef]:
    """``url``: the address of the races. ``token``: the password of clients on other machines."""
    check_password = password_check(accounts, token, lambda request: key_of(request.remote or ""))
    own_form = secrets.token_hex(16)

    def check(request: web.Request) -> None:
        if not is_of_own_machine(request, request.remote or ""):
            check_password(request)

    async def show(request: web.Request) -> web.Response:
        check(request)
        counts = {name: f"{demo.counts.get(name, 0):,}" for name in ("acknowledged", "lost", "checked", "reconnects")}
        values = {"last": demo.last, "since": round(demo.since) if demo.last else 0, "wait": math.ceil(demo.wait)}
        about = {"kinds": demo.kinds, "url": url, "path": PATH, "token": own_form}
        slowest = round(demo.counts.get("slowest", 0))
        counts |= {"kills": str(demo.kills)}
        return answer_html(page.break_page(language_of(request), counts, slowest=slowest, **values, **about))

    async def act(request: web.Request) -> web.Response:
        check(request)
        form = await request.post()
        if is_of_another_site(request) or form.get("token") != own_form:
            raise web.HTTPForbidden(headers=fresh())
        if (kind := form.get("do")) not in demo.kinds:
            raise web.HTTPBadRequest(headers=fresh())
        wait = demo.wait or accounts.of(key_of(request.remote or "")).pay(BREAK)
        if wait:
            raise web.HTTPTooManyRequests(
                headers={**fresh(), "Retry-After": str(math.ceil(wait)), "Refresh": f"1; {PATH}"}
            )
        demo.kill(str(kind))
        raise web.HTTPSeeOther(PATH, headers=fresh())

    return [web.get(PATH, show), web.post(PATH, act)]
