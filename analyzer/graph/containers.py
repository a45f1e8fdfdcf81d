"""Containment: the nearest container of each resource, and the class it is declared in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.graph.kernel import Kernel


def nearest_containers(kernel: Kernel) -> dict[int, int]:
    """Return the nearest container of each resource that has one, by ids.

    A class can be in several: the last one to include it counts, a stage only if it is alone. The
    path upwards always ends: of classes that contain each other (`contain` allows that, and Puppet
    compiles it), one counts as outside of the others.
    """
    holder: dict[int, int] = {}
    for x, contents in kernel.contents.items():
        stage = kernel.resources[x].type == "Stage"
        for v in contents:
            if not stage or v not in holder:
                holder[v] = x
    cut_circles(kernel, holder)
    return holder


def cut_circles(kernel: Kernel, holder: dict[int, int]) -> None:
    """Remove one resource from each circle, and move it to a container that is not inside it."""
    clear: set[int] = set()
    all_holders: dict[int, list[int]] = {}
    for v in list(holder):
        way: set[int] = set()
        up: int | None = v
        while up is not None and up not in clear and up not in way:
            way.add(up)
            up = holder.get(up)
        clear |= way
        if up is None or up not in way:
            continue
        if not all_holders:
            for x, contents in kernel.contents.items():
                for inner in contents:
                    all_holders.setdefault(inner, []).append(x)
        del holder[up]
        outside = (x for x in all_holders[up] if not is_inside(x, up, holder))
        found = next(outside, None)
        if found is not None:
            holder[up] = found


def is_inside(resource: int, container: int, holder: dict[int, int]) -> bool:
    """Return whether a resource is a certain container, or in it."""
    seen: set[int] = set()
    up: int | None = resource
    while up is not None and up not in seen:
        if up == container:
            return True
        seen.add(up)
        up = holder.get(up)
    return False


def class_of(kernel: Kernel, holder: dict[int, int], i: int) -> int | None:
    """Return the class whose body has a resource, perhaps through defines; for a class, itself."""
    up: int | None = i
    while up is not None and kernel.resources[up].type != "Class":
        up = holder.get(up)
    return up


def first_containers(kernel: Kernel) -> dict[int, int]:
    """Return the first container of each resource, in the catalog's order of edges."""
    lookup = kernel.lookup
    found: dict[int, int] = {}
    for source, target in kernel.catalog.containment:
        s = lookup.by_ref.get(source)
        t = lookup.by_ref.get(target)
        if s is None or t is None:
            s, t = lookup.find_declared(source), lookup.find_declared(target)
        if s is not None and t is not None:
            found.setdefault(t, s)
    return found
