"""HTTP headers of every answer: content security policy, caching, and others for browsers."""

#: The page only runs and loads what this server serves. Scripts set colours and positions.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

SAFE = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def fresh() -> dict[str, str]:
    """The headers of an answer that may differ next time."""
    return {**SAFE, "Cache-Control": "no-store"}
