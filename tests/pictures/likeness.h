#pragma once

#include <filesystem>
#include <string>

#include "app/window/image.h"

/// Pictures compared by what a person would see: a quarter of the size, by tolerance.
namespace loom::window {

/// Every 4 × 4 pixels as one.
Image quartered(const Image& picture);

/// How two pictures of one size differ: of 255, over all, and over the worst 8 × 8 pixels.
struct Difference {
  double mean = 0, worst = 0;
};
Difference differenceOf(const Image& one, const Image& other);

/// Empty where `picture`, quartered, is like the reference `tests/pictures/references/NAME.png`; else what differs,
/// with the actual picture and the difference written to the build folder, for people to look at. With
/// TILELOOM_REFERENCES set the reference is written instead.
std::string whyUnlike(const Image& picture, const std::string& name);

}  // namespace loom::window
