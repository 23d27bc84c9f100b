"""One thread for BLAS: matrices of reductions are so small that its threads take longer to meet than to multiply."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Found = TypeVar("Found")


def by_one_thread(function: Callable[Given, Found]) -> Callable[Given, Found]:
    @wraps(function)
    def alone(*args: Given.args, **kwargs: Given.kwargs) -> Found:
        import scipy.linalg  # noqa: F401  its BLAS is there to be limited
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1, user_api="blas"):
            return function(*args, **kwargs)

    return alone
