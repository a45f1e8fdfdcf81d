"""From text to tokens. Read `lexer.py` first."""
