"""What a model looks like, as plain data: geometry once, motion by the channels of the results.

    {"gravity": [x, y, z], "parts": [part, …]}

A part has a `kind`, a `name` and, by kind:

    rigid     shapes: in the body's frame, which moves by <name>.position and <name>.orientation (world axes for ground)
    point     mass, radius: a ball that moves by <name>.position
    line      of: beam, cable or cord; outline [[y, z], …] or radius of the section, None if unknown;
              moves by <name>.positions and, of a beam, turns by <name>.section_up
    mesh      of: membrane, shell or solid; cells by kind of element, and the sides of each kind (edges of a surface,
              faces of a solid, outside in front) by places in a row of cells; moves by <name>.positions
    link      of: spring, bar, bushing or distance; ends: two places
    joint     of: its kind; at: a place; axis: in the frame of that place's body
    support   places held in the world, in some directions at least
    contact   acts at <name>.point with <name>.force

A place is {"body", "at"}: a point in the frame of a rigid body or of ground; or {"body", "node"}: of a line or mesh.
Lengths are in metres; `axes` are three columns.
"""

from .draw import draw_scene

__all__ = ["draw_scene"]
