"""Meeple stacking solved: what a run of the solver comes to, its files and its tables."""
