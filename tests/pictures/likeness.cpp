#include "tests/pictures/likeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>
#pragma GCC diagnostic pop

namespace loom::window {
namespace {

namespace fs = std::filesystem;

constexpr int kBlock = 8;
// What other versions of a software renderer make of the same triangles stays far below; a label that is gone, a bar
// that moved or has another colour doesn't.
constexpr double kMostMean = 1.5, kMostWorst = 20;

void keep(const fs::path& file, const Image& picture) {
  fs::create_directories(file.parent_path());
  const std::string bytes = encodePng(picture);
  std::ofstream(file, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
}

Image load(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  Image image;
  int channels = 0;
  stbi_uc* pixels = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), int(bytes.size()),
                                          &image.width, &image.height, &channels, 3);
  if (pixels == nullptr) return {};
  image.rgb.assign(pixels, pixels + std::size_t(image.width) * std::size_t(image.height) * 3);
  stbi_image_free(pixels);
  return image;
}

}  // namespace

Image quartered(const Image& picture) {
  Image small{picture.width / 4, picture.height / 4, {}};
  for (int y = 0; y < small.height; ++y) {
    for (int x = 0; x < small.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        int sum = 0;
        for (int at = 0; at < 16; ++at) {
          sum +=
              picture.rgb[(std::size_t(y * 4 + at / 4) * std::size_t(picture.width) + std::size_t(x * 4 + at % 4)) * 3 +
                          std::size_t(c)];
        }
        small.rgb.push_back(std::uint8_t(sum / 16));
      }
    }
  }
  return small;
}

Difference differenceOf(const Image& one, const Image& other) {
  Difference found;
  const int across = (one.width + kBlock - 1) / kBlock;
  std::vector<double> sums(std::size_t(across) * std::size_t((one.height + kBlock - 1) / kBlock));
  std::vector<int> counts(sums.size());
  for (std::size_t i = 0; i < one.rgb.size(); ++i) {
    const int pixel = int(i / 3), block = pixel / one.width / kBlock * across + pixel % one.width / kBlock;
    const int gap = std::abs(int(one.rgb[i]) - int(other.rgb[i]));
    found.mean += gap;
    sums[std::size_t(block)] += gap;
    ++counts[std::size_t(block)];
  }
  found.mean /= double(std::max<std::size_t>(1, one.rgb.size()));
  for (std::size_t b = 0; b < sums.size(); ++b) found.worst = std::max(found.worst, sums[b] / std::max(1, counts[b]));
  return found;
}

std::string whyUnlike(const Image& picture, const std::string& name) {
  const fs::path reference = fs::path(TILELOOM_SOURCE_DIR) / "tests/pictures/references" / (name + ".png");
  const fs::path out = fs::path(TILELOOM_BINARY_DIR) / "pictures";
  const Image small = quartered(picture);
  if (std::getenv("TILELOOM_REFERENCES") != nullptr) {
    keep(reference, small);
    return "";
  }
  const Image wanted = load(reference);
  auto unlike = [&](const std::string& what) {
    keep(out / (name + ".actual.png"), small);
    keep(out / (name + ".full.png"), picture);
    return what + fmt::format("; see {}", (out / (name + ".*.png")).string());
  };
  if (wanted.width == 0) return unlike("there is no reference " + reference.string());
  if (wanted.width != small.width || wanted.height != small.height) {
    return unlike(
        fmt::format("it is {} × {}, the reference {} × {}", small.width, small.height, wanted.width, wanted.height));
  }
  const Difference found = differenceOf(small, wanted);
  if (found.mean <= kMostMean && found.worst <= kMostWorst) return "";
  Image difference = small;
  for (std::size_t i = 0; i < small.rgb.size(); ++i) {
    difference.rgb[i] = std::uint8_t(std::min(255, 4 * std::abs(int(small.rgb[i]) - int(wanted.rgb[i]))));
  }
  keep(out / (name + ".difference.png"), difference);
  return unlike(
      fmt::format("it differs by {:.2f} of 255 in the mean (at most {}), {:.1f} at the worst place (at most {})",
                  found.mean, kMostMean, found.worst, kMostWorst));
}

}  // namespace loom::window
