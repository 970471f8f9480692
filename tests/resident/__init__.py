"""The server that stays: LMTP, its memory, and mails that are handed over to it."""
