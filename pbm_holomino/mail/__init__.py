"""Bytes to words and sender; letters to messages."""
