"""Windows that ask or tell."""
