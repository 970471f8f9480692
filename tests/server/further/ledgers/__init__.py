"""Modules that are found as if they were in `pbm_holomino.match.kinds`."""
