"""Which function a name means; the values are those of real Puppet with that release of stdlib."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation, CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.model.values import Unknown
from tests.oracle.compiled import compiler_of

IN_RUBY = "lib/puppet/functions"
IN_OLD_RUBY = "lib/puppet/parser/functions"
FACTS = {
    "operatingsystem": "Debian",
    "operatingsystemmajrelease": "12",
    "networking": {"fqdn": "a.b"},
}


def module(folder: Path, name: str, *files: str, title: str = "", version: str = "") -> str:
    """Make a module of files without meaning; return the modulepath."""
    for file in files:
        path = folder / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    if title:
        (folder / name).mkdir(parents=True, exist_ok=True)
        metadata = {"name": title, "version": version}
        (folder / name / "metadata.json").write_text(json.dumps(metadata))
    return str(folder)


def stdlib(folder: Path, version: str, *functions: str) -> str:
    """Make a stdlib of some release that has functions in Ruby; return the modulepath."""
    files = [f"{IN_RUBY}/{name.replace('::', '/')}.rb" for name in functions]
    return module(folder, "stdlib", *files, title="puppetlabs-stdlib", version=version)


def run(modulepath: str, code: str) -> Compilation:
    """Compile a program."""
    question: Any = {"code": code, "modulepath": [modulepath], "facts": FACTS}
    return compiler_of(question).compile()


def value_of(modulepath: str, text: str) -> Any:
    """Return the value of an expression, or what is said against it."""
    try:
        return run(modulepath, f"$value = {text}").top.find("value")
    except EvaluationError as error:
        return error.message


VALUES = [
    ("4.25.1", "any2array('')", [""]),
    ("5.0.0", "any2array('')", []),
    ("5.0.0", "delete_undef_values([1, undef])", [1, None]),
    ("5.1.0", "delete_undef_values([1, undef])", [1]),
    ("4.25.1", "dirname('')", "."),
    ("5.0.0", "dirname('')", "dirname(): Requires a non-empty string as argument"),
    ("5.2.0", "merge({})", "merge(): wrong number of arguments (1; must be at least 2)"),
    ("6.0.0", "merge({})", {}),
    ("8.0.0", "os_version_gte('Debian', '13')", True),
    ("8.1.0", "os_version_gte('Debian', '13')", False),
    ("8.6.0", "reject({'a' => 'b'}, 'b')", {"a": "b"}),
    ("9.0.0", "reject({'a' => 'b'}, 'b')", [["a", "b"]]),
    ("6.5.0", "seeded_rand(100, 'x')", "16"),
    ("6.6.0", "seeded_rand(100, 'x')", 16),
    ("6.6.0", "stdlib::start_with('', 'a')", False),
    ("6.5.0", "to_yaml([1], {'indentation' => 4})", "'to_yaml' expects 1 argument, got 2"),
    ("6.6.0", "to_yaml([1], {'indentation' => 4})", "---\n- 1\n"),
    ("8.6.0", "fqdn_rand_string('7', 'ab')", "abaaaba"),
]


@pytest.mark.parametrize(("version", "text", "value"), VALUES)
def test_release(version: str, text: str, value: Any, tmp_path: Path) -> None:
    assert value_of(stdlib(tmp_path, version, text.partition("(")[0]), text) == value


def test_shim_speaks_as_what_it_calls(tmp_path: Path) -> None:
    said = value_of(stdlib(tmp_path, "9.0.0", "fqdn_rand_string"), "fqdn_rand_string('7')")
    assert said.startswith("'stdlib::fqdn_rand_string' parameter 'length' expects an Integer")


OWN = [
    (
        "8.1.0",
        "to_python",
        "stdlib 8.1.0 has its own 'to_python' in Ruby; catgraph's is that of 8.2 on (--ruby auto)",
    ),
    (
        "9.3.0",
        "fqdn_rotate",
        "stdlib 9.3.0 has its own 'fqdn_rotate' in Ruby; catgraph's is that of 4.25 to 9.0 and "
        "9.4 on (--ruby auto)",
    ),
    (
        "3.2.0",
        "merge",
        "stdlib 3.2.0 has its own 'merge' in Ruby; catgraph's is that of 4.25 on (--ruby auto)",
    ),
    (
        "",
        "pick",
        "stdlib of an unknown release has its own 'pick' in Ruby; catgraph's is that of 4.25 on "
        "(--ruby auto)",
    ),
]


@pytest.mark.parametrize(("version", "name", "reason"), OWN)
def test_release_with_a_function_of_its_own(
    version: str, name: str, reason: str, tmp_path: Path
) -> None:
    assert value_of(stdlib(tmp_path, version, name), f"{name}([1])") == Unknown(reason)


PACKAGES = [
    ("5.1.0", "package { 'a': ensure => latest } ensure_packages('a')", "latest"),
    ("5.2.0", "package { 'a': ensure => latest } ensure_packages('a')", None),
    ("7.1.0", "package { 'a': ensure => present } ensure_packages('a')", "present"),
    ("7.1.0", "package { 'a': ensure => installed } ensure_packages('a')", None),
    ("8.5.0", "package { 'a': ensure => present } ensure_packages('a')", None),
    ("8.6.0", "package { 'a': ensure => present } ensure_packages('a')", "present"),
    ("8.6.0", "package { 'a': ensure => installed } ensure_packages('a')", "installed"),
    ("7.1.0", "ensure_packages('a', { 'ensure' => 'installed' })", "present"),
    ("8.5.0", "ensure_packages({ 'a' => { 'ensure' => 'present' } })", "present"),
    ("8.6.0", "ensure_packages({ 'a' => { 'ensure' => 'present' } })", "installed"),
    ("8.2.0", "ensure_packages([['a']])", "installed"),
    ("8.3.0", "ensure_packages([['a']])", None),
]


@pytest.mark.parametrize(("version", "code", "ensure"), PACKAGES)
def test_ensure_packages(version: str, code: str, ensure: str | None, tmp_path: Path) -> None:
    modulepath = stdlib(tmp_path, version, "ensure_packages")
    if ensure is None:
        with pytest.raises(EvaluationError, match=r"Duplicate declaration|expects"):
            run(modulepath, code)
    else:
        found = run(modulepath, code).find("Package", "a")
        assert found is not None
        assert found.parameters["ensure"] == ensure


# Who holds a package of `class web { tag 'x' ensure_packages('a') }`, and its tags. The rows
# of 9.0.0 and 9.2.0 are recorded with Puppet 7.23 and 8.11; 9.1.0 has the function of 9.0.0, and
# 8.6.0 the function in the legacy API, which acts in the scope of its caller.
HOLDERS = [
    ("8.6.0", 7, "Class[Web]", {"web", "x"}),
    ("9.0.0", 7, "Class[main]", set()),
    ("9.1.0", 7, "Class[main]", set()),
    ("9.2.0", 7, "Class[Web]", {"web", "x"}),
    ("9.1.0", 8, None, set()),
    ("9.2.0", 8, "Class[Web]", {"web", "x"}),
]


@pytest.mark.parametrize(("release", "puppet", "holder", "tags"), HOLDERS)
def test_scope_of_ensure_packages(
    release: str, puppet: int, holder: str | None, tags: set[str], tmp_path: Path
) -> None:
    known = DefinitionTable([stdlib(tmp_path, release, "ensure_packages")])
    known.add_program("class web { tag 'x' ensure_packages('a') } include web", "")
    inputs = CompileInputs("n", {}, puppet_version=puppet, strict_variables=puppet >= 8)
    compiler = Compiler(known, inputs)
    if holder is None:
        with pytest.raises(EvaluationError, match=r"deprecation\. ensure_packages"):
            compiler.compile()
        return
    found = compiler.compile()
    entry = found.find("Package", "a")
    assert entry is not None
    assert set(entry.tags) - {"package", "class", "a"} == tags
    assert [one.ref for one, held in found.edges if held is entry] == [holder]


def test_aliases_of_yaml(tmp_path: Path) -> None:
    data = tmp_path / "data.yaml"
    data.write_text("a: &x [1]\nb: *x\nc: {<<: &y {d: 2}}\n")
    text = f"loadyaml('{data}')"
    new, old = (stdlib(tmp_path / v, v, "loadyaml") for v in ("9.1.0", "9.0.0"))
    assert value_of(new, text) == {"a": [1], "b": [1], "c": {"d": 2}}
    assert value_of(old, text) == "Unknown alias: x"
    data.write_text(":a: 1\n")
    assert value_of(new, text) == "Tried to load unspecified class: Symbol"


def test_class_is_declared_with_parameters(tmp_path: Path) -> None:
    code = "class c { } ensure_resource('class', 'c') ensure_resource('class', 'c')"
    assert run(stdlib(tmp_path, "8.6.0", "ensure_resource"), code).class_names[1:] == ["c"]


def test_function_in_the_puppet_language(tmp_path: Path) -> None:
    modulepath = stdlib(tmp_path, "8.6.0")
    path = tmp_path / "stdlib/functions/ensure.pp"
    path.parent.mkdir()
    path.write_text('function stdlib::ensure(String $word) { "own ${word}" }')
    assert value_of(modulepath, "stdlib::ensure('present')") == "own present"


def test_function_that_the_release_lacks(tmp_path: Path) -> None:
    assert value_of(stdlib(tmp_path, "9.0.0"), "hash([1, 2])") == "Unknown function: 'hash'."
    assert value_of(str(tmp_path / "none"), "hash([1, 2])") == {1: 2}


def test_puppets_own_functions_come_first(tmp_path: Path) -> None:
    modulepath = module(tmp_path, "m", f"{IN_RUBY}/min.rb", f"{IN_OLD_RUBY}/template.rb")
    assert value_of(modulepath, "min(1, 2)") == 1
    assert "Could not find template" in value_of(modulepath, "template('m/none.erb')")


def test_function_of_the_manifest_comes_before_puppets(tmp_path: Path) -> None:
    code = "function min(*$given) { 'own' }\n$value = min(1, 2)"
    assert run(str(tmp_path), code).top.find("value") == "own"


def test_ruby_comes_before_the_puppet_language_in_a_module(tmp_path: Path) -> None:
    modulepath = module(tmp_path, "m", f"{IN_RUBY}/m/one.rb", "functions/one.pp")
    assert value_of(modulepath, "m::one()") == Unknown(
        "the function 'm::one' of module m is written in Ruby"
    )


def test_namespace_is_that_of_the_module(tmp_path: Path) -> None:
    module(tmp_path, "m", "manifests/init.pp")
    modulepath = module(tmp_path, "other", f"{IN_RUBY}/m/one.rb")
    assert value_of(modulepath, "m::one()") == "Unknown function: 'm::one'."


def test_function_of_another_module_is_not_that_of_stdlib(tmp_path: Path) -> None:
    modulepath = module(tmp_path, "m", f"{IN_OLD_RUBY}/merge.rb", title="me-m", version="9.0.0")
    reason = "the function 'merge' of module m is written in Ruby"
    assert value_of(modulepath, "merge({}, {})") == Unknown(reason)


def test_openstacklib(tmp_path: Path) -> None:
    modulepath = module(
        tmp_path,
        "openstacklib",
        f"{IN_RUBY}/normalize_ip_for_uri.rb",
        title="openstack-openstacklib",
        version="9.4.0",
    )
    assert isinstance(value_of(modulepath, "normalize_ip_for_uri('::1')"), Unknown)
    module(tmp_path, "openstacklib", title="openstack-openstacklib", version="14.2.0")
    assert value_of(modulepath, "normalize_ip_for_uri('::1')") == "[::1]"


def test_statement_in_ruby_is_a_gap(tmp_path: Path) -> None:
    modulepath = module(tmp_path, "m", f"{IN_OLD_RUBY}/role.rb")
    gaps = run(modulepath, "role('web')\n$used = role('db')").gaps
    assert [(gap.kind, gap.name, gap.hides) for gap in gaps] == [
        ("function", "role()", True),
        ("function", "role()", False),
    ]
    assert [gap.span.line for gap in gaps if gap.span] == [1, 2]


def test_check_in_ruby_hides_nothing(tmp_path: Path) -> None:
    modulepath = stdlib(tmp_path, "9.0.0", "validate_email_address")
    (gap,) = run(modulepath, "validate_email_address('a@b.c')").gaps
    assert not gap.hides
