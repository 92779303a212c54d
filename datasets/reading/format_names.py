"""The binary and structured formats, as sentences name them."""

FORMAT_NAMES = {
    "excel": "an Excel workbook",
    "parquet": "a Parquet file",
    "npz": "a zip of NumPy arrays",
    "npy": "a NumPy array",
    "arff": "an ARFF file",
    "json": "a JSON file",
    "svmlight": "a libsvm file",
}
