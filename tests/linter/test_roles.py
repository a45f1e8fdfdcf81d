"""What a role lacks that is compiled as a node of its own may be on its nodes."""

from __future__ import annotations

from pathlib import Path

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.choice import Choice
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request


def test_a_missing_target_of_a_role_may_be_on_its_nodes(tmp_path: Path) -> None:
    files = {
        "environment.conf": "modulepath = modules\n",
        "manifests/site.pp": "node 'a' { include role::web }\n",
        "modules/role/manifests/web.pp": (
            "class role::web { notify { 'a': require => Package['base'] } }\n"
        ),
        "modules/role/manifests/db.pp": (
            "class role::db { package { 'base': }\n notify { 'b': require => Package['bsae'] } }\n"
        ),
    }
    for name, text in files.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def severities(**options: bool) -> list[str]:
        settings = Settings(**options)  # type: ignore[arg-type]
        request = Request((str(tmp_path),), Choice(("CG201",)), lambda path: settings, fixes=False)
        return [one.finding.severity for one in check_inputs(request).found]

    assert severities() == ["error"]
    # What looks like a slip of the pen is told, and what the node's other classes may have is not.
    assert severities(all_roles=True) == ["note"]
