"""Opens inputs: `opening` reads any input, and returns a `project.Project`."""
