"""Tests of the rules and what is done with their findings."""
