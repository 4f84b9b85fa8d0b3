import pytest
import torch
from hypothesis import settings

settings.register_profile("core", deadline=None, max_examples=60)
settings.load_profile("core")

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


@pytest.fixture(params=DEVICES, scope="session")
def device(request):
    """Every device present that computes in float64; a test that takes it runs on each."""
    return torch.device(request.param)
