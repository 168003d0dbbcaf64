#pragma once

#include <filesystem>
#include <string>

#include "app/window/image.h"

/// Compares pictures with reference pictures, with a tolerance for differences that a person wouldn't notice.
namespace loom::window {

/// Returns a picture of a quarter of the width and height, each pixel of which is the mean of 4 × 4 pixels.
Image quartered(const Image& picture);

/// The mean absolute difference of two pictures' colour values, 0 to 255: over all pixels, and over those 8 × 8 pixels
/// in which it is largest.
struct Difference {
  double mean = 0, worst = 0;
};
/// Returns the difference of two pictures, which must have the same size.
Difference differenceOf(const Image& one, const Image& other);

/// Returns "" if the quartered picture (which this function makes of `picture`) is like the reference
/// tests/pictures/references/NAME.png. Otherwise returns what differs, or that the reference is missing, and writes the
/// actual picture and the difference to the folder `pictures` of the build, for people to look at. If the environment
/// variable TILELOOM_REFERENCES is set, writes the reference instead and returns "".
std::string whyUnlike(const Image& picture, const std::string& name);

}  // namespace loom::window
