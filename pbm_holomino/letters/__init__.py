"""The texts that people read: letters, boards as text, and help pages."""
