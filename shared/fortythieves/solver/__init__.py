"""Looks for moves that win a deal, with all cards known. Pure."""
