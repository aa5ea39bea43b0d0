"""Everything that speaks to Redis: keys, scripts, connections, group commit, notifications."""
