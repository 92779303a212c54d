"""The variable-kernel rule and its learnt metrics: VSM (Lowe 1995) and GVSM (Naudé, van Wyk, van Wyk 2004)."""
