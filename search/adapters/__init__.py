"""The games for libraries of reinforcement learning: moves as numbers, observations as vectors, one module a game.

Every game's module offers ``LENGTH``, the length of its vectors, and ``actions``, how many actions some checked rules
know; it registers the kernels ``action_of``, ``move_of`` and ``describe`` of ``solver.game``.
"""
