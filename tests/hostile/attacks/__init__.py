"""Programs that are small and ask for much: each with the files of an environment."""

from __future__ import annotations

from tests.hostile.attacks import data, names, regexes, steps, types, values, worlds

ALL = {
    "values": values.ATTACKS,
    "steps": steps.ATTACKS,
    "regexes": regexes.ATTACKS,
    "types": types.ATTACKS,
    "data": data.ATTACKS,
    "worlds": worlds.ATTACKS,
    "names": names.ATTACKS,
}
