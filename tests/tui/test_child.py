"""What the screens compile is compiled in a process that limits of time and escape end."""

import asyncio
import os
import pickle
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import Event, Thread, get_ident
from time import monotonic

import pytest

import analyzer
from analyzer.diagnostics import CompileError
from analyzer.graph.relationship_graph import relate
from analyzer.source import Span
from tui.app import CatgraphApp
from tui.project.child import in_child
from tui.project.opening import open_project
from tui.project.project import OpenRequest

from .dsl import shown
from .test_loading import until

ENDLESS = "$x = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ /^(a+)+$/\n"


@pytest.fixture
def endless(tmp_path: Path) -> str:
    """A manifest that no compile gets through."""
    path = tmp_path / "endless.pp"
    path.write_text(ENDLESS)
    return str(path)


def in_thread(work: Callable[[], object]) -> list[object]:
    """Do some work where the screens do it; what it raises is its result."""
    found: list[object] = []

    def run() -> None:
        try:
            found.append(work())
        except Exception as error:
            found.append(error)

    thread = Thread(target=run)
    thread.start()
    thread.join(30)
    return found


@pytest.mark.slow
def test_time_is_limited_in_a_thread(endless: str) -> None:
    analyzer.compile(code="")  # The time of the imports is not that of the compile.
    (error,) = in_thread(lambda: open_project(OpenRequest(endless, {"time_limit": 1})))
    assert isinstance(error, CompileError)
    assert (error.code, error.span.line, "^" in error.snippet) == ("too-much", 1, True)


def test_escape_ends_the_compile(endless: str) -> None:
    async def run() -> None:
        app = CatgraphApp()
        async with app.run_test(size=(80, 24)) as pilot:
            app.opening.open(OpenRequest(endless))
            await until(pilot, lambda: "compiling" in shown(app))
            pressed = monotonic()
            await pilot.press("escape")
            await until(pilot, lambda: "compiling" not in shown(app))
            await app.workers.wait_for_complete(list(app.workers)) if app.workers else None
            assert monotonic() - pressed < 10
            assert app.controller.project is None

    asyncio.run(run())


def test_what_the_work_raises_is_raised_whole() -> None:
    def refuse() -> None:
        error = CompileError("no", Span("f", 1), "x", "snippet")
        error.nodes = ["a"]
        raise error

    with pytest.raises(CompileError) as caught:
        in_child(refuse, "f")
    assert (str(caught.value), caught.value.nodes) == (
        "f:1: error: no (x)\nsnippet\n  for a",
        ["a"],
    )


def test_a_process_that_is_killed_is_an_error() -> None:
    with pytest.raises(Exception, match="ended unexpectedly"):
        in_child(lambda: os._exit(1), "f")


@pytest.mark.parametrize(("name", "text", "code"), [("x.json", "{", 2), ("x.pp", "class {", 3)])
def test_the_exit_code_of_what_cannot_be_opened(
    tmp_path: Path, name: str, text: str, code: int
) -> None:
    path = tmp_path / name
    path.write_text(text)

    async def run() -> None:
        app = CatgraphApp()
        async with app.run_test(size=(80, 24)) as pilot:
            app.opening.open(OpenRequest(str(path)))
            await until(pilot, lambda: "Cannot open" in shown(app))
            assert app.opening.refused == code

    asyncio.run(run())


def test_a_catalog_of_another_process_makes_the_same_graph() -> None:
    catalog = analyzer.compile(code="file { '/a': } -> file { '/b': }")
    copy = pickle.loads(pickle.dumps(catalog))
    assert copy.nouns is catalog.nouns
    assert [*map(str, relate(copy).resources)] == [*map(str, relate(catalog).resources)]


class Held:
    """Its value is looked up by a thread that never ends."""

    @cached_property
    def value(self) -> int:
        """Wait, and hold the lock that Python has for this before 3.12."""
        if get_ident() != self.main:
            self.begun.set()
            self.end.wait()
        return 1

    def __init__(self) -> None:
        self.main = get_ident()
        self.begun, self.end = Event(), Event()


def test_no_lock_of_another_thread_stops_a_child() -> None:
    held = Held()
    thread = Thread(target=lambda: held.value, daemon=True)
    thread.start()
    assert held.begun.wait(30)

    def answer() -> int:
        other = Held()
        other.main = get_ident()
        return other.value

    end = monotonic() + 30

    def check() -> None:
        assert monotonic() < end

    assert in_child(answer, "x", check) == 1
    held.end.set()
    thread.join()
