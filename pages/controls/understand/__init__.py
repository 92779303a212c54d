"""The page that answers why the picture is as it is: a question at a time."""
