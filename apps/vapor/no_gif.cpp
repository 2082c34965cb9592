// Without giflib there are no films.
#include "picture.h"
#include "vapor/core/error.h"

namespace vapor::command {

struct Gif::File {};

Gif::Gif(std::string /*file*/, int /*hundredths*/) {
  throw InputError("--gif", "films need giflib: install libgif-dev and build again");
}

Gif::~Gif() = default;

void Gif::add(const Picture& /*picture*/) {}
void Gif::close() {}

}  // namespace vapor::command
