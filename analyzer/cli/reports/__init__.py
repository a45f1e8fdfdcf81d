"""The reports that commands print for people, as text and as Markdown."""
