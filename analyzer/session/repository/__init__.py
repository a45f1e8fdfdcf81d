"""Describes a repository: its kind, its nodes and modules, and its earlier revisions."""
