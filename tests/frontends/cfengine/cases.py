"""The small cases of `cases.txt`, and what cf-promises said of them (`recorded.json`)."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from analyzer.frontends.cfengine.agent.setting import VARIABLE
from analyzer.frontends.cfengine.syntax.ast import ANY, Bundle, Call, PolicyFile, Promise
from analyzer.frontends.cfengine.syntax.check import check_text
from analyzer.frontends.cfengine.syntax.parser import parse
from analyzer.frontends.cfengine.syntax.problems import Problem
from analyzer.frontends.cfengine.syntax.tree_json import to_json
from analyzer.frontends.cfengine.syntax.validate import validate
from analyzer.frontends.cfengine.syntax.vocabulary import syntax

from .promises import Said, ask, comparable, first_error

HERE = Path(__file__).parent
MARK = "=== "
WRAPPERS = {"file": "{}", "agent": "bundle agent m\n{{\n{}}}\n"}

# What a text file does not show.
BYTES = {
    "carriage returns": 'bundle agent a\r\n{\r\n  reports:\r\n    "x";\r\n}\r\n',
    "a carriage return in a string": 'bundle agent a { reports: "x\r\ny"; "z"; }\n',
    "tabs": 'bundle\tagent\ta\t{\treports:\tx\t.\ty::\t"x"\t;\t}\t',
    "a form feed": "bundle agent a\f{ }",
    "no line end at the end": "bundle agent a { } # comment",
    "no UTF-8": 'bundle agent a { reports: "\udce9"; }\n',
    "an identifier that is too long": f"bundle agent {'a' * 1024} {{ }}\n",
    "many parentheses": "bundle agent a { reports:\n"
    f'{"(" * 450}b.!({"(" * 9}c{")" * 459}):: "x"; }}\n',
    "a long identifier": f"bundle agent {'a' * 1000} {{ }}\n",
}


class Case(NamedTuple):
    title: str
    text: str


def cases() -> Iterator[Case]:
    for block in ("\n" + (HERE / "cases.txt").read_text(encoding="utf-8")).split(f"\n{MARK}")[1:]:
        head, _, text = block.partition("\n")
        kind, _, title = head.partition(": ")
        text = text if not text or text.endswith("\n") else text + "\n"
        yield Case(f"{kind}: {title}", WRAPPERS[kind].format(text))
    for title, text in BYTES.items():
        yield Case(f"bytes: {title}", text)


def verdict(said: Said) -> Any:
    """What is kept: the tree, or the first error."""
    return comparable(said.tree) if said.tree is not None else {"error": first_error(said)}


def ours(text: str) -> Any:
    """What we say, where no function runs, as cf-promises was asked: none has a value then."""
    tree, wrong = parse(text, "policy.cf")
    refused = None if wrong or validate(tree) else next(returned_types(tree), None)
    if refused is not None:
        return {"error": [refused.line, refused.message]}
    checked = check_text(text, "policy.cf")
    if checked.problems:
        return {"error": [checked.problems[0].line, checked.problems[0].message]}
    return json.loads(json.dumps(comparable(to_json(checked.tree))))


def returned_types(policy: PolicyFile) -> Iterator[Problem]:
    """Yield variables whose function returns another type, which CFEngine refuses on loading."""
    for bundle in policy.bundles:
        for section in bundle.sections if bundle.type in ("agent", "common") else ():
            for promise in section.promises if section.type == "vars" else ():
                if promise.guard == ANY and not conditional(promise):
                    yield from returned_type(promise, bundle)


def conditional(promise: Promise) -> bool:
    """Return whether a promise has a condition."""
    return any(promise.get(name) is not None for name in ("if", "ifvarclass", "unless"))


def returned_type(promise: Promise, bundle: Bundle) -> Iterator[Problem]:
    """Yield a variable whose function returns another type."""
    for attribute in promise.attributes:
        value = attribute.value
        if attribute.name in VARIABLE and isinstance(value, Call):
            returned = syntax().functions.get(value.name)
            if returned and returned != attribute.name:
                text = (
                    f"While setting variable '{promise.promiser}' in bundle '{bundle.name}', "
                    f"variable declared type '{attribute.name}' but function '{value.name}' "
                    f"returns type '{returned}'"
                )
                yield Problem(text, attribute.span, 0)


def theirs(text: str, folder: Path) -> Any:
    path = folder / "policy.cf"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return json.loads(json.dumps(verdict(ask(path, folder))))


def record() -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            f"{json.dumps(case.title)}: {json.dumps(theirs(case.text, Path(folder)))}"
            for case in cases()
        ]
    (HERE / "recorded.json").write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    record()
