"""How often parts of a page are rendered, by the browser's own count of calls in the built client."""

from collections.abc import Mapping
from typing import Any, Self

from playwright.async_api import CDPSession, Page

#: Until the page has painted.
PAINTED = """async () => {
    for (const _ of [1, 2]) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
}"""


class Renders:
    """Counts calls of functions. Each is known by a text in it, such as a class name, for that outlasts the build."""

    def __init__(self, page: Page, session: CDPSession, known_by: Mapping[str, str]) -> None:
        self._page = page
        self._session = session
        self._known_by = known_by
        self._sources: dict[str, str] = {}

    @classmethod
    async def of(cls, page: Page, known_by: Mapping[str, str]) -> Self:
        """Count on a page that is still empty: the browser does not count functions that ran before."""
        session = await page.context.new_cdp_session(page)
        await session.send("Profiler.enable")
        await session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})
        return cls(page, session, known_by)

    async def since(self) -> dict[str, int]:
        await self._page.evaluate(PAINTED)
        coverage = await self._session.send("Profiler.takePreciseCoverage")
        counts = dict.fromkeys(self._known_by, 0)
        for script in coverage["result"]:
            if "/assets/" in script["url"]:
                source = await self._source(script["url"])
                for name, text in self._known_by.items():
                    counts[name] += calls(source, text, script["functions"])
        return counts

    async def _source(self, url: str) -> str:
        if url not in self._sources:
            self._sources[url] = await (await self._page.request.get(url)).text()
        return self._sources[url]


def calls(source: str, text: str, functions: list[dict[str, Any]]) -> int:
    """How often the functions that have this text in them were called, but not those around them.

    A function that is not listed was not called, nor was the one around it.
    """
    total = 0
    at = source.find(text)
    while at >= 0:
        around = [function["ranges"][0] for function in functions]
        around = [one for one in around if one["startOffset"] <= at < one["endOffset"]]
        total += min(around, key=lambda one: one["endOffset"] - one["startOffset"])["count"] if around else 0
        at = source.find(text, at + 1)
    return total
