"""Plays a game with its own package, as tests/atari/reference_test.cpp says, a place at a time.

reference.py SUITE GAME ACTIONS OUT SEED...: ACTIONS holds int32 [step, place]. OUT receives for
each place the first observation, then for each step: the observation, the reward (float32), ended
(a byte) and, if that is 1, the last observation of the episode.
"""

import logging
import sys

import numpy as np


class Atari:
    """One emulator that resets on the step after an end, unlike the one under test."""

    def __init__(self, game):
        from ale_py.vector_env import AtariVectorEnv

        self.env = AtariVectorEnv(
            game, 1, num_threads=1, repeat_action_probability=0.25,
            reward_clipping=False, use_fire_reset=False)

    def reset(self, seed):
        return self.env.reset(seed=np.array([seed]))[0][0].copy()

    def act(self, action):
        observation, reward, ended, cut, _ = self.env.step(np.array([action]))
        assert not cut[0]
        return observation[0].copy(), reward[0], ended[0]

    def begin_again(self):
        return self.env.step(np.array([0]))[0][0].copy()


class MinAtar:
    def __init__(self, game):
        logging.disable()
        from minatar import Environment

        self.env = Environment(game)
        self.actions = self.env.minimal_action_set()

    def observation(self):
        return np.ascontiguousarray(self.env.state().transpose(2, 0, 1)).astype(np.uint8)

    def reset(self, seed):
        self.env.seed(seed)
        return self.begin_again()

    def act(self, action):
        reward, ended = self.env.act(self.actions[action])
        return self.observation(), reward, ended

    def begin_again(self):
        self.env.reset()
        return self.observation()


def main():
    suite, game, actions_file, out_file, *seeds = sys.argv[1:]
    actions = np.fromfile(actions_file, np.int32).reshape(-1, len(seeds))
    with open(out_file, "wb") as out:
        for place, seed in enumerate(seeds):
            env = {"atari": Atari, "minatar": MinAtar}[suite](game)
            out.write(env.reset(int(seed)).tobytes())
            for action in actions[:, place]:
                observation, reward, ended = env.act(action)
                last = observation
                if ended:
                    observation = env.begin_again()
                out.write(observation.tobytes() + np.float32(reward).tobytes() + bytes([bool(ended)]))
                if ended:
                    out.write(last.tobytes())


main()
