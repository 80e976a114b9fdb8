"""Responses stored at the model provider: found, decoded, queued."""
