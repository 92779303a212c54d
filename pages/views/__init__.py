"""Domain objects in, figures and tables out; no Streamlit."""
