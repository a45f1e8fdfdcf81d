"""Does `fleet diff` attribute differences to the changed lines behind them, and to no others?

As `tests.repos.attribute`, for all nodes of a repository at once: a difference must be gone, or be
another one, on every node of its entry once the edits that the entry names are undone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from typing import Any

from tests.repos.attribute import FACTS, Session, words
from tests.repos.edits import Edit

# The differences of each node, in words.
Texts = dict[str, set[str]]


def entries_in(text: str) -> list[dict[str, Any]] | None:
    """Return the entries of a report in JSON, None if there is no report."""
    try:
        rows = json.loads(text)
    except ValueError:
        return None
    return [one for one in rows["causes"] if one["code"] == "diff"]


def texts_of(entries: list[dict[str, Any]]) -> Texts:
    """Return the differences of each node."""
    found: Texts = {}
    for one in entries:
        for node in one["nodes"]:
            found.setdefault(node, set()).update(row["text"] for row in one["statements"])
    return found


class FleetSession(Session):
    """One repository with some edits, of which the fleet of its nodes is asked."""

    def diff(self, edits: Collection[Edit], *more: str) -> tuple[str, float]:
        """Return the report about the copy with some of the edits, and its seconds."""
        self.write(edits)
        given = ("--format", "json", "--no-store", "--workers", "1", *FACTS, *self.which, *more)
        out, err, seconds, _ = self.run(self.place, str(self.place / "cache"),
                                        "fleet", "diff", "old", "new", *given)  # fmt: skip
        if "internal error" in err:
            print("  internal error:", err.strip()[-300:])
        return out, seconds

    def check(self, seen: Counter[str]) -> None:
        """Count the differences that are attributed, and those that are not, or wrongly."""
        out, slow = self.diff(self.edits)
        entries = entries_in(out)
        if not entries:
            seen["sessions without a difference"] += 1
            return
        seen["seconds with causes"] += round(slow * 10)
        seen["nodes"] += json.loads(out)["nodes"]
        texts, gone = texts_of(entries), dict[Edit, Texts | None]()
        for one in self.edits:
            gone[one] = self.texts_without([one])
            seen[f"edits: {one.kind}"] += 1
            seen["edits with an effect"] += gone[one] not in (None, texts)
        for entry in entries:
            named = {e for line in entry["lines"] for e in self.edits_on(line["place"])}
            for row in entry["statements"]:
                self.judge_text(row["text"], entry["nodes"], named, gone, seen)

    def texts_without(self, edits: Collection[Edit]) -> Texts | None:
        """Return the differences with some edits undone; None if there is no report."""
        rest = [one for one in self.edits if one not in edits]
        entries = entries_in(self.diff(rest, "--no-causes")[0])
        return None if entries is None else texts_of(entries)

    def edits_on(self, place: str) -> list[Edit]:
        """Return the edits that a place of a report is of: on either side."""
        file, _, numbers = place.rpartition(":")
        first, _, last = numbers.partition("-")
        line = {"file": file, "line": int(first), "last": int(last or first)}
        sides = [{"old": None, "new": {**line, "file": f"new/{file}"}}]
        # A line that is gone is named with its number before.
        sides.append({"old": {**line, "file": f"old/{file}"}, "new": None})
        found = [[one for one in self.edits if self.is_at(one, side)] for side in sides]
        return found[0] or found[1]

    def judge_text(
        self,
        text: str,
        nodes: list[str],
        named: set[Edit],
        gone: dict[Edit, Texts | None],
        seen: Counter[str],
    ) -> None:
        """Count one difference."""

        def is_gone(found: Texts | None) -> bool:
            return found is not None and all(text not in found.get(one, ()) for one in nodes)

        seen["differences"] += 1
        true = [one for one, found in gone.items() if is_gone(found)]
        if not named:
            seen["not attributed"] += 1
            what = "undoing " + ", ".join(map(words, true)) if true else "no edit alone"
            print("  not attributed:", text, what, "would do;", ", ".join(map(words, self.edits)))
        elif named & set(true) or is_gone(self.texts_without(named)):
            seen["right"] += 1
            seen["right, with others"] += not named <= set(true)
        else:
            seen["wrong"] += 1
            print("  wrong:", text, "named", ", ".join(map(words, named)),
                  "not", ", ".join(map(words, true)), "of", self.edits)  # fmt: skip
