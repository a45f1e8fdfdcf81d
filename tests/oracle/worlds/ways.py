"""Ways in which the value of an input travels to the test that it decides.

Each way is Puppet code that passes a value on: from an expression of one scope to an expression of
the same or another scope.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Rest = Callable[[str], str]


@dataclass(slots=True)
class Code:
    """The code that is written: definitions beside the class, and how many names were used.

    `kind` is the type of the value, `in_class` tells that the scope is that of the class.
    """

    kind: str
    definitions: list[str] = field(default_factory=list)
    names: int = 0
    in_class: bool = True

    def name(self) -> int:
        """Return a number that no name has yet."""
        self.names += 1
        return self.names

    def inside(self, head: str, rest: Rest, expression: str) -> None:
        """Add a definition whose body goes on with an expression."""
        around, self.in_class = self.in_class, False
        body = rest(expression)
        self.in_class = around
        self.definitions.append(f"{head} {{\n{body}}}\n")


Way = Callable[[Code, str, Rest], str]
WAYS: dict[str, Way] = {}
# Ways that only a Boolean can take; others are tested first.
OF_BOOLEANS: set[str] = set()


def way(name: str, *, boolean: bool = False) -> Callable[[Way], Way]:
    """Register a way."""

    def register(made: Way) -> Way:
        WAYS[name] = made
        if boolean:
            OF_BOOLEANS.add(name)
        return made

    return register


def expression(name: str, template: str, *, boolean: bool = False) -> None:
    """Register a way within an expression; `$1` stands for the value."""

    def pass_on(code: Code, value: str, rest: Rest) -> str:
        return rest(template.replace("$1", value))

    way(name, boolean=boolean)(pass_on)


expression("element of a hash", "{'j' => 'z', 'k' => $1}['k']")
expression("element of an array", "[0, $1][1]")
expression("hash + hash", "({'j' => 1} + {'k' => $1})['k']")
expression("merge", "merge({'k' => 0}, {'k' => $1})['k']")
expression("dig", "{'a' => {'k' => $1}}.dig('a', 'k')")
expression("get", "{'a' => {'k' => $1}}.get('a.k')")
expression("in", "(true in [$1, 0])", boolean=True)
expression("NotUndef", "(($1 ? { true => 1, default => undef }) =~ NotUndef)", boolean=True)
expression("type", "($1 =~ Boolean[true])", boolean=True)
expression("selector", "(($1 ? { true => 'a', default => 'b' }) == 'a')", boolean=True)
expression("text", "(\"x-${$1}\" == 'x-true')", boolean=True)
expression("filter", "([$1].filter |$x| { $x } =~ Array[Any, 1])", boolean=True)
expression("map", "[$1].map |$x| { $x }[0]")
expression("reduce", "([$1, $1].reduce |$a, $b| { $a or $b })", boolean=True)
expression("pick", "pick($1, 'none')")
expression("then", "$1.then |$x| { $x }")
expression("assert_type", "assert_type(Any, $1)")
expression("case", "(case $1 { true: { true } default: { false } })", boolean=True)
expression("template", "(inline_epp('<%= $m %>', {'m' => $1}) == 'true')", boolean=True)
expression("String", "(String($1) == 'true')", boolean=True)


@way("parameter of a define")
def parameter(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    code.inside(f"define app::d{n} ({code.kind} $m)", rest, "$m")
    return f"  app::d{n} {{ 'x': m => {value} }}\n"


@way("title of a define", boolean=True)
def title(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    code.inside(f"define app::d{n} ()", rest, "($title == 'true')")
    return f'  app::d{n} {{ "${{{value}}}": }}\n'


@way("splat")
def splat(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    code.inside(f"define app::d{n} ({code.kind} $m)", rest, "$m")
    return f"  app::d{n} {{ 'x': * => {{ 'm' => {value} }} }}\n"


@way("create_resources")
def create_resources(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    code.inside(f"define app::d{n} ({code.kind} $m)", rest, "$m")
    return f"  create_resources('app::d{n}', {{ 'x' => {{ 'm' => {value} }} }})\n"


@way("default of a define")
def default(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    if not code.in_class:
        return parameter(code, value, rest)
    code.inside(f"define app::d{n} ({code.kind} $m = $app::v{n})", rest, "$m")
    return f"  $v{n} = {value}\n  app::d{n} {{ 'x': }}\n"


@way("parameter of a class")
def class_(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    code.inside(f"class app::c{n} ({code.kind} $m)", rest, "$m")
    return f"  class {{ 'app::c{n}': m => {value} }}\n"


@way("variable of a class")
def variable(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    if not code.in_class:
        return class_(code, value, rest)
    code.inside(f"class app::c{n}", rest, f"$app::v{n}")
    return f"  $v{n} = {value}\n  include app::c{n}\n"


@way("inherited variable")
def inherited(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    if not code.in_class:
        return class_(code, value, rest)
    code.inside(f"class app::c{n} inherits app", rest, f"$v{n}")
    return f"  $v{n} = {value}\n  include app::c{n}\n"


@way("parameter of a lambda")
def lambda_(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    return f"  with({value}) |$m{n}| {{\n{inner(code, rest, f'$m{n}')}  }}\n"


@way("loop")
def loop(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    return f"  [{value}].each |$m{n}| {{\n{inner(code, rest, f'$m{n}')}  }}\n"


@way("loop over a hash")
def loop_hash(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    body = inner(code, rest, f"$o{n}['m']")
    return f"  {{ 'x' => {{ 'm' => {value} }} }}.each |$k{n}, $o{n}| {{\n{body}  }}\n"


def inner(code: Code, rest: Rest, value: str) -> str:
    """Return the body of a lambda, whose variables are not those of the class."""
    around, code.in_class = code.in_class, False
    body = rest(value)
    code.in_class = around
    return body


@way("function")
def function(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    code.definitions.append(f"function app::f{n}($m) {{ $m }}\n")
    return rest(f"app::f{n}({value})")


@way("function that decides", boolean=True)
def deciding(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    body = "if $m { 'yes' } else { 'no' }"
    code.definitions.append(f"function app::f{n}($m) {{ {body} }}\n")
    return rest(f"(app::f{n}({value}) == 'yes')")


@way("variable")
def plain(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    return f"  $v{n} = {value}\n" + rest(f"$v{n}")


@way("variable of a hash")
def of_hash(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    return f"  $v{n} = {{ 'j' => 'z', 'k' => {value} }}\n" + rest(f"$v{n}['k']")


@way("variable of two arms", boolean=True)
def arms(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    made = f"  if {value} {{ $v{n} = 'yes' }} else {{ $v{n} = 'no' }}\n"
    return made + rest(f"($v{n} == 'yes')")


@way("resource default")
def resource_default(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    code.inside(f"define app::d{n} ({code.kind} $m)", rest, "$m")
    return f"  App::D{n} {{ m => {value} }}\n  app::d{n} {{ 'x': }}\n"


@way("collector override")
def override(code: Code, value: str, rest: Rest) -> str:
    n = code.name()
    code.inside(f"define app::d{n} (Any $m = undef)", rest, "$m")
    collector = f"App::D{n} <| title == 'x' |> {{ m => {value} }}"
    return f"  @app::d{n} {{ 'x': }}\n  {collector}\n"


@dataclass(frozen=True, slots=True)
class Input:
    """An input of the class: its declaration, the expression, its test, and its values.

    `values` are those to compare conditions on; those for which the test holds are `holding`.
    `loops` tells that a loop over the value stands in for the test.
    """

    name: str
    kind: str
    declaration: str
    expression: str
    test: str
    values: tuple[Any, ...]
    holding: tuple[Any, ...]
    loops: bool = False
    data: str = ""


INPUTS = (
    Input("app::m", "Boolean", "Boolean $m = false", "$m", "$1", (True, False), (True,)),
    Input("app::m", "Boolean", "Boolean $m = true", "$m", "!($1)", (True, False), (False,)),
    Input(
        "app::e", "String", "Enum['hour', 'day', 'week'] $e = 'day'", "$e", "($1 == 'week')",
        ("hour", "day", "week"), ("week",),
    ),
    Input(
        "app::n", "Integer", "Integer[1, 65535] $n = 80", "$n", "($1 > 1024)",
        (1, 80, 1024, 1025, 8080, 65535), (1025, 8080, 65535),
    ),
    Input(
        "app::o", "Optional[String]", "Optional[String] $o = undef", "$o", "($1 =~ NotUndef)",
        ("a", "b", None), ("a", "b"),
    ),
    Input(
        "app::l", "Array[String]", "Array[String] $l = []", "$l", "$1.each |$i| {",
        ([], ["a"], ["a", "b"]), (["a"], ["a", "b"]), loops=True,
    ),
    Input(
        "app::h", "Hash[String, Hash]", "Hash[String, Hash] $h = {}", "$h", "$1.each |$i, $v| {",
        ({}, {"a": {}}), ({"a": {}},), loops=True,
    ),
    Input(
        "app::h", "Any", "Hash $h = {}", "$h['m']", "($1 == true)",
        ({}, {"m": True}, {"m": False}), ({"m": True},),
    ),
    Input(
        "facts.role", "Any", "", "$facts['role']", "($1 == 'db')", ("db", "web", None), ("db",),
    ),
    Input(
        "facts.os.family", "Any", "", "{'RedHat' => true}[$facts['os']['family']]", "($1 == true)",
        ("RedHat", "Debian", "Suse"), ("RedHat",),
    ),
    Input(
        "app::m", "Boolean", "Boolean $m", "$m", "$1", (True, False), (True,),
        data="app::m: false\n",
    ),
    Input(
        "lookup::app::flag", "Boolean", "", "lookup('app::flag', Boolean, 'first', false)", "$1",
        (True, False), (True,),
    ),
)  # fmt: skip
