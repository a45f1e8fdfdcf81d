"""`catgraph impact`: show what a resource, a line, a key of Hiera or a fact affects."""

from __future__ import annotations

from analyzer.cli.shared.completeness import ALLOW, exit_code
from analyzer.cli.shared.inputs import read_graph, refs_and_inputs
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    SIMULATE,
    Option,
    format_option,
)
from analyzer.cli.shared.output import emit, emit_json, style_for, usage_error
from analyzer.cli.shared.policies import all_policies
from analyzer.escape import joined
from analyzer.model.nouns import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.cli.shared.output import OutputStyle
    from analyzer.graph.queries import Impact
    from analyzer.model.completeness import Gap
    from analyzer.model.refs import ResourceRef

USAGE = "INPUT REF | FILE:LINE | KEY | FACT"
INPUTS = (2, None)
HELP = """Show which resources depend on a resource or class: those that wait for it directly, those
that Puppet skips if it fails, and those that are refreshed if it changes. For a promise of a
CFEngine policy (.cf): the promises that need a class or variable that it sets, and the differences
in a simulated run in which it fails. Exit code 1 if the resource is in a dependency cycle, 3 if
something unknown may affect others.

With a line of code or data such as data/common.yaml:14, a file, a key of Hiera such as ntp::servers
or a fact such as facts.os.family: show for each node the resources that exist because of it, and
the parameters and relationships that have their values from it. --explain shows the way of each.
INPUT must be manifests."""
OPTIONS = (
    format_option("text", "json"),
    Option("--all", "list all resources, not only 20 of each kind", flag=True),
    *SIMULATE,
    ALLOW,
    OUTPUT,
    CONFIG,
    *COMPILE,
    COLOR,
)

SHOWN = 20


def run(options: Options) -> int:
    """Print the impact."""
    refs, inputs = refs_and_inputs(options.inputs)
    policy = all_policies(inputs)
    if not refs and not policy and len(inputs) == 2:
        from analyzer.cli.reports.effect_text import print_effects

        return print_effects(inputs[0], inputs[1], options)
    if len(refs) != 1 or not (policy or len(inputs) == 1):
        return usage_error("impact", "expected one INPUT and one reference such as Package[ntp]")
    if policy:
        from analyzer.cli.reports.policy_why import print_impact

        return print_impact(inputs, refs[0], options)
    graph = read_graph(inputs[0], options)
    try:
        impact = graph.impact(refs[0])
    except KeyError as error:
        return usage_error("impact", error.args[0])
    if options.format == "json":
        emit_json(document(impact, graph.gaps), options.output)
    else:
        emit(as_text(impact, options.all, style_for(options)), options.output)
    return exit_code(int(impact.in_cycle), graph.gaps, options)


def document(impact: Impact, gaps: Sequence[Gap]) -> dict[str, object]:
    """Return the impact as data: lists of references, and the gaps."""
    from analyzer.export.values import gap_row

    fields = ("waits", "skipped", "refreshed", "ignored")
    lists = {name: [str(ref) for ref in getattr(impact, name)] for name in fields}
    about = {"ref": str(impact.ref), "cycle": impact.in_cycle}
    return {**about, **lists, "incomplete": [gap_row(gap) for gap in gaps]}


def as_text(impact: Impact, everything: bool, style: OutputStyle) -> str:
    """Return the impact as text."""
    parts = (
        ("waits for it directly", impact.waits),
        ("is skipped if it fails", impact.skipped),
        ("is refreshed if it changes", impact.refreshed),
        ("is notified of the change, but its type cannot refresh", impact.ignored),
    )
    lines = [style("bold", str(impact.ref))]
    if impact.in_cycle:
        what = style("red", "is in a dependency cycle")
        lines.append(f"  {what}: Puppet applies nothing of this catalog; see 'catgraph cycles'")
    for text, refs in parts:
        if refs or text != parts[3][0]:
            lines.append(f"  {style('cyan', counted(len(refs), 'resource'))} {wording(text, refs)}")
            lines += listed(refs, everything)
    return joined(lines)


def wording(text: str, refs: Sequence[ResourceRef]) -> str:
    """Return the sentence in the singular or plural."""
    if len(refs) == 1:
        return text
    for one, many in (
        ("waits", "wait"),
        ("is ", "are "),
        ("its type", "their types"),
    ):
        text = text.replace(one, many, 1)
    return text


def listed(refs: Sequence[ResourceRef], everything: bool) -> list[str]:
    """Return the references as lines, limited unless all are wanted."""
    shown = refs if everything else refs[:SHOWN]
    lines = [f"    {ref}" for ref in shown]
    if len(refs) > len(shown):
        lines.append(f"    ... and {len(refs) - len(shown):,} more (--all lists them)")
    return lines
