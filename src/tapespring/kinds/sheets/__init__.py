"""What membranes, shells and solids are made of."""
