"""The rooms that this process serves: connections, moves, commands, broadcasts, records."""
