"""Writes what the installed Ruby says of regular expressions into `regexps.txt`."""

from __future__ import annotations

import json
import subprocess

from tests.oracle.harness import installed

from .test_regexps import FILE, read

SCRIPT = """
require 'json'
$VERBOSE = nil
$stdin.set_encoding('UTF-8')
$stdin.each_line do |line|
  Regexp.new(JSON.parse(line)[0])
  puts ''
rescue RegexpError => e
  puts e.message.partition(': /')[0]
end
"""


def record_regexps() -> None:
    """Rewrite the file: a line for each expression, its fault (or nothing), a tab, and itself."""
    found = installed()
    assert found is not None
    patterns = [pattern for _, pattern in read()]
    run = subprocess.run(
        [found[0], "-Ku", "-e", SCRIPT],
        input="\n".join(json.dumps([pattern]) for pattern in patterns),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    rows = zip(run.stdout.split("\n"), patterns, strict=False)
    FILE.write_text("".join(f"{fault}\t{pattern}\n" for fault, pattern in rows), encoding="utf-8")
    print(f"{len(patterns)} regular expressions")
