#include "app/window/image.h"

#include <gtest/gtest.h>

namespace loom::window::image_test {
namespace {

TEST(Picture, FlipTurnsRowsUpsideDown) {
  Image image{1, 3, {1, 1, 1, 2, 2, 2, 3, 3, 3}};
  image.flip();
  EXPECT_EQ(image.rgb, (std::vector<std::uint8_t>{3, 3, 3, 2, 2, 2, 1, 1, 1}));
}

TEST(Picture, IsEncodedAsPng) {
  const std::string png = encodePng({2, 1, {255, 0, 0, 0, 255, 0}});
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\0\2\0\0\0\1", 8)) << "width and height";
}

}  // namespace
}  // namespace loom::window::image_test
