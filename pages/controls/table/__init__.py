"""One's own table: how it is read, which columns are used and how; one file a question."""
