"""Entry: `streamlit run app.py` serves the pages and, on the same port, the routes of the live stage."""

import gc
import importlib
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

# Seconds for which a thread may hold the GIL while others wait. Beside two computing threads a page of 45 ms took 0.7 s
# with Python's 5 ms, and 0.22 s with 1 ms.
SWITCH = 0.001
ROOT = Path(__file__).resolve().parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from pages.server import compat  # noqa: E402
from pages.server.limits import raise_descriptor_limit  # noqa: E402
from pages.server.loading import LOADING  # noqa: E402
from pages.server.middleware import setting  # noqa: E402
from pages.server.routes import MIDDLEWARE, routes  # noqa: E402
from pages.server.saver import SAVER  # noqa: E402
from pages.server.store import store_of_settings  # noqa: E402
from pages.server.workers import WORKERS  # noqa: E402
from pages.server.workspace import EXPIRE_AFTER, HUB  # noqa: E402

HEAVY = (  # what the first page needs
    "pandas",
    "pyarrow",
    "scipy.linalg",
    "scipy.spatial",
    "scipy.optimize",
    "sklearn.datasets",
    "streamlit.dataframe_util",
    "nca_core.training.nca",
    "nca_core.training.run",
    "nca_core.methods",
    "nca_core.accuracy",
    "datasets.catalogue",
    "datasets.preparation",
    "stage.streamlit_host",
    "pages.views.figures",
    "pages.views.tables",
)


def _warm_up() -> None:
    """Load what the first page needs, for which pages wait; then compile what the first training needs."""
    try:
        from nca_core.neighbours.base.threads import defer_sums
        from nca_core.training.warm_up import warm_up

        defer_sums()
        for name in HEAVY:
            importlib.import_module(name)
    finally:
        LOADING.release()
    warm_up()
    # Exclude what is loaded for good from garbage collection.
    gc.collect()
    gc.freeze()


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any]]:
    sys.setswitchinterval(SWITCH)
    LOADING.acquire()
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    HUB.start()
    SAVER.start(partial(store_of_settings, EXPIRE_AFTER, setting("port")))
    WORKERS.start()
    try:
        yield {}
    finally:
        SAVER.close()
        HUB.shutdown()
        WORKERS.close()


raise_descriptor_limit()
compat.finish_callbacks()
app = st.App(ROOT / "pages" / "main.py", routes=routes(), middleware=MIDDLEWARE, lifespan=lifespan)
