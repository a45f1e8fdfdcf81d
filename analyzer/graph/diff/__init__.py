"""Two catalogs compared: resources, relationships, order."""
