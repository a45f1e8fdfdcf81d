"""The engine of a run: from a state and a command to events, and from events to the next state.

Read `transaction` first: the step. `events` and `commands` are what goes out and in, `state` and
`fold` where the run stands, `run_graph` the graph that it walks. `skipping`, `schedule`, `refresh`
and `faults` are parts of a step; `generate` and `eval_generate` bring resources before the run and
during it. `world` is what the run finds and changes, `simulated_changes` what types change as far
as a catalog tells, `changes` and `display` word a change, `log` words all events. `pages` is the
list that states share.
"""
