"""What is written about each kind of ledger, in modules named as the kinds are."""
