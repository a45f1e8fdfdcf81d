"""Tests of the fleet: sources, engine, store, causes, formats."""
