"""Readers: everything that turns an input into a catalog."""
