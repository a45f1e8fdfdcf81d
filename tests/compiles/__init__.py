"""The compile plan: the compiles of a path, why each is made, and their results."""
