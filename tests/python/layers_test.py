"""The layers of torch and jax, each in a Python of its own."""

import os
import subprocess
from pathlib import Path

import pytest

import vapor

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]

TORCH = """
import torch
import vapor
assert not hasattr(vapor, "torch") or vapor.torch is not torch
import vapor.torch

problem = vapor.random_problem(3, 3, 2, seed=4)
tables = problem.tables
inputs = [torch.tensor(tables[k], dtype=torch.double) for k in (3, 4, 7, 2)]
batch = [torch.stack([x, 1.1 * x]).requires_grad_() for x in inputs]

def layer(reward_mean, sigma, probability, initial):
    return vapor.torch.solve(problem, reward_mean=reward_mean, sigma=sigma,
                             probability=probability, initial=initial)

assert torch.autograd.gradcheck(layer, batch, eps=1e-6, atol=1e-6, rtol=1e-5)
value, occupancy, policy = layer(*batch)
assert value.shape == (2,) and occupancy.shape == policy.shape == (2, 18)
alone = vapor.torch.solve(problem, reward_mean=inputs[0])[0]
assert abs(float(alone) - vapor.solve(problem).value) < 1e-7

# cvxpylayers, issue 145.
arms = vapor.Problem([[[0.6, 0.58]]], [[[0.01, 0.01]]])
r = torch.tensor([0.6, 0.58], dtype=torch.double, requires_grad=True)
_, _, pi = vapor.torch.solve(arms, reward_mean=r, regulariser="weighted_entropy")
pi[0].backward()
assert abs(float(r.grad[1]) + 10.4994) < 1e-4, r.grad
try:
    vapor.torch.solve(problem, sigma=torch.ones(3))
except vapor.InputError as error:
    assert "sigma" in str(error)
else:
    raise AssertionError
print("good")
"""

JAX = """
import jax
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
from jax.test_util import check_grads
import vapor
import vapor.jax

problem = vapor.random_problem(3, 3, 2, seed=4)
tables = problem.tables
inputs = [jnp.stack([jnp.asarray(tables[k]), 1.1 * jnp.asarray(tables[k])]) for k in (3, 4, 7, 2)]

def layer(reward_mean, sigma, probability, initial):
    return vapor.jax.solve(problem, reward_mean=reward_mean, sigma=sigma,
                           probability=probability, initial=initial)

check_grads(layer, inputs, order=1, modes=["rev"], eps=1e-5, atol=1e-6, rtol=1e-5)
gradient = jax.jit(jax.grad(lambda r: vapor.jax.solve(problem, reward_mean=r)[0]))(inputs[0][0])
assert jnp.allclose(gradient, vapor.jax.solve(problem, reward_mean=inputs[0][0])[1])

arms = vapor.Problem([[[0.6, 0.58]]], [[[0.01, 0.01]]])
first = lambda r: vapor.jax.solve(arms, reward_mean=r, regulariser="weighted_entropy")[2][0]
assert abs(float(jax.grad(first)(jnp.array([0.6, 0.58]))[1]) + 10.4994) < 1e-4
print("good")
"""


def run(setup: str, folder: str, script: str) -> str:
    subprocess.run([ROOT / "scripts" / setup], check=True)
    package = Path(vapor.__file__).parents[1]
    result = subprocess.run(
        [ROOT / "build" / folder / "bin" / "python", "-c", script],
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_torch_gradcheck_passes() -> None:
    assert run("setup-sb3", "sb3", TORCH) == "good\n"


def test_jax_check_grads_passes() -> None:
    assert run("setup-jax", "jax", JAX) == "good\n"
