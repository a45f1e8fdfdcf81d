"""External node classifiers: programs that say which classes a node has (exec terminus)."""

from __future__ import annotations

import os
import subprocess
from typing import NoReturn

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.environment import Classified
from analyzer.frontends.puppet.hiera.psych import YamlError, load
from analyzer.source import Span

# Seconds that an external node classifier may take.
ENC_SECONDS = 30


def classify(script: str, node: str) -> Classified:
    """Ask an external node classifier, a program that prints YAML, of a node (exec terminus).

    Raises:
        InputError: it cannot be run, fails, takes too long, or says nothing of use.
    """

    def reject(message: str) -> NoReturn:
        raise InputError(message, Span(script), "bad-enc")

    try:
        run = subprocess.run(
            [os.path.abspath(script), node],
            capture_output=True,
            text=True,
            timeout=ENC_SECONDS,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        reject(f"the classifier did not answer within {ENC_SECONDS} seconds")
    except (OSError, UnicodeDecodeError) as error:
        reject(f"the classifier cannot be run: {error}")
    if run.returncode:
        last = run.stderr.strip().splitlines()[-1:] or ["it says nothing"]
        reject(f"the classifier failed for {node}, exit code {run.returncode}: {last[0]}")
    try:
        value = load(run.stdout, script)
    except YamlError as error:
        reject(f"the classifier did not print YAML: {error}")
    if not isinstance(value, dict):
        reject("the classifier did not print a map of classes, parameters and environment")
    classes = value.get("classes") or {}
    if isinstance(classes, list):
        classes = dict.fromkeys(map(str, classes))
    if not isinstance(classes, dict) or not isinstance(value.get("parameters") or {}, dict):
        reject("the classifier's classes are no list or map, or its parameters no map")
    return Classified(classes, value.get("parameters") or {}, value.get("environment"))
