"""The store as a folder of YAML files that people can read."""
