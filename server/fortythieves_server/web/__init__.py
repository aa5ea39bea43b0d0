"""Everything that players reach: connections, guest tokens, HTTP routes, WebSockets."""
