"""Question: what do the tasks of kernels.cu cost in JAX on the same GPU?

Prints nanoseconds of an item, as kernels.cu does: medians of rounds, with results awaited. Usage: python3 kernels_in_jax.py
"""

import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def rotated(r, x, square):
    theta = jnp.sqrt(square)
    u = r / theta
    c, s = jnp.cos(theta), jnp.sin(theta)
    return x * c + jnp.cross(u, x) * s + u * (jnp.dot(u, x) * (1 - c))


def residual(p, m):
    r, x = p[0:3], p[11:14] - p[3:6]
    square = jnp.dot(r, r)
    moves = square > 0
    y = jnp.where(moves, rotated(r, x, jnp.where(moves, square, 1)), x + jnp.cross(r, x))
    q = y[0:2] / y[2]
    rho = jnp.dot(q, q)
    return p[14] * (p[6] * (1 + rho * (p[9] + p[10] * rho)) * q + p[7:9] - m)


def orbit(place, velocity):
    force = jax.grad(lambda r: -1 / jnp.sqrt(jnp.dot(r, r)))
    step = 1e-3

    def leap(_, state):
        place, velocity = state
        place = place + step / 2 * velocity
        velocity = velocity - step * force(place)
        return place + step / 2 * velocity, velocity

    return jax.lax.fori_loop(0, 256, leap, (place, velocity))


def log_sum_exp(x):
    m = jnp.max(x)
    return m + jnp.log(jnp.sum(jnp.exp(x - m)))


def report(name, f, *x):
    compiled = jax.jit(jax.vmap(f)).lower(*x).compile()
    jax.block_until_ready(compiled(*x))
    times = []
    for _ in range(21):
        start = time.perf_counter()
        for _ in range(5):
            result = compiled(*x)
        jax.block_until_ready(result)
        times.append((time.perf_counter() - start) / 5)
    print(f"{name}, {'f32' if x[0].dtype == jnp.float32 else 'f64'}: {np.median(times) * 1e9 / x[0].shape[0]:.4f} ns", flush=True)


def tasks(dtype):
    u = np.random.default_rng(7).uniform
    n = 1 << 20
    p = np.concatenate([u(-0.35, 0.45, (n, 3)), u(-0.5, 0.5, (n, 3)), u(480, 520, (n, 1)), u(-10, 10, (n, 2)), u(-0.05, 0.05, (n, 1)),
                        u(-0.01, 0.01, (n, 1)), u(-1, 1, (n, 2)), u(-7, -5, (n, 1)), u(0.7, 1.3, (n, 1))], axis=1)
    report("T4 reprojection Jacobians", jax.jacrev(residual), jnp.asarray(p, dtype), jnp.asarray(u(-200, 200, (n, 2)), dtype))
    place = np.array([1, 0, 0]) + u(-0.1, 0.1, (n, 3))
    velocity = np.array([0, 1, 0]) + u(-0.1, 0.1, (n, 3))
    report("256 steps of orbits", orbit, jnp.asarray(place, dtype), jnp.asarray(velocity, dtype))
    report("gradients of log-sum-exp of 16", jax.grad(log_sum_exp), jnp.asarray(u(-3, 3, (4 * n, 16)), dtype))


print(jax.devices()[0].device_kind, "JAX", jax.__version__)
tasks(jnp.float32)
tasks(jnp.float64)
