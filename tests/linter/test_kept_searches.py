"""The law of kept searches of worlds: with and without them a lint prints the same."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.names import keys_in_data
from analyzer.session.inputs import graph_of
from analyzer.session.keeping import FileStates
from analyzer.session.worlds import budget
from analyzer.session.worlds.bounded import Bounded
from analyzer.session.worlds.kept import KeptSearches
from analyzer.session.worlds.results import SearchResult
from analyzer.session.worlds.turns import Turn, nobody
from tests.amount import examples
from tests.cli.test_jobs import NODES, OTHER, PROFILE, shown

from .test_kept import printed, repository, write

BASE = "modules/profile/manifests/init.pp"
SITE = "\n".join(NODES)
# Data decide on which systems there is a cycle.
HIERA = "version: 5\nhierarchy: [{name: all, paths: ['%{facts.kernel}.yaml', all.yaml]}]\n"
LOOKS_UP = """class profile::part($on = 'none') {
  if $facts['kernel'] == $on { notify { 'p': require => Notify['p'] } }
}
"""
# The texts that each file may have, the first of them to begin with.
TEXTS: dict[str, tuple[str, ...]] = {
    "manifests/site.pp": (
        SITE,
        SITE + "\nnode 'n' { include profile::part, other }\n",
        SITE + "\n#",
    ),
    BASE: (
        PROFILE,
        "# A line above.\n" + PROFILE,
        PROFILE.replace("require =>", "before =>"),
        PROFILE.replace("'Suse'", "'Debian'"),
        PROFILE.replace("'RedHat'", "'Debian'"),
        "class profile { notify { 'only': } }\n",
        "class profile {",
    ),
    "modules/other/manifests/init.pp": (
        OTHER,
        OTHER.replace("$::site_name == 'x'", "$facts['site'] == 'y'"),
        "class other { include profile::part }\n",
    ),
    "modules/profile/manifests/part.pp": (
        "class profile::part { if $facts['kernel'] == 'Linux' { notify { 'p': } } }\n",
        "class profile::part { notify { 'p': require => Notify['p'] } }\n",
        "class profile::part { notify { 'p': message => file('profile/text') } }\n",
        LOOKS_UP,
    ),
    "hiera.yaml": (HIERA,),
    "data/all.yaml": (
        "profile::part::on: Linux\n",
        "profile::part::on: Linux\nother: 1\n",
        "profile::part::on: Darwin\nother::on: 1\n",
        "other: 1\n",
        "other: [",
    ),
    "data/FreeBSD.yaml": ("other: 2\n", "profile::part::on: FreeBSD\n"),
    "modules/profile/files/text": ("one", "two"),
}
EDITS = [(name, number) for name, texts in TEXTS.items() for number in range(len(texts))]


@pytest.fixture(name="folder")
def _folder() -> Iterator[Path]:
    """Return the working folder, with the first texts."""
    with repository() as folder:
        for name, texts in TEXTS.items():
            write(folder, name, texts[0])
        yield folder


@pytest.mark.slow
@settings(max_examples=examples(24))
@given(st.lists(st.sampled_from(EDITS), min_size=1, max_size=5), st.sampled_from([640, 40]))
def test_any_edits(edits: list[tuple[str, int]], resources: int) -> None:
    with pytest.MonkeyPatch.context() as patch, repository() as folder:
        patch.setattr(budget, "RESOURCES", resources)
        for name, texts in TEXTS.items():
            write(folder, name, texts[0])
        printed()
        for name, number in edits:
            write(folder, name, TEXTS[name][number])
            assert printed("-f", "json") == printed("-f", "json", "--no-cache"), (name, number)


def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the programs that a lint searches."""
    found = []
    answer = Bounded.answer

    def noted(search: Bounded, turn: Turn) -> SearchResult:
        found.append(search.programs[turn.number].name)
        return answer(search, turn)

    with monkeypatch.context() as patch:
        patch.setattr(Bounded, "answer", noted)
        printed("--jobs", "1")
    return sorted(found)


def test_only_programs_that_use_a_changed_manifest_are_searched(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = searched(monkeypatch)
    assert everything[:3] == ["class app", "class profile", "class profile::part"]
    assert len(everything) == 3 + len(NODES)
    assert searched(monkeypatch) == []
    write(folder, "modules/other/manifests/init.pp", OTHER + "# more\n")
    assert searched(monkeypatch) == ["d0", "d1", "d2", "d3", "x"]
    write(folder, "modules/profile/manifests/part.pp", "class profile::part { }\n")
    assert searched(monkeypatch) == ["class profile::part"]
    write(folder, "manifests/site.pp", SITE + "\n")
    assert searched(monkeypatch) == everything


def test_only_programs_that_look_a_changed_key_up_are_searched(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, "modules/profile/manifests/part.pp", LOOKS_UP)
    write(folder, "manifests/site.pp", TEXTS["manifests/site.pp"][1])
    everything = searched(monkeypatch)
    write(folder, "data/all.yaml", "profile::part::on: Linux\nother: 1\n")
    assert searched(monkeypatch) == []
    for text in ("profile::part::on: Darwin\n", "other: 1\n"):
        write(folder, "data/all.yaml", text)
        found = searched(monkeypatch)
        # What it finds counts for nodes after it.
        assert "n" in found
        assert "d0" not in found
    write(folder, "hiera.yaml", "version: 5\nhierarchy: []\n")
    # The class has no more the data with which it took all its arms.
    assert searched(monkeypatch) == sorted([*everything, "class profile::part"])


@pytest.mark.parametrize("resources", [640, 8, 2])
def test_kept_results_are_those_of_a_new_search(
    resources: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each change of one file, with a budget that is enough, and with less."""
    monkeypatch.setattr(budget, "RESOURCES", resources)
    kept = KeptSearches()
    for number in (0, 1, 4, 3, 5):
        write(folder, BASE, TEXTS[BASE][number])
        (found, after), (alone, _) = (run(folder, one) for one in (kept, KeptSearches()))
        assert found == alone
        kept = pickle.loads(pickle.dumps(after))


def run(folder: Path, kept: KeptSearches) -> tuple[object, KeptSearches]:
    """Return the findings of a search, and the results to keep."""
    search = Bounded(str(folder), Settings(), graph_of, 8, kept=kept.valid(FileStates()))
    found = search.search(nobody())
    nodes = [(node.name, list(map(shown, node.findings))) for node in found.nodes]
    read = {str(path): FileStates().state(str(path)) for path in folder.rglob("*.pp")}
    return (nodes, found.left), KeptSearches(read, search.kept)


def test_a_repository_without_data_notes_no_keys() -> None:
    """A note without files would be the name of a file that is not there."""
    assert keys_in_data([], {}) == (frozenset(), {})
