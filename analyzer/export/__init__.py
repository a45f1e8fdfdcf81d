"""The graph for other tools and for people: views of it, and one file per format."""
