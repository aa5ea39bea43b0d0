"""The record of a race: its format, its signature, and the proof that it is true. Pure."""
