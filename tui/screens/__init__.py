"""The screens and dialogs. Read `base` first: every screen is a `View`.

`run`, `graph`, `findings`, `source` and `report` are the five screens, `welcome` the first one when
no input is named. `dialogs` has the kinds of dialogs, `app_dialogs`, `run_dialogs` and
`start_dialogs` ask the questions, and `handlers` is the table from actions to these functions.
"""
