"""Used everywhere in the server: limits, counters, tasks, logs, fair queues. It does not know rooms."""
