"""Searches for findings that occur only with some facts or parameters, each with its condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from analyzer.codec import Codec
from analyzer.compiles.own_code import has_choice
from analyzer.diagnostics import CompileError, Finding, InputError
from analyzer.frontends.puppet.syntax.cache import key_of
from analyzer.linter.packing import OF_FINDINGS
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.rule import Rule
from analyzer.linter.run import Found, notes_about
from analyzer.linter.suppress import Ledger
from analyzer.linter.texts import Names
from analyzer.model.completeness import Gap
from analyzer.reading import CLOCK
from analyzer.session.keeping import depends_on_more, not_searched
from analyzer.session.lint.compiles import Compiles
from analyzer.session.lint.kept import KeptEntries
from analyzer.session.lint.own_code import own_definitions_in
from analyzer.session.lint.parts import programs_in
from analyzer.session.lint.request import Request
from analyzer.session.worlds.gaps import WorkLeft
from analyzer.session.worlds.partly import Arms, partly_taken, settings_of
from analyzer.session.worlds.turns import OwnClasses, SearchKey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.session.worlds.bounded import Bounded
    from analyzer.session.worlds.joint import OpenSearch, SearchesElsewhere
    from analyzer.session.worlds.searching import GraphOf
    from analyzer.session.worlds.turns import Turn

# The rules that can have findings in worlds.
CYCLE = "CG301"
CODES = frozenset({"CG200", "CG201", "CG202", CYCLE})

# The findings of a program, counts of the remaining work, and the arms that were taken.
Row = tuple[list[Finding], WorkLeft, Arms]

ROWS = Codec(WorkLeft, Gap, *OF_FINDINGS)


@dataclass
class LintWorlds:
    """The findings of other worlds of all programs of a lint.

    `kept` are the results of earlier checks, None to use none.
    """

    request: Request
    compiles: Compiles
    codes: Sequence[str]
    kept: KeptEntries | None
    # The searches that this process takes part in as another one.
    elsewhere: SearchesElsewhere | None = None
    # The programs with nodes or classes that were not searched.
    short: set[Program] = field(default_factory=set)

    @cached_property
    def programs(self) -> dict[Program, str]:
        """Return the programs whose worlds are wanted, with the paths that the user named."""
        if self.request.worlds <= 1 or CODES.isdisjoint(self.codes):
            return {}
        found = {one.program: one.path for one in programs_in(self.compiles)}
        unreached = self.compiles.unreached
        return found | {more: found[one] for one in found for more in unreached.get(one, ())}

    @cached_property
    def rows(self) -> list[tuple[list[Finding], WorkLeft, bool]]:
        """Return the results of each program, and whether it has the classes that no node has.

        Unreadable ones are reported elsewhere.
        """
        rows: list[tuple[list[Finding], WorkLeft, bool]] = []
        arms: dict[Program, Arms] = {}
        for program, (findings, left, arms[program]) in self.search(self.own):
            self.short.update([program] if left.unsearched else [])
            rows.append((findings, left, self.is_unreached(program)))
        for _, (findings, left, _) in self.search(self.partly(arms)):
            # What else it needs, the nodes that have it may give it.
            rows.append(([one for one in findings if one.code == CYCLE], left, True))
        return rows

    def partly(self, arms: Mapping[Program, Arms]) -> Iterator[Program]:
        """Yield programs of the classes of a site of which the searches took only some arms."""
        unreached = self.compiles.unreached
        for site in arms:
            if site.part.without_node or site.part.module is not None or has_choice(site.settings):
                continue
            others = unreached.get(site, ())
            done = {name for one in others for name in one.settings.classes}
            searched = {one: arms[one] for one in (site, *others) if one in arms}
            around = site.parent or site
            own = partial(own_definitions_in, path=around.path, settings=around.settings)
            whole = self.short.isdisjoint(searched)
            names = partly_taken([*searched.values()], own, done, is_whole=whole)
            if names:
                part = site.part.with_settings(settings_of(site.settings, names))
                yield site.program_of(part)

    @staticmethod
    def is_unreached(program: Program) -> bool:
        """Return whether a program has classes that no node has."""
        return program.part.without_node

    @cached_property
    def own(self) -> dict[Program, int]:
        """Return the programs whose worlds are searched, with their numbers."""
        programs = enumerate(self.programs)
        return {one: at for at, one in programs if not depends_on_more(one.settings)}

    def answer(self, turn: Turn) -> Any:
        """Return the results of a turn of the search of a program, for another process."""
        if self.elsewhere is None:
            from analyzer.session.worlds.joint import SearchesElsewhere

            self.elsewhere = SearchesElsewhere(self.made)
        return self.elsewhere.answer(turn)

    def made(self, key: SearchKey) -> Bounded:
        """Return a search that this process takes part in.

        Raises:
            InputError: something cannot be read.
            CompileError: a manifest is not a Puppet program.
        """
        from analyzer.session.worlds.bounded import Bounded

        program = next(one for one, at in self.own.items() if at == key.number)
        path, settings, graph, worlds, parts = self.asked(program)
        if key.alone is not None:
            path, settings = key.alone.path, key.alone.settings(settings)
        named = key.alone is None or not key.alone.classes
        return Bounded(path, settings, graph, worlds, parts, named=named)

    def key_of(self, program: Program) -> SearchKey:
        """Return the search of a program as other processes know it."""
        site = program.parent or program
        alone = None if site is program else OwnClasses.of(program.path, program.settings)
        return SearchKey(self.programs.get(site, site.path), self.own.get(site, 0), alone)

    def search(self, programs: Iterable[Program]) -> Iterator[tuple[Program, Row]]:
        """Yield the results of those programs that can be read; store new ones."""
        from analyzer.session.worlds.joint import search_together
        from analyzer.session.worlds.turns import nobody
        from analyzer.worlds.conditional import findings_of

        rows: dict[Program, Row | None] = {}
        searches: dict[Program, tuple[str | None, OpenSearch]] = {}
        for program in programs:
            key = self.stored_key(program)
            rows[program] = self.stored_row(key)
            with suppress(InputError, CompileError):
                if rows[program] is None:
                    searches[program] = key, self.opened(program)
        progress = next((one.settings.progress for one in searches), None)
        opened = [one for _, one in searches.values()]
        search_together(opened, self.request.workers or nobody(), progress)
        for program, (key, search) in searches.items():
            if (found := search.found) is not None:
                row = findings_of(found.nodes, program.path), found.left, found.arms
                rows[program] = row
                lasts = CLOCK not in search.read and not (found.left.late or found.left.failures)
                if self.kept is not None and key is not None and lasts:
                    self.kept.store.put(key, (dict(search.read), row), ROWS)
        yield from ((program, row) for program, row in rows.items() if row is not None)

    def stored_key(self, program: Program) -> str | None:
        """Return the key of the results of a program, None if they are not stored."""
        key = None if self.kept is None else self.kept.key_of_program(program)
        words = "worlds", str(self.request.worlds), str(self.parts(program))
        return None if key is None else key_of(key, *words)

    def stored_row(self, key: str | None) -> Row | None:
        """Return the results of an earlier search, None if there are none or they are not valid."""
        if self.kept is None or key is None:
            return None
        entry = self.kept.store.get(key, ROWS)
        if not (isinstance(entry, tuple) and self.kept.holds(entry[0])):
            return None
        findings, left, arms = entry[1]
        return findings, left, arms

    def opened(self, program: Program) -> OpenSearch:
        """Return the search of one of several programs; use and store results of single searches.

        Raises:
            InputError: something cannot be read.
            CompileError: a manifest is not a Puppet program.
        """
        from analyzer.session.worlds.bounded import Bounded
        from analyzer.session.worlds.joint import OpenSearch
        from analyzer.session.worlds.stored import StoredSearches

        named, entry, kept = not program.part.without_node, None, self.kept
        path, settings, graph, worlds, parts = self.asked(program)
        if kept is not None and kept.key_of_program(program) is not None:
            module = program.part.module
            around = kept.of_site(program) + (repr(module) if module else "")
            stored = StoredSearches(kept.store, kept, lambda path, settings: around)
            entry = stored.entry(path, settings, (worlds, parts), named=named)
        make = partial(Bounded, path, settings, graph, worlds, parts, named=named)
        return OpenSearch(self.key_of(program), lambda one: make(kept=one), entry)

    def asked(self, program: Program) -> tuple[str, Settings, GraphOf, int, int]:
        """Return the arguments of a search of the worlds of one of several programs."""
        from analyzer.session.inputs import graph_of

        rules_for = self.request.rules_for
        settings = replace(program.settings, lenient=False)
        return (
            program.path,
            settings,
            lambda catalog: graph_of(catalog, rules_for(catalog)),
            self.request.worlds,
            self.parts(program),
        )

    def parts(self, program: Program) -> int:
        """Return the parts of the budget, of which a program has one."""
        from analyzer.session.worlds.budget import OF_MODULE, parts_for

        if program.part.module is not None:
            parts = parts_for(program.path, self.programs[program])
            return parts if program.parent is None else OF_MODULE * parts
        sites = sum(not one.part.without_node for one in self.own)
        return max(1, sites) * (OF_MODULE if program.part.without_node else 1)

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The gaps that the searches left."""
        if not self.programs:
            return ()
        from analyzer.session.worlds.gaps import gaps_of

        left = [left for _, left, _ in self.rows]
        once = not_searched(one.settings for one in self.programs)
        return (*gaps_of(left, self.request.worlds), *once)

    def found(
        self, rules: Sequence[Rule], found: Sequence[Found], names: Names, ledger: Ledger
    ) -> Iterator[Found]:
        """Yield the findings that no catalog has which is compiled anyway."""
        if not any(row[0] for row in self.rows):
            return
        from analyzer.worlds.conditional import new_in

        known = [one.finding for one in found]
        by_code = {rule.code: rule for rule in rules}
        of_nodes = [names.renamed(one) for row in self.rows if not row[2] for one in row[0]]
        alone = [names.renamed(one) for row in self.rows if row[2] for one in row[0]]
        # What a node has is no finding of the class by itself.
        for one in (*new_in(of_nodes, known), *new_in(alone, [*known, *of_nodes])):
            if one.code in by_code:
                noted = replace(one, notes=(*one.notes, *notes_about(one)))
                for finding in self.request.choice.reported([noted]):
                    if not ledger.accepts(finding):
                        yield Found(finding, by_code[one.code])
