"""Runs as text, as JSON, in Puppet's words, and as they go on."""
