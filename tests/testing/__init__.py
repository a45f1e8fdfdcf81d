"""The pytest plugin and its assertions."""
