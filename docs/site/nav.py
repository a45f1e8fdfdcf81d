"""The order of the pages on the site."""

from __future__ import annotations

from analyzer.cli.command_table import COMMANDS
from analyzer.linter.registry import all_rules

# Files of the root, and their pages.
ROOT_PAGES = {
    "README.md": "index.md",
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "RELEASING.md": "releasing.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "sample_catalogs/README.md": "samples.md",
}

NAVIGATION: list[object] = [
    {"catgraph": ["index.md", "start.md", "changelog.md"]},
    {
        "Guides": [
            "first-control-repo.md", "check.md", "lint.md", "own_rules.md", "questions.md",
            "order.md", "origins.md", "modules.md", "upgrade.md", "verify.md", "fleet.md",
            "runs.md", "terminal.md", "editors.md", "playground.md", "mcp.md", "library.md",
            "configuration.md", "cfengine.md",
        ]
    },
    {
        "Coming from": [
            "coming-from/rspec-puppet.md", "coming-from/onceover.md", "coming-from/puppet-lint.md",
            "coming-from/octocatalog-diff.md", "coming-from/catalog-diff.md", "coming-from/pdk.md",
        ]
    },
    {
        "Explanations": [
            "manifests.md", "worlds.md", "tour.md", "precision.md", "compared.md", "security.md",
            "architecture.md", "contributing.md", "conduct.md", "releasing.md", "samples.md",
        ]
    },
    {
        "Reference": [
            "reference/exit-codes.md", "reference/configuration.md", "reference/json.md",
            "reference/library.md",
            {
                "Commands": [
                    "reference/commands/index.md",
                    *(f"reference/commands/{name}.md" for name in COMMANDS),
                ]
            },
            {"Rules": ["rules.md", *(f"reference/rules/{code}.md" for code in all_rules())]},
        ]
    },
]  # fmt: skip
