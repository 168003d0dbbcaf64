#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace loom::window {

/// A picture: 8 bits a channel, red, green, blue, rows from the top.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;

  /// Turns the rows upside down; OpenGL counts them from the bottom.
  void flip();
};

/// Returns the image as the bytes of a PNG file. Takes tens of milliseconds for a full window, so not for the UI
/// thread.
std::string encodePng(const Image& image);

}  // namespace loom::window
