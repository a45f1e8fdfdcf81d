"""Cases of providers: what is there, a manifest, and what Puppet logs and leaves.

A file holds cases that begin with `=== NAME`; their parts begin with `--- PART`: `options`,
`setup` (a shell script), `code`, then per run `log` and `tree`, as recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

FOLDER = Path(__file__).parent / "cases"
# What is in the root before the setup.
SKELETON = {
    "/etc/passwd": """root:x:0:0:root:/root:/bin/sh
daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
mail:x:8:8:mail:/var/mail:/usr/sbin/nologin
ann:x:1000:1000:Ann:/home/ann:/bin/sh
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
""",
    "/etc/group": """root:x:0:
daemon:x:1:
mail:x:8:
users:x:100:
ann:x:1000:
nogroup:x:65534:
""",
    "/etc/shadow": """root:*:19000:0:99999:7:::
daemon:*:19000:0:99999:7:::
mail:*:19000:0:99999:7:::
ann:!:19000:0:99999:7:::
nobody:*:19000:0:99999:7:::
""",
    "/etc/gshadow": "root:*::\ndaemon:*::\nmail:*::\nusers:*::\nann:!::\nnogroup:*::\n",
    "/etc/login.defs": """UID_MIN 1000
UID_MAX 60000
GID_MIN 1000
GID_MAX 60000
PASS_MAX_DAYS 99999
PASS_MIN_DAYS 0
PASS_WARN_AGE 7
USERGROUPS_ENAB yes
UMASK 022
ENCRYPT_METHOD SHA512
""",
    "/etc/default/useradd": "SHELL=/bin/sh\n",
    "/etc/hosts": "127.0.0.1 localhost\n",
    "/etc/fstab": "# a table\n",
}
Log = list[tuple[str, str, str]]


@dataclass(slots=True)
class Thing:
    """What is at a path."""

    path: str
    mode: str
    owner: str
    what: str

    def __str__(self) -> str:
        return f"{self.path} {self.mode} {self.owner} {self.what}"


@dataclass(slots=True)
class Case:
    """A case; `log` and `tree` have a text per run."""

    name: str
    options: dict[str, str] = field(default_factory=dict)
    setup: str = ""
    code: str = ""
    logs: list[str] = field(default_factory=list)
    trees: list[str] = field(default_factory=list)

    @property
    def runs(self) -> int:
        """How often the catalog is applied."""
        return int(self.options.get("runs", "2"))

    @property
    def noop(self) -> bool:
        """Whether nothing is to be changed."""
        return "noop" in self.options

    @property
    def look(self) -> list[str]:
        """The paths that are looked at."""
        return ["/srv", *self.options.get("look", "").split()]

    @property
    def modules(self) -> list[str]:
        """The modules that it needs, of the installed ones."""
        return self.options.get("modules", "").split()

    def __str__(self) -> str:
        parts = [f"=== {self.name}"]
        if self.options:
            parts += ["--- options", *(f"{k} {v}".strip() for k, v in self.options.items())]
        for name, text in (("setup", self.setup), ("code", self.code)):
            if text:
                parts += [f"--- {name}", text]
        for log, tree in zip(self.logs, self.trees, strict=True):
            parts += ["--- log", *([log] if log else []), "--- tree", *([tree] if tree else [])]
        return "\n".join(parts) + "\n"


def read(path: Path) -> list[Case]:
    """Return the cases of a file."""
    blocks = re.split(r"^=== ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return [_case(block) for block in blocks]


def write(path: Path, cases: Iterable[Case]) -> None:
    """Write the cases of a file."""
    path.write_text("\n".join(map(str, cases)), "utf-8")


def _case(block: str) -> Case:
    name, _, rest = block.partition("\n")
    case = Case(name.strip())
    for part in re.split(r"^--- ", rest, flags=re.MULTILINE)[1:]:
        head, _, text = part.partition("\n")
        text = text.strip("\n")
        match head.strip():
            case "options":
                case.options = {w[0]: w[2] for w in map(_word, text.splitlines())}
            case "setup":
                case.setup = text
            case "code":
                case.code = text
            case "log":
                case.logs.append(text)
            case "tree":
                case.trees.append(text)
            case other:
                raise ValueError(f"{case.name}: no part is called {other!r}")
    return case


def _word(line: str) -> tuple[str, str, str]:
    return line.partition(" ")


# What Puppet says that is not of a provider, or differs from run to run.
_OTHERS = re.compile(
    r"Applying configuration|Creating state file|Computing checksum|FileBucket|Compiled catalog|"
    r"Could not evaluate: Puppet::Util::Log"
)
_RANDOM = (
    (re.compile(r" @ \w+ - "), " - "),
    (re.compile(r"A directory component in (\S+?)\d{8}-\d+-\w+\.lock does not .*? link"), r"\1"),
    (re.compile(r" - (\S+?)\d{8}-\d+-\w+\.lock"), r" - \1"),
    (re.compile(r"(/\S*?/)(\w+)\d{8}-\d+-[\w]+"), r"\1.\2.catgraph-check"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+\w]+"), "TIME"),
)


def log_text(log: Iterable[tuple[str, str, str]]) -> str:
    """Return a log as it is recorded: what resources say, and texts without a path."""
    return "\n".join(_lines(log))


def _lines(log: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    for level, source, message in log:
        if _OTHERS.search(message) or (source == "Puppet" and level != "notice"):
            continue
        text = message
        for pattern, by in _RANDOM:
            text = pattern.sub(by, text)
        shown = text.replace("\\", "\\\\").replace("\n", "\\n")
        yield f"{level} {source}: {shown}"


_HEADER = re.compile(r"(# HEADER: This file was autogenerated at )\S+ \S+ \S+")
# The day of the last change of a password.
_TODAY = re.compile(rf"(?<=:){(date.today() - date(1970, 1, 1)).days}(?=:)")


def content_text(data: bytes) -> str:
    """Return the content of a file, as it is recorded."""
    text = _HEADER.sub(r"\1TIME", data.decode("utf-8", "backslashreplace"))
    return repr(_TODAY.sub("TODAY", text))
