"""What may happen in a room and in a tournament, and what is shown of it. Pure: no clock, no socket, no chance."""
