"""The solver as a function of JAX: ``import vapor.jax``, which needs jax.

>>> value, occupancy, policy = vapor.jax.solve(problem, reward_mean=r)     # doctest: +SKIP

The solver is called back from the compiled program, so ``jit``, ``grad`` and ``vmap`` work; its
arithmetic is in doubles whatever the arrays are.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .derivatives import TABLES, Layer
from .problem import Problem
from .solver import Regulariser


def _solution(layer: Layer, given: tuple[bool, ...], tables: Any) -> Any:
    size = tables[0].shape[0]
    pairs = layer.sizes["reward_mean"]
    kind = tables[0].dtype
    shapes = tuple(
        jax.ShapeDtypeStruct(shape, kind) for shape in ((size,), (size, pairs), (size, pairs))
    )

    def call(*arrays: Any) -> Any:
        batch = layer.solve(_all(given, arrays), size)
        found = batch.value, batch.occupancy, batch.policy
        return tuple(
            a.reshape(s.shape).astype(kind) for a, s in zip(found, shapes, strict=True)
        )

    return jax.pure_callback(call, shapes, *tables)


def _gradient(layer: Layer, given: tuple[bool, ...], tables: Any, cotangents: Any) -> Any:
    size = tables[0].shape[0]
    shapes = tuple(jax.ShapeDtypeStruct(t.shape, t.dtype) for t in tables)

    # The optimum is found once more: a compiled program has no place to keep it.
    def call(*arrays: Any) -> Any:
        batch = layer.solve(_all(given, arrays[: len(tables)]), size)
        found = layer.adjoint(batch, *(np.asarray(c) for c in arrays[len(tables) :]))
        wanted = [g for g, is_given in zip(found, given, strict=True) if is_given]
        return tuple(g.astype(s.dtype) for g, s in zip(wanted, shapes, strict=True))

    return jax.pure_callback(call, shapes, *tables, *cotangents)


def _all(given: tuple[bool, ...], arrays: Any) -> list[Any]:
    rest = iter(arrays)
    return [np.asarray(next(rest)) if is_given else None for is_given in given]


def solve(
    problem: Problem,
    *,
    reward_mean: Any = None,
    sigma: Any = None,
    probability: Any = None,
    initial: Any = None,
    regulariser: Regulariser = "vapor",
    tol: float = 1e-9,
    threads: int = 0,
) -> tuple[Any, Any, Any]:
    """Value, occupancy and policy of ``problem`` with these tables in place of its own.

    The same as :func:`vapor.torch.solve`, on arrays of JAX: ``(..., entries)`` in, ``(...)``,
    ``(..., pairs)`` and ``(..., pairs)`` out, with derivatives in reverse mode.
    """
    layer = Layer(problem, regulariser=regulariser, tol=tol, threads=threads)
    tables = dict(zip(TABLES, (reward_mean, sigma, probability, initial), strict=True))
    given = tuple(t is not None for t in tables.values())
    if not any(given):
        raise TypeError("solve needs an array: reward_mean, sigma, probability or initial")
    arrays = []
    for name, table in tables.items():
        if table is not None:
            layer.expect(name, jnp.shape(table))
            arrays.append(jnp.asarray(table))
    axes = jnp.broadcast_shapes(*(a.shape[:-1] for a in arrays))
    size = math.prod(axes)
    flat = [jnp.broadcast_to(a, (*axes, a.shape[-1])).reshape(size, -1) for a in arrays]

    solved = jax.custom_vjp(lambda *flat_tables: _solution(layer, given, flat_tables))

    def forward(*flat_tables: Any) -> Any:
        return solved(*flat_tables), flat_tables

    def backward(flat_tables: Any, cotangents: Any) -> Any:
        return _gradient(layer, given, flat_tables, cotangents)

    solved.defvjp(forward, backward)
    value, occupancy, policy = solved(*flat)
    return value.reshape(axes), occupancy.reshape(*axes, -1), policy.reshape(*axes, -1)
