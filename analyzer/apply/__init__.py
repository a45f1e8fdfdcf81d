"""Runs: what applying a catalog does to a machine, real, noop or simulated.

Read `simulate` first: a whole run in one call. How a run flows:

1. `engine/run_graph` is the graph as a run walks it, `engine/state` where the run stands.
2. `timeline` takes a command of a person (`engine/commands`: step, go on, fail a resource) and
   hands it to `engine/transaction`, which decides what happens: a list of `engine/events`. The
   values of resources are checked first (`validation/`).
3. What a resource is like and what changes it is asked of an `engine/world`. A simulated one knows
   from the catalog alone (`engine/simulated_changes`); a hosted one asks the providers
   (`provider`: the contract; `providers/`: a file for each type), which touch a `host`: this
   machine, or an `overlay` that only remembers changes.
4. `engine/fold` makes the next state of the events. Going back moves a cursor; nothing is undone.
5. `journals/` writes the events down as they happen, and reads them again; `report/` makes
   Puppet's reports of a run, and runs of reports.

`breakpoints` stops a run that goes on by itself; `shuffle` tries other legal orders, with the
`needs` that resources silently have of each other.
"""
