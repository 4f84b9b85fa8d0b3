"""A real server without a browser."""

from collections.abc import Iterator

import pytest

from tests.serving import Server, serving


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One server for the tests of a file."""
    with serving() as running:
        yield running
