"""What Puppet and we say of a program, in one form, and how the two differ."""

from __future__ import annotations

import signal
import traceback
from dataclasses import dataclass

from analyzer.frontends.puppet.syntax.check import check
from analyzer.frontends.puppet.syntax.pn import to_pn
from tests.oracle.harness import Answer, Question

SECONDS = 10

# Puppet's word for the column is pos; 0, 0 is the end of input.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a program is accepted, its tree, and the first error; `broken` is our failure."""

    accepted: bool
    pn: str | None = None
    pretty: str | None = None
    place: Place = (0, 0)
    message: str = ""
    broken: str = ""

    def __str__(self) -> str:
        if self.accepted:
            return "accepted"
        return self.broken or f"{self.place[0]}:{self.place[1]}: {self.message}"


def puppets(answer: Answer) -> Verdict:
    """Puppet's verdict; where it fails itself, its command refuses the program too."""
    if "crash" in answer:
        return Verdict(False, message=" ".join(answer["crash"].split()))
    errors = [found for found in answer.get("diagnostics", ()) if found["severity"] == "error"]
    first = answer.get("syntax") or (errors or [answer.get("import")])[0]
    if first is None:
        return Verdict(answer["ok"], answer.get("pn"), answer.get("pretty"))
    place = (first.get("line") or 0, first.get("pos") or 0)
    return Verdict(False, answer.get("pn"), answer.get("pretty"), place, first["message"])


def ours(question: Question, *, pretty: bool = False) -> Verdict:
    """Our verdict; what must not happen, a traceback or no end, is one too."""
    signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return _judge(question, pretty)
    except Exception as error:
        lines = traceback.format_exception(error)
        return Verdict(False, broken="".join(lines[-2:]).strip())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_long(*_: object) -> None:
    raise TimeoutError(f"no end after {SECONDS} seconds")


def _judge(question: Question, pretty: bool) -> Verdict:
    flags = {flag: question.get(flag, False) for flag in ("epp", "tasks")}
    modulepath = question.get("modulepath")
    checked = check(question["code"], question.get("file", ""), modulepath=modulepath, **flags)
    pn = None if checked.tree is None else to_pn(checked.tree)
    shaped = to_pn(checked.tree, pretty=True) if pretty and checked.tree is not None else None
    first = next((found for found in checked.found if found.severity == "error"), None)
    if first is None:
        return Verdict(True, pn, shaped)
    return Verdict(False, pn, shaped, (first.line, first.column), first.message)


def difference(puppet: Verdict, mine: Verdict) -> str:
    """What differs, in a word; nothing when they agree."""
    if mine.broken:
        return "broken"
    if puppet.accepted != mine.accepted:
        return "accepted by us" if mine.accepted else "refused by us"
    if puppet.pn is None:
        return ""
    if mine.pn is None:
        return "refused for another reason"
    if puppet.pn != mine.pn or (mine.pretty is not None and puppet.pretty != mine.pretty):
        return "tree"
    return ""
