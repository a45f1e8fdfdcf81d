"""The law of outlines: with and without them `cycles` prints the same, whichever command ran."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.compiles import compile as compiling
from analyzer.compiles.target import Target
from analyzer.frontends.puppet.compile import CatalogResult
from tests.amount import examples
from tests.linter.test_kept import EDITS, FILES, FIXED, KNOWN, printed, repository, write

CYCLE = """class other {
  notify { 'x': require => Notify['y'] }
  notify { 'y': require => Notify['x'] }
}
"""
COMMANDS = ("lint", "check", "cycles", "none")


@settings(max_examples=examples(12))
@given(st.lists(st.tuples(st.sampled_from(EDITS), st.sampled_from(COMMANDS)), max_size=6))
def test_any_edits(edits: list[tuple[tuple[str, int], str]]) -> None:
    with repository() as folder:
        for (name, number), command in [(EDITS[0], "lint"), *edits]:
            write(folder, name, FILES[name][number])
            if command != "none":
                printed(command=command)
            for form in ("text", "json"):
                found = printed("-f", form, command="cycles")
                assert found == printed("-f", form, "--no-cache", command="cycles"), (name, number)


def test_a_type_of_a_module_that_the_site_does_not_have() -> None:
    with repository() as folder:
        write(folder, "environment.conf", "modulepath = nowhere\n")
        written = printed("--no-cache", command="cycles")
        assert "already defined" not in "".join(written[1:])
        printed(command="check")
        assert printed(command="cycles") == written


FAILS = "class other { notify { 'x': } file { '/x': content => template('other/none') } }\n"


@pytest.mark.parametrize("options", [(), ("--class", "other"), ("--node", "b")])
def test_errors_are_stored_with_outlines(options: tuple[str, ...], compiled: list[str]) -> None:
    with repository() as folder:
        write(folder, "hiera.yaml", KNOWN)
        write(folder, "modules/other/manifests/init.pp", FAILS)
        written = printed(*options, "--no-cache", "--worlds", "1", command="cycles")
        assert "Could not find template 'other/none'" in written[2]
        printed(command="check")
        printed(*options, "--worlds", "1", command="check")
        compiled.clear()
        assert printed(*options, "--worlds", "1", command="cycles") == written
        assert compiled == []


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of all targets that are compiled."""
    names: list[str] = []
    compile_with = compiling.compile_with

    def noting(target: Target, *rest: object) -> CatalogResult:
        names.append(target.name)
        return compile_with(target, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(compiling, "compile_with", noting)
    return names


@pytest.mark.parametrize("first", ["lint", "check"])
def test_what_another_command_compiled_is_not_compiled_again(
    first: str, compiled: list[str]
) -> None:
    with repository() as folder:
        write(folder, "hiera.yaml", KNOWN)
        write(folder, "modules/app/manifests/alone.pp", "class app::alone { notify { 'z': } }\n")
        write(folder, "modules/other/manifests/init.pp", FIXED)
        printed(command=first)
        assert set(compiled) == {"a", "b", "class app::alone"}
        compiled.clear()
        code, text, _ = printed("--worlds", "1", command="cycles")
        assert (code, compiled) == (0, [])
        assert "3 catalogs: 3 clean" in text
        write(folder, "modules/other/manifests/init.pp", CYCLE)
        code, text, _ = printed("--worlds", "1", command="cycles")
        assert (code, compiled) == (1, ["b"])
        assert "Notify[x] => Notify[y] => Notify[x]" in text
        compiled.clear()
        # A catalog with a cycle is compiled again, to explain it.
        assert printed("--worlds", "1", "--explain", command="cycles")[0] == 1
        assert compiled == ["b"]


BESIDE = {
    # Puppet finds it by its name when a class includes it.
    "init": "class mine { include mine::inner }\n",
    "inner": "class mine::inner { mine::thing { 'x': } }\n",
    "thing": "define mine::thing { notify { $title: } }\n",
    # Nothing uses these.
    "other": "define mine::other { notify { $title: } }\n",
    "hidden": "class mine::hidden {\n  assert_private()\n}\n",
    # Puppet does not find it by its name.
    "elsewhere": "class mine::misplaced { include mine::inner }\n",
}


@pytest.mark.parametrize("first", ["lint", "check"])
def test_modules_that_the_site_does_not_have(first: str, compiled: list[str]) -> None:
    with repository() as folder:
        write(folder, "environment.conf", "modulepath = nowhere\n")
        write(folder, "manifests/site.pp", "node default { notify { 'a': } }\n")
        for name, text in BESIDE.items():
            write(folder, f"modules/mine/manifests/{name}.pp", text)
        written = printed("--no-cache", command="cycles")
        alone = {name for name in compiled if name.startswith("class mine")}
        # A class of the module brings `mine::thing`.
        ends = ("", "::inner", "::other", "::hidden", "::misplaced")
        assert alone == {f"class mine{end}" for end in ends}
        assert "has no definition" not in written[1]
        printed(command=first)
        compiled.clear()
        assert printed(command="cycles") == written
        assert compiled == []
