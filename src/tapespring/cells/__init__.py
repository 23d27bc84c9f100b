"""Elements of membranes, shells and solids: what they measure, and their stiffness."""
