"""The screens: controls, run, figures. Nothing here computes; the engine and the data sets do."""
