"""Keys, actions and commands. Read `actions` first: it is the table of everything you can do.

`conditions` has the reasons why an action is not possible now. `run_commands` maps actions to
commands of the run, `typed_commands` has those after a colon. `keymap` has the keys, `keyboard`
forwards them one at a time, and `hints`, `help`, `palette` and `tour` show them. Every screen gets
a `context`.
"""
