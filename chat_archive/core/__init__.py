"""The persistence core: plain Python, no Qt."""
