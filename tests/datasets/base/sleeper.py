"""A child that works for longer than anybody waits."""

import time

if __name__ == "__main__":
    time.sleep(120)
