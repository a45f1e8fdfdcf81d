"""The terminal screens: they show a project and a run of it, and have no logic of their own.

Read `app` first: it passes each key to an action. `project` opens inputs, `run` holds the state
and carries out commands, `present` turns both into lines of text and imports no textual, `widgets`
draw lines, `keys` is the table of actions with their keys, and `screens` put widgets together.
Each uses only those named before it, and `app` uses all. A step goes from `app.action_act` to
`run.runner` to `run.controller` to the timeline of `analyzer.apply`.
"""
