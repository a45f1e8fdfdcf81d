"""Rules about CFEngine policies."""
