"""The sections of a bundle as text, and the proposal to write them in normal order."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from analyzer.diagnostics import Edit
from analyzer.linter.policies import TOKENS
from analyzer.linter.promises import offset_of
from analyzer.linter.rule import Proposal

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.syntax.ast import Bundle
    from analyzer.linter.policies import PolicyRun

HEAD = re.compile(r"^[ \t]*(\w+):(?!:)[ \t]*(?=\n|$)", re.MULTILINE)
BLOCK = re.compile(r"^(?:bundle|body|promise)\b", re.MULTILINE)


@lru_cache(maxsize=16)
def blanked(text: str) -> str:
    """Return a policy with spaces instead of quoted strings and comments; offsets stay valid."""
    return TOKENS.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def in_normal_order(run: PolicyRun, bundle: Bundle) -> Proposal | None:
    """Return the proposal to write the sections of a bundle in the order of evaluation.

    Return None if a section is in several pieces, or does not begin on a separate line.
    """
    from analyzer.frontends.cfengine.policy.normal_order import in_order

    file = bundle.span.file
    text = run.text_of(file) or ""
    plain = blanked(text)
    start = plain.find("{", offset_of(text, bundle.span))
    following = BLOCK.search(plain, start)
    stop = plain.rfind("}", start, following.start() if following else len(plain))
    heads = list(HEAD.finditer(plain, start, stop))
    names = [head[1] for head in heads]
    kinds = [section.type for section in bundle.sections]
    if sorted(names) != sorted(kinds) or "@" in plain[start:stop] or stop < 0:
        return None
    ends = [above_comments(text, head.start()) for head in heads[1:]]
    starts = [above_comments(text, heads[0].start()), *ends]
    last = text.rfind("\n", 0, stop) + 1
    blocks = dict(zip(names, map(text.__getitem__, map(slice, starts, [*ends, last])), strict=True))
    order = in_order(bundle.type, names)
    order += [name for name in names if name not in order]
    moved = "".join(with_end(blocks[name]) for name in order)
    edit = Edit(file, starts[0], last, moved)
    return Proposal("write the promise types in the order of evaluation", (edit,))


def above_comments(text: str, start: int) -> int:
    """Return the start of the comment lines directly above a line, or of the line itself."""
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        if not text[above : start - 1].lstrip().startswith("#"):
            break
        start = above
    return start


def with_end(block: str) -> str:
    """Return a block that ends with a line end."""
    return block if block.endswith("\n") else f"{block}\n"
