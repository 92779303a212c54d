"""Numbers, tables, sentences, bytes and links of the product, recorded as JSON and compared between two versions."""
