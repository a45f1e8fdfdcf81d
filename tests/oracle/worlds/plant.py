"""Writes modules and sites in which a finding holds under a known condition."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from .atoms import HIERA, OTHERS, PARAMETERS, SYSTEM, Atom, ValueOf, is_true

KINDS = ("cycle", "duplicate declaration", "missing target")
FIRST, SECOND = "planted one", "planted two"
HEAD = """class app (
  Boolean $purge = false,
  Boolean $enabled = true,
  Enum['hour', 'day', 'week'] $every = 'day',
  Integer[1, 1000] $size = 128,
  Optional[String] $owner = undef,
  Array[String] $users = [],
) {
"""
DATA = {
    "hiera.yaml": (
        "version: 5\ndefaults:\n  datadir: data\n  data_hash: yaml_data\nhierarchy:\n"
        "  - name: group\n    path: 'group/%{facts.group}.yaml'\n"
        "  - name: env\n    path: 'env/%{trusted.extensions.pp_env}.yaml'\n"
        "  - name: common\n    path: common.yaml\n"
    ),
    "data/common.yaml": "app::purge: false\n",
    "data/group/blue.yaml": "app::purge: true\n",
    "data/group/green.yaml": "app::every: week\n",
    "data/env/prod.yaml": "app::size: 512\n",
}
BOOLEAN = re.compile(r"^\s*Boolean\s+\$(\w+)\s*=\s*(true|false)\s*,", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Planted:
    """A planted finding: where to explore, the class that has it, and its condition."""

    number: int
    kind: str
    path: Path
    modules: Path
    name: str
    atoms: tuple[Atom, ...]
    is_site: bool
    shape: str

    def holds(self, value_of: ValueOf) -> bool:
        """Return whether the condition holds."""
        return all(atom.holds(value_of) for atom in self.atoms)


def plant(number: int, folder: Path, packaged: Sequence[tuple[str, Path]]) -> Planted:
    """Write one case into a folder: in a module of its own, a site, or a copy of a packaged one."""
    random = Random(number)
    kind = KINDS[number % 3]
    where = ("module", "site", "packaged")[number // 3 % 3] if packaged else "module"
    name, source = random.choice(packaged) if where == "packaged" else ("app", Path())
    text = source.read_text() if where == "packaged" else HEAD
    atoms = chosen_atoms(random, where, name, text)
    shape = random.choice(("nested", "and", "case", "split"))
    body = body_of(kind, atoms, shape)
    modules = folder / "modules"
    path = modules / name.partition("::")[0]
    if where == "packaged":
        root = next(p for p in source.parents if (p / "manifests").is_dir())
        shutil.copytree(root, path)
        inside = path / source.relative_to(root)
        inside.write_text(text.rstrip().removesuffix("}") + body + "}\n")
    else:
        (path / "manifests").mkdir(parents=True)
        (path / "manifests" / "init.pp").write_text(HEAD + body + "}\n")
    if where == "site":
        path = folder
        (folder / "manifests").mkdir()
        (folder / "manifests" / "site.pp").write_text("node default {\n  include app\n}\n")
        (folder / "environment.conf").write_text("modulepath = modules\n")
        for file, content in DATA.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(content)
    return Planted(number, kind, path, modules, name, atoms, where == "site", f"{where} {shape}")


def chosen_atoms(random: Random, where: str, name: str, text: str) -> tuple[Atom, ...]:
    """Return one to four tests of different inputs, at most one of the system."""
    pool = list(OTHERS)
    pool += {"module": PARAMETERS, "site": HIERA}.get(where) or list(own_parameters(name, text))
    random.shuffle(pool)
    count = random.randint(1, 4)
    atoms = [random.choice(SYSTEM)] if random.random() < 0.6 else []
    for atom in pool:
        if len(atoms) < count and not any(atom.inputs & other.inputs for other in atoms):
            atoms.append(atom)
    random.shuffle(atoms)
    return tuple(atoms)


def own_parameters(name: str, text: str) -> Iterator[Atom]:
    """Yield tests of the Boolean parameters that a packaged class has, of those it asks last."""
    for parameter, default in BOOLEAN.findall(text)[-2:]:
        own = f"{name}::{parameter}"
        wanted = default == "false"
        code = f"${parameter}" if wanted else f"!${parameter}"

        def holds(value_of: ValueOf, own: str = own, wanted: bool = wanted) -> bool:
            return is_true(value_of(own)) == wanted

        yield Atom(code, {own: (True, False)}, holds, "module")


def body_of(kind: str, atoms: Sequence[Atom], shape: str) -> str:
    """Return statements that have a finding exactly if all tests hold."""
    setup = "".join(f"  {atom.setup}\n" for atom in atoms if atom.setup)
    one, two = f"Notify['{FIRST}']", f"Notify['{SECOND}']"
    halves = {
        "cycle": (f"{one} -> {two}", f"{two} -> {one}"),
        "duplicate declaration": (f"notify {{ '{FIRST}': }}", f"notify {{ '{FIRST}': }}"),
        "missing target": (f"{one} -> {two}", ""),
    }[kind]
    base = "" if kind == "duplicate declaration" else f"  notify {{ '{FIRST}': }}\n"
    base += f"  notify {{ '{SECOND}': }}\n" if kind == "cycle" else ""
    if kind == "missing target":
        present = f"notify {{ '{SECOND}': }}"
        if shape == "split" and len(atoms) > 1:
            base += guarded(atoms[1:], "nested", halves[0])
            return setup + base + guarded(atoms[:1], "else", present)
        return setup + base + f"  {halves[0]}\n" + guarded(atoms, "else", present)
    if shape == "split" and len(atoms) > 1:
        return setup + base + guarded(atoms[:1], "nested", halves[0]) + guarded(
            atoms[1:], "and", halves[1]
        )  # fmt: skip
    return setup + base + f"  {halves[0]}\n" + guarded(atoms, shape, halves[1])


def guarded(atoms: Sequence[Atom], shape: str, statement: str) -> str:
    """Return a statement that is evaluated if all tests hold; for `else`, if one does not."""
    codes = [atom.code for atom in atoms]
    joined = " and ".join(codes)
    if shape == "else":
        return f"  if {joined} {{ }} else {{ {statement} }}\n"
    if shape == "case":
        rest = f"if {' and '.join(codes[1:])} {{ {statement} }}" if codes[1:] else statement
        return f"  case !(!({codes[0]})) {{ true: {{ {rest} }} default: {{ }} }}\n"
    if shape == "nested":
        return (
            "  "
            + " ".join(f"if {c} {{" for c in codes)
            + f" {statement} "
            + "}" * len(codes)
            + "\n"
        )
    return f"  if {joined} {{ {statement} }}\n"
