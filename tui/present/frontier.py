"""The resources that are ready, then those that wait, with their dependencies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.apply.timeline import Timeline
from tui.present.computed import ComputedSequence
from tui.present.fit import shorten, width
from tui.present.glyphs import LOOKS
from tui.present.pieces import Line, Piece, printable, ref_pieces, widest
from tui.present.waiting import waits_for
from tui.project.neighbours import Surroundings


class Frontier(ComputedSequence[Line]):
    """Ready resources in the order of their turns, then those that wait, in catalog order.

    `own` and `done` are bits of resources by place in the queue; `keep` filters by vertex. The
    resources that Puppet adds to every catalog are shown if no others are left.
    """

    def __init__(
        self,
        timeline: Timeline,
        around: Surroundings,
        own: int,
        done: int,
        mark: Callable[[int], Piece],
        keep: Callable[[int], bool] | None = None,
        room: Callable[[], int] = lambda: 0,
    ) -> None:
        self.timeline = timeline
        self.around = around
        self.room = room
        self.mark = mark
        graph = timeline.graph
        ready = timeline.state.ready & own
        waiting = own & ~done & ~ready
        if not ready and not waiting:
            ready = timeline.state.ready
        self.sprouts: Sequence[int] = timeline.state.sprouts
        self.ready: Sequence[int] = Bits(ready)
        self.waiting: Sequence[int] = Bits(waiting)
        self.counts = (len(self.sprouts) + len(self.ready), len(self.waiting))
        if keep is not None:
            self.sprouts = [node for node in self.sprouts if keep(node)]
            self.ready = [p for p in self.ready if keep(graph.queue[p])]
            self.waiting = [p for p in self.waiting if keep(graph.queue[p])]

    def __len__(self) -> int:
        return len(self.sprouts) + len(self.ready) + len(self.waiting)

    def node(self, index: int) -> int:
        """Return the resource of a line; those that were just generated come first."""
        if index < len(self.sprouts):
            return self.sprouts[index]
        index -= len(self.sprouts)
        ready = len(self.ready)
        place = self.ready[index] if index < ready else self.waiting[index - ready]
        return self.timeline.graph.queue[place]

    def index(self, node: int, start: int = 0, stop: int | None = None) -> int:
        """Return the line of a resource, -1 if it has none."""
        if node >= self.timeline.graph.base:
            return list(self.sprouts).index(node) if node in self.sprouts else -1
        place = self.timeline.graph.place[node]
        first = len(self.sprouts)
        for offset, places in ((first, self.ready), (first + len(self.ready), self.waiting)):
            if place in places:
                return offset + places.index(place)
        return -1

    def item(self, index: int) -> Line:
        """Return the line at an index."""
        node = self.node(index)
        timeline = self.timeline
        name = ref_pieces(printable(timeline.graph.names[node]))
        mark = self.mark(node)
        if index >= len(self.sprouts) + len(self.ready):
            look = LOOKS["put_off" if node in timeline.state.put_off else "waiting"]
            head = mark, Piece(f"{look.glyph} ", look.style)
            return (*head, *self.with_reason(node, widest([head])))
        look = LOOKS["next" if node == timeline.next else "ready"]
        waiting = timeline.state.waiting[node]
        refreshes = f"  {LOOKS['restarted'].glyph}{waiting.count}" if waiting else ""
        return (
            mark,
            Piece(f"{look.glyph} ", look.style),
            *name,
            Piece(refreshes, "refreshed"),
        )

    def with_reason(self, node: int, used: int) -> Line:
        """Return a resource and its dependency; both are shortened if there is little room."""
        name = printable(self.timeline.graph.names[node])
        if self.timeline.error:
            return ref_pieces(name)
        first, ref, last = waits_for(self.timeline, self.around, node)
        room = self.room() - used - len(GAP) - len(first) - len(last)
        if 0 < room < width(name) + width(ref):
            # The shorter of the two may be whole; the longer one gets the remaining room.
            half = room // 2
            own = max(half, room - width(ref)) if ref else room
            name, ref = shorten(name, own), shorten(ref, max(half, room - width(name)))
        return (*ref_pieces(name), Piece(f"{GAP}{first}{ref}{last}", "dim"))


# Between a resource and its dependency.
GAP = "  "


class Bits(ComputedSequence[int]):
    """The places of set bits, the lowest first."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._count = bits.bit_count()
        self._text = bin(bits)[:1:-1]
        self._found: list[int] = []
        self._at = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, place: object) -> bool:
        return isinstance(place, int) and bool(self._bits >> place & 1)

    def index(self, place: int, start: int = 0, stop: int | None = None) -> int:
        """Return the index of a place, which is known to be set."""
        return (self._bits & ((1 << place) - 1)).bit_count()

    def item(self, index: int) -> int:
        """Return the place at an index."""
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError(index)
        while len(self._found) <= index:
            place = self._text.index("1", self._at)
            self._found.append(place)
            self._at = place + 1
        return self._found[index]
