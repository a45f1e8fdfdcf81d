"""Runs as text, as JSON, in Puppet's words, and their progress."""
