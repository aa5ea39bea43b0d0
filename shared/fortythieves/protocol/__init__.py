"""What clients and servers say to each other, and how it is written down. Pure."""
