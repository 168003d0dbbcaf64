#pragma once

#include <string>
#include <vector>

namespace loom::tune {

/// Returns step lines (calls of scheduling primitives such as `sch.tensorize(…)`) with ldmatrix and mma.sync in place
/// of wmma: fragments in the scope "warp", in the layout of these instructions, and their intrinsics. Returns an empty
/// vector if the lines don't make all three fragments, or use wmma for a type or shape that has no counterpart: only
/// float16 factors with sums of float16 or float32 in tiles of 16 × 16 × 16 have. `lines` are all steps from the
/// unscheduled program on.
std::vector<std::string> asMmaSync(const std::vector<std::string>& lines);

/// Returns the step lines, which may be any, with a swizzle in place of each `storage_align`, which pads rows in shared
/// memory. The swizzle permutes 16-byte pieces within spans of `span` bytes of a row: 32, 64 or 128, which isn't
/// checked. Returns an empty vector if no line is a `storage_align`.
std::vector<std::string> swizzledLines(const std::vector<std::string>& lines, int span);

}  // namespace loom::tune
