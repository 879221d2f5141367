"""What exact solvers share."""
