"""What is shown, as plain values: rows of text with the names of styles; nothing of a terminal."""
