"""Searches for what holds only with other facts or parameters, each with its condition."""
