"""What it is worth: matches, statistics, speed, reports."""
