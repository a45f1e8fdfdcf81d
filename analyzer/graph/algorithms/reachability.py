"""Many queries of reachability between two nodes, by the intervals of two searches."""

from __future__ import annotations

from analyzer.graph.algorithms.reduction import Condensation


class Interval:
    """The ranks of one search, in which a node comes after everything that it reaches.

    Nodes that `v` reaches have ranks from `low[v]` to `rank[v]`; from `entered[v]` on, all are
    reached.
    """

    __slots__ = ("entered", "low", "rank")

    def __init__(self, succ: list[list[int]], roots: list[int], *, turned: bool) -> None:
        size = len(succ)
        self.rank = rank = [-1] * size
        self.low = low = [0] * size
        self.entered = entered = [-1] * size
        count = 0
        for root in reversed(roots) if turned else roots:
            stack = [root]
            while stack:
                v = stack[-1]
                if entered[v] < 0:
                    entered[v] = count
                    ahead = [t for t in succ[v] if entered[t] < 0]
                    stack += reversed(ahead) if turned else ahead
                    continue
                stack.pop()
                if rank[v] < 0:
                    rank[v] = count
                    low[v] = min((low[t] for t in succ[v]), default=count)
                    low[v] = min(low[v], entered[v])
                    count += 1


class Reachability:
    """Answers whether there is a walk of at least one edge from one node to another.

    Memory and preparation are linear. The intervals answer nearly every query; otherwise they limit
    the search to nodes that may lead there.
    """

    def __init__(self, succ: list[list[int]]) -> None:
        self._condensed = condensed = Condensation(succ)
        self._cyclic = {condensed.rep[c[0]] for c in condensed.cyclic}
        roots = condensed.order[::-1]
        self._first = Interval(condensed.succ, roots, turned=False)
        self._second = Interval(condensed.succ, roots, turned=True)
        self._pred: list[list[int]] = [[] for _ in succ]
        for v, targets in enumerate(condensed.succ):
            for n in targets:
                self._pred[n].append(v)

    def reaches(self, source: int, target: int) -> bool:
        """Return whether there is a path from source to target."""
        rep = self._condensed.rep
        s, t = rep[source], rep[target]
        if s == t:
            return s in self._cyclic
        if not self._may_reach(s, t) or self._surely_reaches(s, t):
            return self._may_reach(s, t)
        return self._search(s, t)

    def _search(self, s: int, t: int) -> bool:
        """Search from both ends, always from the node with fewer neighbours."""
        succ, pred = self._condensed.succ, self._pred
        ahead, back = [s], [t]
        before, after = {s}, {t}
        while ahead and back:
            if len(succ[ahead[-1]]) <= len(pred[back[-1]]):
                for n in succ[ahead.pop()]:
                    if n in after or (n not in before and self._surely_reaches(n, t)):
                        return True
                    if n not in before and self._may_reach(n, t):
                        before.add(n)
                        ahead.append(n)
            else:
                for n in pred[back.pop()]:
                    if n in before or (n not in after and self._surely_reaches(s, n)):
                        return True
                    if n not in after and self._may_reach(s, n):
                        after.add(n)
                        back.append(n)
        return False

    def _may_reach(self, v: int, t: int) -> bool:
        one, two, place = self._first, self._second, self._condensed.place
        return (
            place[v] >= place[t]
            and one.low[v] <= one.rank[t] <= one.rank[v]
            and two.low[v] <= two.rank[t] <= two.rank[v]
        )

    def _surely_reaches(self, v: int, t: int) -> bool:
        one, two = self._first, self._second
        return (
            one.entered[v] <= one.rank[t] <= one.rank[v]
            or two.entered[v] <= two.rank[t] <= two.rank[v]
        )
