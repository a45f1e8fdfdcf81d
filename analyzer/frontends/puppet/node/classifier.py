"""External node classifiers: programs that say which classes a node has (exec terminus)."""

from __future__ import annotations

import os
from selectors import EVENT_READ, BaseSelector, DefaultSelector
from time import monotonic
from typing import IO, NoReturn, cast

from analyzer.diagnostics import InputError
from analyzer.formats.yaml_reader import YamlError, load
from analyzer.frontends.puppet.node.environment import Classified
from analyzer.frontends.puppet.node.facts import files_of_nodes
from analyzer.frontends.puppet.node.guarded import Guarded
from analyzer.reach import LINKED_OUT, leads_out
from analyzer.reading import read_text
from analyzer.source import Span

# Seconds that an external node classifier may take.
ENC_SECONDS = 30
# What it may print.
MOST_BYTES = 64 << 20


def classify(script: str, node: str) -> Classified:
    """Ask an external node classifier, a program that prints YAML, of a node (exec terminus).

    Raises:
        InputError: it cannot be run, fails, takes too long, or says nothing of use.
    """
    return answer_in(printed_by(script, node), script)


def classified_in(folder: str, node: str) -> Classified:
    """Return the classification of a node: its file in a folder of a classifier's answers.

    Raises:
        InputError: there is none, or it says nothing of use.
    """
    path = files_of_nodes(folder).get(node)
    if path is None:
        reject(folder, f"there is no file {node}.yaml for node {node}")
    if leads_out(path):
        reject(path, f"cannot be read: {LINKED_OUT}")
    try:
        return answer_in(read_text(path), path)
    except OSError as error:
        reject(path, f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        reject(path, f"not UTF-8: {error.reason} at byte {error.start + 1}")


def answer_in(text: str, script: str) -> Classified:
    """Return the answer of a classifier.

    Raises:
        InputError: it says nothing of use.
    """
    try:
        value = load(text, script)
    except YamlError as error:
        reject(script, f"the classifier did not print YAML: {error}")
    except RecursionError:
        reject(script, "the classifier did not print YAML: it is nested too deeply")
    if not isinstance(value, dict):
        reject(script, "the classifier did not print a map of classes, parameters and environment")
    classes, parameters = value.get("classes") or {}, value.get("parameters") or {}
    if isinstance(classes, list):
        classes = dict.fromkeys(map(str, classes))
    if not isinstance(classes, dict) or not isinstance(parameters, dict):
        reject(
            script,
            "the classifier's classes are not a list or map, or its parameters are not a map",
        )
    environment = value.get("environment")
    if not isinstance(environment, str | None):
        reject(script, "the classifier's environment is not a name")
    return Classified(classes, parameters, environment)


def reject(script: str, message: str) -> NoReturn:
    """Refuse a classifier.

    Raises:
        InputError: always.
    """
    raise InputError(message, Span(script), "bad-enc")


def printed_by(script: str, node: str) -> str:
    """Return the output of a classifier for a node.

    Raises:
        InputError: it cannot be run, fails, takes too long, or prints no text.
    """
    try:
        code, out, said = answer_of([os.path.abspath(script), node])
        text = out.decode()
    except TimeoutError:
        reject(script, f"the classifier did not answer within {ENC_SECONDS} seconds")
    except OverflowError:
        reject(script, f"the classifier prints more than {MOST_BYTES:,} bytes")
    except UnicodeDecodeError as error:
        message = f"the classifier does not print UTF-8: {error.reason} at byte {error.start + 1}"
        reject(script, message)
    except OSError as error:
        reject(script, f"the classifier cannot be run: {error.strerror or error}")
    if code:
        last = said.decode(errors="replace").strip().splitlines()[-1:] or ["it says nothing"]
        reject(script, f"the classifier failed for {node}, exit code {code}: {last[0]}")
    return text


def answer_of(command: list[str]) -> tuple[int, bytes, bytes]:
    """Run a program; return its exit code and what it prints, on both of its outputs.

    Raises:
        TimeoutError: it takes longer than ENC_SECONDS, or what it has started does.
        OverflowError: it prints more than MOST_BYTES.
        OSError: it cannot be run.
    """
    program = Guarded(command)
    try:
        with DefaultSelector() as selector:
            printed = {pipe: bytearray() for pipe in program.pipes}
            for pipe in printed:
                selector.register(pipe, EVENT_READ)
            read_all(selector, printed, monotonic() + ENC_SECONDS)
        if not program.wait(ENC_SECONDS):
            raise TimeoutError
    finally:
        program.end()
    out, said = map(bytes, printed.values())
    return program.code or 0, out, said


def read_all(selector: BaseSelector, printed: dict[IO[bytes], bytearray], end: float) -> None:
    """Read pipes until all are closed.

    Raises:
        TimeoutError: they are not until then.
        OverflowError: there is more than MOST_BYTES in one.
    """
    while selector.get_map():
        ready = selector.select(end - monotonic())
        if monotonic() > end:
            raise TimeoutError
        for key, _ in ready:
            pipe = cast("IO[bytes]", key.fileobj)
            data = os.read(pipe.fileno(), 1 << 16)
            printed[pipe] += data
            if len(printed[pipe]) > MOST_BYTES:
                raise OverflowError
            if not data:
                selector.unregister(pipe)
