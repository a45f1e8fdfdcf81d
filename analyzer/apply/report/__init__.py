"""Reports of runs: read, written, measured, matched to a graph (Puppet::Transaction::Report).

Read `values` first: a report as Puppet defines it; `run` is the sequence of turns that screens and
comparisons use. `runs` reads either from a file of any form: `read_yaml` (by `layout`, with
`yaml_values` where that fails), `read_json` with `puppetdb`, `outcomes`, journals. `forms` is the
table of fields. `from_timeline` makes the report of a run made here, `replay` a run of a report;
`metrics` sums up, `compare` and `chain` ask questions; `write` writes.
"""
