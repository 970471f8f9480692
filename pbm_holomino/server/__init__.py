"""One command, carried out."""
