"""Who carries a place: a rigid body's frame, a node of a line or mesh, or ground."""

from __future__ import annotations

from typing import Any

import numpy as np

GROUND = "ground"


def numbers(values: Any) -> Any:
    """As plain lists; -0 and rounding dust of axes as they are."""
    return np.asarray(values, float).tolist()


class Places:
    """Places of a model by the nodes they are fixed to."""

    def __init__(self, catalogue) -> None:
        self.bodies = catalogue.bodies
        self.owner: dict[int, tuple[str, int | None]] = {0: (GROUND, None)}
        for body in catalogue.bodies.values():
            if not body.is_flexible and body.mesh is None:
                self.owner.setdefault(body.node, (body.name, None))
        for body in catalogue.bodies.values():
            part = body.line if body.mesh is None else body.mesh
            for k, node in enumerate(part.nodes if part is not None and (body.is_flexible or body.mesh) else ()):
                self.owner.setdefault(int(node), (body.name, k))
            if body.modal is not None and body.modal.reduced.picture is not None:
                self._own_interfaces(body)

    def _own_interfaces(self, body) -> None:
        """Those of a body by modes are where its picture is nearest."""
        points = body.point + body.modal.reduced.picture.points @ body.axes.T
        for marker in body.markers.values():
            k = int(np.argmin(np.linalg.norm(points - marker.point, axis=1)))
            self.owner.setdefault(marker.node, (body.name, k))

    def place(self, node: int, point: np.ndarray) -> dict[str, Any] | None:
        """Of a point as drawn; None if nothing that is drawn carries the node."""
        if node not in self.owner:
            return None
        name, k = self.owner[node]
        if k is not None:
            mesh = self.bodies[name].mesh
            if mesh is not None and not mesh.is_flexible:  # one node carries all
                k = int(np.argmin(np.linalg.norm(mesh.points - point, axis=1)))
            return {"body": name, "node": k}
        return {"body": name, "at": numbers(self.inside(name, point))}

    def inside(self, name: str, points: np.ndarray) -> np.ndarray:
        """Points as drawn, in the frame of a body."""
        body = self.bodies[name]
        return (np.asarray(points) - body.point) @ body.axes

    def turned(self, name: str, axes: np.ndarray) -> list[list[float]]:
        """Axes as drawn, in columns, in the frame of a body, as three columns."""
        return numbers((self.bodies[name].axes.T @ axes).T)
