"""tapespring: mechanisms with flexible parts, contact and loose joints.

    import tapespring as ts

    m = ts.Model(gravity=(0, 0, -9.81))
    bob = m.point_mass("bob", mass="1 kg", at=("1 m", 0, 0))
    m.distance("rod", m.ground, bob)
    results = m.simulate("10 s")

Names are loaded when first used, so that importing the package costs nothing.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .fitting import fit
    from .modal import Reduced
    from .model import Model, load
    from .reduction.reduce import reduce
    from .results import Results
    from .schema.problems import ModelError
    from .studies import study

__all__ = ["Model", "ModelError", "Reduced", "Results", "__version__", "fit", "load", "reduce", "study"]

_HOMES = {
    "Model": ".model",
    "load": ".model",
    "Results": ".results",
    "ModelError": ".schema.problems",
    "fit": ".fitting",
    "Reduced": ".modal",
    "reduce": ".reduction.reduce",
    "study": ".studies",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
