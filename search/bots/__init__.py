"""Kinds of bots, and the ways to name one: levels, tastes, files, strategies of others."""
