"""`python -m tests.upgrade.record`: asks Puppet 7, and Puppet 8 by the sources of PUPPET_8."""

from __future__ import annotations

import json
import os

from analyzer.reach import user_files
from tests.frontends.puppet.compiler.cases import STRICT
from tests.oracle.harness import Answer, Question, ask

from .cases import CALLS, RECORDED, SYSTEMS, facts_of, fixed, programs

# With the stdlib of Debian, the last one that has all functions which stdlib 9 has not.
MODULES = ["/usr/share/puppet/modules"]


def notifies(answer: Answer) -> str:
    """Return the titles of the notifies of an answer, or its error."""
    if "catalog" not in answer:
        return f"! {answer['error']}"
    rows = answer["catalog"]["resources"]
    return " | ".join(row["title"] for row in rows if row["type"] == "Notify")


def record() -> None:
    """Write the answers of all programs before and after the fix."""
    texts = [
        *dict.fromkeys(
            text for one in [*programs(), *programs(CALLS)] for text in (one, fixed(one))
        )
    ]
    found: dict[str, dict[str, str]] = {text: {} for text in texts}
    library = os.path.join(os.environ["PUPPET_8"], "lib")
    for version, source in (("7", ""), ("8", library)):
        questions: list[Question] = []
        for number, text in enumerate(texts):
            for system in SYSTEMS:
                asked: Question = {"id": f"{number} {system}", "code": text, "modulepath": MODULES}
                asked["facts"] = facts_of(system, legacy=version == "7")
                questions.append({**asked, "settings": STRICT} if version == "8" else asked)
        with user_files():
            answers = ask(questions, library=source)
        for one in answers:
            number, system = one["id"].split()
            found[texts[int(number)]][f"{version} {system}"] = notifies(one)
    RECORDED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{len(texts)} programs recorded")


if __name__ == "__main__":
    record()
