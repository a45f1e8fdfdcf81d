"""Random policies with namespaces and their bodies, inputs, and results that are handed back."""

from __future__ import annotations

from .generate import CLASSES, LISTS, OUT, SETTABLE, VARIABLES, Maker

NAMESPACE = 'body file control\n{\n  namespace => "mine";\n}\n'
BODIES = """body classes out(x)
{
  promise_repaired => { "$(x)", "default:$(x)_back" };
}
body classes own(x)
{
  promise_kept => { "$(x)_kept" };
  scope => "bundle";
}
"""


class Wide(Maker):
    """Makes one policy of two files; the second is in a namespace of its own."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seed = seed
        # Whether what is made now is in the other namespace.
        self.far = False

    def expression(self, depth: int = 0) -> str:
        if self.often(0.1):
            space = "default" if self.far else "mine"
            return f"{space}:{self.pick(*SETTABLE)}"
        return super().expression(depth)

    def reference(self) -> str:
        if self.often(0.1):
            name = self.pick(*VARIABLES, *LISTS, "r[1]")
            return f"$({'default:common' if self.far else 'mine:base'}.{name})"
        if self.often(0.1):
            return f"$(res[{self.pick('1', '2')}])"
        return super().reference().replace("common.", "base." if self.far else "common.")

    def condition(self) -> str:
        if self.often(0.2):
            return self.pick(
                f'strcmp("$(res[1])", "{self.pick("1", "p", "")}")',
                f'isvariable("{self.pick("res[1]", "mine:base.x", "default:common.x")}")',
                f'and("{self.pick(*CLASSES)}", not(strcmp("{self.reference()}", "1")))',
                f'or(isvariable("x"), regcmp("[12]", "{self.reference()}"))',
                f'isgreaterthan(length("{self.pick(*LISTS)}"), "{self.pick("0", "1")}")',
            )
        return super().condition()

    def outcome(self) -> list[str]:
        if not self.far:
            return super().outcome()
        body = self.pick("out", "own", "default:out", "default:local", "mine:own")
        return [f'classes => {body}("{self.pick(*SETTABLE)}")'] if self.often(0.5) else []

    def call(self, bundles: list[str]) -> list[str]:
        parts = super().call(bundles)
        if self.often(0.4):
            parts.append('useresult => "res"')
        return parts

    def promise(self, kind: str, bundles: list[str]) -> str:
        made = super().promise(kind, bundles)
        if kind == "reports" and self.often(0.2):
            comma = "" if made.endswith(" ") else ","
            return f'{made}{comma} bundle_return_value_index => "{self.pick("1", "2")}"'
        if self.far:
            return made.replace("edit_line => lines", "edit_line => default:lines").replace(
                "edit_defaults => empty", "edit_defaults => default:empty"
            )
        return made

    def inputs(self) -> dict[str, str]:
        self.far = True
        bundles = [
            self.bundle("agent", "far", "(p)", ["deep", "default:two"]),
            self.bundle("agent", "deep", "(p)", []),
            self.bundle("common", "base", "", []),
        ]
        self.far = False
        self.chance.shuffle(bundles)
        return {f"_{self.seed}.cf": NAMESPACE + BODIES + "\n".join(bundles) + "\n"}

    def policy(self) -> str:
        sequence = ['"main"', *self.chance.sample(['"common"', '"mine:base"', '"main"'], 2)]
        control = (
            f"body common control\n{{\n  bundlesequence => {{ {', '.join(sequence)} }};\n"
            f'  inputs => {{ "_{self.seed}.cf" }};\n}}\n'
        )
        bundles = [
            self.bundle("agent", "main", "", ["one", "two", "mine:far"]),
            self.bundle("agent", "one", "(p)", ["two", "mine:deep"]),
            self.bundle("agent", "two", "(p)", []),
            self.bundle("common", "common", "", []),
            self.bundle("edit_line", "lines", "(p)", []),
        ]
        self.chance.shuffle(bundles)
        return control + OUT + "\n".join(bundles) + "\n"
