"""The tests of the fleet start no workers, but those of the engine and of the page."""

import pytest

WITH_WORKERS = ("test_engine", "test_page")


@pytest.fixture(autouse=True)
def _without_installed_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of files of this machine, whose digests would be part of each answer."""
    monkeypatch.setattr("analyzer.reach.INSTALLED", ())


@pytest.fixture(autouse=True)
def _in_this_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.path.stem.startswith(WITH_WORKERS):
        from tests.fleet.test_store import Here

        monkeypatch.setattr("analyzer.fleet.engine.Engine", lambda opener, workers: Here())
