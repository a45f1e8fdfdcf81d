"""What is in what: the nearest container of each resource, and the class it is declared in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.graph.kernel import Kernel


def nearest_containers(kernel: Kernel) -> dict[int, int]:
    """Return the nearest container of each resource that has one, by ids.

    A class can be in several: the last one to include it counts, a stage only if it is alone.
    """
    holder: dict[int, int] = {}
    for x, contents in kernel.contents.items():
        stage = kernel.resources[x].type == "Stage"
        for v in contents:
            if not stage or v not in holder:
                holder[v] = x
    return holder


def class_of(kernel: Kernel, holder: dict[int, int], i: int) -> int | None:
    """Return the class in whose body a resource is, over defines; a class is in none but itself."""
    seen: set[int] = set()
    up: int | None = i
    while up is not None and kernel.resources[up].type != "Class":
        if up in seen:
            return None
        seen.add(up)
        up = holder.get(up)
    return up
