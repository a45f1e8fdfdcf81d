"""strings."""
