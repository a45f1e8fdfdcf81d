"""Control repositories of others, looked at as a stranger does: `python -m tests.repos FOLDER`."""
