"""One reader per era of the file format, and one for damage."""
