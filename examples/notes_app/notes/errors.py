"""What can go wrong, told apart so that each caller can answer rightly."""


class NotesError(Exception):
    """Base of everything this package raises on purpose."""


class NotFound(NotesError):
    """There is no such note, attachment or account."""


class Forbidden(NotesError):
    """It is there, but it belongs to somebody else."""


class Invalid(NotesError):
    """What was handed in cannot be used."""
