#!/usr/bin/env python3
"""Emulator frames a second of our environments and of ale-py driven from Python, in turns.

    build/atari/bin/python benchmarks/deep/atari_actor.py [--game pong] [--places 8] [--threads 1]
        [--steps 500] [--rounds 7] [--program build/release/benchmarks/atari_actor]

Both play random actions with the same settings (frame skip 4, stack of 4, 84 x 84, sticky actions
0.25). Each round times both, one after the other, so that a busy machine slows both; the ratio is
the median over the rounds.
"""

import argparse
import statistics
import subprocess
import time

import numpy as np
from ale_py.vector_env import AtariVectorEnv


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="pong")
    parser.add_argument("--places", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--program", default="build/release/benchmarks/atari_actor")
    return parser.parse_args()


class Python:
    def __init__(self, args):
        self.steps = args.steps
        self.random = np.random.default_rng(1)
        self.env = AtariVectorEnv(
            args.game, args.places, num_threads=args.threads, autoreset_mode="SameStep",
            repeat_action_probability=0.25, reward_clipping=False, use_fire_reset=False)
        self.env.reset(seed=1)

    def seconds(self):
        begin = time.perf_counter()
        for _ in range(self.steps):
            self.env.step(self.random.integers(
                self.env.single_action_space.n, size=self.env.num_envs, dtype=np.int32))
        return time.perf_counter() - begin


class Ours:
    def __init__(self, args):
        spec = f"atari:game={args.game},threads={args.threads}"
        self.process = subprocess.Popen(
            [args.program, spec, str(args.places), str(args.steps)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def seconds(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def main():
    args = arguments()
    frames = 4 * args.places * args.steps
    ours, python = Ours(args), Python(args)
    ours.seconds(), python.seconds()  # caches and pages
    rounds = []
    for number in range(args.rounds):
        pair = (ours, python) if number % 2 == 0 else (python, ours)
        taken = {player: player.seconds() for player in pair}
        rounds.append((frames / taken[ours], frames / taken[python]))
        print(f"round {number + 1}: ours {rounds[-1][0]:.0f} frames/s, "
              f"Python {rounds[-1][1]:.0f} frames/s", flush=True)
    ratios = [a / b for a, b in rounds]
    print(f"{args.game}, {args.places} places, {args.threads} threads: "
          f"ours {statistics.median(r[0] for r in rounds):.0f} frames/s, "
          f"Python {statistics.median(r[1] for r in rounds):.0f} frames/s, "
          f"ratio {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})")


main()
