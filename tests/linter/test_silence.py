"""Evidence against a finding silences it, and only that: each shape with its near miss."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.linter.choice import Choice
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request

# Code, what is reported, and the same with the evidence that silences it.
SHAPES = {
    "CG107 the same value": (
        "CG107",
        "file { '/a': mode => '0644' }\nFile <| title == '/a' |> { mode => '0600' }\n",
        "file { '/a': mode => '0600' }\nFile <| title == '/a' |> { mode => '0600' }\n",
    ),
    "CG311 a timer, whose service reads the file when it runs": (
        "CG311",
        "file { '/etc/ntp.conf': content => 'x' } -> service { 'ntp': ensure => running }\n",
        "file { '/etc/ntp.conf': content => 'x' } -> service { 'ntp.timer': ensure => running }\n",
    ),
    "CG311 what a command reads that notifies the service": (
        "CG311",
        "file { '/etc/bind/Makefile': content => 'x' }\n"
        "-> exec { '/usr/bin/make -C /etc/bind': } -> service { 'bind': ensure => running }\n",
        "file { '/etc/bind/Makefile': content => 'x' }\n"
        "-> exec { '/usr/bin/make -C /etc/bind': } ~> service { 'bind': ensure => running }\n",
    ),
    "CG311 what a command and the service read": (
        "CG311",
        "file { '/etc/bind/a.conf': content => 'x', before => Service['bind'] }\n"
        "-> exec { '/usr/bin/make -C /etc/bind': } ~> service { 'bind': ensure => running }\n",
        "file { '/etc/bind/a.conf': content => 'x', notify => Service['bind'] }\n"
        "-> exec { '/usr/bin/make -C /etc/bind': } ~> service { 'bind': ensure => running }\n",
    ),
    "CG310 what a command writes": (
        "CG310",
        "package { 'iptables': }\nfile { '/etc/iptables.rules': content => 'x' }\n"
        "exec { '/sbin/iptables-save > /etc/iptables.rules': }\n",
        "package { 'iptables': }\nfile { '/etc/iptables.rules': mode => '0600' }\n"
        "exec { '/sbin/iptables-save > /etc/iptables.rules': }\n",
    ),
    "CG102 one resource waits for all of a type": (
        "CG102",
        "Package <| |> ~> Service['a'] -> Package <| |>\n",
        "Package <| |> -> Service['a']\nService['a'] <- Package <| |>\n"
        "Package <| |> -> Service <| title == 'a' |>\n",
    ),
    "CG102 one of a chain": (
        "CG102",
        "Notify['a'] -> Package <| |> -> Service['b']\n",
        "Notify['a'] -> Package['b']\n",
    ),
    "CG310 an explicit opposite order": (
        "CG310",
        "package { 'grub': }\nfile { '/etc/grub/answers': content => 'x' }\n",
        "package { 'grub': }\n"
        "file { '/etc/grub/answers': content => 'x', before => Package['grub'] }\n",
    ),
    "CG310 a folder of another program": (
        "CG310",
        "package { 'ntp': }\nfile { '/etc/ntp/ntp.conf': content => 'x' }\n",
        "package { 'ntp': }\nfile { '/etc/logrotate.d/ntp': content => 'x' }\n",
    ),
    "CG311 a file whose content is another's": (
        "CG311",
        "file { '/etc/ntp.conf': content => 'x' } -> service { 'ntp': ensure => running }\n",
        "file { '/etc/ntp.conf': mode => '0600' } -> service { 'ntp': ensure => running }\n",
    ),
    "CG311 a folder of another program": (
        "CG311",
        "file { '/etc/redis/a.conf': content => 'x' } -> service { 'redis': ensure => running }\n",
        "file { '/etc/logrotate.d/redis': content => 'x' }\n"
        "-> service { 'redis': ensure => running }\n",
    ),
    "CG312 a folder that the command makes": (
        "CG312",
        "file { '/srv/x': ensure => directory }\nexec { '/bin/fill --in /srv/x': }\n",
        "file { '/srv/x': ensure => directory }\nexec { '/bin/mkdir -p /srv/x': }\n",
    ),
    "CG312 a folder that a checkout makes": (
        "CG312",
        "file { '/srv/x': ensure => directory }\nexec { '/bin/deploy a /srv/x': }\n",
        "file { '/srv/x': ensure => directory }\n"
        "exec { '/usr/bin/git clone https://example.com/a /srv/x': unless => 'test -d /srv/x' }\n",
    ),
    "CG312 a command that always writes the file": (
        "CG312",
        "file { '/srv/x': ensure => file }\n"
        "exec { '/bin/save > /srv/x': unless => '/bin/test -s /srv/x' }\n",
        "file { '/srv/x': ensure => file, mode => '0600' }\nexec { '/bin/save > /srv/x': }\n",
    ),
    "CG320 a command that nothing notifies": (
        "CG320",
        "package { 'postfix': }\nnotify { 'a': }\n"
        "~> exec { '/usr/sbin/postmap /etc/map': refreshonly => true }\n",
        "package { 'postfix': }\nexec { '/usr/sbin/postmap /etc/map': refreshonly => true }\n",
    ),
    "CG329 another package of the program": (
        "CG329",
        "package { ['ruby1.8', 'rubygems1.8']: }\npackage { 'bundler': provider => gem }\n",
        "package { ['ruby1.8', 'rubygems1.8']: }\n"
        "package { 'bundler': provider => gem, require => Package['rubygems1.8'] }\n",
    ),
    "CG312 a key that another command wrote": (
        "CG312",
        "exec { 'make': command => '/bin/true' }\n"
        "-> exec { 'sign': command => '/bin/sign -key /srv/k' }\n"
        "file { '/srv/k': mode => '0440' }\n",
        "exec { 'make': command => '/bin/make > /srv/k', before => File['/srv/k'] }\n"
        "-> exec { 'sign': command => '/bin/sign -key /srv/k' }\n"
        "file { '/srv/k': mode => '0440' }\n",
    ),
    "CG305 what a resource generates": (
        "CG305",
        "file { '/data': require => File['/data/a'] }\nfile { '/data/a': }\n",
        "file { '/data': ensure => directory }\nfile { '/data/a': }\n",
    ),
    "CG102 a type that few modules use": (
        "CG102",
        "notify { 'a': } -> Package <| |>\n",
        "notify { 'a': } -> Acme::Repository <| |>\n",
    ),
    "CG111 a parameter, a lambda's parameter, a fact, a match": (
        "CG111",
        'class a($x) { notify { "${y}": } }\ninclude a\n',
        'class a($x) { if $x =~ /(b)/ { notify { "${x}${1}${osfamily}${mtu_eth0}": } }\n'
        '  [$p, $q] = [1, 2] $p.each |$r| { notify { "${r}${::s}${b::t}${q}": } } }\n',
    ),
    "CG111 code that asks whether it is set": (
        "CG111",
        "class a { $y = $x ? { 'b' => 1, default => 2 } if $z == 'c' { notify { 'd': } } }\n",
        "class a { $y = $x ? { '' => 1, default => $x } if $z { notify { 'd': } } }\n",
    ),
    "CG111 a condition of several variables, and of one turned round": (
        "CG111",
        "class a { if ! ($b == 'c') { fail('b') } }\n",
        "class a { if ! ($b or $c) { fail('b') } unless $d and $e { notify { 'f': } } }\n",
    ),
    "CG111 a name that Puppet refuses anyway": (
        "CG111",
        'class a { notify { "${user}": } }\n',
        'class a { notify { "${USER}": } }\n',
    ),
    "CG111 one of several sources": (
        "CG111",
        'class a { file { "/srv/a": source => "puppet:///modules/a/${role}" } }\n',
        'class a { file { "/srv/a": source => ["puppet:///modules/a/${role}", "/b"] } }\n',
    ),
    "CG111 what a parent sets": (
        "CG111",
        'class a::params { $x = 1 }\nclass a { notify { "${x}": } }\n',
        'class a::params { $x = 1 }\nclass a inherits a::params { notify { "${x}": } }\n',
    ),
    "CG312 a file of a service whose mode alone is managed": (
        "CG312",
        "file { '/etc/sysconfig/a': content => 'x' }\nservice { 'a': ensure => running }\n",
        "file { '/etc/sysconfig/a': ensure => file, mode => '0600' }\n"
        "service { 'a': ensure => running }\n",
    ),
    "CG109 a stage that no class is in": (
        "CG109",
        "stage { 'a': before => Stage['main'] }\nclass b { }\nclass { 'b': stage => 'a' }\n",
        "stage { 'a': before => Stage['main'] }\n",
    ),
    "CG108 a class each of whose resources is ordered": (
        "CG108",
        "class a { include a::b }\nclass a::b { notify { 'x': } }\n"
        "include a\nnotify { 'y': require => Class['a'] }\n",
        "class a { include a::b }\nclass a::b { notify { 'x': before => Notify['y'] } }\n"
        "include a\nnotify { 'y': require => Class['a'] }\n",
    ),
    "CG108 what a profile requires for itself": (
        "CG108",
        "class profile::a { include b }\nclass b { notify { 'x': } }\nclass c { notify { 'y': } }\n"
        "include profile::a, c\nClass['c'] -> Class['profile::a']\n",
        "class profile::a {\n  require c\n  include b\n}\nclass b { notify { 'x': } }\n"
        "class c { notify { 'y': } }\ninclude profile::a\n",
    ),
}


def found_in(code: str, text: str, folder: Path) -> int:
    """Return how many findings of a rule a manifest has."""
    path = folder / "site.pp"
    path.write_text(text, encoding="utf-8")
    return len(check_inputs(Request((str(path),), Choice((code,)), fixes=False)).found)


@pytest.mark.parametrize(("code", "bad", "good"), SHAPES.values(), ids=SHAPES)
def test_evidence_silences_a_rule(code: str, bad: str, good: str, tmp_path: Path) -> None:
    assert found_in(code, bad, tmp_path)
    assert not found_in(code, good, tmp_path)


# Classes of a module, and whether they prove a duplicate when each is compiled by itself.
CLASSES = {
    "two constant titles": ("$z", "file { '/a': }\n  file { '/a': }", 1),
    "a title of parameters without values": (
        "$a, $b",
        'file { "${a}/c": }\n  file { "${b}/c": }',
        0,
    ),
    "under a condition that data decide": (
        "$x=true",
        "file { '/a': }\n  if $x { file { '/a': } }",
        0,
    ),
}


@pytest.mark.parametrize(("parameters", "body", "count"), CLASSES.values(), ids=CLASSES)
def test_a_class_by_itself_proves_few_duplicates(
    parameters: str, body: str, count: int, tmp_path: Path
) -> None:
    home = tmp_path / "m" / "manifests"
    home.mkdir(parents=True)
    given = ", ".join(one if "=" in one else f"{one} = undef" for one in parameters.split())
    (home / "init.pp").write_text(f"class m({given}) {{\n  {body}\n}}\n", encoding="utf-8")
    found = check_inputs(Request((str(tmp_path / "m"),), Choice(("CG202",)))).found
    assert [one.finding.severity for one in found] == ["note"] * count


def test_what_the_site_sets_and_declares_is_known_in_its_modules(tmp_path: Path) -> None:
    """Variables of nodes, and stages of the site's own design."""
    files = {
        "manifests/site.pp": "node default { $level = 'try'\n include a }\n",
        "manifests/stages.pp": "stage { 'first': before => Stage['main'] }\n",
        "modules/a/manifests/init.pp": 'class a { notify { "${level} ${none} ${made}": } }\n',
        "modules/d/lib/facter/made.rb": "Facter.add(:made) { setcode { 'x' } }\n",
        "modules/a/manifests/b.pp": "class a::b { class { 'a': stage => first } }\n",
        "modules/a/manifests/c.pp": "class a::c { class { 'a': stage => other } }\n",
    }
    for name, text in files.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    found = check_inputs(Request((str(tmp_path),), Choice(("CG109", "CG111")), fixes=False)).found
    assert [(one.rule.code, one.finding.message) for one in found] == [
        ("CG109", "a class is assigned to a run stage"),
        ("CG111", "the class does not set '$none'"),
    ]
