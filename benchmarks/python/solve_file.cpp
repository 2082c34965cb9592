// The C++ side of compare.py: solves a problem file once for each line of standard input and prints
// the wall time of the call, in seconds.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

#include "vapor/mdp/problem_file.h"
#include "vapor/solver/solve.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: solve_file PROBLEM\n", stderr);
    return 2;
  }
  const vapor::Problem problem = vapor::read_problem_file(argv[1]);
  for (std::string line; std::getline(std::cin, line);) {
    const auto begin = std::chrono::steady_clock::now();
    const vapor::Solution solution = vapor::solve(problem);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%.9f %.17g\n", seconds.count(), solution.value);
    std::fflush(stdout);
  }
}
