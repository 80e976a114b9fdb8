"""The invented chats of the sample archive and how they are written down."""
