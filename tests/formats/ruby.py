"""Asks Ruby what its JSON and YAML make of values and texts."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

RUBY = shutil.which("ruby")
TO_YAML = """
require 'json'; require 'yaml'
asked = JSON.parse($stdin.read)
puts JSON.generate(asked.map { |value, options|
  begin
    value.to_yaml(options.transform_keys(&:to_sym))
  rescue ArgumentError
  end
})
"""
PARSE = """
require 'json'
puts JSON.generate(JSON.parse($stdin.read).map { |text|
  begin
    [JSON.parse(text)]
  rescue JSON::ParserError
  end
})
"""


def to_yaml(asked: Sequence[tuple[Any, dict[str, int]]]) -> list[str | None]:
    """What `to_yaml` with options makes of values, None where it fails."""
    return run(TO_YAML, asked)


def parse_json(texts: Sequence[str]) -> list[list[Any] | None]:
    """The value of each text in a list, None where it is no JSON."""
    return run(PARSE, texts)


def run(program: str, asked: Sequence[Any]) -> list[Any]:
    """What a program of Ruby prints."""
    assert RUBY is not None
    done = subprocess.run(
        [RUBY, "-Ku", "-e", program],
        input=json.dumps(asked),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    answers: list[Any] = json.loads(done.stdout)
    return answers
