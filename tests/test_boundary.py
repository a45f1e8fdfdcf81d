"""What may be read: real paths decide, and not what another thread does."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from pathlib import Path
from random import Random
from threading import Event
from typing import Any, TypeVar

import pytest

import analyzer
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.recursion import at_least
from analyzer.reach import Outside, in_this_context, may_read, user_files, within
from analyzer.reading import DEFAULT_MOST, most_bytes, read_text, set_most

Result = TypeVar("Result")
THREADS = 8
# Seconds after which a thread that waits in vain fails.
PATIENCE = 20


def in_thread(work: Callable[[], Result]) -> Result:
    """Do something in a new thread, which has a context of its own."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(work).result(PATIENCE)


@pytest.fixture
def repos(tmp_path: Path) -> list[Path]:
    """Repositories, each of which reads the secret of the next one, too."""
    folders = [tmp_path / f"repo{number}" for number in range(THREADS)]
    for folder, following in zip(folders, [*folders[1:], folders[0]], strict=True):
        (folder / ".git").mkdir(parents=True)
        (folder / "secret").write_text(f"of {folder.name}")
        (folder / "manifests").mkdir()
        manifest = "".join(
            f"notify {{ '{place.name}': message => file('{place}/secret') }}\n"
            for place in (folder, following)
        )
        (folder / "manifests" / "site.pp").write_text(manifest)
    return folders


def secrets_read(folder: Path) -> list[object]:
    """Compile a repository; return the secrets that are in its catalog."""
    messages = [one.parameters.get("message") for one in analyzer.compile(folder).resources]
    return [message for message in messages if isinstance(message, str)]


def test_a_compile_that_ends_lifts_no_boundary(
    repos: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first thread is within its boundary before the hostile one, and leaves it before."""
    found, first_within, both_within, first_ended = Event(), Event(), Event(), Event()
    begin, compile_it = Compiler.__init__, Compiler.compile
    first, hostile = repos[:2]

    def stepwise_begin(self: Compiler, *given: Any) -> None:
        begin(self, *given)
        if str(self.compilation.inputs.environment_dir) == str(hostile):
            found.set()
            assert first_within.wait(PATIENCE)
        else:
            assert found.wait(PATIENCE)

    def stepwise(self: Compiler) -> object:
        if str(self.compilation.inputs.environment_dir) == str(hostile):
            both_within.set()
            assert first_ended.wait(PATIENCE)
        else:
            first_within.set()
            assert both_within.wait(PATIENCE)
        return compile_it(self)

    monkeypatch.setattr(Compiler, "__init__", stepwise_begin)
    monkeypatch.setattr(Compiler, "compile", stepwise)
    with ThreadPoolExecutor(2) as threads:
        attack = threads.submit(secrets_read, hostile)
        assert secrets_read(first) == ["of repo0"]
        first_ended.set()
        assert attack.result(PATIENCE) == ["of repo1"]


def test_threads_with_different_boundaries(repos: list[Path]) -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(THREADS) as threads:
            found = list(threads.map(secrets_read, repos * 4))
    finally:
        sys.setswitchinterval(interval)
    assert found == [[f"of {folder.name}"] for folder in repos] * 4


def test_a_thread_may_read_nothing_unless_it_is_said(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("text")
    assert read_text(str(file)) == "text"
    with pytest.raises(Outside):
        in_thread(lambda: read_text(str(file)))
    assert in_thread(in_this_context(lambda: read_text(str(file)))) == "text"


def test_the_bound_of_inputs_goes_with_the_work(tmp_path: Path) -> None:
    def work() -> tuple[int, int]:
        set_most(10)
        return in_thread(most_bytes), in_thread(in_this_context(most_bytes))

    assert Context().run(work) == (DEFAULT_MOST, 10)


def test_code_under_analysis_opens_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.touch()
    with within([str(tmp_path / "repo")]), user_files():
        assert not may_read(str(secret))
    assert may_read(str(secret))


def test_the_library_may_be_called_in_any_thread(
    repos: list[Path], sample: Callable[[str], Path]
) -> None:
    folder, loop = repos[0], sample("require_loop")
    assert Context().run(secrets_read, folder) == ["of repo0"]
    assert Context().run(analyzer.lint, folder) == analyzer.lint(folder)

    def cycles(path: Path) -> list[str]:
        graph = analyzer.relate(analyzer.load_catalog(path))
        return [repr(cycle) for cycle in graph.cycles()]

    for path in (loop, loop / "catalog.json"):
        assert in_thread(lambda path=path: cycles(path)) == cycles(path) != []  # type: ignore[misc]


def test_the_deepest_call_of_another_thread() -> None:
    before, needed = sys.getrecursionlimit(), sys.getrecursionlimit() + 500
    outer, inner = at_least(needed), at_least(needed + 500)
    outer.__enter__()
    inner.__enter__()
    outer.__exit__()
    assert sys.getrecursionlimit() == needed + 500
    inner.__exit__()
    assert sys.getrecursionlimit() == before


@pytest.mark.slow
def test_folders_that_were_met_decide_as_real_paths_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    random, folders = Random(1), [str(tmp_path.resolve())]
    for number in range(40):
        folders.append(os.path.join(random.choice(folders), f"p{number}"))
        os.mkdir(folders[-1])
    links = [os.path.join(random.choice(folders), f"p{number}") for number in range(40, 60)]
    for link in links:
        os.symlink(random.choice([*folders, *links, "/etc", "nowhere", "../.."]), link)
    places = [*folders, *links]
    names = ["", ".", "..", "none", *(f"p{number}" for number in range(60))]
    for _ in range(100):
        roots = set(map(os.path.realpath, random.sample(places, 3)))
        with within(roots):
            for _ in range(30):
                path = os.path.join(random.choice(places), *random.sample(names, 3))
                for written in (path, os.path.relpath(path), path + "/"):
                    assert may_read(written) == may_read(written, roots), written
