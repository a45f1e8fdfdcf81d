"""Rules that need only the text of a manifest."""
