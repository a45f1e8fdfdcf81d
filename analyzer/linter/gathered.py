"""Merges findings with one cause: a missing name, code for an old Puppet, or one statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from os.path import dirname

from analyzer.diagnostics import RANK, Finding
from analyzer.frontends.puppet.node.unloaded import archive_around
from analyzer.linter.harmless import (
    DEFINITION,
    EXAMPLE,
    MISPLACED,
    TEMPLATE,
    UNKNOWN_VARIABLE,
    UNLOADED,
    as_note,
    harmless,
    in_template,
    samples_among,
)
from analyzer.linter.old_code import (
    NODES,
    ORCHESTRATION,
    OUTSIDE_CLASSES,
    Texts,
    missing_name,
    old_form,
)
from analyzer.linter.run import Found, listed, notes_about
from analyzer.linter.unset_variables import UNSET, causes_of_variables, other_variables, variable_in
from analyzer.source import Span

REFUSED, NO_TARGET, CYCLE = "CG200", "CG201", "CG301"
NOT_CONTAINED = "CG108"

INIT = "init.pp"
# The target of a relationship that is a class, and exists in no world.
TARGET = re.compile(
    r"Could not find resource 'Class\[(?P<n>[\w:]+)\]'.*\(in every world that was tried\)\Z"
)
ABSENT = "none of them is in a module on the modulepath"

# The place of the first of two declarations.
FIRST = re.compile(r"is already declared at \(file: (?P<file>.*), line: \d+\)")

# A mistake that counts once even if it is repeated: definitions in a file that does not match their
# names, and parameters with a qualified name.
ONE_MISTAKE = (MISPLACED, "Illegal parameter name.")

# The folders before a module in a repository of several environments.
IN_COPY = re.compile(r".*/(?=\w+/manifests/)")

# A file whose nodes another file, or a part above it, has too.
REPEATED_NODE = re.compile(r"Node '.*' is already defined \(file: (?P<file>.*), line: \d+\)")

# Top-level defaults in several manifests that Puppet reads as one site.
REPEATED_DEFAULT = "Default already defined for "
# A default that applies to nothing: it is a habit to write it at the end.
DEFAULT_BELOW = "applies to nothing"
# A file of data stops all that looks a value up, a stage all classes that are assigned to it.
SAME_CAUSE = re.compile(
    rf"{REPEATED_DEFAULT}.*|Unable to parse \(.*|Could not find stage \S+"
    r"|Class\[[\w:]+\]: has no parameter named .*"
)
ONE_SITE = "Puppet reads all manifests of this folder as one; to check one of them, name it"

ARCHIVED = "the name of a folder says that it keeps old code: its findings are one note"


def gathered(
    found: Sequence[Found], texts: Texts, installed: Collection[str], inputs: Collection[str]
) -> list[Found]:
    """Return the findings, with those of one cause merged into the first one.

    `installed` are the names of the installed modules.
    """
    samples = samples_among(one.finding for one in found)
    archives = [archive_of(one.finding, inputs) for one in found]
    found = [
        as_note(one, ARCHIVED) if archive else harmless(one, texts, inputs, samples, installed)
        for one, archive in zip(found, archives, strict=True)
    ]
    definitions = (DEFINITION.match(one.finding.message) for one in found)
    misplaced = {one["n"].lower() for one in definitions if one}
    missing = {module_of(missing_name(one.finding)) for one in found}
    shared = causes_of_variables(one.finding for one in found)
    shared |= causes_of_pairs(one.finding for one in found)
    groups: dict[object, list[Found]] = {}
    known: dict[object, tuple[str, ...]] = {}
    for number, one in enumerate(found):
        key = shared.get(number) or cause(one.finding, texts, installed, misplaced)
        key = cause_of_target(one.finding, missing, installed) or key
        key = ("archive", archives[number]) if archives[number] else key
        if key[:1] in ((REFUSED,), ("old",), (MISPLACED,)) and one.finding.span is not None:
            # A parser that lost its way reports more than one error about a line.
            line = one.finding.span.file, one.finding.span.line
            first = known.get(line) or known.get(key, key)
            known[line] = known[key] = first
            key = first
        groups.setdefault(key or number, []).append(one)
    return [together(group, texts, installed) for group in groups.values()]


def cause(
    finding: Finding, texts: Texts, installed: Collection[str], misplaced: Collection[str]
) -> tuple[str, ...]:
    """Return the cause that a finding may share with others, or an empty tuple.

    Equal messages about one place differ only in other parts of a catalog. `misplaced` are the
    names of definitions in files where Puppet does not look for them.
    """
    if finding.span is None:
        return ()
    if finding.condition:
        return ()
    if finding.code == REFUSED:
        return *cause_of_error(finding, texts, installed, misplaced), finding.severity
    common = COMMON.get(finding.code, statement_and_message)
    # Environments of one repository have copies of the same module.
    span = replace(finding.span, file=IN_COPY.sub("", finding.span.file))
    return finding.code, common(finding, span)


def cause_of_target(
    finding: Finding, missing: set[str], installed: Collection[str]
) -> tuple[str, ...]:
    """Return the cause of a target that no world has, in a module that lacks other classes.

    It is empty for another finding.
    """
    target = TARGET.match(finding.message) if finding.code == NO_TARGET else None
    name = target["n"].lower() if target else ""
    return (*cause_of_name(name, installed), "error") if module_of(name) in missing - {""} else ()


def statement(finding: Finding, span: Span) -> str:
    """Return the statement: the messages about it depend on other parts of a catalog."""
    # An exported resource has only the line of its statement.
    return f"{finding.severity} {span.file}:{span.line}"


def statement_and_message(finding: Finding, span: Span) -> str:
    """Return the statement, and the words about it."""
    return f"{finding.severity} {span} {finding.message}"


def message(finding: Finding, span: Span) -> str:
    """Return the words, which name a resource or a habit of the repository."""
    return finding.message


def first_file(finding: Finding, span: Span) -> str:
    """Return the file with the first declarations, or the words about one without a place."""
    found = FIRST.search(finding.message)
    return found["file"] if found else finding.message


def causes_of_pairs(findings: Iterable[Finding]) -> dict[int, tuple[str, ...]]:
    """Return the causes of findings that have one of two parts in common with others.

    These are classes that nothing contains: with the class that includes several, or the one that
    several include. And missing targets of some worlds: with the statement, or the target.
    """
    causes: dict[int, tuple[str, ...]] = {}
    firsts: dict[str, tuple[str, ...]] = {}
    for number, one in enumerate(findings):
        keys = [f"{one.code} {one.severity} {key}" for key in pair_of(one)]
        if keys:
            cause = next((firsts[key] for key in keys if key in firsts), (one.code, keys[0]))
            firsts |= dict.fromkeys(keys, cause)
            causes[number] = cause
    return causes


def pair_of(finding: Finding) -> tuple[str, ...]:
    """Return the two parts of a finding that others may share; see `causes_of_pairs`."""
    if finding.code == NOT_CONTAINED and not is_of_container(finding):
        part, whole, *_ = finding.refs
        return f"part {part}", f"whole {whole}"
    if finding.code == NO_TARGET and finding.condition and finding.span:
        target = finding.message.partition("'")[2].partition("'")[0]
        file = finding.span.file
        return f"{file}:{finding.span.line}", f"{target} {file}"
    return ()


def is_of_container(finding: Finding) -> bool:
    """Return whether a class is a part of the one that includes it, by its name."""
    part, whole, *_ = finding.refs
    return part.startswith(f"{whole.removesuffix(']')}::")


def pair(finding: Finding, span: Span) -> str:
    """Return the statement of a service, or the resource that others in a file should follow."""
    first, second, *_ = finding.refs
    is_service = second.startswith("Service[")
    return statement(finding, span) if is_service else f"{finding.severity} {first} {span.file}"


def default(finding: Finding, span: Span) -> str:
    """Return the block of a default that leaks, or the module with defaults below resources."""
    habit = DEFAULT_BELOW in finding.message
    place = span.file.partition("/manifests/")[0] if habit else f"{span.file}:{span.line}"
    return f"{finding.severity} {place}"


# What the findings of one cause have in common, by rule.
COMMON: dict[str, Callable[[Finding, Span], str]] = {
    # The parts of one chain of arrows.
    "CG102": lambda finding, span: f"{span.file}:{span.line}",
    "CG105": default,
    # A part; for others, see `causes_of_pairs`.
    NOT_CONTAINED: statement,
    # Run stages are a choice for the whole repository.
    "CG109": lambda finding, span: "",
    "CG110": message,
    # The variable, in classes and defines.
    UNSET: lambda finding, span: variable_in(finding),
    "CG202": first_file,
    # The source of notifications.
    "CG307": lambda finding, span: f"{finding.severity} {finding.message.partition(': ')[2]}",
    # The package that files configure, in the manifests of one folder.
    "CG310": lambda finding, span: f"{finding.severity} {finding.refs[1]} {dirname(span.file)}",
    "CG311": statement,
    "CG312": pair,
    # The empty class.
    "CG313": lambda finding, span: finding.refs[0],
    # The package with a command that several resources of a file run.
    "CG320": lambda finding, span: f"{finding.severity} {finding.refs[0]} {span.file}",
    # The instances of a define; a command that names a user and a group.
    "CG316": statement,
    # The package that creates a user or a folder.
    "CG321": lambda finding, span: f"{finding.severity} {finding.refs[0]} {span.file}",
    # A file of commands that the same mistake was made in.
    "CG326": lambda finding, span: f"{finding.severity} {span.file}",
    "CG327": statement,
    "CG328": statement,
    # The package that provides the program of a provider.
    "CG329": lambda finding, span: f"{finding.severity} {finding.refs[0]}",
}


def cause_of_error(
    finding: Finding, texts: Texts, installed: Collection[str], misplaced: Collection[str]
) -> tuple[str, ...]:
    """Return the cause of an error of Puppet; see `cause`."""
    name = missing_name(finding)
    if name in misplaced:
        return (MISPLACED,)
    # Warnings are about modules that the repository neither has nor declares.
    if finding.severity == "warning" or (name and "-" not in name):
        return cause_of_name(name, installed)
    file = finding.span.file if finding.span else ""
    told = cause_in_words(finding, file)
    if told:
        return told
    if in_template(finding, texts):
        return (TEMPLATE,)
    old = old_form(finding, texts)
    if old in (NODES, OUTSIDE_CLASSES):
        return "old", "code of a site"
    return ("old", old) if old else (REFUSED, file, finding.message)


def cause_in_words(finding: Finding, file: str) -> tuple[str, ...]:
    """Return the cause of an error that its message tells, or an empty tuple."""
    same = SAME_CAUSE.match(finding.message)
    if same:
        return (same[0],)
    node = REPEATED_NODE.match(finding.message)
    if node and file:
        return "node", node["file"]
    if finding.message.startswith(UNKNOWN_VARIABLE):
        # What a site sets for a module, it sets for all of it.
        return UNKNOWN_VARIABLE, file.partition("/manifests/")[0]
    mistake = next((m for m in ONE_MISTAKE if finding.message.startswith(m)), "")
    return (mistake,) if mistake else ()


def cause_of_name(name: str, installed: Collection[str]) -> tuple[str, ...]:
    """Return the cause of a missing class: its module, or that there is none.

    Modules without the class of their name lack the same file.
    """
    known = module_of(name) in installed
    return "missing", (module_of(name) if "::" in name else INIT) if known else ""


def archive_of(finding: Finding, inputs: Collection[str]) -> str:
    """Return the folder of old code that a finding is in, if it is not about a cycle."""
    if finding.span is None or finding.code == CYCLE:
        return ""
    return archive_around(finding.span.file, inputs)


def module_of(name: str) -> str:
    """Return the module in which Puppet looks for a name."""
    return name.partition("::")[0]


def together(group: Sequence[Found], texts: Texts, installed: Collection[str]) -> Found:
    """Return the first of the findings with one cause, with notes about the others.

    A name that is missing comes after the definition that Puppet does not find.
    """
    misplaced = any(one.finding.message.startswith(MISPLACED) for one in group)
    first, *rest = sorted(
        group,
        key=lambda one: (
            RANK[one.finding.severity],
            one.finding.code == NO_TARGET or (misplaced and bool(missing_name(one.finding))),
        ),
    )
    also = [other for one in rest for other in (one.finding, *one.finding.also)]
    finding = first.finding
    if also:
        own = set(notes_about(finding))
        finding = replace(finding, also=(*finding.also, *(replace(one, also=()) for one in also)))
        notes = [*(note for note in finding.notes if note not in own), *notes_about(finding)]
        notes += other_places(finding)
        if ARCHIVED not in notes:
            notes += other_names(finding, installed)
            notes += other_words(finding) + other_variables(finding)
        notes += [ONE_SITE] if finding.message.startswith(REPEATED_DEFAULT) else []
        notes.sort(key=lambda note: note in (ARCHIVED, EXAMPLE, UNLOADED, TEMPLATE))
        finding = replace(finding, notes=tuple(notes))
    is_error = finding.code == REFUSED and not in_template(finding, texts)
    old = old_form(finding, texts) if is_error else ""
    if old:
        version, refusing = ("3 or older", "Puppet 4 and later refuse")
        if old == ORCHESTRATION:
            version, refusing = ("4 or 5", "Puppet 7 refuses")
        note = f"this is code for Puppet {version}: {refusing} {old}"
        finding = replace(finding, notes=(*finding.notes, note))
    return replace(first, finding=finding)


def other_places(finding: Finding) -> list[str]:
    """Return a note about the other places of a cause."""
    places = dict.fromkeys(str(one.span) for one in finding.also if one.span != finding.span)
    count = "1 more place" if len(places) == 1 else f"{len(places):,} more places"
    return [f"at {count}: {listed(list(places))}"] if places else []


def other_names(finding: Finding, installed: Collection[str]) -> list[str]:
    """Return a note about the other names that are missing for one cause."""
    name = missing_name(finding)
    others = dict.fromkeys(missing_name(one) for one in finding.also)
    others.pop(name, None)
    if finding.message.startswith(MISPLACED):
        others.pop("", None)
        return [f"so that Puppet does not find {listed(list(others))}"] if others else []
    if not name or "-" in name or not others:
        return []
    where = "" if module_of(name) in installed else f"; {ABSENT}"
    return [f"also missing: {listed(list(others))}{where}"]


def other_words(finding: Finding) -> list[str]:
    """Return notes about the other errors about the same line."""
    words = dict.fromkeys(one.message for one in finding.also if same_line(one, finding))
    words.pop(finding.message, None)
    return [f"also: {word}" for word in words] if finding.code == REFUSED else []


def same_line(one: Finding, other: Finding) -> bool:
    """Return whether two findings are about one line of a file."""
    if one.span is None or other.span is None:
        return False
    return (one.span.file, one.span.line) == (other.span.file, other.span.line)
