#!/usr/bin/env python3
"""A fake `puppet`: answers with what was recorded for each node, as the real one would.

Beside it are `hello.json`, its greeting, and `answers.json`, with an answer for each node, and one
named `*` for the others; one that is a number is a time in seconds after which nothing is answered.
`asked.json` gets the questions.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def send(message: Any) -> None:
    text = json.dumps(message).encode()
    sys.stdout.buffer.write(b"%d\n%b" % (len(text), text))
    sys.stdout.buffer.flush()


def main() -> None:
    assert sys.argv[1] == "catgraph_verify"
    send(json.loads((HERE / "hello.json").read_text()))
    answers = json.loads((HERE / "answers.json").read_text())
    asked = []
    while size := sys.stdin.buffer.readline():
        question = json.loads(sys.stdin.buffer.read(int(size)))
        asked.append({**question, "arguments": sys.argv[1:-1]})
        (HERE / "asked.json").write_text(json.dumps(asked))
        answer = answers.get(question["node"], answers.get("*"))
        if isinstance(answer, int):
            time.sleep(answer)
        send(answer)


main()
