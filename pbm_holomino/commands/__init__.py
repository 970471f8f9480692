"""What each command decides, from a request and what the store holds."""
