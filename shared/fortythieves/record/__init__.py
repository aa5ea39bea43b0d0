"""The record of a race: what it looks like, who signed it, and whether it is true. Pure."""
