"""Algorithms on adjacency lists: components, reduction, walks, reachability, hitting sets."""
