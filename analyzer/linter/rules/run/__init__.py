"""Rules that simulate runs."""
