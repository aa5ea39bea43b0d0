"""Used everywhere in the server: limits, counters, tasks, logs, fair queues. Knows nothing of rooms."""
