"""Mail that is fetched."""
