"""Records what Puppet makes of the programs: `python -m tests.frontends.puppet.compiler.record`."""

from __future__ import annotations

from tests.oracle.harness import ask

from .cases import (
    NODES_RECORDED,
    RECORDED,
    is_program,
    node_questions,
    programs,
    question,
    said,
)


def record() -> None:
    """Write `recorded.txt` anew; what is no valid program is the front end's matter."""
    asked = [question(name, code) for name, code in programs() if is_program(name, code)]
    answers = [(answer["id"], said(answer)) for answer in ask(asked)]
    # Puppet's own packages ship these types as modules; Debian's leaves them out.
    absent = [f"Unknown resource type: '{name}'" for name in ("cron", "ssh_authorized_key")]
    blocks = [
        f"=== {name}\n{text}"
        for name, text in answers
        if not any(words in text for words in absent)
    ]
    RECORDED.write_bytes("".join(blocks).encode())
    answers = [(answer["id"], said(answer)) for answer in ask(node_questions().values())]
    texts = [f"=== {name}\n{text}" for name, text in answers]
    NODES_RECORDED.write_bytes("".join(texts).encode())
    print(f"{len(blocks)} programs recorded")


if __name__ == "__main__":
    record()
