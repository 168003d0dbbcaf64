#pragma once

#include <string>
#include <vector>

namespace loom::tune {

/// Returns the step lines with ldmatrix and mma.sync in place of wmma: fragments in the scope "warp", in the layout of
/// these instructions, and their intrinsics. Returns an empty vector if the lines don't make all three fragments, or
/// use wmma for a type or shape that has no counterpart. `lines` are all steps from the start to a state.
std::vector<std::string> asMmaSync(const std::vector<std::string>& lines);

/// Returns the step lines with a swizzle in place of `storage_align` wherever that pads rows; the swizzle permutes
/// pieces within spans of `span` bytes of a row. Returns an empty vector if no rows are padded.
std::vector<std::string> swizzledLines(const std::vector<std::string>& lines, int span);

}  // namespace loom::tune
