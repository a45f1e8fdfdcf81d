"""Opens an input that is one project."""

from tui.project.opening import open_project
from tui.project.project import OpenRequest, Progress, Project


def project_of(request: OpenRequest, progress: Progress = lambda _: None) -> Project:
    """Return the project of an input that has one node in one world."""
    found = open_project(request, progress)
    assert isinstance(found, Project)
    return found
