"""Qt models over what the core hands out."""
