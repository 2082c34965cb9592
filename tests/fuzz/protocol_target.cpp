// What the process of a game says to its parent, over a socket: a reply, the arrays it means to
// share, and the answer to a request.
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "targets.h"
#include "vapor/atari/protocol.h"
#include "vapor/atari/worker.h"
#include "vapor/core/check.h"
#include "vapor/core/error.h"

namespace vapor::fuzz {

void read_protocol_bytes(std::string_view bytes) {
  constexpr Index kPlaces = 2;
  constexpr std::size_t kLongest = 100'000;  // what the socket holds without a reader
  if (bytes.size() > kLongest) throw InputError("protocol", "is too long");
  std::array<int, 2> ends{};
  VAPOR_CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const atari::Descriptor reader(ends[0]);
  {
    const atari::Descriptor writer(ends[1]);
    VAPOR_CHECK_EQ(atari::send_all(writer.number(), std::as_bytes(std::span(bytes))), true);
  }
  atari::Reply reply;
  std::string message;
  atari::Hello hello;
  if (!atari::receive_reply(reader.number(), reply, message))
    throw InputError("protocol", "the other side is gone");
  if (reply.outcome != atari::Outcome::kGood) throw InputError("protocol", message);
  if (!atari::receive_all(reader.number(), hello))
    throw InputError("protocol", "the other side is gone");
  atari::expect_hello("protocol", hello, kPlaces);
  VAPOR_CHECK_GE(hello.actions, 1);
  std::vector<std::byte> memory(hello.memory_bytes);
  const atari::SharedArrays arrays(memory.data(), kPlaces, hello.shape().bytes());
  for (std::byte& byte : arrays.last_observations) byte = std::byte{1};
  for (float& reward : arrays.rewards) reward = 1.0F;
  while (atari::receive_reply(reader.number(), reply, message)) continue;
}

}  // namespace vapor::fuzz
