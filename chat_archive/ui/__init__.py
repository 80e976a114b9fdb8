"""The only room that imports PySide6."""
