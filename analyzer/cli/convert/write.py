"""Writes the examples of a spec as a file of pytest."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence

from analyzer.cli.convert.ruby import RubyCall, RubyRegex, Unconvertible
from analyzer.cli.convert.spec import Negated, Raised, SpecExample, SpecFacts, chain_of

ORDERS = ("that_requires", "that_comes_before", "that_notifies", "that_subscribes_to")
INDENT = "    "
# Columns of a line.
WIDTH = 99


class Converted:
    """A file of tests, and how many examples became one."""

    def __init__(
        self, examples: Sequence[SpecExample], source: str, systems: Sequence[str]
    ) -> None:
        self.systems = list(systems) or ["@debian-12"]
        self.names: dict[str, int] = {}
        self.tests = 0
        self.left = 0
        self.parts = [self.converted(example, source) for example in examples]

    def text(self, source: str) -> str:
        """Return the file."""
        body = "\n\n".join(self.parts)
        lines = [f'"""Converted from {source} by `catgraph convert`."""', ""]
        imports = [
            name
            for name, word in (("re", "re."), ("catgraph", "catgraph."), ("pytest", "pytest."))
            if re.search(rf"^(?!#).*\b{re.escape(word)}", body, re.MULTILINE)
        ]
        lines += [f"import {name}" for name in imports]
        if "SYSTEMS" in body:
            lines += ["", f"SYSTEMS = {literal(self.systems)}"]
        return "\n".join([*lines, "", "", body, ""])

    def converted(self, example: SpecExample, source: str) -> str:
        """Return a test, or the example as a comment with the reason."""
        reason = example.reason
        if not reason:
            try:
                lines = list(self.lines(example, source))
                self.tests += 1
                return "\n".join(lines)
            except Unconvertible as error:
                reason = str(error)
        self.left += 1
        where = f"# {source}:{example.line}: not converted: {' '.join(reason.split())}"
        return "\n".join([where, *(f"# {line}".rstrip() for line in example.text.split("\n"))])

    def lines(self, example: SpecExample, source: str) -> Iterator[str]:
        """Yield the lines of a test.

        Raises:
            Unconvertible: a statement has no counterpart.
        """
        scope = example.scope
        body = [line for one in example.statements for line in statement(one)]
        raised = [one for one in example.statements if isinstance(one, Raised)]
        if raised and len(example.statements) > 1:
            raise Unconvertible("an error beside other expectations")
        compiled = self.compiled(example)
        each = "SYSTEMS" in compiled
        if each:
            compiled = compiled.replace("SYSTEMS", "facts")
            yield '@pytest.mark.parametrize("facts", SYSTEMS)'
        yield f"def {self.name(example)}(catgraph_compile{', facts' if each else ''}):"
        words = " ".join(filter(None, (*scope.titles, example.title)))
        yield f"{INDENT}# {source}:{example.line}: {' '.join(words.split())}"
        if raised:
            yield f"{INDENT}with pytest.raises(catgraph.CompileError{match_of(raised[0])}):"
            yield f"{INDENT}{INDENT}{compiled}"
        elif body:
            yield f"{INDENT}catalog = {compiled}"
            yield from (f"{INDENT}{line}" for line in body)
        else:
            yield f"{INDENT}{compiled}"

    def name(self, example: SpecExample) -> str:
        """Return the name of a test, which no other has."""
        words = "_".join((*example.scope.titles, example.title or f"line {example.line}"))
        name = "test_" + re.sub(r"\W+", "_", words.lower(), flags=re.ASCII).strip("_")[:70]
        self.names[name] = self.names.get(name, 0) + 1
        return name if self.names[name] == 1 else f"{name}_{self.names[name]}"

    def compiled(self, example: SpecExample) -> str:
        """Return the call that compiles what is tested."""
        scope = example.scope
        lets = scope.lets
        words = []
        subject = scope.titles[0] if scope.titles else ""
        if scope.kind == "hosts":
            words.append(f"node={literal(subject)}")
        elif scope.kind == "defines":
            title = lets.get("title")
            if not isinstance(title, str):
                raise Unconvertible("a defined type without a title")
            words.append(literal(f"{capital(subject)}[{title}]"))
        else:
            words.append(literal(subject))
        if lets.get("params"):
            words.append(f"params={literal(lets['params'])}")
        words.append(f"facts={facts_of(lets.get('facts', {}))}")
        for name in ("pre_condition", "post_condition", "node", "environment"):
            value = lets.get(name)
            if isinstance(value, list):
                value = "\n".join(map(str, value))
            if value:
                words.append(f"{name}={literal(value)}")
        for name in ("hiera_config", "trusted_facts", "module", "manifest", "node_params"):
            if name in lets:
                raise Unconvertible(f"let(:{name})")
        return f"catgraph_compile({', '.join(words)})"


def facts_of(value: object) -> str:
    """Return facts: those of the systems, or a table."""
    if isinstance(value, SpecFacts):
        return f"[SYSTEMS, {literal(value.more)}]" if value.more else "SYSTEMS"
    return literal(value)


def capital(name: str) -> str:
    """Return the name of a type as references have it."""
    return "::".join(part[:1].upper() + part[1:] for part in name.removeprefix("::").split("::"))


def statement(value: object) -> Iterator[str]:
    """Yield the lines of a statement.

    Raises:
        Unconvertible: it has no counterpart.
    """
    if isinstance(value, Raised):
        return
    negated = isinstance(value, Negated)
    matcher = value.matcher if isinstance(value, Negated) else value
    assert isinstance(matcher, RubyCall)
    first, *chain = chain_of(matcher)
    if first.name == "compile":
        if negated or [one for one in chain if one.name != "with_all_deps"]:
            raise Unconvertible(f"compile.{chain[0].name}" if chain else "not_to compile")
        yield "catalog.assert_no_cycle()"
    elif match := re.fullmatch(r"have_(\w+?)_?(?:resource_)?count", first.name):
        yield count_of(match[1], first, chain, negated)
    elif first.name.startswith(("contain_", "include_class", "create_")) and first.arguments:
        yield contained(first, chain, negated)
    else:
        raise Unconvertible(f"the matcher {first.name}")


def count_of(name: str, first: RubyCall, chain: list[RubyCall], negated: bool) -> str:
    """Return the line about the number of resources.

    Raises:
        Unconvertible: it counts something else.
    """
    if negated or chain or name == "resource" or not isinstance(first.arguments[0], int):
        raise Unconvertible(f"the matcher {first.name}")
    return (
        f"catalog.assert_count({literal(capital(name.replace('__', '::')))}, {first.arguments[0]})"
    )


def contained(first: RubyCall, chain: list[RubyCall], negated: bool) -> str:
    """Return the line about a resource.

    Raises:
        Unconvertible: a part of the chain has no counterpart.
    """
    name = "class" if first.name == "include_class" else first.name.partition("_")[2]
    title = first.arguments[0]
    if not isinstance(title, str):
        raise Unconvertible(f"the title of {first.name}")
    if name == "class":
        title = capital(title)
    ref = f"{capital(name.replace('__', '::'))}[{title}]"
    if negated:
        if chain:
            raise Unconvertible("not_to with parameters")
        return f"catalog.assert_does_not_contain({literal(ref)})"
    return f"catalog.assert_contains({literal(ref)})" + "".join(map(linked, chain))


def linked(call: RubyCall) -> str:
    """Return a part of a chain.

    Raises:
        Unconvertible: it has no counterpart.
    """
    values = call.arguments
    if call.name in ORDERS:
        refs = values[0] if isinstance(values[0], list) else list(values)
        return f".{call.name}({', '.join(map(literal, refs))})"
    if call.name in ("with", "only_with") and values:
        pairs = dict(values[0]) if isinstance(values[0], dict) else {values[0]: values[1]}
        return with_parameters(pairs, "with_" if call.name == "with" else "only_with")
    if call.name == "without":
        names = values[0] if isinstance(values[0], list) else list(values)
        return f".without({', '.join(map(literal, names))})"
    if call.name.startswith("without_"):
        return f".without({literal(call.name.removeprefix('without_'))})"
    if call.name.startswith("with_") and len(values) == 1:
        return with_parameters({call.name.removeprefix("with_"): values[0]}, "with_")
    raise Unconvertible(f".{call.name}")


def with_parameters(pairs: Mapping[object, object], method: str) -> str:
    """Return the check of parameters; nil stands for one that is not set."""
    unset = [name for name, value in pairs.items() if value is None]
    rest = {str(name): value for name, value in pairs.items() if value is not None}
    text = f".without({', '.join(map(literal, unset))})" if unset else ""
    if all(name.isidentifier() and not keyword.iskeyword(name) for name in rest):
        words = ", ".join(f"{name}={literal(value)}" for name, value in rest.items())
    else:
        words = literal(rest)
    return f".{method}({words}){text}" if rest else text


def match_of(raised: Raised) -> str:
    """Return the condition on the message of an error.

    Raises:
        Unconvertible: it is something else than a text or an expression.
    """
    for call in chain_of(raised.matcher):
        if call.name in ("raise_error", "and_raise_error"):
            values = [one for one in call.arguments if isinstance(one, (str, RubyRegex))]
            if not values:
                return ""
            if isinstance(values[0], str):
                return f", match=re.escape({literal(values[0])})"
            return f", match={literal(values[0])}"
    raise Unconvertible("an error")


def literal(value: object) -> str:
    """Return a value in Python.

    Raises:
        Unconvertible: it has code in it.
    """
    if isinstance(value, RubyRegex):
        flags = " | ".join(f"re.{one}" for one in value.flags)
        return f"re.compile({value.pattern!r}, {flags})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, (RubyCall, SpecFacts)):
        raise Unconvertible(f"{getattr(value, 'name', 'facts')} is code")
    return repr(value)
