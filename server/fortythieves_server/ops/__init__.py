"""What operators reach: metrics, reports, the dashboard, the command for keys."""
