"""Random programs in which own resources and those of missing modules are related."""

from __future__ import annotations

from random import Random

CLASSES = ("absent", "absent::sub", "gone", "own", "own::inner", "other")
DEFINES = ("absent::thing", "gone::part", "boxed")
HEAD = """\
define boxed($p = undef, $q = 'q') { notify { "in ${title}": } }
class own($p = undef, $q = 'q') { notify { 'own': } contain own::inner }
class own::inner($p = undef, $q = 'q') { notify { 'inner': } }
"""
TITLES = ("a", "b", "c", "d")


class Maker:
    """Makes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.refs: list[str] = []
        self.late: list[str] = []

    def program(self) -> str:
        """Return the text of a program."""
        other = self.pick("", " inherits absent::params", " inherits own")
        body = "\n  ".join(self.inner() for _ in range(self.random.randint(1, 3)))
        head = f"{HEAD}class other($p = undef, $q = 'q'){other} {{\n  {body}\n}}\n"
        self.refs.clear()
        rows = [self.declared(title) for title in TITLES]
        rows += [self.included() for _ in range(self.random.randint(1, 3))]
        rows += [self.related() for _ in range(self.random.randint(1, 4))]
        self.random.shuffle(rows)
        return head + "\n".join([*rows, *self.late]) + "\n"

    def pick(self, *choices: str) -> str:
        """Return one of several texts."""
        return self.random.choice(choices)

    def inner(self) -> str:
        """Return a statement of the class `other`."""
        title = f"in other {self.random.randint(0, 9)}{self.random.randint(0, 9)}"
        word = self.pick("include", "contain", "require")
        return self.pick(
            f"{word} {self.pick('absent', 'absent::sub', 'gone', 'own::inner')}",
            f"absent::thing {{ '{title}': p => 1 }}",
            f"notify {{ '{title}': require => Class['absent::sub'] }} include absent::sub",
        )

    def declared(self, title: str) -> str:
        """Return a resource, real or virtual."""
        kind = self.pick("notify", "notify", *DEFINES)
        ref = "::".join(part.capitalize() for part in kind.split("::"))
        self.refs.append(f"{ref}['{title}']")
        mark = "@" if self.random.random() < 0.15 else ""
        if mark:
            self.late.append(
                self.pick(f"realize({ref}['{title}'])", f"{ref} <| title == '{title}' |>")
            )
        given = self.pick("", "", "tag => 'red'", "p => absent::value(1)", "p => [1, { 'a' => 2 }]")
        if given.startswith("p") and kind == "notify":
            given = "tag => 'red'"
        return f"{mark}{kind} {{ '{title}': {given} }}"

    def included(self) -> str:
        """Return a statement that brings a class in."""
        name = self.pick(*CLASSES)
        if f"Class['{name}']" in self.refs:
            return f"include {name}"
        self.refs.append(f"Class['{name}']")
        return f"{self.pick('include', 'include', 'contain', 'require')} {name}"

    def end(self) -> str:
        """Return an end of an arrow."""
        collector = self.pick("Absent::Thing", "Notify", "Gone::Part", "Boxed")
        query = self.pick("", "tag == 'red'", "title == 'a'", "title != 'b'")
        if self.random.random() < 0.2:
            return f"{collector} <| {query} |>"
        if self.random.random() < 0.15:
            return f"[{', '.join(self.random.sample(self.refs, 2))}]"
        return self.pick(*self.refs)

    def related(self) -> str:
        """Return a statement that relates resources."""
        if self.random.random() < 0.7:
            ends = [self.end() for _ in range(self.random.choice((2, 2, 3)))]
            return self.pick(" -> ", " ~> ", " <- ").join(ends)
        word = self.pick("before", "notify", "require", "subscribe")
        title = f"more {self.random.randint(0, 999)}"
        kind = self.pick("notify", *DEFINES)
        return f"{kind} {{ '{title}': {word} => {self.pick(*self.refs)} }}"
