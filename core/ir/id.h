// Stable identities of loops, blocks and buffers.
#pragma once
#include <compare>
#include <cstdint>
#include <functional>

namespace loom::ir {

// The id of a loop, block or buffer: the number of the schedule step (a call of a primitive such as split) that made
// it, and its ordinal within that step. Step 0 is the parse of the function. Because an id doesn't depend on the step's
// arguments, editing an earlier step keeps the ids of what later steps made.
struct Id {
  std::uint32_t step = 0;
  std::uint32_t ordinal = 0;  // from 1; {0, 0} means "none"
  explicit operator bool() const { return ordinal != 0; }
  friend auto operator<=>(const Id&, const Id&) = default;
};

// Hands out the ids of one step, in the order in which a primitive makes things.
class IdSource {
 public:
  explicit IdSource(std::uint32_t step) : step_(step) {}
  Id next() { return Id{step_, ++last_}; }

 private:
  std::uint32_t step_;
  std::uint32_t last_ = 0;
};

}  // namespace loom::ir

template <>
struct std::hash<loom::ir::Id> {
  std::size_t operator()(const loom::ir::Id& id) const noexcept {
    return std::hash<std::uint64_t>{}((std::uint64_t{id.step} << 32) | id.ordinal);
  }
};
