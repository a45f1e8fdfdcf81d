"""Rules about the text of one manifest."""
