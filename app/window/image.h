#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace loom::window {

/// A picture without transparency.
struct Image {
  int width = 0;                  ///< px
  int height = 0;                 ///< px
  std::vector<std::uint8_t> rgb;  ///< three bytes per pixel (red, green, blue), in rows from the top

  /// Reverses the order of the rows, since OpenGL counts them from the bottom.
  void flip();
};

/// Returns the image as the bytes of a PNG file. Takes tens of milliseconds for a full window, so not for the UI
/// thread.
std::string encodePng(const Image& image);

}  // namespace loom::window
