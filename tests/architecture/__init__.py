"""Layers, imports and sizes: what keeps the code easy to change and quick to start."""
