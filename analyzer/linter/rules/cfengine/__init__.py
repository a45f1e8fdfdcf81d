"""Rules about policies of CFEngine."""
