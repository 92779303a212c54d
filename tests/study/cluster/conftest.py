"""One small cluster for the tests of this folder: two workers in this process."""

import pytest

distributed = pytest.importorskip("distributed")

from study.cluster import connection as connection_module  # noqa: E402
from study.cluster.connection import Connection  # noqa: E402


@pytest.fixture(scope="package")
def cluster():
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection_module, "warm_up", lambda: None)  # this process has what it needs
        # Workers of one process share a client, which must not go with one of them.
        with distributed.LocalCluster(**options) as there, distributed.Client(there):
            yield there


@pytest.fixture(scope="package")
def connection(cluster):
    found = Connection(cluster.scheduler_address)
    yield found
    found.close()
