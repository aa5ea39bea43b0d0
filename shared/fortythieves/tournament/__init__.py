"""Tournaments: what a host plans, who is compared with whom, who is where. TOURNAMENTS.md says it in words."""
