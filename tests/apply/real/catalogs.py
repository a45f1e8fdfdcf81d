"""Random catalogs whose resources do not stand in each other's way: files, accounts, commands."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

MODES = ("0644", "0600", "0755", "0750")


def random_code(seed: int, *, accounts: bool = True) -> str:
    """Return the manifest of a seed; everything in it can be done."""
    random = Random(seed)
    makers = [folder, link, host, cron, command, told] + ([group, user] if accounts else [])
    numbers = range(random.randint(4, 10))
    lines = [random.choice(makers)(random, number) for number in numbers]
    random.shuffle(lines)
    return "\n".join(lines)


def folder(random: Random, number: int) -> str:
    path = f"/srv/d{number}"
    lines = [f"file {{ '{path}': ensure => directory, mode => '{random.choice(MODES[2:])}' }}"]
    for inner in range(random.randint(0, 3)):
        content = random.choice(('"a\\n"', '"b"', "''"))
        mode = f", mode => '{random.choice(MODES)}'" if random.random() < 0.5 else ""
        owner = ", owner => 'root', group => '0'" if random.random() < 0.3 else ""
        lines.append(f"file {{ '{path}/f{inner}': content => {content}{mode}{owner} }}")
    return "\n".join(lines)


def link(random: Random, number: int) -> str:
    return f"file {{ '/srv/l{number}': ensure => link, target => '/srv/none{number}' }}"


def host(random: Random, number: int) -> str:
    aliases = ", host_aliases => ['x', 'y']" if random.random() < 0.5 else ""
    return f"host {{ 'host{number}': ip => '10.0.0.{number}'{aliases} }}"


def cron(random: Random, number: int) -> str:
    every = random.choice(("minute => 5", "hour => [1, 2]", "special => 'daily'"))
    return f"cron {{ 'job{number}': command => '/bin/true', user => 'root', {every} }}"


def group(random: Random, number: int) -> str:
    gid = f"gid => {2000 + number}" if random.random() < 0.5 else "ensure => present"
    return f"group {{ 'g{number}': {gid} }}"


def user(random: Random, number: int) -> str:
    words = ["ensure => present"]
    if random.random() < 0.5:
        words.append(f"uid => {3000 + number}")
    if random.random() < 0.5:
        words.append("comment => 'one of us'")
    return f"user {{ 'u{number}': {', '.join(words)} }}"


def command(random: Random, number: int) -> str:
    path = f"/srv/made{number}"
    how = random.choice((f"creates => '{path}'", f"unless => '/bin/test -e {path}'"))
    return f"exec {{ 'make {number}': command => '/bin/touch {path}', {how} }}"


def told(random: Random, number: int) -> str:
    make: Callable[[Random, int], str] = random.choice((link, host))
    source = make(random, number)
    ref = f"File['/srv/l{number}']" if "file" in source else f"Host['host{number}']"
    command = f"command => '/bin/touch /srv/told{number}', refreshonly => true"
    return f"{source}\nexec {{ 'told {number}': {command}, subscribe => {ref} }}"
