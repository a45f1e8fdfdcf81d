"""Rules about the first run on a new machine, and about runs that do not do what they seem to."""
