"""Users, groups and their keys."""
