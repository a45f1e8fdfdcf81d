"""What the screens are put together from: each draws lines of pieces, and only those in view."""
