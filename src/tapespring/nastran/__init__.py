"""Files of NASTRAN: bulk data (grids, elements, properties), OUTPUT4 and DMIG matrices. Nothing is dropped silently."""
