"""The lint: rules about the whole relationship graph, fixes, comments and baselines.

Read `rule` first: it defines a rule. `registry` finds the rules in the folder `rules`, `choice`
selects those to run, and `run` applies them to subjects (`puppet/subjects` for manifests and
catalogs, `policies` for CFEngine) and turns their problems into findings. `suppress` and `baseline`
drop accepted findings, `changed` those outside of changed lines. `verify` tests the proposed fixes
in memory. `session/lint` combines these.
"""
