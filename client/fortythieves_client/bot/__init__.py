"""House bots: `house.run_bot` plays in a room. A bot knows only what a player knows."""
