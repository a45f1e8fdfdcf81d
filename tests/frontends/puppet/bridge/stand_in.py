"""Stands in for Ruby: speaks as the helper does, and misbehaves where a template's text says so."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from typing import Any


def receive() -> Any:
    size = sys.stdin.buffer.readline()
    if not size:
        os._exit(0)
    return json.loads(sys.stdin.buffer.read(int(size)))


def send(message: Any) -> None:
    text = json.dumps(message).encode()
    sys.stdout.buffer.write(b"%d\n%b" % (len(text), text))
    sys.stdout.buffer.flush()


def ask(what: str, *arguments: Any) -> Any:
    """Ask, doing what is asked meanwhile; the answer, a list of the value or of what went wrong."""
    send({"ask": what, "with": list(arguments), "changed": []})
    while True:
        answer = receive()
        if "do" not in answer:
            return answer
        done(answer)


def busy(_: list[str]) -> None:
    while True:
        pass


def flood(_: list[str]) -> str:
    for _number in range(200):
        os.write(2, b"x" * 100_000 + b"\n")
    return "flooded"


def nest(words: list[str]) -> str:
    """`nest N REST`: a template in a template, N deep, then the rest."""
    count = int(words[0])
    rest = f"nest {count - 1} {' '.join(words[1:])}" if count else " ".join(words[1:])
    answer = ask("function", 0, "inline_template", [rest])
    return f"({answer['value']})" if "value" in answer else f"[{answer}]"


def variable(words: list[str]) -> str:
    answer = ask("variable", 0, words[0])
    return str(answer["value"][1]) if "value" in answer else f"[{answer}]"


def write(text: bytes) -> None:
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()
    time.sleep(60)


DEEDS: dict[str, Any] = {
    "busy": busy,
    "die": lambda _: os._exit(3),
    "flood": flood,
    "garbage": lambda _: write(b"<html>not a message</html>\n"),
    "hang": lambda _: time.sleep(600),
    "huge": lambda _: write(b"9999999999\n{}"),
    "killed": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "nest": nest,
    "nonsense": lambda _: write(b"3\n{]}"),
    "pid": lambda _: str(os.getpid()),
    "say": " ".join,
    "silent": lambda _: write(b"12\n{"),
    "variable": variable,
}


def done(message: Any) -> None:
    if message["do"] == "begin":
        send({"value": None})
        return
    deed, *words = message["arguments"][0].split()
    value = DEEDS[deed](words)
    send({"value": value})
    if words == ["deaf"]:
        time.sleep(600)


def main() -> None:
    lifeline = int(sys.argv[-1])

    def watch() -> None:
        os.read(lifeline, 1)
        os.killpg(os.getpgrp(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()
    if "mute" in sys.argv:
        time.sleep(600)
    send({"missing": "puppet"} if "without" in sys.argv else {"hello": "1"})
    while True:
        done(receive())


if __name__ == "__main__":
    main()
