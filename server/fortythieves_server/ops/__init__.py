"""For operators: metrics, reports, the dashboard, the command for keys."""
