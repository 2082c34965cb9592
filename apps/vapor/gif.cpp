// Films, by giflib.
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "picture.h"
#include "vapor/core/check.h"
#include "vapor/core/error.h"

namespace vapor::command {
namespace {

struct FreeColours {
  void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};
using Colours = std::unique_ptr<ColorMapObject, FreeColours>;

constexpr int kShades = 256;

Colours greys() {
  Colours map(GifMakeMapObject(kShades, nullptr));
  for (int i = 0; i < kShades; ++i) {
    const auto shade = static_cast<GifByteType>(i);
    map->Colors[i] = {shade, shade, shade};
  }
  return map;
}

}  // namespace

struct Gif::File {
  GifFileType* gif = nullptr;
  Index width = 0, height = 0;
};

Gif::Gif(std::string file, int hundredths)
    : path_(std::move(file)), hundredths_(hundredths), file_(std::make_unique<File>()) {
  int error = 0;
  file_->gif = EGifOpenFileName(path_.c_str(), false, &error);
  if (file_->gif == nullptr)
    throw InputError(path_, std::string("cannot be written: ") + std::strerror(errno));
  EGifSetGifVersion(file_->gif, true);
}

Gif::~Gif() {
  int error = 0;
  if (file_->gif != nullptr) EGifCloseFile(file_->gif, &error);
}

void Gif::fail(int code) const {
  const char* reason = GifErrorString(code);
  throw InputError(path_, std::string("cannot be written: ") +
                              (reason != nullptr ? reason : "the file could not be completed"));
}

void Gif::begin(const Picture& picture) {
  file_->width = picture.width, file_->height = picture.height;
  GifFileType* gif = file_->gif;
  const Colours colours = greys();
  if (EGifPutScreenDesc(gif, picture.width, picture.height, 8, 0, colours.get()) == GIF_ERROR)
    fail(gif->Error);
  // Plays again and again.
  constexpr std::array<GifByteType, 3> kForever = {1, 0, 0};
  if (EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_ERROR ||
      EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_ERROR ||
      EGifPutExtensionBlock(gif, kForever.size(), kForever.data()) == GIF_ERROR ||
      EGifPutExtensionTrailer(gif) == GIF_ERROR)
    fail(gif->Error);
}

void Gif::add(const Picture& picture) {
  GifFileType* gif = file_->gif;
  if (file_->width == 0) begin(picture);
  VAPOR_CHECK_EQ(picture.width, file_->width);
  VAPOR_CHECK_EQ(picture.height, file_->height);
  GraphicsControlBlock control{};
  control.DelayTime = hundredths_;
  control.TransparentColor = NO_TRANSPARENT_COLOR;
  std::array<GifByteType, 4> extension{};
  EGifGCBToExtension(&control, extension.data());
  if (EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, extension.size(), extension.data()) ==
          GIF_ERROR ||
      EGifPutImageDesc(gif, 0, 0, picture.width, picture.height, false, nullptr) == GIF_ERROR)
    fail(gif->Error);
  std::vector<GifByteType> row(static_cast<std::size_t>(picture.width));
  for (Index y = 0; y < picture.height; ++y) {
    const auto begin = picture.grey.begin() + static_cast<std::ptrdiff_t>(y) * picture.width;
    std::copy_n(begin, picture.width, row.begin());
    if (EGifPutLine(gif, row.data(), picture.width) == GIF_ERROR) fail(gif->Error);
  }
}

void Gif::close() {
  int error = 0;
  if (EGifCloseFile(std::exchange(file_->gif, nullptr), &error) == GIF_ERROR) fail(error);
}

}  // namespace vapor::command
