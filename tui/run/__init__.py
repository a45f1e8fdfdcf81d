"""The state behind the screens. Read `controller` first: it has project, selection and run.

`runner` carries out its commands without blocking the screens, in `threads` where they take long;
`messages` report changes to the screens. `run_kinds` starts runs, `local` those on this host. A
`branch` is a timeline with its `story` (what each step did) and its `rollup` (counts); `tree` is
the containment tree. The modules `agent_*` are the same for CFEngine's agent.
"""
