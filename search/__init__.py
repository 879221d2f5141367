"""What to do: tree search over worlds that fit, policies, bots, advice, the command line."""
