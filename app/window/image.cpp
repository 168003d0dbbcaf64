#include "app/window/image.h"

#include <algorithm>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

namespace loom::window {

void Image::flip() {
  const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(width) * 3;
  for (int y = 0; y < height / 2; ++y) {
    std::swap_ranges(rgb.begin() + y * row, rgb.begin() + (y + 1) * row, rgb.begin() + (height - 1 - y) * row);
  }
}

std::string encodePng(const Image& image) {
  std::string bytes;
  auto append = [](void* out, void* data, int size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(), image.width * 3);
  return bytes;
}

}  // namespace loom::window
