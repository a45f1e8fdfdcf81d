"""Random manifests, deterministic by theme and seed, dense in what decides Puppet's graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from .makers import MAKERS, Item, Pool, array, quote


@dataclass(frozen=True, slots=True)
class Theme:
    """How often each thing occurs; shares are probabilities, `kinds` are weights of types."""

    kinds: dict[str, int]
    size: tuple[int, int] = (3, 12)
    blocks: tuple[int, int] = (0, 2)
    contain: float = 0.4
    defines: float = 0.3
    stages: float = 0.0
    aliases: float = 0.15
    arrows: float = 0.3
    collectors: float = 0.1
    virtual: float = 0.05
    density: float = 0.8
    backwards: float = 0.25


_ACCOUNTS = {"file": 6, "user": 3, "group": 3}
_ANY = {
    "file": 6, "user": 2, "group": 2, "exec": 3, "package": 2,
    "service": 2, "notify": 3, "cron": 1, "mount": 1, "host": 1,
}  # fmt: skip
_PLAIN = {"notify": 6, "file": 2, "exec": 1, "service": 1}

THEMES: dict[str, Theme] = {
    "files": Theme(_ACCOUNTS, size=(4, 16), blocks=(0, 0), density=0.35, backwards=0.6),
    "execs": Theme({"exec": 5, "file": 4, "user": 2}, blocks=(0, 1), density=0.3),
    "packages": Theme({"package": 4, "file": 4, "service": 3}, blocks=(0, 1), density=0.5),
    "mounts": Theme(
        {"mount": 4, "file": 6}, size=(4, 14), blocks=(0, 0), density=0.35, backwards=0.6
    ),
    "crons": Theme({"cron": 4, "ssh_authorized_key": 2, "user": 4, "group": 1}, density=0.4),
    "metaparameters": Theme({"notify": 1}, size=(3, 10), blocks=(0, 0), density=1.4, arrows=0.0),
    "arrows": Theme(_PLAIN, size=(4, 12), density=1.2, arrows=1.0, collectors=0.5),
    "classes": Theme(_PLAIN, blocks=(2, 6), defines=0.0, contain=0.6, density=0.7),
    "defines": Theme(_PLAIN, blocks=(2, 5), defines=1.0, density=0.7),
    "stages": Theme(_PLAIN, blocks=(2, 6), defines=0.1, stages=0.7, density=0.5),
    "aliases": Theme(_ANY, aliases=0.7, density=1.0, virtual=0.0),
    "virtual": Theme(_ANY, virtual=0.5, collectors=0.4, arrows=0.5),
    "mixed": Theme(_ANY, size=(12, 30), blocks=(1, 6), stages=0.1, density=0.6),
}


@dataclass(slots=True)
class Block:
    """A class or define, or the top of the program; it holds resources and declares blocks."""

    kind: str
    name: str
    items: list[Item] = field(default_factory=list)
    inner: list[Block] = field(default_factory=list)
    how: str = "include"
    params: list[tuple[str, str]] = field(default_factory=list)
    position: int = 0

    def ref(self) -> str:
        """A reference to the container, as written in a manifest."""
        title = f"{self.name}_1" if self.kind == "define" else self.name
        return (self.name.capitalize() if self.kind == "define" else "Class") + f"[{quote(title)}]"


@dataclass(frozen=True, slots=True)
class End:
    """One end of a relationship: the references that mean it, in dependency order `position`."""

    position: int
    refs: tuple[str, ...]
    params: list[tuple[str, str]] | None


def manifest(theme: str, seed: int) -> str:
    """The program text for a theme of `THEMES` and a seed."""
    return _Program(THEMES[theme], Random(f"{theme}/{seed}")).text()


class _Program:
    """One random program; the steps share the random numbers, so their order matters."""

    def __init__(self, theme: Theme, rng: Random) -> None:
        self.theme = theme
        self.rng = rng
        self.pool = Pool(rng, theme.aliases)
        self.tail: list[str] = []
        self.stages: list[str] = []
        self.top = Block("main", "main")
        self.blocks: list[Block] = []

    def text(self) -> str:
        """Build everything, then print it."""
        items = self._items()
        self._place(items)
        self._stage_classes()
        self._relate(self._ends(items))
        self._realise(items)
        lines = self._stage_lines()
        for block in self.blocks:
            lines += self._definition(block)
        lines += self._body(self.top, "")
        return "\n".join(lines + self.tail) + "\n"

    def _chance(self, share: float) -> bool:
        return self.rng.random() < share

    # ------------------------------------------------------------------- resources

    def _items(self) -> list[Item]:
        """Resources in an order that agrees with the automatic rules (accounts before files)."""
        size = self.rng.randint(*self.theme.size)
        kinds = self.rng.choices(list(self.theme.kinds), list(self.theme.kinds.values()), k=size)
        order = list(MAKERS)
        items = [MAKERS[kind](self.pool) for kind in sorted(kinds, key=order.index)]
        for number, item in enumerate(items):
            if self._chance(self.theme.aliases / 2):
                name = f"alias {number}" if self._chance(0.3) else f"alias{number}"
                both = array([quote(name), quote(name + "b")])
                item.params.append(("alias", both if self._chance(0.3) else quote(name)))
                item.names.append(name)
            item.virtual = self._chance(self.theme.virtual)
        return items

    def _place(self, items: list[Item]) -> None:
        """Cut the list into runs, one a container, so that containers can be ordered too."""
        count = self.rng.randint(*self.theme.blocks)
        cuts = sorted(self.rng.randint(0, len(items)) for _ in range(2 * count))
        self.top.items = list(items)
        for number in range(count):
            kind = "define" if self._chance(self.theme.defines) else "class"
            start, end = cuts[2 * number], cuts[2 * number + 1]
            block = Block(kind, f"{kind[0]}{number}", items[start:end], position=start)
            self.top.items = [i for i in self.top.items if all(i is not b for b in block.items)]
            block.how = "contain" if self._chance(self.theme.contain) else "include"
            parent = self.rng.choice([self.top, self.top, *self.blocks])
            parent.inner.append(block)
            if kind == "class" and self._chance(0.15):
                self.rng.choice([self.top, *self.blocks]).inner.append(block)
            self.blocks.append(block)
        for block in [self.top, *self.blocks]:
            self.rng.shuffle(block.items)
            self.rng.shuffle(block.inner)

    # ---------------------------------------------------------------------- stages

    def _stage_classes(self) -> None:
        if not self.theme.stages or not self._chance(min(1.0, self.theme.stages * 1.5)):
            return
        self.stages = ["pre", "post"][: self.rng.randint(1, 2)]
        for block in self.blocks:
            declared = sum(block in b.inner for b in [self.top, *self.blocks])
            if block.kind == "class" and declared == 1 and self._chance(self.theme.stages):
                block.params.append(("stage", quote(self.rng.choice(self.stages))))
                block.how = "class"

    def _stage_lines(self) -> list[str]:
        lines = []
        for stage in self.stages:
            early = stage == "pre"
            parameter = self.rng.choice(["before", "notify"] if early else ["require", "subscribe"])
            other = "Stage['main']"
            if self._chance(0.3):
                lines.append(f"stage {{ {quote(stage)}: }}")
                arrow = f"Stage['{stage}'] -> {other}" if early else f"{other} -> Stage['{stage}']"
                if self._chance(0.7):
                    self.tail.append(arrow)
            else:
                lines.append(f"stage {{ {quote(stage)}: {parameter} => {other} }}")
        return lines

    # --------------------------------------------------------------- relationships

    def _ends(self, items: list[Item]) -> list[End]:
        ends = []
        for position, item in enumerate(items):
            refs = tuple(item.ref(name) for name in [item.title, *item.names])
            ends.append(End(position, refs, item.params))
        for block in self.blocks:
            writable = block.kind == "define" or block.how == "class"
            ends.append(End(block.position, (block.ref(),), block.params if writable else None))
        return ends

    def _relate(self, ends: list[End]) -> None:
        backwards = 0.3 if self._chance(self.theme.backwards) else 0.0
        for _ in range(round(len(ends) * self.theme.density * self.rng.uniform(0.5, 1.5))):
            if len(ends) < 2:
                return
            first, second = sorted(self.rng.sample(ends, 2), key=lambda end: end.position)
            if self._chance(backwards):
                first, second = second, first
            if self._chance(self.theme.arrows):
                self._arrow(first, second, ends)
            else:
                self._parameter(first, second, ends)

    def _parameter(self, first: End, second: End, ends: list[End]) -> None:
        """`first` is to come before `second`; the parameter stands on whichever has parameters."""
        on_first = second.params is None or (first.params is not None and self._chance(0.5))
        params = first.params if on_first else second.params
        if params is None:
            self._arrow(first, second, ends)
            return
        names = ["before", "notify"] if on_first else ["require", "subscribe"]
        free = [name for name in names if name not in dict(params)]
        if not free:
            return
        name = self.rng.choice(free)
        values = [self._reference(second if on_first else first)]
        if self._chance(0.15):
            values.append(values[0] if self._chance(0.3) else quote(values[0].replace("'", "")))
        if self._chance(0.3):
            params.append((name, array(values)))
        elif len(values) == 1:
            params.append((name, values[0]))
        else:
            params.append((name, array([values[0], array(values[1:])])))

    def _arrow(self, first: End, second: End, ends: list[End]) -> None:
        left, right = self._operand(first), self._operand(second)
        event = "~" if self._chance(0.4) else "-"
        if self._chance(0.25):
            self.tail.append(f"{right} <{event} {left}")
            return
        later = [end for end in ends if end.position > second.position]
        chain = f"{left} {event}> {right}"
        if later and self._chance(0.3):
            chain += f" {self.rng.choice('-~')}> {self._operand(self.rng.choice(later))}"
        self.tail.append(chain)

    def _operand(self, end: End) -> str:
        reference = self._reference(end)
        kind, _, rest = reference.partition("[")
        if self._chance(self.theme.collectors) and kind not in ("Class", "Stage"):
            return f"{kind}<| title == {rest[:-1]} |>"
        if self._chance(self.theme.collectors * 0.2):
            return f"{reference} -> Notify<| title == 'nobody' |>"
        return array([reference, reference]) if self._chance(0.05) else reference

    def _reference(self, end: End) -> str:
        if len(end.refs) > 1 and self._chance(0.6):
            return self.rng.choice(end.refs[1:])
        return end.refs[0]

    def _realise(self, items: list[Item]) -> None:
        for item in items:
            if not item.virtual:
                continue
            kind = item.ref().partition("[")[0]
            ways = [f"realize({item.ref()})", f"{kind}<| title == {quote(item.title)} |>"]
            # One in twelve stays virtual: gone from the catalog, though others may name it.
            if self._chance(0.92):
                self.tail.append(self.rng.choice(ways))

    # -------------------------------------------------------------------- printing

    def _definition(self, block: Block) -> list[str]:
        keyword = "define" if block.kind == "define" else "class"
        return [f"{keyword} {block.name} {{", *self._body(block, "  "), "}"]

    def _body(self, block: Block, indent: str) -> list[str]:
        lines = [self._declaration(inner) for inner in block.inner]
        lines += [_resource(item) for item in block.items]
        if self._chance(0.5):
            self.rng.shuffle(lines)
        return [indent + line for line in lines]

    def _declaration(self, block: Block) -> str:
        if block.kind == "define":
            return _written(block.name, f"{block.name}_1", block.params)
        if block.how == "class" or block.params:
            return _written("class", block.name, block.params)
        return f"{block.how} {block.name}"


def _resource(item: Item) -> str:
    return ("@" if item.virtual else "") + _written(item.type, item.title, item.params)


def _written(kind: str, title: str, params: list[tuple[str, str]]) -> str:
    text = ", ".join(f"{name} => {value}" for name, value in params)
    return f"{kind} {{ {quote(title)}: {text} }}".replace(":  }", ": }")
