"""Answers the page of the playground: commands about files that the page holds."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from analyzer.cli.asking import CommandAnswer, ask

# What the page may ask: the words of a command. Nothing else of a request becomes an option.
QUESTIONS: dict[str, tuple[str, ...]] = {
    "check": ("check", ".", "--format=json", "--jobs=1"),
    "report": ("check", ".", "--jobs=1"),
    "graph": ("graph", ".", "--format=html"),
    "cycles": ("cycles", ".", "--jobs=1"),
    "message": ("cycles", ".", "--puppet-text", "--jobs=1"),
    "order": ("order", "."),
    "why": ("why", "."),
    "impact": ("impact", "."),
    "worlds": ("explore", ".", "--jobs=1", "--seconds=10"),
    "catalog": ("compile", "."),
}
# Questions about one node; others are about all of them.
OF_ONE_NODE = frozenset({"graph", "catalog"})
# Questions with references or places.
WITH_WORDS = frozenset({"why", "impact"})
# `explore` chooses the facts by itself.
WITHOUT_FACTS = frozenset({"worlds"})

# The file whose facts are used where no system is chosen.
FACTS = "facts.json"
MOST_FILES, MOST_CHARACTERS = 500, 5_000_000


class RequestError(ValueError):
    """A request that no page of ours sends."""


def answer(text: str, folder: str) -> str:
    """Return the answers to the questions of a request, as JSON.

    The files of the request are written below `folder`, which becomes the current one: places in
    the answers are those of the page.

    Raises:
        RequestError: the request is not valid.
    """
    request = json.loads(text)
    if not isinstance(request, dict) or not isinstance(request.get("files"), dict):
        raise RequestError("expected an object with files")
    write_files(request["files"], Path(folder))
    os.chdir(folder)
    answers = {
        str(name): fields_of(ask(words_of(str(name), request)))
        for name in request.get("questions", ())
    }
    return json.dumps({"nodes": nodes_of(request), "answers": answers})


def write_files(files: Mapping[str, object], folder: Path) -> None:
    """Write the files of a program, and remove all others from its folder.

    Raises:
        RequestError: a name leads elsewhere, or the files are too many or too large.
    """
    texts = {name: text for name, text in files.items() if isinstance(text, str)}
    if len(texts) > MOST_FILES or sum(map(len, texts.values())) > MOST_CHARACTERS:
        raise RequestError("the program is too large")
    wanted = {folder / inside(name): text for name, text in texts.items()}
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        if not path.is_file() or path.read_bytes() != text.encode():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())


def inside(name: str) -> PurePosixPath:
    """Return the path of a file of the program.

    Raises:
        RequestError: it leads out of the program's folder.
    """
    path = PurePosixPath(name)
    if path.is_absolute() or not path.parts or {"..", "\0"} & {*path.parts, *name}:
        raise RequestError(f"{name!r} is not a path below the program")
    return path


def words_of(question: str, request: Mapping[str, object]) -> list[str]:
    """Return the words of the command that answers a question.

    Raises:
        RequestError: there is no such question, or a value cannot be an argument of it.
    """
    if question not in QUESTIONS:
        raise RequestError(f"there is no question {question!r}")
    words = list(QUESTIONS[question])
    if question in WITH_WORDS:
        words += [value for name in ("ref", "other") if (value := value_of(request, name))]
    if version := value_of(request, "version"):
        words.append(f"--puppet-version={version}")
    if question not in WITHOUT_FACTS and (facts := facts_of(request)):
        words.append(f"--facts={facts}")
    node = value_of(request, "node")
    if node and (question in OF_ONE_NODE or request.get("only")):
        name = node.removeprefix("class ")
        words.append(f"--node={name}" if name == node else f"--class={name}")
    return words


def value_of(request: Mapping[str, object], name: str) -> str:
    """Return a value of a request, empty if it has none.

    Raises:
        RequestError: it would be an option.
    """
    value = request.get(name) or ""
    if not isinstance(value, str) or value.startswith("-"):
        raise RequestError(f"{name} must be a text that does not start with -")
    return value


def facts_of(request: Mapping[str, object]) -> str:
    """Return the facts of a request: those of a typical system, or of its own file of facts."""
    system = value_of(request, "system")
    if system:
        return f"@{system.removeprefix('@')}"
    files = request["files"]
    return FACTS if isinstance(files, dict) and FACTS in files else ""


def fields_of(asked: CommandAnswer) -> dict[str, object]:
    """Return an answer as the page reads it."""
    command = ["catgraph", *asked.words]
    return {"command": command, "out": asked.out, "errors": asked.errors, "code": asked.code}


def nodes_of(request: Mapping[str, object]) -> list[str]:
    """Return the names of the nodes or classes that are compiled, none if nobody can say."""
    from analyzer.compiles.plan import plan_of
    from analyzer.diagnostics import CompileError, InputError
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.reach import user_files

    try:
        with user_files():
            plan = plan_of(".", Settings())
    except (CompileError, InputError):
        return []
    kind = "class " if plan.by_class else ""
    return [kind + target.name.removeprefix("class ") for target in plan.subjects]
