"""DataError: one plain sentence for people: what was wrong, where, what to do."""


class DataError(ValueError):
    """Data that cannot be used as they are; the message is shown as it stands."""
