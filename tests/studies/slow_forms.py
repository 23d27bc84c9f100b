"""A function that takes a while, and notes in a folder that it was called."""

import time


def slow(a):
    time.sleep(0.004)
    return {"y": 3.0 * a}
