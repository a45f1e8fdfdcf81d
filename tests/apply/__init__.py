"""What a run does: the engine, its providers, and reports."""
