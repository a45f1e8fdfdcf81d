"""From tokens to the tree. Read `parser.py` first."""
