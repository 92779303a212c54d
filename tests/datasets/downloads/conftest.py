import pytest

from tests.datasets.downloads.openml_server import LittleOpenML


@pytest.fixture
def openml(tmp_path):
    little = LittleOpenML(tmp_path / "cache")
    yield little
    little.close()


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """Whatever a test does, the cache of the person who runs it stays as it is."""
    monkeypatch.setenv("NCA_EXPLORER_CACHE", str(tmp_path / "default-cache"))
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
