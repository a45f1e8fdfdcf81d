"""The lint: rules that know the whole relationship graph, fixes, comments and baselines.

Read `rule` first: it defines a rule. `registry` finds the rules in the folder `rules`,
`choice` picks those to run, and `run` applies them to subjects (`puppet/subjects` for manifests
and catalogs, `policies` for CFEngine) and makes findings of their problems. `suppress` and
`baseline` drop accepted findings, `changed` those outside of changed lines. `verify` tries the
proposed fixes in memory. `session/lint` combines these.
"""
