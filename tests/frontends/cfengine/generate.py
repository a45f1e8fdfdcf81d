"""Random policies that print, set classes and variables, edit, call and wait for each other."""

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
body classes results(scope, prefix)
{
  scope => "$(scope)";
  promise_kept => { "$(prefix)_kept", "$(prefix)_reached" };
  promise_repaired => { "$(prefix)_repaired", "$(prefix)_reached" };
  repair_failed => { "$(prefix)_failed", "$(prefix)_reached" };
}
body classes guarded(x)
{
 a::
  promise_repaired => { "$(x)" };
 !a::
  promise_repaired => { "$(x)_other" };
  cancel_notkept => { "b" };
}
body replace_with value(x)
{
  replace_value => "$(x)";
}
body edit_defaults empty
{
  empty_file_before_editing => "true";
}
"""
CLASSES = ("a", "b", "c", "d", "any", "nothing")
SETTABLE = CLASSES[:4]
VARIABLES = ("x", "y", "z")
LISTS = ("l", "m", "e")
HANDLES = ("h1", "h2", "h3")
COMMANDS = ("/bin/true", "/bin/false", "/bin/echo one", "/bin/echo two")
EDITS = ("insert_lines", "delete_lines", "replace_patterns", "reports", "vars", "classes")


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

    # ---- expressions and values

    def expression(self, depth: int = 0) -> str:
        if depth < 2 and self.often(0.15):
            return f"{self.pick('', '!')}({self.expression(depth + 1)})"
        name = self.pick(*CLASSES, "a_kept", "b_failed", "c_reached")
        if self.often(0.25):
            name = f"!{name}"
        if depth < 3 and self.often(0.3):
            name += self.pick(".", "|", "&", "||") + self.expression(depth + 1)
        return name

    def reference(self) -> str:
        name = self.pick(*VARIABLES, *VARIABLES, *LISTS, "d[k]", "d[$(x)]", "r[1]", "r[$(x)]")
        bundle = self.pick("", "", "", "one.", "common.")
        return f"$({bundle}{name})"

    def text(self) -> str:
        word = self.pick("p", "q", "r", "1", "2")
        if self.often(0.4):
            word += f" {self.reference()}"
        return word + (f"/{self.reference()}" if self.often(0.1) else "")

    def scalar_call(self) -> str:
        return self.pick(
            f'concat("{self.text()}", "{self.text()}")',
            f'ifelse("{self.expression()}", "1", "{self.reference()}")',
            f'join("-", "{self.pick(*LISTS)}")',
            f'nth("{self.pick(*LISTS)}", "{self.pick("0", "1", "5")}")',
            f'string_head("{self.text()}", "2")',
            f'canonify("{self.text()}")',
            f'concat(length("{self.pick(*LISTS, "d")}"))',
            f'format("%s=%d", "{self.reference()}", "2")',
            f'string_upcase("{self.reference()}")',
            f'eval("{self.pick("1+1", "$(x)*2")}", "math", "infix")',
        )

    def list_call(self) -> str:
        name, invert = self.pick(*LISTS), self.pick("true", "false")
        return self.pick(
            f'reverse("{name}")',
            f'unique("{name}")',
            f'sort("{name}", "lex")',
            f'filter("{self.pick("1", "2")}", "{name}", "true", "{invert}", "9")',
            f'maplist("{self.pick("<$(this)>", "$(this)$(x)")}", "{name}")',
            f'splitstring("{self.pick("1:2", "$(x):3", "")}", ":", "9")',
            f'difference("{name}", "{self.pick(*LISTS)}")',
            f'getvalues("{self.pick("d", name)}")',
            f'sublist("{name}", "head", "1")',
            'expandrange("[1-2]", "1")',
        )

    def condition(self) -> str:
        return self.pick(
            f'"{self.expression()}"',
            f'"{self.expression()}"',
            f'strcmp("{self.reference()}", "1")',
            f'isvariable("{self.pick(*VARIABLES, *LISTS, "d[k]", "one.p", "$(x)")}")',
            f'not("{self.expression()}")',
            f'and("{self.expression()}", strcmp("{self.reference()}", "2"))',
            f'or("{self.expression()}", isvariable("{self.pick(*VARIABLES)}"))',
            f'some("{self.pick("1", ".*")}", "{self.pick(*LISTS)}")',
            f'every("[12]", "{self.pick(*LISTS)}")',
            f'regcmp("{self.pick("1|2", "p.*")}", "{self.reference()}")',
            f'isgreaterthan("{self.reference()}", "1")',
            f'"{self.reference()}"',
            f'"{self.pick(*SETTABLE)}.$(x)"',
        )

    # ---- attributes

    def common(self) -> list[str]:
        rows = []
        if self.often(0.15):
            rows.append(f"{self.pick('if', 'ifvarclass')} => {self.condition()}")
        if self.often(0.1):
            rows.append(f"unless => {self.condition()}")
        if self.often(0.12):
            more = f', "{self.pick(*HANDLES)}"' if self.often(0.2) else ""
            rows.append(f'depends_on => {{ "{self.pick(*HANDLES)}"{more} }}')
        if self.often(0.15) and self.handles:
            rows.append(f'handle => "{self.handles.pop()}"')
        if self.often(0.05):
            rows.append(f'comment => "{self.text()}"')
        return rows

    def outcome(self) -> list[str]:
        if self.often(0.5):
            name = self.pick(*SETTABLE)
            body = self.pick("out", "out", "local", "taking", "guarded", "results")
            scope = f'"{self.pick("bundle", "namespace")}", ' if body == "results" else ""
            return [f'classes => {body}({scope}"{name}")']
        return []

    # ---- promises

    def variable(self) -> str:
        if self.often(0.15):
            return '"d" data => \'{ "k": "1", "2": "two", "n": [ "u" ] }\''
        if self.often(0.15):
            return (
                f'"r[{self.pick("1", "2", "$(x)")}]" string => "{self.pick("1", self.reference())}"'
            )
        name = self.pick(*VARIABLES, *LISTS)
        if name in LISTS:
            items = self.pick('"1", "2"', '"1", "$(x)"', "@(l)", '"0", @(m)', "", '"3"')
            value = self.list_call() if self.often(0.4) else f"{{ {items} }}"
            return f'"{name}" slist => {value}'
        scalar = f'"{self.pick("1", "2", self.reference())}"'
        return f'"{name}" string => {self.scalar_call() if self.often(0.4) else scalar}'

    def class_promise(self) -> str:
        kind = self.pick("expression", "expression", "expression", "or", "and", "not", "xor")
        if kind in ("or", "and", "xor"):
            value = f'{{ "{self.expression()}", {self.condition()} }}'
        else:
            value = self.condition()
        name = self.pick(*SETTABLE, *SETTABLE, "$(l)", "a-$(x)")
        scope = ', scope => "namespace"' if self.often(0.3) else ""
        return f'"{name}" {kind} => {value}{scope}'

    def call(self, bundles: list[str]) -> list[str]:
        name = self.pick(*bundles)
        argument = self.pick('"1"', '"2"', f'"{self.reference()}"', "@(l)", '"$(l)"')
        parts = [f"usebundle => {name}({argument})"]
        if self.often(0.3):
            parts.append('inherit => "true"')
        return parts

    def promise(self, kind: str, bundles: list[str]) -> str:
        if kind == "vars":
            return ", ".join([self.variable(), *self.common()[:1]])
        if kind == "classes":
            return ", ".join([self.class_promise(), *self.common()[:1]])
        if kind == "defaults":
            name = self.pick(*VARIABLES)
            return f'"{name}" string => "{self.text()}"'
        if kind == "meta":
            return f'"t" string => "{self.text()}"'
        if kind == "methods":
            promiser = self.pick("m", "n", "m $(l)")
            return f'"{promiser}" ' + ", ".join(
                [*self.call(bundles), *self.outcome(), *self.common()]
            )
        if kind == "files":
            edit = f'edit_line => lines("{self.pick("1", self.reference())}")'
            empty = ["edit_defaults => empty"] if self.often(0.3) else []
            promiser = f"$(sys.workdir)/{self.pick('f', 'g', 'f_$(l)')}"
            parts = ['create => "true"', edit, *empty, *self.outcome(), *self.common()]
            return f'"{promiser}" ' + ", ".join(parts)
        promiser = self.pick(*COMMANDS) if kind == "commands" else self.text()
        parts = [*(self.outcome() if kind == "commands" else []), *self.common()]
        return f'"{promiser}" ' + ", ".join(parts)

    def edit_promise(self, kind: str) -> str:
        if kind in ("vars", "classes"):
            return self.promise(kind, [])
        if kind == "reports":
            return f'"edit {self.text()}"'
        if kind == "replace_patterns":
            pattern, new = self.pick("one", "two", "[12]"), self.pick("1", "new")
            return f'"{pattern}" replace_with => value("{new}")'
        return f'"{self.pick("one", "two", "$(p)", "$(l)")}"' + self.pick("", "", ' if => "a"')

    # ---- bundles

    def guard(self) -> str:
        if self.often(0.08):
            return f'"{self.pick(*SETTABLE)}{self.pick("", "|$(x)", ".$(y)")}"'
        return self.expression()

    def bundle(self, kind: str, name: str, parameters: str, callees: list[str]) -> str:
        types = ["vars", "vars", "classes", "reports"]
        if kind == "agent":
            types += ["commands", "files", *(["methods"] * 2 if callees else [])]
            types += ["defaults", "meta"] if self.often(0.3) else []
        if kind == "edit_line":
            types = list(EDITS)
        lines = [f"bundle {kind} {name}{parameters}", "{"]
        for _ in range(self.chance.randint(2, 6)):
            section = self.pick(*types)
            lines.append(f"  {section}:")
            for _ in range(self.chance.randint(1, 3)):
                if self.often(0.3):
                    lines.append(f"    {self.guard()}::")
                made = (
                    self.edit_promise(section)
                    if kind == "edit_line"
                    else self.promise(section, callees)
                )
                lines.append(f"      {made};")
        return "\n".join([*lines, "}"])

    def inputs(self) -> dict[str, str]:
        """Further files, by name."""
        return {}

    def policy(self) -> str:
        sequence = ['"main"', *self.chance.sample(['"common"', '"other"', '"main"'], 2)]
        if self.often(0.2):
            sequence.append('one("$(common.x)")')
        control = f"body common control\n{{\n  bundlesequence => {{ {', '.join(sequence)} }};\n}}\n"
        if self.often(0.1):
            control += 'body agent control\n{\n  abortbundleclasses => { "b|c_failed" };\n}\n'
        bundles = [
            self.bundle("agent", "main", "", ["one", "two"]),
            self.bundle("agent", "one", "(p)", ["two"]),
            self.bundle("agent", "two", "(p)", []),
            self.bundle("common", "common", "", []),
            self.bundle("agent", "other", "", ["two"]),
            self.bundle("edit_line", "lines", "(p)", []),
        ]
        self.chance.shuffle(bundles)
        return control + OUT + "\n".join(bundles) + "\n"
