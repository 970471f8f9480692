"""Reading small pictures back: a module for each kind of tile."""
