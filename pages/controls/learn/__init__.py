"""The page of lessons: where one is, the stage of a step, what it asks, and lessons that teachers make."""
