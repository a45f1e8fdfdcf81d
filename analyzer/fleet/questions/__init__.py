"""The questions, a file each."""
