"""Random catalogs over a random tree: files of all kinds, lines, settings, hosts, commands."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .case import Case

_NAMES = ("a", "b", "c", "d", "d/x", "d/y", "d/z", "e", "e/f", "e/f/g", "new", "new/in")
_MODES = ("0644", "600", "0755", "4750", "u+x", "go-rwx", "a=r,u+w", "g=u", "+X", "u=rwx,g=rx,o=")
_OWNERS = ("ann", "mail", "0", "1234", "root")
_WORDS = ("one", "two", "three = 3", "a=b", "")


def random_case(seed: int) -> Case:
    """Return the case of a seed."""
    random = Random(seed)
    case = Case(f"random {seed}", {"modules": "stdlib host_core inifile"})
    case.options["look"] = "/etc/hosts"
    case.setup = _tree(random)
    made: dict[str, str] = {}
    for _ in range(random.randint(3, 9)):
        maker = random.choice(_MAKERS)
        title, text = maker(random, len(made))
        made.setdefault(title, text)
    case.code = "\n".join(made.values())
    if random.random() < 0.15:
        case.options["noop"] = ""
    return case


def _tree(random: Random) -> str:
    lines = ["set +e", "cd /srv"]
    for name in _NAMES[:10]:
        kind = random.choice(("file", "file", "folder", "link", "none"))
        if kind == "none":
            continue
        parent = name.rpartition("/")[0]
        if parent:
            lines.append(f"[ -d {parent} ] || {{ rm -rf {parent}; mkdir -p {parent}; }}")
        lines.append(
            {
                "file": f"echo {random.choice('pqr')} > {name}",
                "folder": f"mkdir -p {name}",
                "link": f"ln -s {random.choice(('a', 'd', 'none', '/srv/b'))} {name}",
            }[kind]
        )
        lines.append(f"[ -h {name} ] || chmod {random.choice(('644', '600', '755', '750'))} {name}")
    lines.append("printf 'one\\ntwo\\n[s]\\nk = v\\n' > lines; mkdir from; echo q > from/x")
    lines.append("mkdir from/sub; echo r > from/sub/y; ln -s x from/link")
    return "\n".join([*lines, "true"])


def _file(random: Random, number: int) -> tuple[str, str]:
    path = f"/srv/{random.choice(_NAMES)}"
    parts = []
    kind = random.choice(
        ("content", "file", "directory", "link", "absent", "present", "", "source")
    )
    if kind == "content":
        parts.append(f'content => "{random.choice("pqr")}\\n"')
    elif kind == "link":
        target = random.choice(("a", "/srv/d", "nowhere"))
        parts += ["ensure => link", f"target => '{target}'"]
    elif kind == "source":
        parts.append(f"source => '/srv/{random.choice(('from/x', 'from', 'from/link', 'a'))}'")
    elif kind:
        parts.append(f"ensure => {kind}")
    options: tuple[tuple[float, Callable[[], str]], ...] = (
        (0.4, lambda: f"mode => '{random.choice(_MODES)}'"),
        (0.3, lambda: f"owner => '{random.choice(_OWNERS)}'"),
        (0.2, lambda: f"group => '{random.choice(('mail', 'users', '7'))}'"),
        (0.3, lambda: "force => true"),
        (0.1, lambda: "replace => false"),
        (0.1, lambda: "backup => '.bak'"),
        (0.1, lambda: "links => follow" if kind != "link" else "links => manage"),
        (0.1, lambda: "noop => true"),
    )
    parts += [make() for chance, make in options if random.random() < chance]
    if kind in {"source", "directory"} and random.random() < 0.4:
        parts.append(
            f"recurse => {'true' if random.random() < 0.7 else 'remote'}"
            if kind == "source"
            else "recurse => true"
        )
        if random.random() < 0.4:
            parts.append("purge => true")
    return f"File[{path}]", f"file {{ '{path}': {', '.join(parts)} }}"


def _line(random: Random, number: int) -> tuple[str, str]:
    title = f"line {number}"
    parts = [
        "path => '/srv/lines'",
        f"line => '{random.choice(('one', 'three', 'two x', 'k = w'))}'",
    ]
    if random.random() < 0.3:
        parts.append("ensure => absent")
    if random.random() < 0.4:
        parts.append(f"match => '{random.choice(('^t', 'o', '^zz', '^k'))}'")
    for text in (
        "multiple => true",
        "after => '^one'",
        "match_for_absence => true",
        "replace => false",
    ):
        if random.random() < 0.2:
            parts.append(text)
    return title, f"file_line {{ '{title}': {', '.join(parts)} }}"


def _setting(random: Random, number: int) -> tuple[str, str]:
    title = f"setting {number}"
    section, name = random.choice(("", "s", "t")), random.choice(("k", "m", "one"))
    parts = ["path => '/srv/lines'", f"section => '{section}'", f"setting => '{name}'"]
    parts.append("ensure => absent" if random.random() < 0.2 else f"value => 'v{number}'")
    return title, f"ini_setting {{ '{title}': {', '.join(parts)} }}"


def _host(random: Random, number: int) -> tuple[str, str]:
    name = random.choice(("localhost", "one", "two"))
    parts = [f"ip => '10.0.0.{random.randint(1, 3)}'"]
    if random.random() < 0.4:
        parts.append("host_aliases => ['x', 'y']")
    if random.random() < 0.3:
        parts.append("comment => 'c'")
    if random.random() < 0.2:
        parts = ["ensure => absent"]
    return f"Host[{name}]", f"host {{ '{name}': {', '.join(parts)} }}"


def _exec(random: Random, number: int) -> tuple[str, str]:
    command = random.choice(("/bin/true", "/bin/false", f"/bin/touch /srv/t{number}", "/bin/nope"))
    parts = [f"command => '{command}'"]
    for text in (
        f"creates => '/srv/t{number}'",
        "onlyif => '/bin/test -e /srv/a'",
        "returns => [0, 1]",
        "unless => '/bin/false'",
        "logoutput => true",
        "refreshonly => true",
    ):
        if random.random() < 0.2:
            parts.append(text)
    return f"exec {number}", f"exec {{ 'exec {number}': {', '.join(parts)} }}"


_MAKERS = (_file, _file, _file, _file, _line, _setting, _host, _exec)
