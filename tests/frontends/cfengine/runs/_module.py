"""A promise module: what comes of a promise is what its attribute `want` says."""

from __future__ import annotations

import sys


def request() -> dict[str, str]:
    fields = {}
    for line in sys.stdin:
        if line == "\n":
            break
        key, _, value = line.rstrip("\n").partition("=")
        fields[key] = value
    return fields


def answer(**fields: str) -> None:
    sys.stdout.write("".join(f"{key}={value}\n" for key, value in fields.items()) + "\n")
    sys.stdout.flush()


def main() -> None:
    sys.stdin.readline()
    sys.stdin.readline()
    sys.stdout.write("module 1.0 v1 line_based\n\n")
    sys.stdout.flush()
    while fields := request():
        operation = fields.get("operation", "")
        results = {
            "validate_promise": "valid",
            "evaluate_promise": fields.get("attribute_want", "kept"),
        }
        promiser = fields.get("promiser", "")
        answer(operation=operation, promiser=promiser, result=results.get(operation, "success"))
        if operation == "terminate":
            return


if __name__ == "__main__":
    main()
