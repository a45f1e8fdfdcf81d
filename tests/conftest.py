"""What every test may ask for: the ``--update`` flag and the sample catalogs."""

import gc
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from analyzer.frontends.puppet.compiler import recovery
from analyzer.reach import user_files
from tests.amount import ALL, examples
from tests.batches import batched
from tests.process import as_new

ROOT = Path(__file__).resolve().parent.parent

# The garbage collector has little to find, and much to look at: all tests.
gc.set_threshold(20_000, 20, 20)
# The same examples on every machine, and no verdict from the speed of the machine.
settings.register_profile("catgraph", derandomize=True, deadline=None, max_examples=examples(100))
settings.load_profile("catgraph")
# What tests parse is no matter of the user's cache; how git is set up, and whether it is what runs
# the tests, is none of theirs.
os.environ["XDG_CACHE_HOME"] = str(ROOT / ".pytest_cache")
for name in [name for name in os.environ if name.startswith("GIT_")]:
    del os.environ[name]
os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite the expected outputs with what came out"
    )


# Of these files, whose tests take seconds, a run of everything takes each Nth that has parameters.
SAMPLED = {
    "tests/apply/engine/test_recorded.py": 2,
    "tests/apply/providers/test_cases.py": 5,
    "tests/apply/providers/test_safety.py": 6,
    "tests/apply/real/test_same_as_simulated.py": 6,
    "tests/apply/report/test_bad_input.py": 3,
    "tests/apply/test_odd_values.py": 8,
    "tests/apply/test_overlay.py": 3,
    "tests/apply/test_sensitive.py": 8,
    "tests/cli/test_apply_real.py": 4,
    "tests/cli/test_bad_input.py": 5,
    "tests/cli/test_bad_programs.py": 4,
    "tests/cli/test_ci_files.py": 2,
    "tests/cli/test_escapes.py": 4,
    "tests/cli/test_explore.py": 3,
    "tests/cli/test_formats.py": 4,
    "tests/cli/test_hostile_git.py": 3,
    "tests/cli/test_jobs.py": 3,
    "tests/cli/test_kept.py": 2,
    "tests/cli/test_lint.py": 3,
    "tests/cli/test_lint_fix.py": 2,
    "tests/cli/test_lint_formats.py": 3,
    "tests/cli/test_odd_policies.py": 2,
    "tests/cli/test_other_worlds.py": 2,
    "tests/cli/test_reach.py": 4,
    "tests/cli/test_refusals.py": 4,
    "tests/cli/test_refused_policies.py": 3,
    "tests/cli/test_repository_shapes.py": 3,
    "tests/cli/test_secrets.py": 3,
    "tests/cli/test_unknowns.py": 3,
    "tests/cli/test_watch.py": 2,
    "tests/export/test_formats.py": 4,
    "tests/frontends/puppet/bridge/test_process.py": 3,
    "tests/frontends/puppet/bridge/test_programs.py": 5,
    "tests/frontends/puppet/bridge/test_relations.py": 2,
    "tests/frontends/puppet/compiler/test_generated.py": 4,
    "tests/frontends/puppet/hiera/test_eyaml.py": 5,
    "tests/frontends/puppet/unknowns/test_expressions.py": 5,
    "tests/frontends/puppet/unknowns/test_functions.py": 6,
    "tests/graph/test_read_packaged.py": 8,
    "tests/hostile/test_documents.py": 3,
    "tests/linter/test_baseline.py": 3,
    "tests/linter/test_changed.py": 5,
    "tests/linter/test_fix_rounds.py": 6,
    "tests/linter/test_fixes.py": 2,
    "tests/linter/test_growth.py": 8,
    "tests/linter/test_kept.py": 2,
    "tests/linter/test_near_misses.py": 2,
    "tests/linter/test_own_rules.py": 3,
    "tests/threads/test_threads.py": 3,
    "tests/tui/test_against.py": 2,
    "tests/tui/test_policies.py": 12,
    "tests/tui/test_screens.py": 6,
    "tests/tui/test_scripts.py": 13,
    "tests/tui/test_serving.py": 4,
    "tests/tui/test_snapshots.py": 12,
    "tests/tui/test_typed_ahead.py": 8,
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not ALL:
        leave_out(config, items, whole)
    if whole:
        items[:] = batched(items)


def leave_out(config: pytest.Config, items: list[pytest.Item], whole: bool) -> None:
    """Remove the slow tests, and of a run of everything some of the sampled ones."""
    left_out = {item for item in items if item.get_closest_marker("slow")}
    if whole:
        seen: Counter[str] = Counter()
        for item in items:
            file, _, name = item.nodeid.partition("::")
            if file in SAMPLED and "[" in name:
                left_out |= {item} if seen[file] % SAMPLED[file] else set()
                seen[file] += 1
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]


def pytest_configure() -> None:
    """Let the tests read: they name their own files, some of them when they are collected."""
    user_files().__enter__()


def pytest_collection_finish() -> None:
    """Keep the garbage collector from the tests themselves, which are there until the end."""
    gc.collect()
    gc.freeze()
    # A fault of our own ends what a test does: no compile goes on without what it was in.
    recovery.is_internal = lambda error: False


def pytest_runtest_teardown() -> None:
    """Leave nothing of a command to the next test. A fixture would keep cases out of batches."""
    as_new()


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expected outputs are to be rewritten instead of compared."""
    return bool(request.config.getoption("--update"))


@pytest.fixture
def one_world(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search no other worlds, which takes most of the time of a lint, unless all tests run."""
    if not ALL:
        monkeypatch.setattr("analyzer.session.lint.request.WORLDS", 1)


@pytest.fixture
def sample() -> Callable[[str], Path]:
    """The folder of a sample by its name: ``sample("require_loop")``."""

    def find(name: str) -> Path:
        folder = ROOT / "sample_catalogs" / name
        assert folder.is_dir(), f"no sample named {name}"
        return folder

    return find
