"""Everything that talks to Redis: keys, scripts, connections, group commit, notifications."""
