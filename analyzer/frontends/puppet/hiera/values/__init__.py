"""Keys, merges and types of the values that a lookup finds."""
