"""What a lesson is made of: steps, questions, things to do, formulas, and the numbers that its answers need."""
