"""The sources, a file each, and how an input is recognised as one of them."""
