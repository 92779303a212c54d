"""LOADING: held while what the first page needs is imported; every page waits for it.

Python lets a thread import a part of a package that another thread has only half imported, and then both fail.
"""

import threading

LOADING = threading.Lock()
