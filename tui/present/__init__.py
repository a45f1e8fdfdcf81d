"""Turns graph and run into lines of text, without textual. Read `pieces` first: a line is pieces.

The screen Run shows `tree`, `frontier`, `detail` (with `edges`), `log`, `timebar` and `status`, the
answers of `waiting` (with `outcome`), `compare` and `plan`; `policy_*` are the same for policies.
The screen Graph shows `columns` of `near` resources as a `drawing`, with `around` below it, and
`cycle_walk`. Findings: `findings`. Source: `source_page`, `source_index`, `missing`, `snippet`,
`syntax`. Report: `report_page` of `run_facts`. `exports` writes files.
"""
