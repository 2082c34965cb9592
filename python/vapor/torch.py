"""The solver as a layer of PyTorch: ``import vapor.torch``, which needs torch.

>>> value, occupancy, policy = vapor.torch.solve(problem, reward_mean=r)   # doctest: +SKIP
>>> policy[..., 0].log().sum().backward()                                  # doctest: +SKIP
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from .derivatives import TABLES, Layer
from .problem import Problem
from .solver import Regulariser


class _Solve(torch.autograd.Function):  # type: ignore[misc,no-any-unimported,unused-ignore]
    @staticmethod
    def forward(ctx: Any, layer: Layer, size: int, *tables: Any) -> Any:
        arrays = [None if t is None else t.detach().cpu().numpy() for t in tables]
        batch = layer.solve(arrays, size)
        ctx.layer, ctx.batch, ctx.given = layer, batch, tables
        like = next(t for t in tables if t is not None)
        pairs = layer.sizes["reward_mean"]
        return tuple(
            torch.tensor(array.reshape(shape)).to(like)
            for array, shape in (
                (batch.value, (size,)),
                (batch.occupancy, (size, pairs)),
                (batch.policy, (size, pairs)),
            )
        )

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[misc,untyped-decorator,unused-ignore]
    def backward(ctx: Any, *cotangents: Any) -> Any:
        arrays = [c.detach().cpu().numpy().astype(np.float64) for c in cotangents]
        gradients = ctx.layer.adjoint(ctx.batch, *arrays)
        return None, None, *(
            None if t is None else torch.as_tensor(g).to(t)
            for t, g in zip(ctx.given, gradients, strict=True)
        )


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

    A table is a tensor ``(..., entries)``, flat in the order of ``problem.tables``; the axes before
    are a batch, solved on so many threads (0: all cores). Distributions are scaled to sum to 1, and
    tables of different batches broadcast. Returns tensors ``(...)``, ``(..., pairs)`` and
    ``(..., pairs)`` that can be differentiated once.
    """
    layer = Layer(problem, regulariser=regulariser, tol=tol, threads=threads)
    given = dict(zip(TABLES, (reward_mean, sigma, probability, initial), strict=True))
    tables = {name: t for name, t in given.items() if t is not None}
    if not tables:
        raise TypeError("solve needs a tensor: reward_mean, sigma, probability or initial")
    for name, table in tables.items():
        layer.expect(name, tuple(table.shape))
    axes = torch.broadcast_shapes(*(t.shape[:-1] for t in tables.values()))
    size = math.prod(axes)
    flat = [
        None if t is None else t.expand(*axes, t.shape[-1]).reshape(size, t.shape[-1])
        for t in given.values()
    ]
    value, occupancy, policy = _Solve.apply(layer, size, *flat)
    return value.reshape(axes), occupancy.reshape(*axes, -1), policy.reshape(*axes, -1)
