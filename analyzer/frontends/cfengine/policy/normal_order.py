"""Normal ordering: the sequence of promise types in a bundle."""

from __future__ import annotations

from collections.abc import Sequence

PASSES = 3

AGENT = (
    "meta vars defaults classes users files packages guest_environments methods processes services"
    " commands storage databases reports"
)
EDIT_LINE = "vars classes delete_lines field_edits insert_lines replace_patterns reports"
EDIT_XML = (
    "vars classes build_xpath delete_tree insert_tree delete_attribute set_attribute delete_text"
    " set_text insert_text reports"
)
SERVER = "meta vars classes roles access"
# A common bundle as cf-serverd takes it.
SERVER_COMMON = "meta vars classes reports"
DOCUMENTED_COMMON = "classes vars reports"

# As the agent does it (mod_*.c, cf-agent.c, files_editline.c of 3.21).
RUNNING = {
    "agent": AGENT,
    "common": AGENT,
    "edit_line": EDIT_LINE,
    "edit_xml": EDIT_XML,
    "server": SERVER,
    "server_common": SERVER_COMMON,
}
# Types out of sequence are passed over.
CLOSED = ("edit_line", "edit_xml", "server_common")
# As the page "Normal ordering" of the documentation has it.
DOCUMENTED = RUNNING | {
    "edit_line": "meta vars defaults classes delete_lines field_edits insert_lines"
    " replace_patterns reports",
    "server": "vars classes roles access",
    "server_common": DOCUMENTED_COMMON,
    "monitor": "vars classes measurements reports",
    "monitor_common": DOCUMENTED_COMMON,
}
ORDERS = {"running": RUNNING, "documented": DOCUMENTED}


def in_order(bundle_type: str, present: Sequence[str], order: str = "running") -> list[str]:
    """Return the types of a bundle in the order in which they are evaluated.

    Types that CFEngine does not have come last in agent and server bundles, as first written;
    cf-monitord takes all types as they are written.
    """
    if bundle_type not in ORDERS[order]:
        return list(present)
    wanted = ORDERS[order][bundle_type].split()
    known = [kind for kind in wanted if kind in present]
    if bundle_type in CLOSED:
        return known
    return known + [kind for kind in present if kind not in wanted]
