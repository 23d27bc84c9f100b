"""Where two ellipsoids are nearest, a ball being one of them.

With h(n) = |A n| the reach of an ellipsoid in direction n, A its semi-axes along its own axes, and d from the centre of
a to that of b, the gap is the largest separation over all directions,

    gap = max over |n| = 1 of  s(n) = n.d - h_a(n) - h_b(n)

with the common normal of both surfaces where it is attained: also of surfaces somewhat within each other, down to a
depth of their radii of curvature. Newton's method on the unit sphere finds it in floats, taking no step that is not
upwards. One more step from there with numbers that know their derivatives leaves the place as it is and gives its exact
change.
"""

from math import sqrt

from ..jit import device, from_numba, small
from ..math.vec3 import add, axpy, cross, dot, scale, sub

(value_of,) = from_numba(".math.duals", "value_of")
TINY = 1e-300
MOST = 60
HALVINGS = 40
LONGEST = 0.7  # rad in one step
ENOUGH = 1e-15  # rad


@small
def value3(a):
    return (value_of(a[0]), value_of(a[1]), value_of(a[2]))


@small
def squared(axes, size, v):
    """A² v"""
    return axpy(
        size[0] * size[0] * dot(axes[0], v),
        axes[0],
        axpy(size[1] * size[1] * dot(axes[1], v), axes[1], scale(size[2] * size[2] * dot(axes[2], v), axes[2])),
    )


@small
def support(axes, size, n):
    """(reach in direction n, the point from the centre that reaches so far)"""
    p = squared(axes, size, n)
    h = sqrt(dot(n, p) + TINY)
    return h, scale(1.0 / h, p)


@small
def bent(axes, size, h, p, v):
    """Change of the point that reaches farthest, as n changes by v."""
    return scale(1.0 / h, axpy(-1.0 * dot(p, v), p, squared(axes, size, v)))


@small
def pulled(d, A, a, B, b, n):
    """(separation, its gradient)"""
    ha, pa = support(A, a, n)
    hb, pb = support(B, b, n)
    return dot(n, d) - ha - hb, sub(d, add(pa, pb))


@small
def across_two(n):
    """Two unit vectors across n."""
    e = (0.0, 1.0, 0.0) if abs(n[0]) > 0.7 else (1.0, 0.0, 0.0)
    u = cross(n, e)
    u = scale(1.0 / sqrt(dot(u, u)), u)
    return u, cross(n, u)


@small
def slopes(d, A, a, B, b, n, u, w):
    """(uu, uw, ww) of the second derivative on the sphere."""
    ha, pa = support(A, a, n)
    hb, pb = support(B, b, n)
    s = dot(n, d) - ha - hb
    by_u = add(bent(A, a, ha, pa, u), bent(B, b, hb, pb, u))
    by_w = add(bent(A, a, ha, pa, w), bent(B, b, hb, pb, w))
    return -dot(u, by_u) - s, -dot(u, by_w), -dot(w, by_w) - s


@small
def step_to(slope, ru, rw):
    """Newton's step (along u, along w) for the gradient (ru, rw); whether it leads to a maximum."""
    uu, uw, ww = slope
    det = uu * ww - uw * uw
    if not (det > 0.0 and uu < 0.0):
        return ru, rw, False
    return (uw * rw - ww * ru) * (1.0 / det), (uw * ru - uu * rw) * (1.0 / det), True


@small
def moved(n, u, w, x, y):
    """n turned towards u and w."""
    m = axpy(x, u, axpy(y, w, n))
    return scale(1.0 / sqrt(dot(m, m)), m)


@device
def common_normal(d, A, a, B, b):
    """The direction of largest separation, near that of d; floats."""
    l = sqrt(dot(d, d))
    n = scale(1.0 / l, d) if l > 0.0 else A[0]
    s, g = pulled(d, A, a, B, b, n)
    for _ in range(MOST):
        u, w = across_two(n)
        x, y, good = step_to(slopes(d, A, a, B, b, n, u, w), dot(u, g), dot(w, g))
        size = sqrt(x * x + y * y)
        if size == 0.0:
            break
        if size > LONGEST or not good:
            x, y = x * LONGEST / size, y * LONGEST / size
        part, found = 1.0, False
        for _ in range(HALVINGS):
            trial = moved(n, u, w, part * x, part * y)
            s_trial, g_trial = pulled(d, A, a, B, b, trial)
            if s_trial > s:
                n, s, g, found = trial, s_trial, g_trial, True
                break
            part *= 0.5
        if not found:
            if good and size < 1e-6:  # as near as the separation can tell; the gradient tells more
                n = moved(n, u, w, x, y)
            break
        if size <= ENOUGH:
            break
    return n


@device
def ellipsoids(d, A, a, B, b):
    """(gap, normal, offset on a, offset on b) of two ellipsoids of semi-axes a and b along unit vectors A and B."""
    dv = value3(d)
    Av = (value3(A[0]), value3(A[1]), value3(A[2]))
    Bv = (value3(B[0]), value3(B[1]), value3(B[2]))
    n0 = common_normal(dv, Av, a, Bv, b)
    u, w = across_two(n0)
    _, g = pulled(d, A, a, B, b, n0)
    x, y, _ = step_to(slopes(dv, Av, a, Bv, b, n0, u, w), dot(u, g), dot(w, g))
    n = moved(n0, u, w, x, y)
    gap, _ = pulled(d, A, a, B, b, n)
    _, pb = support(B, b, n)
    offset = axpy(-0.5 * gap, n, scale(-1.0, pb))
    return gap, n, add(d, offset), offset
