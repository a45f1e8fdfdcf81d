"""specialize."""
