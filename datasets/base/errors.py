"""DataError: one plain sentence: what is wrong, where, what to do."""


class DataError(ValueError):
    """Data that cannot be used as they are; the message is shown as it stands."""
