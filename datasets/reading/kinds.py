"""The foreign formats, as sentences name them."""

KINDS = {
    "excel": "an Excel workbook",
    "parquet": "a Parquet file",
    "npz": "a zip of NumPy arrays",
    "npy": "a NumPy array",
    "arff": "an ARFF file",
    "json": "a JSON file",
}
