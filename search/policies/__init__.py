"""Policies: quick rules for choosing a move, one module a game."""
