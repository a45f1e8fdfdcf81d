"""Rules about the comments that accept findings."""
