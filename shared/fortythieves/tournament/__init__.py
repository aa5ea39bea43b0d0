"""Tournaments: the plan, the pairings, and the standings. TOURNAMENTS.md describes them in words."""
