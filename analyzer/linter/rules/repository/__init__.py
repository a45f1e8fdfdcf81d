"""Rules about a repository as a whole."""
