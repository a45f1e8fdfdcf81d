"""Data formats, as Ruby reads and writes them."""
