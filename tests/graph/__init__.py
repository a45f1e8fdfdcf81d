"""The relationship graph: automatic relationships, names, titles."""
