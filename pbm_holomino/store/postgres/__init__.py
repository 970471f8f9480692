"""The store as tables of a PostgreSQL database, which any number of machines share."""
