"""The graph command's views, formats and page."""
