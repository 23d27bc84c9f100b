"""A mass on a spring, and a study of it."""

MODEL = """\
name: Spring
bodies:
  block: {kind: point_mass, mass: 1 kg, at: [1 m, 0, 0]}
joints:
  rail: {kind: point_on_line, between: [ground, block], axis: x}
forces:
  coil: {kind: spring, between: [ground, block], stiffness: 100 N/m, free_length: 1.1 m}
events:
  back: {watch: block.velocity.x, level: 0 m/s, direction: falling}
simulate: {duration: 0.5 s, solver: ode, tolerance: 1e-8, outputs: 50}
"""
STUDY = """\
name: Spring
model: model.yaml
parameters:
  k: {path: forces.coil.stiffness, distribution: {kind: uniform, low: 80 N/m, high: 120 N/m}}
  mass: {path: bodies.block.mass, distribution: {kind: normal, mean: 1 kg, std: 20 g}}
sampling: {kind: latin_hypercube, samples: 40, seed: 3}
responses:
  most: {channel: block.position.x, take: max, limit: {max: 1.25 m}}
  turned: {event: back, limit: {max: 0.34 s}}
"""
