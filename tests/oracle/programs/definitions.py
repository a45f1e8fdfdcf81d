"""Random programs: the definitions, blocks and variables around the resources."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .expressions import KINDS, Place
from .resources import ATTRIBUTES, Lines, Resources

# The last one of each is narrower than the values of its kind.
PARAMETER_TYPES = {
    "text": ("String", "Optional[String]", "Variant[String, Integer]", "Any", "String[1]"),
    "number": ("Integer", "Numeric", "Optional[Integer]", "Small"),
    "truth": ("Boolean", "Optional[Boolean]", "Data", "Boolean[true]"),
    "array": ("Array", "Collection", "Array[Any, 0]", "Array[String]"),
    "hash": ("Hash", "Hash[Scalar, Any]", "Hash[String, Any]"),
}


class Writer(Resources):
    """Writes one program."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.parents = {
            name: rng.choice(self.classes[:n])
            for n, name in enumerate(self.classes)
            if n and self.chance(0.3)
        }
        self.once = [name for name in self.once if name not in self.parents.values()]

    def lines(self) -> Lines:
        """Everything: functions, classes, defines, and the statements at the top in their midst."""
        parts = [self.function(f"f{n}") for n in range(self.rng.randint(0, 2))]
        parts.append(["type Small = Integer[0, 50]"])
        parts += [self.define(name, n) for n, name in enumerate(self.defines)]
        parts += [self.class_(name, n) for n, name in enumerate(self.classes)]
        top = Place("top", 0)
        parts += [self.class_resource(name, top) for name in self.once]
        parts += [self.statement(top) for _ in range(self.rng.randint(2, 9))]
        parts += self.nodes() if self.chance(0.15) else []
        for part in (self.stage_lines(), self.all_classes()):
            parts.insert(self.rng.randint(0, len(parts)), part)
        return [line for part in parts for line in part]

    # ------------------------------------------------------------------- definitions

    def body(self, place: Place, least: int = 1, most: int = 4) -> Lines:
        """Statements, indented."""
        statements = [self.statement(place) for _ in range(self.rng.randint(least, most))]
        return ["  " + line for lines in statements for line in lines]

    def parameter_list(self, name: str, place: Place) -> str:
        """The parameters of a class or define, which become variables of its body."""
        needed = 0.15 if name in self.defines or name in self.once or self.wild else 0
        found = []
        for number, kind in enumerate(self.parameters[name]):
            variable = f"$p{number}"
            types = PARAMETER_TYPES[kind][: None if self.mistake(0.3) else -1]
            type_ = self.rng.choice(types) + " " if self.chance(0.6) else ""
            value = f" = {self.of(kind, place, 1)}"
            if self.chance(needed):
                self.needed.add((name, number))
                value = ""
            found.append(f"{type_}{variable}{value}")
            place.variables.append((variable, kind))
        return f"({', '.join(found)})" if found else ""

    def class_(self, name: str, number: int) -> Lines:
        """A class; one that inherits overrides what its parent may have declared."""
        place = Place(name, number + 1, inside="class")
        parent = self.parents.get(name)
        if parent:
            kinds = enumerate(self.parameters[parent])
            place.variables.extend((f"${parent}::p{n}", kind) for n, kind in kinds)
        head = f"class {name}{self.parameter_list(name, place)}"
        inherits = f" inherits {parent}" if parent else ""
        body = self.body(place)
        if parent:
            body += ["  " + line for _ in range(2) for line in self.override(place, parent)]
        if self.chance(0.1):
            inner = place.as_(f"{name}::inner").inner()
            body += ["  class inner {", *self.body(inner, 1, 2), "  }"]
        return [f"{head}{inherits} {{", *body, "}"]

    def define(self, name: str, number: int) -> Lines:
        """A define, which may declare those after it."""
        place = Place(name, number + 1, prefix="${title}", inside="define")
        place.variables.append(("$title", "text"))
        head = f"define {name}{self.parameter_list(name, place)}"
        return [f"{head} {{", *self.body(place), "}"]

    def function(self, name: str) -> Lines:
        """A function in the Puppet language."""
        kind = self.rng.choice(KINDS)
        place = Place(name, 9, variables=[("$n", "number")])
        type_ = self.rng.choice(["", "Numeric ", "Integer "])
        body = [self.assign(place)] if self.chance(0.5) else []
        if self.chance(0.12):
            body.append(self.resource(place.inner("${n}")))
        if self.chance(0.3):
            early = f"return({self.of(kind, place)})"
            body.append([f"if {self.of('truth', place)} {{ {early} }}"])
        body.append([self.of(kind, place)])
        types = PARAMETER_TYPES[kind][: None if self.mistake(0.3) else -1]
        returns = f" >> {self.rng.choice(types)}" if self.chance(0.3) else ""
        self.functions.append((name, kind))
        inside = ["  " + line for lines in body for line in lines]
        return [f"function {name}({type_}$n, $more = 2){returns} {{", *inside, "}"]

    def nodes(self) -> list[Lines]:
        """Node blocks; nearly always there is one for the node."""
        names = self.rng.sample(["'node.example.com'", "/^(n)(o)?/", "default"], 2)
        names = ["other", "'other2'"] if self.mistake(0.1) else names
        return [[f"node {n} {{", *self.body(Place("node", 0, prefix=str(k))), "}"]
                for k, n in enumerate(names)]  # fmt: skip

    def stage_lines(self) -> Lines:
        """Stages, in order with the main one."""
        sides = {"early": "before", "late": "require"}
        return [f"stage {{ '{name}': {sides[name]} => Stage['main'] }}" for name in self.stages]

    def all_classes(self) -> Lines:
        """The classes are declared, so that references to what they hold are good."""
        names = [name for name in self.classes if name not in self.once and not self.mistake(0.2)]
        return [f"include {name}" for name in names]

    # -------------------------------------------------------------------- statements

    def statement(self, place: Place) -> Lines:
        """One statement of those that may stand here."""
        weights = [w if place.depth < 3 or w > 4 else 0 for w, _ in STATEMENTS]
        [(_, make)] = self.rng.choices(STATEMENTS, weights)
        return make(self, place)

    def block(self, head: str, place: Place) -> Lines:
        """Statements in braces."""
        return [f"{head} {{", *self.body(place, 1, 2), "}"]

    def condition(self, place: Place) -> Lines:
        """`if`, `unless` or `case` around statements."""
        roll = self.rng.random()
        inner = place.inner()
        if roll < 0.3:
            values = [self.literal("text", place), self.pattern(), "/^(\\w)/", "default"]
            options = [line for value in values for line in self.block(f"{value}:", inner)]
            head = f"case {self.of('text', place)} {{"
            return [head, *("  " + line for line in options), "}"]
        word = "unless" if roll < 0.45 else "if"
        lines = self.block(f"{word} {self.of('truth', place)}", inner)
        return [*lines, *self.block("else", inner)] if self.chance(0.4) else lines

    def pattern(self) -> str:
        """An option that matches, or may not."""
        return self.rng.choice(
            ["/(e)(b)?/", "/(\\w)$/, /(two) (words)/", "*[/(x)(.)/, /(a)/]", "'a'"]
        )

    def match(self, place: Place) -> Lines:
        """A match that is seen until the block around it ends."""
        self.count += 1
        place.variables.append((f"$v{self.count}", "truth"))
        found = self.of("text", place)
        return [f"$v{self.count} = {found} =~ {self.rng.choice(['/(.)(.)/', '/b|(e)/'])}"]

    def iteration(self, place: Place) -> Lines:
        """A lambda that declares."""
        self.count += 1
        name = f"$i{self.count}"
        kind, form = self.rng.choice(ITERATIONS)
        inner = place.inner("${" + name[1:] + "}-")
        inner.variables.append((name, "text" if kind != "number" else kind))
        return self.block(form.format(self.of(kind, place, 1), name), inner)

    def assign(self, place: Place) -> Lines:
        """A variable; some code below sees it."""
        self.count += not self.mistake(0.03)
        kind = self.rng.choice(KINDS)
        name = f"$v{self.count}"
        value = self.of(kind, place)
        place.variables.append((name, kind))
        return [f"{name} = {value}"]

    def of_resource(self, place: Place) -> Lines:
        """A variable with an attribute of a resource, or whether it is there."""
        own = [ref for ref, (kind, _) in self.refs.items() if kind == place.kind]
        ref = self.rng.choice(own) if own and not self.mistake(0.1) else self.ref(place)
        kind = ref.partition("[")[0].lower()
        self.count += 1
        name = f"$v{self.count}"
        if ref in own and kind in ATTRIBUTES:
            attribute = self.rng.choice(list(ATTRIBUTES[kind]))
            return [f"{name} = {ref}['{attribute}']", f'notice("${{{name[1:]}}}")']
        place.variables.append((name, "truth"))
        return [f"{name} = defined({ref})"]

    def word(self, place: Place) -> Lines:
        """Statements that are one call."""
        calls = ["tag('t1')", "tag('t5', 'c::d')", "tag(['t6'])"]
        if self.mistake(0.1):
            calls = [f"fail({self.of('text', place)})", "return()"]
        return [self.rng.choice(calls)]


# The kind of a subject, and the call with its lambda's parameter.
ITERATIONS = (
    ("array", "{}.unique.each |{}|"),
    ("array", "{}.unique.map |{}|"),
    ("array", "{}.unique.each |$n, {}|"),
    ("array", "{}.unique.filter |{}|"),
    ("hash", "{}.each |{}, $v|"),
    ("number", "Integer[1, 2].each |{1}|"),
    ("text", "with({}) |{}|"),
)

Make = Callable[[Writer, Place], Lines]

# Those with a weight of at most four do not stand deep inside others.
STATEMENTS: tuple[tuple[int, Make], ...] = (
    (22, Writer.resource),
    (8, Writer.instance),
    (8, Writer.declare_class),
    (5, Writer.defaults),
    (4, Writer.override),
    (6, Writer.collect),
    (8, Writer.arrow),
    (3, Writer.realize),
    (5, Writer.created),
    (4, Writer.condition),
    (4, Writer.iteration),
    (6, Writer.assign),
    (3, Writer.of_resource),
    (2, Writer.match),
    (2, Writer.word),
)
