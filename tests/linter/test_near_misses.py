"""The rules about first runs stay silent where something answers them: 20 shapes and more each."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.linter.choice import Choice
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request

HERE = Path(__file__).parent

# Per rule: what comes first, what needs it, and references to both.
PAIRS = {
    "CG319": (
        "mount { '/a': ensure => mounted, device => 'd', fstype => 'ext4' }",
        "exec { 'm': command => '/bin/m /a/b' }",
    ),
    "CG320": ("package { 'p': }", "exec { 'm': command => '/usr/bin/p' }"),
    "CG321": ("package { 'p': }", "file { '/opt/p/x': content => 'x' }"),
    "CG325": ("yumrepo { 'p': baseurl => 'u' }", "package { 'p': }"),
    "CG328": ("user { 'u': }", "exec { 'm': command => '/bin/chown u /x' }"),
    "CG329": ("package { 'python3-pip': }", "package { 'r': provider => 'pip3' }"),
    "CG330": ("file { '/a': ensure => directory }", "exec { 'm': command => '/bin/m -o /a/b' }"),
}

# Ways in which the two have an order, or are not both there.
ORDERS = (
    "{0} -> {1}",
    "{0} ~> {1}",
    "{1} <- {0}",
    "{0} {1} {2} -> {3}",
    "{0} {1} [{2}] -> [{3}]",
    "{1} -> {0}",
    "notify {{ 'mid': }} {0} {1} {2} -> Notify['mid'] -> {3}",
    "class a {{ {0} }} class b {{ {1} }} include a, b Class['a'] -> Class['b']",
    "class a {{ {0} }} class b {{ require a {1} }} include b",
    "class a {{ {0} }} include a {1} Class['a'] -> {3}",
    "class b {{ {1} }} include b {0} {2} -> Class['b']",
    "class a {{ {0} }} class b {{ contain a {1} }} class c {{ contain b }} include c "
    "class d {{ contain a }} Class['a'] -> {3}",
    "define d() {{ {0} }} d {{ 'x': }} {1} D['x'] -> {3}",
    "stage {{ 'pre': before => Stage['main'] }} class a {{ {0} }} {1} "
    "class {{ 'a': stage => 'pre' }}",
    "@{0} {1}",
    "{0} @{1}",
    "{0}",
    "{1}",
)


def reference(text: str) -> str:
    """Return a reference to what a text declares."""
    kind, title = text.split(" { ", maxsplit=1)[0], text.split("'")[1]
    return f"{kind.capitalize()}['{title}']"


def found(code: str, text: str, folder: Path) -> int:
    """Return how many findings of a rule a manifest has."""
    path = folder / "site.pp"
    path.write_text(f"{text}\n", encoding="utf-8")
    lint = check_inputs(Request((str(path),), Choice((code, "CG200")), fixes=False))
    assert not [one for one in lint.found if one.rule.code == "CG200"], text
    return len(lint.found)


def shapes() -> dict[str, list[str]]:
    """Return the manifests by the rule that accepts them."""
    blocks = (HERE / "near_misses.txt").read_text(encoding="utf-8").split("=== ")[1:]
    accepted = {one[:5]: one[5:].strip().splitlines() for one in blocks}
    for code, (first, second) in PAIRS.items():
        parts = first, second, reference(first), reference(second)
        accepted.setdefault(code, []).extend(one.format(*parts) for one in ORDERS)
    return accepted


SHAPES = shapes()


@pytest.mark.parametrize("code", SHAPES)
def test_a_near_miss_is_not_found(code: str, tmp_path: Path) -> None:
    assert len(SHAPES[code]) >= 20
    assert [text for text in SHAPES[code] if found(code, text, tmp_path)] == []


@pytest.mark.parametrize("code", PAIRS)
def test_without_an_order_it_is(code: str, tmp_path: Path) -> None:
    assert found(code, " ".join(PAIRS[code]), tmp_path)
