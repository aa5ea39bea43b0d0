"""What operators use: metrics, reports, the dashboard, the command for keys."""
