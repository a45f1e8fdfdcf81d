"""Is what is stored ever wrong? Each command prints the same with and without stored results.

In a copy of each repository, commands run without a store, with an empty one, again, and with
several processes. Then files of the repository are changed by chance, and after each change the
commands run with the store and without it. Outputs and exit codes must be equal, byte for byte.
How many catalogs each command compiles in the empty store, one after another, is printed, too: a
second one compiles only what has a finding, and other worlds of what it alone searches.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

COMMANDS = (
    ("check", "."),
    ("lint", ".", "--format", "json"),
    ("cycles", "."),
    ("cycles", ".", "--format", "json"),
    ("explore", ".", "--worlds", "8"),
    ("explore", ".", "--worlds", "8", "--format", "json"),
)
READ = {".pp", ".yaml", ".epp", ".erb", ".json", ".conf", ".rb"}
WORDS = ("true", "false", "present", "absent", "'x'", "undef", "'/srv/y'", "1")
# Runs a command in a folder with a cache; returns output, messages, seconds and exit code.
Run = Callable[..., tuple[str, str, float, int]]
Answer = tuple[str, str, int]


def answers(run: Run, tree: Path, cache: str, *more: str) -> list[Answer]:
    """Return the outputs, messages and exit codes of all commands."""
    rows = (run(tree, cache, *words, *more) for words in COMMANDS)
    return [(out, err, code) for out, err, _, code in rows]


def files_of(tree: Path) -> list[Path]:
    """Return the files of a repository that commands may read, sorted."""
    inside = (path for path in tree.rglob("*") if ".git" not in path.parts)
    return sorted(one for one in inside if one.suffix in READ and one.is_file())


def change(tree: Path, chance: random.Random) -> str:
    """Change a file of a repository by chance; return what was done."""
    files = files_of(tree)
    file = chance.choice(files)
    kind = chance.choice(("line", "twice", "word", "remove", "copy", "comment"))
    text = file.read_bytes().decode("utf-8", "replace")
    lines = text.splitlines(keepends=True) or ["\n"]
    at = chance.randrange(len(lines))
    if kind == "remove":
        file.unlink()
    elif kind == "copy":
        file.write_bytes(chance.choice([o for o in files if o.suffix == file.suffix]).read_bytes())
    else:
        if kind == "line":
            del lines[at]
        elif kind == "twice":
            lines.insert(at, lines[at])
        elif kind == "comment":
            lines.insert(at, "# a comment\n")
        else:
            lines[at] = re.sub(r"\w+$|'[^']*'", lambda _: chance.choice(WORDS), lines[at], count=1)
        file.write_text("".join(lines), "utf-8")
    return f"{kind} {file.relative_to(tree)}:{at + 1}"


def differences(folder: Path, run: Run, changes: int, chance: random.Random) -> Iterator[str]:
    """Yield a line for each output of a repository that differs."""
    with TemporaryDirectory() as place:
        tree, cache = Path(place, "tree"), str(Path(place, "cache"))
        shutil.copytree(folder, tree, symlinks=True)
        wanted = answers(run, tree, cache, "--no-cache", "--jobs", "1")
        yield from unequal("cold", wanted, answers(run, tree, cache, "--jobs", "1"))
        yield from unequal("again", wanted, answers(run, tree, cache, "--jobs", "1"))
        yield from unequal("jobs", wanted, answers(run, tree, cache, "--no-cache", "--jobs", "4"))
        for _ in range(changes):
            done = change(tree, chance)
            found = answers(run, tree, cache)
            wanted = answers(run, tree, cache, "--no-cache", "--jobs", "1")
            yield from unequal(done, wanted, found)


def counts(folder: Path) -> str:
    """Return how many catalogs each command compiles, one after another, in an empty store."""
    with TemporaryDirectory() as cache:
        path = str(Path(__file__).parents[2])
        environment = {**os.environ, "XDG_CACHE_HOME": cache, "PYTHONPATH": path}
        found = []
        for words in COMMANDS:
            command = [sys.executable, "-m", "tests.repos.counting", *words]
            done = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            found.append(f"{' '.join(words)}: {done.stderr.split()[-1]}")
    return "; ".join(found)


def unequal(what: str, wanted: list[Answer], found: list[Answer]) -> Iterator[str]:
    """Yield a line for each command whose output differs; an empty one for each that is equal."""
    for words, one, other in zip(COMMANDS, wanted, found, strict=True):
        if one == other:
            yield ""
            continue
        first, second = first_difference(one, other)
        codes = f"exit code {one[2]} and {other[2]}"
        yield f"{what}: {' '.join(words)}: {codes}\n  without: {first}\n  with:    {second}"


def first_difference(one: Answer, other: Answer) -> tuple[str, str]:
    """Return the first lines of two answers that differ."""
    texts = [(lines_of(a), lines_of(b)) for a, b in zip(one[:2], other[:2], strict=True)]
    pairs = (pair for some in texts for pair in zip(*some, strict=False))
    return next(((a, b) for a, b in pairs if a != b), ("", ""))


def lines_of(text: str) -> list[str]:
    """Return lines, the end of the text too."""
    return [*text.splitlines(), "<end>"]


def report(folder: str, run: Run, changes: int = 4, seed: int = 1) -> None:
    """Print the differences of all repositories below a folder, and how many outputs are equal."""
    equal = total = 0
    for path in sorted(one for one in Path(folder).iterdir() if one.is_dir()):
        print(f"{path.name}: {counts(path)}", flush=True)
        for line in differences(path, run, changes, random.Random(f"{seed} {path.name}")):
            total += 1
            equal += not line
            if line:
                print(line, flush=True)
    print(f"{equal} of {total} outputs are equal")
