"""How many uses in a repository have a definition: `python -m tests.lsp.definitions_of FOLDER`.

A use without one is counted as missed if a search of all texts, which knows no scopes, finds a
declaration of its name. `--read N` prints N uses at random with where they lead; `--missed` the
uses that were missed.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from analyzer.lsp.index.facts import IndexedUse
from analyzer.lsp.state.snapshot import Snapshot, is_of_puppet
from analyzer.lsp.state.workspace import Workspace
from analyzer.source import place_of

KINDS = ("class", "inherits", "type", "function", "variable", "resource", "attribute", "template",
         "epp", "file", "key")  # fmt: skip


def searched(snapshot: Snapshot) -> set[tuple[str, str]]:
    """Return the declarations that a search of the texts finds, by kind of use and name."""
    found: set[tuple[str, str]] = set()
    for path in snapshot.index.files:
        text = snapshot.text(path)
        if path.endswith(".pp"):
            code = re.sub(r"^\s*#.*", "", text, flags=re.MULTILINE)
            for match in re.finditer(r"^(class|define|function|type)\s+([\w:]+)", code, re.M):
                name = match[2].lower().removeprefix("::")
                found |= {("inherits" if match[1] == "class" else "type", name), (match[1], name)}
            variables = re.findall(r"\$(\w+)\s*(?:=[^=~>]|[,)]|\|)", code)
            found |= {("variable", f"{path} {name}") for name in variables}
            found |= {("type", f"{path} {name}") for name in variables}
        elif "/puppet/functions/" in path or "/parser/functions/" in path:
            place = path.partition("/functions/")[2].removesuffix(".rb")
            found.add(("function", place.replace("/", "::")))
        elif "/puppet/type/" in path:
            found.add(("type", Path(path).stem))
    return found


def is_missed(declared: set[tuple[str, str]], path: str, use: IndexedUse) -> bool:
    """Return whether a search finds what the server does not."""
    if use.kind == "variable" and "::" not in use.name:
        return ("variable", f"{path} {use.name}") in declared
    if use.kind == "function" and is_of_puppet(use.name):
        return False
    if use.kind == "variable":
        return ("class", use.name.rpartition("::")[0]) in declared
    return (use.kind, use.name) in declared


def uses_in(snapshot: Snapshot) -> Iterator[tuple[str, IndexedUse]]:
    """Yield the uses of all manifests and templates."""
    for path in snapshot.index.files:
        if path.endswith((".pp", ".epp")):
            yield from ((path, use) for use in snapshot.facts(path).uses)


def shown(snapshot: Snapshot, path: str, offset: int) -> str:
    """Return a place with its line."""
    text = snapshot.text(path)
    line = place_of(text, offset)[0]
    below = next((path.removeprefix(r) for r in snapshot.roots if path.startswith(r)), path)
    row = text.split("\n")[line - 1].strip() if text else ""
    return f"{below}:{line}  {row[:90]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--read", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", default=KINDS)
    parser.add_argument("--missed", action="store_true")
    given = parser.parse_args()
    files = Workspace([str(given.folder.resolve())])
    for _ in files.indexing():
        pass
    snapshot = files.snapshot
    declared = searched(snapshot)
    counts: Counter[tuple[str, str]] = Counter()
    hits, missed, times = [], [], []
    for path, use in uses_in(snapshot):
        begun = perf_counter()
        found = snapshot.meaning(path, use)
        times.append(perf_counter() - begun)
        word = "found" if found else "missed" if is_missed(declared, path, use) else "elsewhere"
        counts[use.kind, word] += 1
        if found and use.kind in given.kinds:
            hits.append((path, use, found))
        elif word == "missed" and use.kind in given.kinds:
            missed.append((path, use))
    for kind in KINDS:
        own = {word: counts[kind, word] for word in ("found", "missed", "elsewhere")}
        share = own["found"] / max(own["found"] + own["missed"], 1)
        print(f"{kind:10} {share:7.2%} " + " ".join(f"{w} {n:,}" for w, n in own.items()))
    print(f"p95 {1000 * sorted(times)[int(len(times) * 0.95)]:.2f} ms, "
          f"most {1000 * max(times):.1f} ms")  # fmt: skip
    choice = random.Random(given.seed)
    for path, use, found in choice.sample(hits, min(given.read, len(hits))):
        print(f"{use.kind} {use.name}: {shown(snapshot, path, use.start)}")
        for one in found[:3]:
            print(f"    -> {shown(snapshot, one.path, one.symbol.start)}")
    for path, use in missed if given.missed else ():
        print(f"missed {use.kind} {use.name}: {shown(snapshot, path, use.start)}")


if __name__ == "__main__":
    main()
