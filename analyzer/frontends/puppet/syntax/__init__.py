"""From the text of a manifest or template to its checked tree. Read `parser.py` first."""
