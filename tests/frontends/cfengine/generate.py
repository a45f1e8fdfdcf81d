"""Random policies that print, set classes and variables, call and wait for each other."""

from __future__ import annotations

import random

OUT = """body classes out(x)
{
  promise_repaired => { "$(x)" };
  promise_kept => { "$(x)_kept" };
  repair_failed => { "$(x)_failed" };
}
body classes local(x)
{
  promise_repaired => { "$(x)" };
  scope => "bundle";
}
body classes taking(x)
{
  cancel_repaired => { "$(x)" };
}
"""
CLASSES = ("a", "b", "c", "d", "any", "nothing")
VARIABLES = ("x", "y", "z")
LISTS = ("l", "m")
HANDLES = ("h1", "h2", "h3")
COMMANDS = ("/bin/true", "/bin/false", "/bin/echo one", "/bin/echo two")


class Maker:
    """Makes one policy from a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        # A handle may be given once.
        self.handles = list(HANDLES)

    def pick(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def expression(self) -> str:
        name = self.pick(*CLASSES)
        if self.often(0.25):
            name = f"!{name}"
        if self.often(0.3):
            name += self.pick(".", "|") + self.pick(*CLASSES)
        return name

    def reference(self) -> str:
        name = self.pick(*VARIABLES, *VARIABLES, *LISTS)
        bundle = self.pick("", "", "", "one.", "common.")
        return f"$({bundle}{name})"

    def text(self) -> str:
        return self.pick("p", "q", "r") + (f" {self.reference()}" if self.often(0.4) else "")

    def condition(self) -> str:
        return self.pick(
            f'"{self.expression()}"',
            f'"{self.expression()}"',
            f'strcmp("{self.reference()}", "1")',
            f'isvariable("{self.pick(*VARIABLES)}")',
            f'not("{self.expression()}")',
            f'"{self.reference()}"',
        )

    def common(self) -> list[str]:
        rows = []
        if self.often(0.15):
            rows.append(f"if => {self.condition()}")
        if self.often(0.1):
            rows.append(f"unless => {self.condition()}")
        if self.often(0.12):
            rows.append(f'depends_on => {{ "{self.pick(*HANDLES)}" }}')
        if self.often(0.15) and self.handles:
            rows.append(f'handle => "{self.handles.pop()}"')
        return rows

    def outcome(self) -> list[str]:
        if self.often(0.5):
            body = self.pick("out", "out", "local", "taking")
            return [f'classes => {body}("{self.pick(*CLASSES[:4])}")']
        return []

    def promise(self, kind: str, bundles: list[str]) -> str:
        rows: list[str] = []
        if kind == "vars":
            name = self.pick(*VARIABLES, *LISTS)
            scalar = self.pick("1", "2", self.reference())
            items = f'"1", "{self.pick("2", "3", "$(x)")}"'
            value = f"slist => {{ {items} }}" if name in LISTS else f'string => "{scalar}"'
            return ", ".join([f'"{name}" {value}', *self.common()[:1]])
        if kind == "classes":
            rows = [f'"{self.pick(*CLASSES[:4])}" expression => {self.condition()}']
            rows += ['scope => "namespace"'] if self.often(0.3) else []
            return ", ".join(rows + self.common()[:1])
        if kind == "methods":
            name = self.pick(*bundles)
            call = f'usebundle => {name}("{self.pick("1", "2", self.reference())}")'
            inherit = ['inherit => "true"'] if self.often(0.3) else []
            parts = [call, *inherit, *self.outcome(), *self.common()]
            return f'"{self.pick("m", "n")}" ' + ", ".join(parts)
        promiser = self.pick(*COMMANDS) if kind == "commands" else self.text()
        parts = [*(self.outcome() if kind == "commands" else []), *self.common()]
        return f'"{promiser}" ' + ", ".join(parts)

    def bundle(self, kind: str, name: str, parameters: str, callees: list[str]) -> str:
        types = ["vars", "classes", "reports"]
        if kind == "agent":
            types += ["commands", *(["methods"] if callees else [])]
        lines = [f"bundle {kind} {name}{parameters}", "{"]
        for _ in range(self.chance.randint(2, 6)):
            section = self.pick(*types)
            lines.append(f"  {section}:")
            for _ in range(self.chance.randint(1, 3)):
                if self.often(0.3):
                    lines.append(f"    {self.expression()}::")
                lines.append(f"      {self.promise(section, callees)};")
        return "\n".join([*lines, "}"])

    def policy(self) -> str:
        sequence = ['"main"', *self.chance.sample(['"common"', '"other"', '"main"'], 2)]
        control = f"body common control\n{{\n  bundlesequence => {{ {', '.join(sequence)} }};\n}}\n"
        bundles = [
            self.bundle("agent", "main", "", ["one", "two"]),
            self.bundle("agent", "one", "(p)", ["two"]),
            self.bundle("agent", "two", "(p)", []),
            self.bundle("common", "common", "", []),
            self.bundle("agent", "other", "", ["two"]),
        ]
        self.chance.shuffle(bundles)
        return control + OUT + "\n".join(bundles) + "\n"
