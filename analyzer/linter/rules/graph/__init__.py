"""Rules about the order of resources."""
