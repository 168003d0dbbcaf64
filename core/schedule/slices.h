// The positions that Python's slices and indices select in a list or tuple.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace loom::schedule {

// Returns the positions that `list[from:to:by]` selects in a list of `size` elements, in the slice's order. An argument
// that the slice leaves out is nothing; `by` must not be 0.
std::vector<std::size_t> slicePositions(std::size_t size, std::optional<std::int64_t> from,
                                        std::optional<std::int64_t> to, std::optional<std::int64_t> by);
// Returns the position that `list[index]` selects in a list of `size` elements. A negative index counts from the end.
// Returns nothing if there is no such element.
std::optional<std::size_t> indexPosition(std::size_t size, std::int64_t index);

}  // namespace loom::schedule
