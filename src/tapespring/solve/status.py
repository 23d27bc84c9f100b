"""What a compiled loop returns; Python turns it into words (see `advice`)."""

(
    DONE,
    PAUSED,
    STOPPED_BY_EVENT,
    STEP_TOO_SMALL,
    NOT_FINITE,
    STIFF,
    NEWTON_FAILED,
    SINGULAR,
    EVENTS_FULL,
    RESELECT,
    NO_BALANCE,
    UNSTABLE,
    TOO_DEEP,
    JAMMED,
) = range(14)

WORDS = {
    DONE: "complete",
    PAUSED: "paused",
    STOPPED_BY_EVENT: "stopped by event",
    STEP_TOO_SMALL: "step too small",
    NOT_FINITE: "diverged",
    STIFF: "stiff",
    NEWTON_FAILED: "newton failed",
    SINGULAR: "singular matrix",
    EVENTS_FULL: "events buffer full",
    NO_BALANCE: "no balance",
    UNSTABLE: "unstable",
    TOO_DEEP: "contact too deep",
    JAMMED: "joint jams",
    RESELECT: "redundant rows to be chosen anew",
}

ADVICE = {
    STEP_TOO_SMALL: "the step shrank until it no longer advances time. Likely causes: a law or drive that jumps, a "
    "singular position, or bodies that pull apart without bound. Smooth the jump, or loosen 'tolerance'.",
    NOT_FINITE: "a quantity became infinite or not a number. Likely causes: a force that grows without bound, a spring "
    "of zero length, an expression outside its range (log, sqrt, division by zero).",
    NEWTON_FAILED: "the Newton iterations did not converge even at the smallest step. Likely causes: a very stiff or "
    "jumping law, or a singular position. Smooth the law.",
    UNSTABLE: "energy grew from nowhere: the step is longer than the stiffest part allows by now. Likely causes: an "
    "element squeezed or turned far beyond its drawn shape, a spring or bushing that stiffens, or strong damping. Give "
    "half the 'step', or more mass where the model is stiff ('mass_scaling').",
    TOO_DEEP: "surfaces are deeper in each other than the contact's 'max_depth'. Likely causes: a law too soft for the "
    "speed or load, or a surface that began on the wrong side. Give more stiffness, or a larger 'max_depth'.",
    JAMMED: "a joint with friction jams: its friction makes the reaction that causes it grow by more than itself. "
    "Its coefficient times its radius is too large for the arms its reactions have. Give a smaller 'coefficient' or "
    "'radius' or a longer guide ('length'), or a given friction ('torque', 'force').",
    SINGULAR: "the equations became singular. Likely causes: a body held by nothing in a static solve, or "
    "contradictory joints.",
}

# another solver that may get on, and how; for models whose laws it takes
ANOTHER = {
    STEP_TOO_SMALL: ("implicit", "solver: implicit with a fixed 'step'"),
    NEWTON_FAILED: ("ode", "solver: ode"),
    UNSTABLE: ("implicit", "solver: implicit"),
}
