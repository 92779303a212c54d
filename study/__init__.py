"""What is compared: recipes, comparisons, measurements. No Streamlit, no HTTP; knows the engine and the data sets."""
