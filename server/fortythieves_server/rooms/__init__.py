"""The rooms that this process serves: who is connected, moves, broadcasts, records."""
