"""shared/vectors/hints.json, by which the hints of the web client are tested, too."""

from tests.client.bot import make_hints


def test_the_file_matches_its_generator() -> None:
    assert make_hints.FILE.read_text("utf-8") == make_hints.text(), "python -m tests.client.bot.make_hints"
