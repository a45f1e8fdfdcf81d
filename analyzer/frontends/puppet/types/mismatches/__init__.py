"""mismatches."""
