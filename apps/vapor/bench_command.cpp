#include "commands.h"
namespace vapor::command {
void add_bench(CLI::App&, Action&) {}
}  // namespace vapor::command
