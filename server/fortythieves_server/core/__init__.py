"""The rules and the public views of rooms and tournaments. Pure: no clock, no socket, no chance."""
