"""Assertions about a catalog: what they accept, and what they say otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import analyzer
from analyzer.testing.checks import CheckedCatalog, IncompleteWarning

CODE = """
package { 'nginx': ensure => installed }
file { '/etc/nginx/nginx.conf':
  mode    => '0600',
  backup  => false,
  content => Sensitive('hunter2'),
  require => Package['nginx'],
  notify  => Service['nginx'],
}
service { 'nginx': ensure => running }
notify { 'n': message => 80 }
"""

CONF = "File[/etc/nginx/nginx.conf]"
Check = Callable[[CheckedCatalog], object]


def compiled(code: str, **options: object) -> CheckedCatalog:
    return CheckedCatalog(analyzer.compile(code=code, facts={}, **options))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def web() -> CheckedCatalog:
    return compiled(CODE)


def test_what_holds(web: CheckedCatalog) -> None:
    web.assert_complete().assert_no_cycle().assert_no_warnings()
    web.assert_order("Package[nginx]", CONF, "Service[nginx]")
    web.assert_count("file", 1).assert_does_not_contain("Package[apache]", "User[x]")
    conf = web.assert_contains("file[/etc/nginx/nginx.conf]", mode=re.compile("^06"), backup=False)
    conf.with_({"content": "hunter2", "require": "Package[nginx]"}).without("source", "owner")
    conf.that_requires("Package[nginx]").that_comes_before("Service[nginx]")
    conf.that_notifies(analyzer.ResourceRef("Service", "nginx"))
    web.assert_contains("Service[nginx]").that_subscribes_to(CONF).only_with(ensure="running")
    web.assert_contains("Notify[n]", message="80")
    assert repr(web) == "<CheckedCatalog of <Catalog node.example.com: 7 resources>>"


FAILURES: dict[str, tuple[Check, str]] = {
    "a similar title": (
        lambda web: web.assert_contains("File[/etc/nginx/ngin.conf]"),
        "the catalog does not contain File[/etc/nginx/ngin.conf]; it contains:\n"
        "  File[/etc/nginx/nginx.conf] at <code>:3",
    ),
    "none of the type": (
        lambda web: web.assert_contains("Cron[x]"),
        "the catalog does not contain Cron[x]; it contains:\n  no Cron",
    ),
    "parameters": (
        lambda web: web.assert_contains(CONF, mode="0644", owner="root", backup="false"),
        "File[/etc/nginx/nginx.conf] at <code>:3\n"
        "  mode is '0600', expected '0644'\n"
        "  owner is not set, expected 'root'\n"
        "  backup is False, expected 'false'",
    ),
    "a secret": (
        lambda web: web.assert_contains(CONF, content=re.compile("x")),
        "File[/etc/nginx/nginx.conf] at <code>:3\n"
        "  content is 'Sensitive [value redacted]', expected /x/",
    ),
    "others are set": (
        lambda web: web.assert_contains("Package[nginx]").only_with(),
        "Package[nginx] at <code>:2\n  ensure is 'installed', expected not to be set",
    ),
    "it is there": (
        lambda web: web.assert_does_not_contain("Package[nginx]"),
        "the catalog contains Package[nginx] at <code>:2",
    ),
    "how many": (
        lambda web: web.assert_count("File", 2),
        "expected 2 File resources, the catalog has 1\n  File[/etc/nginx/nginx.conf] at <code>:3",
    ),
    "the other way round": (
        lambda web: web.assert_order("Service[nginx]", "Package[nginx]"),
        "Package[nginx] comes before Service[nginx], not after it:\n"
        "  Package[nginx] => File[/etc/nginx/nginx.conf]  <code>:7:3  require\n"
        "  File[/etc/nginx/nginx.conf] => Service[nginx]  <code>:8:3  notify",
    ),
    "no order": (
        lambda web: web.assert_contains("Notify[n]").that_requires("Service[nginx]"),
        "no relationship orders Service[nginx] before Notify[n]\n"
        "  Service[nginx] comes first only because of its place in the manifest\n"
        "  Service[nginx] at <code>:10\n"
        "  Notify[n] at <code>:11",
    ),
    "no event": (
        lambda web: web.assert_contains("Package[nginx]").that_notifies("Service[nginx]"),
        "Package[nginx] does not notify Service[nginx]; it notifies:\n  nothing",
    ),
    "warnings": (
        lambda _: compiled('notify { "x${x}": }', puppet_version=7).assert_no_warnings(),
        "the compile gave warnings\n  Unknown variable: 'x'. (file: <code>, line: 1, column: 14)",
    ),
    "a cycle": (
        lambda _: compiled("notify { 'a': } -> notify { 'b': } -> Notify['a']").assert_no_cycle(),
        "the catalog has a dependency cycle\n"
        "  <code>:1:17: error: dependency cycle of 2 members: (Notify[a] => Notify[b] => Notify[a])"
        " (CG301)\n"
        "    Notify[a] => Notify[b]: Notify[a] is before Notify[b] [<code>:1:17]\n"
        "    Notify[b] => Notify[a]: Notify[b] is before Notify[a] [<code>:1:36]\n"
        "    to break the cycle, remove <code>:1:17: Notify[a] -> Notify[b]\n"
        "    ordering lost: Notify[a] before Notify[b]",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failures(web: CheckedCatalog, name: str) -> None:
    check, message = FAILURES[name]
    with pytest.raises(AssertionError) as caught:
        check(web)
    assert str(caught.value) == message


def test_names_of_resources() -> None:
    code = "class a::b { file { 'x': path => '/x', alias => 'y' } }\ninclude a::b\n"
    site = compiled(code + "sshkey { 'k': type => 'rsa', key => 'x' }")
    for ref in ("Class[a::b]", "class[A::B]", "File[/x]", "File[x]", "File[y]", "Sshkey[k]"):
        site.assert_contains(ref)


def test_absence_of_what_may_be_hidden() -> None:
    vague = CheckedCatalog(analyzer.compile(code="if $facts['x'] { notify { 'a': } }"))
    with pytest.warns(IncompleteWarning, match="does not contain Notify"):
        vague.assert_does_not_contain("Notify[a]")
    with pytest.raises(AssertionError, match=r"catalog is incomplete\n  incomplete: condition"):
        vague.assert_complete()
    with pytest.raises(AssertionError, match=r"no Notify\n  incomplete: condition"):
        vague.assert_contains("Notify[a]")


def test_a_value_that_is_not_known() -> None:
    vague = CheckedCatalog(analyzer.compile(code="notify { 'a': message => $facts['x'] }"))
    with pytest.raises(AssertionError, match=r"message is not known: .*, expected 'y'"):
        vague.assert_contains("Notify[a]", message="y")


CONTAINERS = """
class a { notify { 'in a': } }
class b { notify { 'in b': } exec { '/in/b': refreshonly => true } }
class c { notify { 'in c': } contain d }
class d { notify { 'in d': } }
define e { notify { "in ${title}": } }
include a, b, c
Class['a'] ~> Class['b']
notify { 'out': notify => Class['b'] }
Class['b'] ~> E['x']
e { 'x': }
notify { 'last': subscribe => Class['c'] }
Class['b'] -> Class['c']
"""
# The answers of rspec-puppet's matcher (create_generic.rb): a relationship of one of the resource
# and its containers, with one of the other and its containers, directly or from event to event.
EVENTS = [
    ("Class[a]", "Class[b]", True),
    ("Class[a]", "Notify[in b]", True),
    ("Notify[in a]", "Class[b]", True),
    ("Notify[in a]", "Exec[/in/b]", True),
    ("Notify[out]", "Class[b]", True),
    ("Notify[out]", "Notify[in b]", True),
    ("Class[a]", "E[x]", True),
    ("Class[b]", "Notify[in x]", True),
    ("Notify[in d]", "Notify[last]", True),
    ("Class[d]", "Notify[last]", True),
    ("Class[b]", "Class[a]", False),
    ("Class[b]", "Class[c]", False),
    ("Notify[in c]", "Class[c]", False),
    ("Notify[out]", "Notify[in a]", False),
    ("Notify[last]", "Class[c]", False),
]


@pytest.fixture(scope="module")
def containers() -> CheckedCatalog:
    return compiled(CONTAINERS)


@pytest.mark.parametrize(("first", "second", "holds"), EVENTS)
def test_events_of_containers(
    containers: CheckedCatalog, first: str, second: str, holds: bool
) -> None:
    notifying, notified = map(containers.assert_contains, (first, second))
    for check, other in ((notifying.that_notifies, second), (notified.that_subscribes_to, first)):
        if holds:
            check(other)
            notified.that_requires(first)
            continue
        with pytest.raises(AssertionError, match=r"does not notify .*; it notifies:"):
            check(other)
