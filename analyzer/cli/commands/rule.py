"""`catgraph rule`: explain a rule of the lint, or list the rules."""

from __future__ import annotations

from analyzer.cli.shared.options import COLOR, CONFIG, NO_PLUGINS, OUTPUT, Option, format_option
from analyzer.cli.shared.output import emit
from analyzer.escape import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options
    from analyzer.linter.rule import Rule

USAGE = "[CODE...]"
INPUTS = (0, None)
HELP = """Explain rules of 'catgraph lint', with examples. Without a code, list all rules: those of
catgraph, of installed plugins, and the rules and contracts of the nearest catgraph.toml."""
OPTIONS: tuple[Option, ...] = (
    format_option("text", "markdown"),
    NO_PLUGINS,
    CONFIG,
    OUTPUT,
    COLOR,
)


def run(options: Options) -> int:
    """Print the documentation of rules, or the table of all."""
    from analyzer.linter.registry import all_rules
    from analyzer.session.lint.request import all_own
    from analyzer.session.settings import config_for

    config = config_for("", options.config)
    rules = {**all_rules(), **all_own(config, plugins=not options.no_plugins)}
    named = [code.upper() for code in options.inputs]
    unknown = [code for code in named if code not in rules]
    if unknown:
        from analyzer.cli.shared.output import usage_error

        known = ", ".join(rules)
        return usage_error("rule", f"unknown rule '{unknown[0]}'; the rules are {known}")
    if named:
        emit("\n\n".join(explained(rules[code]) for code in named), options.output)
    else:
        emit(table(list(rules.values()), options.format), options.output)
    return 0


def explained(rule: Rule) -> str:
    """Return the whole documentation of a rule."""
    default = "on by default" if rule.default else "off by default"
    default += f", from {rule.origin}" if rule.origin else ""
    return f"{rule.code} {rule.name} ({rule.severity}, {default})\n\n{rule.docs.text}"


def table(rules: list[Rule], form: str) -> str:
    """Return a line for each rule."""
    if form == "markdown":
        lines = ["| code | name | severity | finds |", "| --- | --- | --- | --- |"]
        for rule in rules:
            severity = rule.severity if rule.default else f"{rule.severity}, off"
            lines.append(f"| {rule.code} | {rule.name} | {severity} | {rule.docs.summary} |")
        return joined(lines)
    width = max(len(rule.name) for rule in rules)
    codes = max(len(rule.code) for rule in rules)
    return joined(
        f"{rule.code:<{codes}}  {rule.name:<{width}}  {rule.severity:<7}  "
        f"{'' if rule.default else '(off) '}"
        f"{rule.docs.summary}"
        for rule in rules
    )
