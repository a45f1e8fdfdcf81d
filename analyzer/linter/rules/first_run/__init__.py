"""Rules about the first run on a new machine, and about resources without the intended effect."""
