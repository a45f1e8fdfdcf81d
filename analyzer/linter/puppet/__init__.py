"""puppet."""
