"""Asks Puppet: `python -m tests.frontends.puppet.opaque.record [live COUNT [SEED]]`.

Without arguments it writes `recorded.txt` anew; `live` compares random programs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.oracle.harness import ask

from .cases import PROGRAMS, RECORDED, REFUSED, STUBS, ours, programs, question, text_of, write
from .generate import Maker

# Programs that are kept, and where differing ones are shown from.
KEPT, SHOWN = 60, 3


def answers(codes: dict[str, str]) -> dict[str, str]:
    """Return Puppet's answers about programs."""
    with TemporaryDirectory() as folder:
        write(Path(folder), STUBS)
        asked = [question(name, code, Path(folder)) for name, code in codes.items()]
        return {answer["id"]: text_of(answer) for answer in ask(asked)}


def record() -> None:
    """Write the programs and what Puppet makes of them."""
    codes = {f"random {seed}": Maker(seed).program() for seed in range(KEPT)}
    if PROGRAMS.exists():
        codes = {**programs(), **codes}
    PROGRAMS.write_text("".join(f"=== {name}\n{code}" for name, code in codes.items()))
    rows = (f"=== {name}\n{text}" for name, text in answers(codes).items())
    RECORDED.write_text("".join(rows))


def live(count: int, seed: int) -> int:
    """Compare random programs; return how many differ."""
    codes = {str(number): Maker(number).program() for number in range(seed, seed + count)}
    refused = differ = 0
    for name, text in answers(codes).items():
        refused += text == REFUSED
        mine = ours(codes[name])
        if text not in (mine, REFUSED):
            differ += 1
            if differ <= SHOWN:
                print(f"=== {name}\n{codes[name]}--- Puppet\n{text}--- ours\n{mine}")
    print(f"{count} programs, {refused} refused by Puppet, {differ} differ")
    return differ


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["live"]:
        sys.exit(live(int(words[1]), int(words[2]) if len(words) > 2 else 0) > 0)
    record()
