"""Random statements that declare, change, collect and relate resources."""

from __future__ import annotations

from random import Random

from .expressions import KINDS, Expressions, Place

Lines = list[str]

# Types with the attributes that a program gives, and the kind of their values.
ATTRIBUTES: dict[str, dict[str, str]] = {
    "notify": {"message": "any", "withpath": "truth"},
    "file": {"ensure": "ensure", "mode": "mode", "owner": "text", "content": "text"},
    "user": {"uid": "number", "groups": "array", "home": "path", "comment": "text"},
    "package": {"ensure": "text", "source": "path"},
    "service": {"ensure": "truth", "enable": "truth"},
    "exec": {"command": "path", "refreshonly": "truth", "path": "array"},
}
TYPES = tuple(ATTRIBUTES)
METAPARAMETERS = {"tag": "tag", "noop": "truth", "loglevel": "level", "alias": "alias"}
RELATIONSHIPS = ("before", "notify", "require", "subscribe")

# What is written for an attribute, by the kind of its value.
VALUES = {
    "mode": ("'0644'", "'0600'", "'a+x'"),
    "ensure": ("file", "directory", "absent", "'present'"),
    "path": ("'/bin/true'", "'/tmp/x'", "'/usr/bin/env'"),
    "tag": ("'t1'", "['t1', 't2']", "'T3::x'", "['t4', ['t1']]", "undef", "'a b'"),
    "level": ("debug", "warning", "'notice'"),
}


class Resources(Expressions):
    """Writes resources. `refs` are those declared under a title known as it is written, with the
    body they stand in and the attributes they were given."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.count = 0
        self.refs: dict[str, tuple[str, set[str]]] = {}
        self.defaults_of: set[tuple[str, str]] = set()
        self.classes = [f"c{n}" for n in range(rng.randint(0, 4))]
        self.defines = [f"d{n}" for n in range(rng.randint(0, 3))]
        self.parameters = {
            name: rng.choices(KINDS, k=rng.randint(0, 3)) for name in (*self.classes, *self.defines)
        }
        # Those parameters that have no default value, by class and number.
        self.needed: set[tuple[str, int]] = set()
        # Classes that are declared as resources, once.
        self.once = [name for name in self.classes if self.chance(0.3)]
        self.stages = ["early", "late"][: rng.choice([0, 0, 0, 1, 2])]

    # ----------------------------------------------------------------- names, values

    def fresh(self, kind: str, place: Place) -> str:
        """A title as it is written; now and then one that is taken."""
        self.count += not self.mistake(0.02)
        word = f"{self.rng.choice('abc')}{self.count}"
        root = "/" if kind == "file" else ""
        return f'"{root}{word}-{place.prefix}"' if place.prefix else f"'{root}{word}'"

    def remember(self, kind: str, title: str, place: Place, given: list[str]) -> None:
        """Let others refer to a resource that is declared here for sure."""
        sure = not place.prefix and not place.depth and place.kind != "node"
        if sure or self.mistake(0.3):
            names = {one.partition(" ")[0] for one in given}
            self.refs[f"{kind.capitalize()}[{title}]"] = (place.kind, names)

    def ref(self, place: Place) -> str:
        """A reference, nearly always to something that is declared."""
        if self.mistake(0.04):
            return self.rng.choice(["Notify['none']", "File['/none']", "Class['none']"])
        if self.classes and (self.chance(0.15) or not self.refs):
            return f"Class['{self.rng.choice(self.classes)}']"
        return self.rng.choice(list(self.refs) or ["Stage['main']"])

    def tags(self) -> str:
        """A value for `tag`; not every text is a tag."""
        return self.rng.choice(VALUES["tag"][: None if self.mistake(0.5) else -1])

    def value(self, kind: str, place: Place) -> str:
        """A value for an attribute."""
        if kind == "any":
            return self.any(place)
        if kind == "tag":
            return self.tags()
        if kind == "alias":
            self.count += 1
            return f'"al{self.count}-{place.prefix}"'
        return self.rng.choice(VALUES[kind]) if kind in VALUES else self.of(kind, place)

    def attributes(self, kind: str, place: Place, sign: str = "=>") -> list[str]:
        """Attributes of a type, written."""
        known = ATTRIBUTES[kind]
        names = self.rng.sample(list(known), self.rng.randint(0, min(2, len(known))))
        found = [f"{name} {sign} {self.value(known[name], place)}" for name in names]
        for name, its in METAPARAMETERS.items():
            if self.chance(0.06) and (name != "alias" or place.kind not in ("defaults", "titles")):
                found.append(f"{name} {sign} {self.value(its, place)}")
        for name in RELATIONSHIPS:
            if self.chance(0.05):
                found.append(f"{name} {sign} {self.relatives(place)}")
        self.rng.shuffle(found)
        rest = [name for name in known if name not in names]
        if rest and self.chance(0.05):
            name = self.rng.choice(rest)
            found.append(f"* => {{ '{name}' => {self.value(known[name], place)} }}")
        return found

    def relatives(self, place: Place) -> str:
        """A value for a relationship parameter."""
        first, second = self.ref(place), self.ref(place)
        return self.rng.choice([first, first, f"[{first}, {second}]", f"[[{first}]]", "[]"])

    def given(self, name: str, place: Place) -> list[str]:
        """Arguments for the parameters of a class or define, and metaparameters."""
        found = [
            f"p{number} => {self.of(kind, place)}"
            for number, kind in enumerate(self.parameters[name])
            if ((name, number) in self.needed and not self.mistake(0.1)) or self.chance(0.5)
        ]
        if self.chance(0.2):
            found.append(f"tag => {self.tags()}")
        if self.chance(0.1):
            found.append(f"noop => {self.of('truth', place)}")
        if self.chance(0.2):
            found.append(f"{self.rng.choice(RELATIONSHIPS)} => {self.relatives(place)}")
        return found

    # ------------------------------------------------------------------- declarations

    def resource(self, place: Place) -> Lines:
        """A resource expression, of one body or several."""
        kind = self.rng.choice(TYPES)
        many = self.chance(0.15)
        form = self.rng.choice(["", "", "", "", "", "", "@", "@@"])
        written = f"Resource['{kind}']" if not form and self.chance(0.04) else kind
        lines = [f"{form}{written} {{"]
        if many and self.chance(0.5):
            lines.append(f"  default: {self.listed(self.attributes(kind, place.as_('defaults')))}")
        for _ in range(2 if many else 1):
            lines.append("  " + self.resource_body(kind, place, form))
        return [*lines, "}"]

    def resource_body(self, kind: str, place: Place, form: str) -> str:
        """Titles and attributes."""
        titles = [self.fresh(kind, place) for _ in range(self.rng.choice([1, 1, 1, 1, 1, 2]))]
        given = self.attributes(kind, place.as_("titles") if len(titles) > 1 else place)
        if not form or self.mistake(0.5):
            for title in titles:
                self.remember(kind, title, place, given)
        written = titles[0] if len(titles) == 1 else f"[{', '.join(titles)}]"
        return f"{written}: {self.listed(given)}"

    def listed(self, given: list[str]) -> str:
        """Attributes between the colon and the end of a body."""
        return ", ".join(given) + ";"

    def instance(self, place: Place) -> Lines:
        """An instance of a define."""
        names = self.defines[place.level if place.inside == "define" else 0 :]
        if not names:
            return self.resource(place)
        name = self.rng.choice(names)
        form = self.rng.choice(["", "", "", "", "@", "@@"])
        given = self.given(name, place)
        titles = [self.fresh(name, place) for _ in range(self.rng.choice([1, 1, 1, 2]))]
        if not form or self.mistake(0.5):
            for title in titles:
                self.remember(name, title, place, given)
        written = titles[0] if len(titles) == 1 else f"[{', '.join(titles)}]"
        return [f"{form}{name} {{ {written}: {self.listed(given)} }}"]

    def declare_class(self, place: Place) -> Lines:
        """A class, by a function."""
        names = self.classes[place.level if place.inside == "class" else 0 :]
        if not self.mistake(0.3):
            names = [name for name in names if name not in self.once]
        if not names:
            return self.resource(place)
        name = self.rng.choice(names)
        function = self.rng.choice(["include", "include", "contain", "require"])
        if self.chance(0.15):
            return [f"{function}({name}, '{self.rng.choice(names)}')"]
        written = self.rng.choice([name, f"'::{name}'", f"Class['{name}']"])
        return [f"{function} {written}"]

    def class_resource(self, name: str, place: Place) -> Lines:
        """A class as a resource."""
        given = self.given(name, place)
        if self.stages and self.chance(0.6):
            given.append(f"stage => {self.rng.choice(self.stages)}")
        forms = ["class", "class", "Class", "Resource['class']", "Resource['Class']"]
        form = "@Resource['class']" if self.mistake(0.1) else self.rng.choice(forms)
        return [f"{form} {{ '{name}': {self.listed(given)} }}"]

    def created(self, place: Place) -> Lines:
        """Resources made by functions."""
        kind = self.rng.choice(TYPES)
        title, given = self.fresh(kind, place), ", ".join(self.attributes(kind, place))
        given = given.replace("* =>", "tag =>") if "* =>" in given else given
        form = self.rng.choice(["", "", "@"])
        calls = [
            f"create_resources('{form}{kind}', {{ {title} => {{ {given} }} }})",
            f"create_resources({kind}, {{ {title} => {{ }} }}, {{ {given} }})",
            f"ensure_resource('{kind}', {title}, {{ {given} }})",
            f"ensure_resource('{kind}', [{title}, {self.fresh(kind, place)}])",
            f"ensure_resources('{kind}', {{ {title} => {{ {given} }} }})",
            f"ensure_packages([{self.fresh('package', place)}])",
        ]
        return [self.rng.choice(calls)]

    # ----------------------------------------------------------------- what changes them

    def defaults(self, place: Place) -> Lines:
        """Defaults of a type for what is declared from here on, and below."""
        kind = self.rng.choice(TYPES)
        if (place.kind, kind) in self.defaults_of and not self.mistake(0.2):
            return self.resource(place)
        if self.mistake(0.05):
            return [f"Resource['{kind}'] {{ noop => true }}"]
        self.defaults_of.add((place.kind, kind))
        given = ", ".join(self.attributes(kind, place.as_("defaults")))
        return [f"{kind.capitalize()} {{ {given} }}"]

    def override(self, place: Place, of: str = "") -> Lines:
        """Attributes of something declared in the same body, or in a class that is inherited."""
        own = [ref for ref, (kind, _) in self.refs.items() if kind == (of or place.kind)]
        ref = self.rng.choice(own) if own and not self.mistake(0.1) else self.ref(place)
        kind = ref.partition("[")[0].lower()
        if kind not in ATTRIBUTES:
            return self.resource(place)
        taken = set() if of or self.mistake(0.1) or ref not in self.refs else self.refs[ref][1]
        given = self.attributes(kind, place.as_("titles"), self.rng.choice(["=>", "=>", "+>"]))
        given = [one for one in given if one.partition(" ")[0] not in taken]
        return [f"{ref} {{ {', '.join(given)} }}"]

    def collector(self, place: Place) -> str:
        """A collector without overrides."""
        kind = self.rng.choice([*TYPES, *self.defines])
        signs = ("<<|", "|>>") if self.chance(0.08) else ("<|", "|>")
        query = self.query() if self.chance(0.8) else ""
        return f"{kind.capitalize()} {signs[0]} {query} {signs[1]}"

    def query(self, depth: int = 1) -> str:
        """What a collector asks."""
        if depth and self.chance(0.3):
            first, second = self.query(0), self.query(0)
            return f"{first} {self.rng.choice(['and', 'or'])} ({second})"
        title = self.rng.choice(list(self.refs) or ["X['x']"]).partition("[")[2][:-1]
        tests = [
            f"title == {title}",
            f"title != {title}",
            f"tag == '{self.rng.choice(['t1', 't2', 'c0', 'd0', 'file'])}'",
            "mode == '0644'",
            f"noop {self.rng.choice(['==', '!='])} true",
        ]
        return self.rng.choice(tests)

    def collect(self, place: Place) -> Lines:
        """A collector as a statement; some override what they find."""
        found = self.collector(place)
        kind = found.partition(" ")[0].lower()
        if kind in ATTRIBUTES and "<<" not in found and self.chance(0.5):
            sign = self.rng.choice(["=>", "=>", "+>"])
            given = self.attributes(kind, place.as_("titles"), sign)
            return [f"{found} {{ {', '.join(given)} }}"]
        return [found]

    def realize(self, place: Place) -> Lines:
        """`realize`."""
        refs = [self.ref(place) for _ in range(self.rng.randint(1, 2))]
        return [f"realize({', '.join(refs)})"]

    # -------------------------------------------------------------------- relationships

    def operand(self, place: Place) -> str:
        """What may stand at an end of an arrow."""
        ref = self.ref(place)
        roll = self.rng.random()
        if roll < 0.6:
            return ref
        if roll < 0.75:
            return f"[{ref}, {self.ref(place)}]"
        if roll < 0.9:
            return self.collector(place)
        return self.rng.choice(["'" + ref.replace("'", "") + "'", "[]"])

    def arrow(self, place: Place) -> Lines:
        """A chain."""
        signs = self.rng.choices(["->", "~>", "<-", "<~"], [5, 3, 1, 1], k=self.rng.randint(1, 2))
        operands = [self.operand(place) for _ in range(len(signs) + 1)]
        if self.chance(0.15):
            operands[0] = " ".join(self.resource(place))
        if self.chance(0.1) and self.classes:
            operands[-1] = f"Class['{self.rng.choice(self.classes)}']"
        rest = zip(signs, operands[1:], strict=True)
        return [operands[0] + "".join(f" {sign} {operand}" for sign, operand in rest)]
