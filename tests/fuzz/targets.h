// The readers of this project, each as a target for a fuzzer: it is given any bytes and may do two
// things, refuse them by an InputError or read them. What was read is written and read again, and
// has to be the same. All else that comes out of a reader, another exception, a broken invariant,
// a sanitiser's complaint, is a bug.
//
// tests/fuzz/corpus/NAME holds what is known of a target: files good* have to be read, all others
// were found by a fuzzer or by a reader of the code and have to come to one of the two ends.
#pragma once

#include <span>
#include <string_view>

namespace vapor::fuzz {

struct Target {
  std::string_view name;
  // Returns if the bytes were read, throws InputError if they were refused.
  void (*read)(std::string_view bytes);
};

std::span<const Target> targets();

// The target of this name; throws InputError if there is none.
const Target& target_of(std::string_view name);

void read_problem_bytes(std::string_view bytes);
void read_drn_bytes(std::string_view bytes);
void read_solution_bytes(std::string_view bytes);
void read_run_bytes(std::string_view bytes);
void read_trace_bytes(std::string_view bytes);
void read_manifest_bytes(std::string_view bytes);
void read_snapshot_bytes(std::string_view bytes);
void read_findings_bytes(std::string_view bytes);
void read_checkpoint_bytes(std::string_view bytes);
void read_state_bytes(std::string_view bytes);
void read_policy_bytes(std::string_view bytes);
void read_sweep_bytes(std::string_view bytes);
void read_spec_bytes(std::string_view bytes);
void read_protocol_bytes(std::string_view bytes);

}  // namespace vapor::fuzz
