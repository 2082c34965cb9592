// vapor-atari SOCKET MEMORY PLACES SPEC: the process in which games are played, started by
// vapor/atari/worker.cpp. Python and the emulators (ALE is under the GPL) live here and nowhere
// else.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "host.h"
#include "python_environment.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"

namespace {

using namespace vapor;
using namespace vapor::atari;
namespace py = pybind11;

struct Arguments {
  int socket = -1;
  int memory = -1;
  Index places = 0;
  std::string spec;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// What Python could not do, as something that a user can.
InputError advice(const py::error_already_set& error, const GameSettings& settings,
                  const std::string& environment) {
  const std::string said = first_line(error.what());
  if (error.matches(PyExc_ImportError))
    return {"", fmt::format("the Python environment {} cannot be used ({}); remove it and run "
                            "scripts/setup-atari",
                            environment, said)};
  if (error.matches(PyExc_OSError))
    return {"", fmt::format("the ROM of {} is missing or damaged ({}); unset ALE_ROMS_DIR, or "
                            "remove {} and run scripts/setup-atari",
                            settings.game, said, environment)};
  return {"", fmt::format("{} cannot be played so: {}", settings.game, said)};
}

std::unique_ptr<Host> make_host(const Arguments& arguments) {
  Spec spec("vapor-atari", arguments.spec);
  const GameSettings settings = game_settings(spec);
  const std::string environment = find_python_environment().string();
  start_python(environment);
  try {
    return settings.suite == Suite::kAtari ? make_ale_host(settings, arguments.places)
                                           : make_minatar_host(settings, arguments.places);
  } catch (const py::error_already_set& e) {
    throw advice(e, settings, environment);
  }
}

// Plays until the parent closes the socket, whose death does that too.
void serve(const Arguments& arguments, Host& host) {
  const ObservationShape shape = host.shape();
  const std::size_t bytes = SharedArrays::bytes(arguments.places, shape.bytes());
  if (ftruncate(arguments.memory, static_cast<off_t>(bytes)) != 0)
    throw std::system_error(errno, std::generic_category(), "ftruncate");
  const Mapping mapping(arguments.memory, bytes);
  const SharedArrays arrays(mapping.data(), arguments.places, shape.bytes());
  const Hello hello{.places = arguments.places,
                    .actions = host.actions(),
                    .channels = shape.channels,
                    .height = shape.height,
                    .width = shape.width,
                    .element = static_cast<std::int32_t>(shape.element),
                    .memory_bytes = bytes};
  if (!send_reply(arguments.socket, Outcome::kGood) || !send_all(arguments.socket, hello)) return;
  Request request;
  while (receive_all(arguments.socket, request)) {
    if (request.kind == RequestKind::kReset)
      host.reset(request.seed, arrays);
    else
      host.step(arrays);
    if (!send_reply(arguments.socket, Outcome::kGood)) return;
  }
}

int run(const Arguments& arguments) {
  try {
    const std::unique_ptr<Host> host = make_host(arguments);
    serve(arguments, *host);
    _exit(0);  // the emulators' threads and Python's end with the process
  } catch (const InputError& e) {
    send_reply(arguments.socket, Outcome::kBadInput, e.what());
  } catch (const std::exception& e) {
    send_reply(arguments.socket, Outcome::kFailed, first_line(e.what()));
  }
  _exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "vapor-atari: started by vapor train to play a game; see docs/atari.md\n");
    return 2;
  }
  try {
    const auto number = [&](int i) {
      return static_cast<int>(parse_integer("vapor-atari", argv[i]));
    };
    return run({number(1), number(2), number(3), argv[4]});
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
