"""Slow, naive engines, written straight from the rules, that the fast ones are checked against."""
