"""The one kind of error a user can cause."""


class InputError(ValueError):
    """Something a caller handed in is wrong: a position, a move, an option.

    Attributes:
        field: name of the offending field, as the formats write it (``"hands[1]"``), or ``""``.
        expected: one clause saying what would have been right.
    """

    def __init__(self, field: str, expected: str) -> None:
        self.field = field
        self.expected = expected
        super().__init__(f"{field}: {expected}" if field else expected)

    def __reduce__(self):
        """Two arguments rebuild it: the default would hand over the message alone, and fail between processes."""
        return type(self), (self.field, self.expected)
