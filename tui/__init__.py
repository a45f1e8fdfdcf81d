"""The terminal screens: a view of the relationship graph and of a run, with no logic of its own."""
