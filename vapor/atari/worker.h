// A process of vapor-atari, which plays a game at several places. It dies with this object, and
// with this process.
#pragma once

#include <sys/types.h>

#include <string>

#include "vapor/atari/protocol.h"
#include "vapor/core/spec.h"

namespace vapor::atari {

// An open file that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int number() const { return number_; }

 private:
  int number_;
};

class Worker {
 public:
  // Starts it and waits until it is ready. Throws InputError that names the place of the spec if
  // it cannot play: the program, its Python, a package or a ROM is missing.
  Worker(const Spec& spec, Index places);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  const Hello& hello() const { return hello_; }
  const SharedArrays& arrays() const { return arrays_; }
  pid_t process() const { return process_; }

  // Sends a request and waits for its answer. Throws EnvironmentLost.
  void ask(const Request& request);

 private:
  void start(const Spec& spec, Index places);
  void greet(const std::string& place, Index places);
  std::string end_of_process();

  Descriptor socket_;
  Descriptor memory_;
  pid_t process_ = 0;
  Hello hello_;
  Mapping mapping_;
  SharedArrays arrays_;
};

}  // namespace vapor::atari
