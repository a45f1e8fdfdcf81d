"""Checks one policy file: its text, its tree, and all problems for which CFEngine refuses it."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.diagnostics import InputError
from analyzer.frontends.cfengine.syntax.ast import PolicyFile
from analyzer.frontends.cfengine.syntax.parser import parse
from analyzer.frontends.cfengine.syntax.problems import PolicyError, Problem
from analyzer.frontends.cfengine.syntax.validate import runnable, validate
from analyzer.reading import read_bytes
from analyzer.source import Span


@dataclass(frozen=True, slots=True)
class Checked:
    """A file's text and tree; `problems` is empty if CFEngine accepts the file."""

    text: str
    tree: PolicyFile
    problems: tuple[Problem, ...]


def check_text(text: str, path: str) -> Checked:
    """Parse a policy, with the checks that need only one file."""
    tree, problems = parse(text, path)
    if not problems:
        problems = validate(tree)
    if not problems and is_whole(tree):
        problems = list(runnable(tree))
    return Checked(text, tree, tuple(problems))


def is_whole(tree: PolicyFile) -> bool:
    """Return whether a file is a whole policy: it has the control body, and no inputs."""
    controls = [
        body for body in tree.bodies if body.name == "control" and body.type in ("common", "file")
    ]
    inputs = any(a.name == "inputs" for body in controls for a in body.attributes)
    return not inputs and any(body.type == "common" for body in controls)


def read_text(path: str) -> str:
    """Return a file's text; bytes that are no UTF-8 are kept.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return read_bytes(path).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(path)) from None


def load(path: str) -> PolicyFile:
    """Return the tree of a file.

    Raises:
        InputError: it cannot be read.
        PolicyError: CFEngine refuses it.
    """
    return load_text(read_text(path), path)


def load_text(text: str, path: str) -> PolicyFile:
    """Return the tree of a file's text.

    Raises:
        PolicyError: CFEngine refuses it.
    """
    checked = check_text(text, path)
    if checked.problems:
        raise PolicyError(list(checked.problems), checked.text)
    return checked.tree
