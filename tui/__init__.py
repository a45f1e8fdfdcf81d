"""The terminal screens: a view of the relationship graph and of a run, with no logic of its own.

`present` is pure: it turns graph and run into rows of text and imports no textual. `widgets` draw
such rows, `screens` put widgets together. `Controller` holds what is open and the one selected
resource, carries out commands, and tells of it in messages. Every key is a row of `actions`.
"""
