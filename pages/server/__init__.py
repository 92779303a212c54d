"""The server's side: what each tab works with, the stage's routes, the headers of every answer."""
