"""The resident server: LMTP, its caches, and mails that are handed over to it."""
