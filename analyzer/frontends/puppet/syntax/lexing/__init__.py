"""lexing."""
