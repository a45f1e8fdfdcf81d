"""Random programs for several nodes, dense in what decides the collecting of exported resources."""

from __future__ import annotations

from random import Random

TITLES = ("a", "b", "c", "web:1", "B")
PATHS = ("/a", "/b", "/c/", "/d")
TAGS = ("'red'", "'Blue'", "['red', 'green']", "'x::y'")
VALUES = ("'1'", "1", "'One'", "['1', 'two']", "true", "1.5", "{ 'k' => 'v' }", "undef")
HEAD = """\
define box($p = undef, $q = 'q') {
  notify { "box ${title}": message => "${p}" }
  @@note { "inner ${title}": p => $p }
}
define note($p = undef, $q = 'q', $deep = undef) { notify { "note ${title}": message => "${p}" } }
define deep { Box <<| tag == 'red' or tag == 'blue' |>> { tag => 'deep' } }
class shared { @@notify { 'of a class': tag => 'red' } @@note { 'shared': } }
class reader($what = 'red') { Notify <<| tag == $what |>> Note { q => 'default' } Note <<| |>> }
"""


class Maker:
    """Makes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = 0

    def program(self) -> str:
        """Return the text of a program."""
        names = ["n1", "n2", "n3"][: self.random.choice((2, 2, 3))]
        return HEAD + "\n".join(self.node(name) for name in names)

    def node(self, name: str) -> str:
        """Return the block of a node."""
        makers = (
            (self.exported, 5),
            (self.collector, 4),
            (self.local, 2),
            (self.arrow, 1),
            (self.other, 1),
        )
        kinds = self.random.choices(
            [maker for maker, _ in makers], [weight for _, weight in makers], k=self.length()
        )
        lines = [f"  {maker(name)}" for maker in kinds]
        return "\n".join([f"node {name} {{", *lines, "}"])

    def length(self) -> int:
        """Return how many statements a node has."""
        return self.random.randint(2, 7)

    def pick(self, *choices: str) -> str:
        """Return one of several texts."""
        return self.random.choice(choices)

    def title(self, node: str) -> str:
        """Return a title; most are of one node only."""
        title = self.pick(*TITLES)
        return title if self.random.random() < 0.15 else f"{title} {node} {self.next()}"

    def next(self) -> int:
        """Return a number that was not there yet."""
        self.count += 1
        return self.count

    def exported(self, node: str) -> str:
        """Return an exported resource, seldom another one."""
        sign = self.pick("@@", "@@", "@@", "@@", "@", "")
        kind = self.pick("notify", "note", "note", "box", "file")
        if kind == "file":
            path = self.pick(*PATHS)
            title = path if self.random.random() < 0.2 else f"/{node}{self.next()}{path}"
            # PuppetDB's terminus does not find again what has a slash at its end and another path.
            names = ("mode", "owner") if title[-1] == "/" else ("mode", "owner", "path")
            return f"{sign}file {{ '{title}': {self.attributes(names)} }}"
        attributes = {"notify": ("message",), "note": ("p", "q", "deep"), "box": ("p", "q")}[kind]
        return f"{sign}{kind} {{ '{self.title(node)}': {self.attributes(attributes)} }}"

    def attributes(self, names: tuple[str, ...]) -> str:
        """Return attributes of a resource."""
        found = [
            f"{name} => '/other/{self.next()}'" if name == "path" else f"{name} => {self.value()}"
            for name in names
            if self.random.random() < (0.2 if name == "path" else 0.6)
        ]
        if self.random.random() < 0.4:
            found.append(f"tag => {self.pick(*TAGS)}")
        if self.random.random() < 0.15:
            found.append(f"noop => {self.pick('true', 'false')}")
        if self.random.random() < 0.15:
            word = self.pick("require", "before", "notify", "subscribe")
            found.append(
                f"{word} => {self.pick('Class[settings]', '[Stage[main], Class[settings]]')}"
            )
        if self.random.random() < 0.1:
            found.append(f"alias => 'alias {self.next()}'")
        return ", ".join(found)

    def value(self) -> str:
        """Return a value of an attribute."""
        return "Sensitive('s')" if self.random.random() < 0.1 else self.pick(*VALUES)

    def collector(self, node: str) -> str:
        """Return a collector, most of exported resources."""
        kind = self.pick("Notify", "Note", "Note", "Box", "File")
        query = self.query(kind, 2) if self.random.random() < 0.6 else ""
        first, last = ("<<|", "|>>") if self.random.random() < 0.85 else ("<|", "|>")
        text = f"{kind} {first} {query} {last}"
        if self.random.random() < 0.2:
            name = {"Notify": "message", "File": "owner"}.get(kind, "p")
            sign = self.pick("=>", "=>", "+>")
            given = self.pick("tag => ['new', 'red']", f"noop {sign} true", f"{name} {sign} ['1']")
            text += f" {{ {given} }}"
        return text

    def query(self, kind: str, depth: int) -> str:
        """Return a query."""
        if depth and self.random.random() < 0.4:
            word = self.pick("and", "or")
            parts = self.query(kind, depth - 1), self.query(kind, depth - 1)
            text = f"{parts[0]} {word} {parts[1]}"
            return f"({text})" if self.random.random() < 0.5 else text
        sign = self.pick("==", "==", "!=")
        name = self.pick("title", "tag", "noop", "alias", "require", self.attribute(kind))
        values = {
            "title": ("'a'", "'B'", "'of a class'", "'inner a'", "'/a'"),
            "tag": ("'red'", "'BLUE'", "'n1'", "'shared'", "'note'"),
            "noop": ("true", "false"),
            "alias": ("'/c'", "'alias 1'"),
            "require": ("Class['settings']", "'Class[Settings]'"),
        }.get(name, ("'1'", "1", "'one'", "true", "'two'", "1.5", "undef"))
        return f"{name} {sign} {self.pick(*values)}"

    def attribute(self, kind: str) -> str:
        """Return the name of an attribute of a type."""
        return {"Notify": "message", "File": self.pick("mode", "path")}.get(kind, "p")

    def local(self, node: str) -> str:
        """Return a resource of the node's own, or a default."""
        if self.random.random() < 0.3:
            return f"{self.pick('Note', 'Box')} {{ {self.pick('q', 'p', 'tag')} => 'here' }}"
        kind = self.pick("notify", "note")
        return f"{kind} {{ '{self.title(node)}': {self.attributes(())} }}"

    def arrow(self, node: str) -> str:
        """Return an arrow with a collector."""
        first = f"notify {{ 'first {self.next()}': }}"
        sign = self.pick("->", "~>", "<-")
        collector = f"{self.pick('Note', 'File')} <<| {self.pick('', self.query('Note', 0))} |>>"
        return self.pick(f"{first} {sign} {collector}", f"{collector} {sign} {first}")

    def other(self, node: str) -> str:
        """Return a statement about classes or single resources."""
        return self.pick(
            "include shared",
            "include reader",
            "class { 'reader': what => 'x' }",
            f"deep {{ 'd {self.next()}': }}",
            f"$var{self.next()} = 'red'\n  Notify <<| tag == $var{self.count} |>>",
            f"create_resources('@@note', {{ '{self.title(node)}' => {{ p => 1 }} }})",
            "include shared\n  realize(Note['shared'])",
            f"include shared\n  notify {{ 'after {self.next()}': require => Note['shared'] }}",
        )
