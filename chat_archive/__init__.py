"""Chat Archive: find, read, keep, move and remove saved Agent Zero chats."""

__version__ = "0.1.0"
