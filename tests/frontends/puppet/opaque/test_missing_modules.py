"""What declared modules would bring is opaque; the relationships around it are Puppet's."""

from __future__ import annotations

import pytest

from analyzer.diagnostics import CompileError
from analyzer.model.completeness import statement
from tests.frontends.puppet.compiler.cases import blocks

from .cases import RECORDED, REFUSED, compiled, ours, programs

CODE = programs()


@pytest.mark.parametrize(("name", "expected"), blocks(RECORDED).items())
def test_relationships_are_those_with_a_stub(name: str, expected: str) -> None:
    if expected != REFUSED:
        assert ours(CODE[name]) == expected


def test_enough_is_recorded() -> None:
    assert set(blocks(RECORDED)) == set(CODE)
    assert sum(text != REFUSED for text in blocks(RECORDED).values()) >= 60


def gaps(code: str) -> list[str]:
    return statement(compiled(code).gaps)


def test_all_missing_modules_are_one_line() -> None:
    code = "include absent\ninclude absent::sub\ngone::part { 'a': }\nsome_type { 'x': }\n"
    (line,) = gaps(code)
    assert line.startswith("incomplete: 2 modules of the Puppetfile are not installed: absent, ")
    assert "(4 uses, first used at " in line
    assert line.endswith("): run r10k puppetfile install, or give --modulepath DIRS")


def test_each_use_is_a_gap() -> None:
    names = [gap.name for gap in compiled("include absent\ngone::part { 'a': }").gaps]
    assert sorted(names) == ["Class[Absent]", "Gone::Part[a]"]


@pytest.mark.parametrize(
    "code",
    [
        "include absent",
        "absent::thing { 'a': }",
        "notice(absent::value(1))",
        "some_function()",
        "some_type { 'a': }",
        "if 1 =~ Absent::Word { }",
        "Absent::Thing <| |>",
        "class a { fail('no') }\ninclude a",
    ],
)
def test_strict_refuses_as_puppet_does(code: str) -> None:
    with pytest.raises(CompileError):
        compiled(code, strict=True)


@pytest.mark.parametrize(
    "code",
    [
        "include other",
        "other::thing { 'a': }",
        "other::f()",
        "$x = Other::Type",
        "other::f() |$x| {}",
        "$x = epp('plain.epp')",
        "$x = template('plain.erb')",
    ],
)
def test_what_no_declared_module_brings_is_an_error(code: str) -> None:
    with pytest.raises(CompileError):
        compiled(code)


@pytest.mark.parametrize(
    "condition",
    [
        "$absent::port == 1",
        "'a' =~ Absent::Word",
        "'a' =~ Optional[Absent::Word]",
        "absent::value(1)",
        "Class['absent']['p']",
        "defined('absent::sub')",
        "defined(Absent::Thing)",
    ],
)
def test_what_a_missing_module_decides_is_not_known(condition: str) -> None:
    code = f"include absent\nif {condition} {{ notify {{ 'x': }} }} else {{ notify {{ 'y': }} }}"
    catalog = compiled(code)
    assert not [one for one in catalog.resources if one.type == "Notify"]
    assert any(gap.name == "condition" and gap.hides for gap in catalog.gaps)


def test_a_variable_of_an_inherited_class_is_not_known() -> None:
    catalog = compiled("class own inherits absent::params { notify { $name_of_it: } }\ninclude own")
    assert any(gap.name == "title" for gap in catalog.gaps)


def test_a_relationship_into_a_missing_module_is_a_gap() -> None:
    catalog = compiled("include absent\nnotify { 'x': require => File['/of/absent'] }")
    assert any(
        "File[/of/absent] is not declared in what is known" in g.reason for g in catalog.gaps
    )


def test_a_type_of_an_unknown_module_keeps_its_parameters() -> None:
    catalog = compiled("some_type { 'a': one => 1, require => Notify['x'] }\nnotify { 'x': }")
    (made,) = (one for one in catalog.resources if one.type == "Some_type")
    assert made.parameters["one"] == 1
