"""Ruby's statements and structures, evaluated certainly or as a possibility."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.frontends.puppet.ruby_types.expressions import Expression
from analyzer.frontends.puppet.ruby_types.nesting import Group, Item, is_token, statements
from analyzer.frontends.puppet.ruby_types.scope import Jump, Method, Receiver, RubyScope
from analyzer.frontends.puppet.ruby_types.values import Opaque, truth

_MODIFIERS = frozenset({"if", "unless", "while", "until", "rescue"})
_CLAUSES = frozenset({"elsif", "else", "when", "in", "rescue", "ensure"})

Clause = tuple[str, list[Item], list[Item]]


def run(items: list[Item], scope: RubyScope) -> object:
    """Evaluate the statements of a body and return the value of the last."""
    value: object = None
    for items_of_one in statements(items):
        value = scope.world.one_statement(items_of_one, scope)
    return value


def statement(items: list[Item], scope: RubyScope) -> object:
    """Evaluate one statement with its modifiers.

    Raises:
        Unreadable: it is not understood.
    """
    for number in range(len(items) - 1, 0, -1):
        if is_token(items[number], "kw", *_MODIFIERS):
            return modified(items[:number], items[number], items[number + 1 :], scope)
    if is_token(items[0], "kw", "alias", "undef"):
        return None
    names = _targets(items)
    if names:
        for name in names:
            scope.set(name, Opaque(f"{name} is one of several"))
        return None
    return Expression(items, scope).whole()


def modified(done: list[Item], modifier: Item, condition: list[Item], scope: RubyScope) -> object:
    """`statement if condition`."""
    word = getattr(modifier, "value", "")
    if word == "rescue":
        return statement(done, scope)
    known = truth(statement(condition, scope))
    if known is None or word in ("while", "until"):
        with scope.uncertain():
            run_uncertain(lambda: statement(done, scope), scope)
        return Opaque("a value that depends on a condition")
    return statement(done, scope) if known == (word == "if") else None


def run_uncertain(do: Callable[[], object], scope: RubyScope) -> None:
    """Evaluate a possibility: if it returns, the result is not known."""
    try:
        do()
    except Jump:
        scope.world.uncertain_return = True


def _targets(items: list[Item]) -> list[str]:
    """Return the variables of `a, b = values`, none for other statements."""
    names = []
    for item in items:
        if is_token(item, "id") or is_token(item, "var"):
            names.append(str(getattr(item, "value", "")))
        elif is_token(item, "op", "="):
            return names if len(names) > 1 else []
        elif not is_token(item, "op", ",", "*"):
            return []
    return []


# ---- structures


def structure(group: Group, scope: RubyScope) -> object:
    """Evaluate a group between a keyword and its end."""
    return _STRUCTURES[group.kind](group, scope)


def clauses(group: Group) -> list[Clause]:
    """Return keyword, head and body of each clause of a structure."""
    found: list[Clause] = []
    word, head, body = group.kind, [], []  # type: str, list[Item], list[Item]
    in_head, at_start = True, False
    for item in group.items:
        if is_token(item, "kw", *_CLAUSES) and (at_start or is_token(item, "kw", "else", "elsif")):
            found.append((word, head, body))
            word, head, body, in_head = str(getattr(item, "value", "")), [], [], True
        elif in_head and (is_token(item, "nl") or is_token(item, "kw", "then")):
            in_head = False
        else:
            (head if in_head else body).append(item)
        at_start = is_token(item, "nl") or is_token(item, "kw", "then")
        if word in ("else", "ensure", "begin"):
            in_head = False
    return [*found, (word, head, body)]


def conditional(group: Group, scope: RubyScope) -> object:
    """`if` and `unless`, with `elsif` and `else`."""
    doubtful = False
    for word, head, body in clauses(group):
        known = truth(statement(head, scope)) if head else True
        if word == "unless" and known is not None:
            known = not known
        if known and not doubtful:
            return run(body, scope)
        if known is not False:
            doubtful = True
            with scope.uncertain():
                run_uncertain(lambda body=body: run(body, scope), scope)  # type: ignore[misc]
    return Opaque("a value that depends on a condition") if doubtful else None


def case(group: Group, scope: RubyScope) -> object:
    """`case`: each clause is a possibility."""
    for word, _, body in clauses(group):
        if word != "case":
            with scope.uncertain():
                run_uncertain(lambda body=body: run(body, scope), scope)  # type: ignore[misc]
    return Opaque("a value that depends on a condition")


def begin(group: Group, scope: RubyScope) -> object:
    """`begin`: the body is evaluated, a `rescue` is a possibility."""
    value: object = None
    for word, head, body in clauses(group):
        if word in ("begin", "ensure"):
            found = run([*head, *body], scope)
            value = found if word == "begin" else value
        else:
            with scope.uncertain():
                run_uncertain(lambda body=body: run(body, scope), scope)  # type: ignore[misc]
    return value


def loop(group: Group, scope: RubyScope) -> object:
    """`while`, `until` and `for`: the body is a possibility."""
    with scope.uncertain():
        for _, _, body in clauses(group):
            run_uncertain(lambda body=body: run(body, scope), scope)  # type: ignore[misc]
    return None


def definition(group: Group, scope: RubyScope) -> object:
    """`def`: the method is recorded."""
    name = str(getattr(group.items[0], "value", ""))
    rest = group.items[1:]
    parameters: list[Item] = []
    if rest and isinstance(rest[0], Group) and rest[0].kind == "(":
        parameters, rest = rest[0].items, rest[1:]
    else:
        end = next((n for n, item in enumerate(rest) if is_token(item, "nl")), len(rest))
        parameters, rest = rest[:end], rest[end:]
    scope.receiver.define(name, Method(parameters, rest, scope.nesting))
    return name


def module(group: Group, scope: RubyScope) -> object:
    """`module A::B` and `class A < B`; `class << self` is the class of the self around."""
    end = next((n for n, item in enumerate(group.items) if is_token(item, "nl")), 0)
    head, body = group.items[:end], group.items[end:]
    if head and is_token(head[0], "op", "<<"):
        return run(body, RubyScope(scope.world, Singleton(scope.receiver), scope.nesting, scope))
    names = []
    for item in head:
        if is_token(item, "op", "<"):
            break
        if is_token(item, "const"):
            names.append(str(getattr(item, "value", "")))
    return scope.world.in_module((*scope.nesting, *names), body, scope)


class Singleton(Receiver):
    """The self of `class << self`: it defines methods of the class."""

    def __init__(self, of: Receiver) -> None:
        self.of = of

    def define(self, name: str, method: Method) -> None:
        """Record a method of the class."""
        self.of.define(f"self.{name}", method)


_STRUCTURES: dict[str, Callable[[Group, RubyScope], object]] = {
    "begin": begin,
    "case": case,
    "class": module,
    "def": definition,
    "for": loop,
    "if": conditional,
    "module": module,
    "unless": conditional,
    "until": loop,
    "while": loop,
}
