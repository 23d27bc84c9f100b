"""Scalar laws f(time, value, rate) with their derivatives: constants, polynomials, tables, expressions, Python.

Every evaluation returns (f, d1, d2, d11): the value, its slope along the law's main variable, its slope along the rate
(when that is not the main variable), and the second derivative along the main variable. One arithmetic of such jets
serves drives (value, velocity, acceleration) and force laws (force, stiffness, damping).
"""

from __future__ import annotations

from math import acos, asin, atan, atan2, copysign, cos, cosh, exp, log, sin, sinh, sqrt, tan, tanh

from ..jit import device, intrinsic
from .tables import CONSTANT, EXPRESSION, OF_RATE, OF_TIME, OF_VALUE, PIECEWISE, POLYNOMIAL, TIMED

# opcodes of expressions, in the order of schema.expressions.Op
(CONST, VAR, ADD, SUB, MUL, DIV, POW, NEG, SIN, COS, TAN, ASIN, ACOS, ATAN, ATAN2, SINH, COSH, TANH, EXP, LOG, SQRT,
 ABS, SIGN, MIN, MAX, STEP, WHERE) = range(27)  # fmt: skip


@intrinsic
def call_address(typingctx, address, t, x, v):
    """Call a C function double(double, double, double) at an address that is data, so that caching still works."""
    from llvmlite import ir
    from numba import types

    def codegen(context, builder, signature, args):
        double = ir.DoubleType()
        pointer = builder.inttoptr(args[0], ir.FunctionType(double, [double, double, double]).as_pointer())
        return builder.call(pointer, args[1:])

    return types.float64(types.int64, types.float64, types.float64, types.float64), codegen


@device
def polynomial(numbers, first, count, x):
    f, d, dd = 0.0, 0.0, 0.0
    for k in range(first + count - 1, first - 1, -1):
        dd = dd * x + 2.0 * d
        d = d * x + f
        f = f * x + numbers[k]
    return f, d, dd


@device
def interval(numbers, first, count, x):
    """Index of the piece of a table that holds x; the end pieces continue beyond the table."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high + 1) // 2
        if numbers[first + middle] <= x:
            low = middle
        else:
            high = middle - 1
    return low


@device
def piecewise(tables, i, x):
    """A spline: count+1 knots, then per piece its coefficients (ascending) and its integral up to its start."""
    law, numbers = tables.laws[i], tables.numbers
    piece = interval(numbers, law.first, law.count, x)
    last = numbers[law.first + law.count]
    start = numbers[law.first + piece]
    block = law.first + law.count + 1 + piece * (law.degree + 2)
    if x > last or x < start:  # straight on beyond the ends
        edge = last if x > last else start
        f, d, _ = polynomial(numbers, block, law.degree + 1, edge - start)
        return f + d * (x - edge), d, 0.0
    return polynomial(numbers, block, law.degree + 1, x - start)


@device
def apply_unary(code, f):
    """(value, first, second derivative) of an elementary function."""
    if code == SIN:
        return sin(f), cos(f), -sin(f)
    if code == COS:
        return cos(f), -sin(f), -cos(f)
    if code == TAN:
        y = tan(f)
        return y, 1.0 + y * y, 2.0 * y * (1.0 + y * y)
    if code == ASIN:
        r = 1.0 / sqrt(1.0 - f * f)
        return asin(f), r, f * r * r * r
    if code == ACOS:
        r = 1.0 / sqrt(1.0 - f * f)
        return acos(f), -r, -f * r * r * r
    if code == ATAN:
        r = 1.0 / (1.0 + f * f)
        return atan(f), r, -2.0 * f * r * r
    if code == SINH:
        return sinh(f), cosh(f), sinh(f)
    if code == COSH:
        return cosh(f), sinh(f), cosh(f)
    if code == TANH:
        y = tanh(f)
        return y, 1.0 - y * y, -2.0 * y * (1.0 - y * y)
    if code == EXP:
        y = exp(f)
        return y, y, y
    if code == LOG:
        return log(f), 1.0 / f, -1.0 / (f * f)
    if code == SQRT:
        y = sqrt(f)
        return y, 0.5 / y, -0.25 / (y * f)
    if code == ABS:
        return abs(f), copysign(1.0, f), 0.0
    if code == SIGN:
        return (0.0 if f == 0.0 else copysign(1.0, f)), 0.0, 0.0
    if f <= 0.0:  # STEP
        return 0.0, 0.0, 0.0
    if f >= 1.0:
        return 1.0, 0.0, 0.0
    return f * f * (3.0 - 2.0 * f), 6.0 * f * (1.0 - f), 6.0 - 12.0 * f


@device
def push_chain(stack, top, f, g, gg):
    """Replace the jet on top by F(jet), given F, F', F'' there."""
    d1, d2, d11 = stack[top, 1], stack[top, 2], stack[top, 3]
    stack[top, 0] = f
    stack[top, 1] = g * d1
    stack[top, 2] = g * d2
    stack[top, 3] = g * d11 + gg * d1 * d1


@device
def multiply(stack, i, j):
    a, a1, a2, a11 = stack[i, 0], stack[i, 1], stack[i, 2], stack[i, 3]
    b, b1, b2, b11 = stack[j, 0], stack[j, 1], stack[j, 2], stack[j, 3]
    stack[i, 0] = a * b
    stack[i, 1] = a * b1 + a1 * b
    stack[i, 2] = a * b2 + a2 * b
    stack[i, 3] = a * b11 + 2.0 * a1 * b1 + a11 * b


@device
def is_constant(stack, i):
    return stack[i, 1] == 0.0 and stack[i, 2] == 0.0 and stack[i, 3] == 0.0


@device
def divide(stack, i, j):
    f = stack[j, 0]
    if is_constant(stack, j):
        for k in range(4):
            stack[i, k] /= f
        return
    push_chain(stack, j, 1.0 / f, -1.0 / (f * f), 2.0 / (f * f * f))
    multiply(stack, i, j)


@device
def raise_to_power(stack, i, j):
    """stack[i] ** stack[j]; a constant exponent allows a base of any sign."""
    p = stack[j, 0]
    if is_constant(stack, j):
        f = stack[i, 0]
        if p == 0.0:
            push_chain(stack, i, 1.0, 0.0, 0.0)
        elif p == 1.0:
            return
        elif p >= 2.0 and p <= 9.0 and p == int(p):  # a fraction of what general powers take
            g = 1.0
            for _ in range(int(p) - 2):
                g *= f
            push_chain(stack, i, g * f * f, p * g * f, p * (p - 1.0) * g)
        else:
            push_chain(stack, i, f**p, p * f ** (p - 1.0), p * (p - 1.0) * f ** (p - 2.0))
        return
    f = stack[i, 0]
    push_chain(stack, i, log(f), 1.0 / f, -1.0 / (f * f))
    multiply(stack, i, j)
    y = exp(stack[i, 0])
    push_chain(stack, i, y, y, y)


@device
def arctangent2(stack, i, j):
    """stack[i] = atan2(stack[i], stack[j])"""
    y, y1, y2, y11 = stack[i, 0], stack[i, 1], stack[i, 2], stack[i, 3]
    x, x1, x2, x11 = stack[j, 0], stack[j, 1], stack[j, 2], stack[j, 3]
    r = 1.0 / (x * x + y * y)
    slope = (x * y1 - y * x1) * r
    stack[i, 0] = atan2(y, x)
    stack[i, 1] = slope
    stack[i, 2] = (x * y2 - y * x2) * r
    stack[i, 3] = (x * y11 - y * x11) * r - 2.0 * slope * (x * x1 + y * y1) * r


@device
def copy_jet(stack, to, origin):
    for k in range(4):
        stack[to, k] = stack[origin, k]


@device
def expression(tables, i, main, t, x, v, stack):
    """Run a postfix program on jets."""
    law = tables.laws[i]
    top = -1
    for k in range(law.first, law.first + law.count):
        code, operand = tables.codes[k], tables.numbers[law.address + k - law.first]
        if code == CONST:
            top += 1
            stack[top, 0] = operand
            stack[top, 1] = stack[top, 2] = stack[top, 3] = 0.0
        elif code == VAR:
            top += 1
            which = int(operand)
            stack[top, 0] = t if which == OF_TIME else (x if which == OF_VALUE else v)
            stack[top, 1] = 1.0 if which == main else 0.0
            stack[top, 2] = 1.0 if which == OF_RATE and main != OF_RATE else 0.0
            stack[top, 3] = 0.0
        elif code in (ADD, SUB):
            sign = 1.0 if code == ADD else -1.0
            top -= 1
            for d in range(4):
                stack[top, d] += sign * stack[top + 1, d]
        elif code == MUL:
            top -= 1
            multiply(stack, top, top + 1)
        elif code == DIV:
            top -= 1
            divide(stack, top, top + 1)
        elif code == POW:
            top -= 1
            raise_to_power(stack, top, top + 1)
        elif code == NEG:
            for d in range(4):
                stack[top, d] = -stack[top, d]
        elif code == ATAN2:
            top -= 1
            arctangent2(stack, top, top + 1)
        elif code in (MIN, MAX):
            top -= 1
            second_is_less = stack[top + 1, 0] < stack[top, 0]
            if second_is_less == (code == MIN):
                copy_jet(stack, top, top + 1)
        elif code == WHERE:
            top -= 2
            copy_jet(stack, top, top + 1 if stack[top, 0] > 0.0 else top + 2)
        else:
            f, g, gg = apply_unary(code, stack[top, 0])
            push_chain(stack, top, f, g, gg)
    return stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3]


@device
def python_law(address, main, t, x, v):
    """A user's function, with slopes by central differences."""
    f = call_address(address, t, x, v)
    z = t if main == OF_TIME else (x if main == OF_VALUE else v)
    h = 1e-6 * max(1.0, abs(z))
    ht = h if main == OF_TIME else 0.0
    hx = h if main == OF_VALUE else 0.0
    hv = h if main == OF_RATE else 0.0
    ahead = call_address(address, t + ht, x + hx, v + hv)
    behind = call_address(address, t - ht, x - hx, v - hv)
    d2 = 0.0
    if main == OF_VALUE:
        k = 1e-6 * max(1.0, abs(v))
        d2 = (call_address(address, t, x, v + k) - call_address(address, t, x, v - k)) / (2.0 * k)
    return f, (ahead - behind) / (2.0 * h), d2, (ahead - 2.0 * f + behind) / (h * h)


@device
def evaluate_law(tables, i, main, t, x, v, stack):
    """(f, d1, d2, d11) of law i."""
    law = tables.laws[i]
    if law.kind == CONSTANT:
        return tables.numbers[law.first], 0.0, 0.0, 0.0
    z = t if main == OF_TIME else (x if main == OF_VALUE else v)
    if law.kind == POLYNOMIAL:
        f, d, dd = polynomial(tables.numbers, law.first, law.count, z)
        return f, d, 0.0, dd
    if law.kind == PIECEWISE:
        f, d, dd = piecewise(tables, i, z)
        return f, d, 0.0, dd
    if law.kind == TIMED:
        f, _, _ = piecewise(tables, i, t)
        return f, 0.0, 0.0, 0.0
    if law.kind == EXPRESSION:
        return expression(tables, i, main, t, x, v, stack)
    return python_law(law.address, main, t, x, v)


@device
def potential(tables, i, z):
    """Integral of a constant, polynomial or table from 0 (a table that does not hold 0: from its nearer end) to z."""
    law = tables.laws[i]
    numbers = tables.numbers
    if law.kind == CONSTANT:
        return numbers[law.first] * z
    if law.kind == POLYNOMIAL:
        total, power = 0.0, z
        for k in range(law.count):
            total += numbers[law.first + k] * power / (k + 1)
            power *= z
        return total
    piece = interval(numbers, law.first, law.count, z)
    start, last = numbers[law.first + piece], numbers[law.first + law.count]
    block = law.first + law.count + 1 + piece * (law.degree + 2)
    inside = min(max(z, start), last)
    total, power = numbers[block + law.degree + 1], inside - start
    for k in range(law.degree + 1):
        total += numbers[block + k] * power / (k + 1)
        power *= inside - start
    if inside != z:
        f, d, _ = polynomial(numbers, block, law.degree + 1, inside - start)
        total += (z - inside) * (f + 0.5 * d * (z - inside))
    return total
