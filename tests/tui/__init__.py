"""The terminal screens: scripts of keys and what is to be seen, and what is shown as values."""
