"""CFEngine policies: a generated one of many bundles, read and ordered, against cf-promises."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .measure import CONSOLE_SCRIPT, Absent, Row, cold, take_turns

BUNDLES = 10_000
BUNDLE = """bundle agent b{0}
{{
  vars:
    "v" string => "value {0}";
  classes:
    "c{0}" expression => strcmp("$(v)", "value {0}");
  commands:
    c{0}::
      "/bin/echo $(v)" handle => "h{0}";
  reports:
    "done {0}" depends_on => {{ "h{0}" }};
}}
"""


def generated(count: int) -> str:
    names = ", ".join(f'"b{number}"' for number in range(count))
    control = f"body common control\n{{\n  bundlesequence => {{ {names} }};\n}}\n"
    return control + "".join(BUNDLE.format(number) for number in range(count))


def many_bundles() -> Iterator[Row]:
    """A policy of 10,000 bundles: syntax, and the order of 40,000 promises in three passes."""
    if shutil.which("cf-promises") is None:
        raise Absent("no cf-promises; on Debian: apt-get install cfengine3")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.cf"
        path.write_text(generated(BUNDLES))
        path.chmod(0o600)
        parse = cold(str(CONSOLE_SCRIPT), "parse", str(path))
        order = cold(str(CONSOLE_SCRIPT), "order", str(path))
        theirs = cold("cf-promises", "-w", folder, "--eval-functions=no", "-f", str(path))
        parsed, ordered, promises = take_turns(1, parse, order, theirs)
    yield Row(f"parse a policy, {BUNDLES:,} bundles", parsed, "cf-promises", promises, 0.5)
    yield Row(f"order a policy, {BUNDLES:,} bundles", ordered, "cf-promises", promises, 0.6)


ROWS = (many_bundles,)
