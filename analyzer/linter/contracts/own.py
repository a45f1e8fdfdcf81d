"""Creates the rules of a project from `[[rules]]` and `[[contracts]]` in its `catgraph.toml`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from analyzer.config import Config
from analyzer.linter.choice import CONTRACT
from analyzer.linter.contracts import order, required
from analyzer.linter.contracts.contract import Contract, contract_of
from analyzer.linter.contracts.queries import QueryTable
from analyzer.linter.docs import Documentation
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import CODE, OURS, Check, Problem, Rule
from analyzer.model.documents import JsonObject
from analyzer.source import Span

# The most rules and contracts of one file, which may be unreviewed, and entries of their lists.
MOST, MOST_ENTRIES = 100, 1000

# The most findings of one rule in one catalog.
MOST_PROBLEMS = 1000

CHECKS: dict[str, Callable[[Contract, Compiled], Iterator[Problem]]] = {
    **dict.fromkeys(order.KINDS, order.check),
    "requires": required.check,
}


def own_rules(config: Config | None) -> dict[str, Rule]:
    """Return the rules and contracts of a configuration by code, in the order of the file.

    Raises:
        InputError: one of them is not valid, or there are too many.
    """
    found: dict[str, Rule] = {}
    for table in ("rules", "contracts") if config else ():
        assert config is not None
        rows = getattr(config, table)
        if len(rows) > MOST:
            raise config.wrong(f"there are more than {MOST} tables [[{table}]]", table, MOST)
        if sum(entries(row) for row in rows) > MOST_ENTRIES:
            said = f"the lists of [[{table}]] have more than {MOST_ENTRIES:,} entries"
            raise config.wrong(said, table, 0)
        for number in range(len(rows)):
            code = code_of(config, table, number, found)
            made = rule_of if table == "rules" else contract_rule_of
            found[code] = made(config, number, code)
    return found


def entries(row: JsonObject) -> int:
    """Return the number of entries in the lists of a table."""
    return sum(len(value) for value in row.values() if isinstance(value, list))


def code_of(config: Config, table: str, number: int, known: dict[str, Rule]) -> str:
    """Return the code of a rule or contract; a contract without one gets a number.

    Raises:
        InputError: the code is missing, not valid, catgraph's own, or that of another rule.
    """
    row = getattr(config, table)[number]
    if table == "rules" and "code" not in row:
        raise config.wrong("a rule needs 'code'", table, number)
    code: str = row.get("code", f"{CONTRACT}{number + 1:03}")
    place = (table, number, "code") if "code" in row else (table, number)
    if not CODE.fullmatch(code):
        said = f"'{code}' is not a valid code; write capitals and digits, such as ACME001"
        raise config.wrong(said, *place)
    if code.startswith(OURS):
        raise config.wrong(f"'{code}': codes that begin with {OURS} are those of catgraph", *place)
    if code in known:
        raise config.wrong(f"'{code}' is the code of two rules", *place)
    return code


def place_of_code(config: Config, code: str) -> tuple[str | int, ...]:
    """Return the steps to the code of a rule or contract."""
    for table in ("rules", "contracts"):
        for number, row in enumerate(getattr(config, table)):
            if row.get("code") == code:
                return table, number, "code"
    return ()


def rule_of(config: Config, number: int, code: str) -> Rule:
    """Return the rule of a `[[rules]]` table."""
    found = QueryTable(config, number)
    text = f"Finds: {found.find}\nMessage: {found.message}\nDeclared in: {found.span}"
    return Rule(
        code,
        Compiled,
        found.severity,
        True,
        partial(limited, found.check, found.span),
        absence="relationships" if found.absence else None,
        kind="query",
        title="query",
        text=documented(found.message, found.help, text),
    )


def contract_rule_of(config: Config, number: int, code: str) -> Rule:
    """Return the rule of a `[[contracts]]` table."""
    contract = contract_of(config, number, code)
    text = "\n".join([*lines_of(config, number), f"Declared in: {contract.span}"])
    return Rule(
        code,
        Compiled,
        contract.severity,
        True,
        partial(limited, partial(CHECKS[contract.type], contract), contract.span),
        kind="contract",
        title=contract.type,
        text=documented(contract.name, contract.help, text),
    )


def limited(check: Check, span: Span, compiled: Compiled) -> Iterator[Problem]:
    """Yield the first problems that a rule finds in a catalog, and the number of the others.

    Problems of the configuration are always included.
    """
    left_out = shown = 0
    for problem in check(compiled):
        if problem.is_ok or problem.unless_ok:
            yield problem
        elif shown < MOST_PROBLEMS:
            shown += 1
            yield problem
        else:
            left_out += 1
    if left_out:
        yield Problem(f"{left_out:,} more findings are not shown; narrow the rule", span)


def lines_of(config: Config, number: int) -> Iterator[str]:
    """Yield the keys of a contract that define what it allows."""
    for key, value in config.contracts[number].items():
        if key not in ("code", "name", "severity", "help"):
            shown = ", ".join(value) if isinstance(value, list) else str(value).lower()
            yield f"{key}: {shown}"


def documented(summary: str, why: str, text: str) -> Documentation:
    """Return the documentation of a rule that has no file."""
    parts = [summary, text, *([why] if why else [])]
    return Documentation(summary, why, "", (), (), (), "\n\n".join(parts))
