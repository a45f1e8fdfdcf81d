"""The simulated agent; it keeps no promise on the machine.

Begin with `passes`: variables first, then three passes over each bundle of `bundlesequence` (or of
`daemons`). `state` is the agent; `look` evaluates a promise by its `plan`, and `actions` are what a
promise then changes. `loading` reads a policy, settling variables between its files. `outcomes` are
the outcomes of commands and files, `events` what happened, `journal` every change; `steps`,
`run` and `why_not` go through them, `catalog` and `agenda` make a catalog of them.
"""
