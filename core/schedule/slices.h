// What Python's slices take of a list or tuple.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace loom::schedule {

// Returns the positions that `list[from:to:by]` takes of a list of `size` elements, in order. A bound that is left out
// is nothing; `by` must not be 0.
std::vector<std::size_t> slicePositions(std::size_t size, std::optional<std::int64_t> from,
                                        std::optional<std::int64_t> to, std::optional<std::int64_t> by);
// Returns the position that `list[index]` takes, where a negative index counts from the end; nothing where there is no
// such element.
std::optional<std::size_t> indexPosition(std::size_t size, std::int64_t index);

}  // namespace loom::schedule
