"""What all tests share."""

import numba
from hypothesis import settings

# Kernels compile inside the first example, so no deadline; the same examples on every machine.
settings.register_profile("mess", deadline=None, derandomize=True)
settings.load_profile("mess")


def pytest_configure(config):
    if numba.config.DISABLE_JIT:
        # Sums of 64-bit words are meant to wrap around; only numpy, not compiled code, remarks on it.
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered in scalar:RuntimeWarning")
