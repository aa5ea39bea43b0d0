"""The messages between clients and servers, and their encoding. Pure."""
