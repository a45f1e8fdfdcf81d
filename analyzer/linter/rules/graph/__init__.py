"""Rules about what comes before what."""
