"""Where things are in the checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "tests/figures"
TRANSCRIPTS = ROOT / "tests/mail"
