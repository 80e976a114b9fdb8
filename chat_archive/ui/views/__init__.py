"""Views, delegates and panels."""
