"""What a chat is. Nothing here touches a disk."""
