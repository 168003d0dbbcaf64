// What the unscheduled function means: the value of any element of its outputs, without lowering anything.
#pragma once
#include <map>
#include <memory>
#include <optional>

#include "core/exec/findings.h"
#include "core/exec/inputs.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::exec {

// The expected results of an unscheduled function. If every buffer is written by one block, and each element by one
// choice of that block's iterators, a single element can be computed from the block's definition (initial value, then
// the update over its whole reduction); the elements that it reads are computed in the same way and remembered.
// Otherwise the whole function is run once (whole_run.h), if it is small enough.
class Reference {
 public:
  // Makes the reference of a function, with random inputs by `seed`. Error "NotExecutable" if an operation isn't known,
  // if a shape or strides aren't constant, or if the function can only be run whole and is too large for that.
  static Result<Reference> create(const ir::Function& original, std::uint64_t seed);
  Reference(Reference&&) noexcept;
  Reference& operator=(Reference&&) noexcept;
  ~Reference();

  const ir::Function& function() const;
  // Returns the inputs: the contents, by position, of the parameters that the function reads before it writes them.
  const std::map<int, InputValues>& contents() const;
  // Returns which inputs are drawn within bounds, and for which no bounds are known.
  const InputRanges& inputs() const;
  // Returns what is wrong with the function itself: accesses outside of declared regions, and if it was run whole also
  // other findings.
  const std::vector<Finding>& findings() const;
  // Return whether it was run on threads (runsAsThreads), and whether it places barriers for them.
  bool isThreaded() const;
  bool placesBarriers() const;
  // Returns the positions of the parameters that the function writes.
  const std::vector<int>& outputs() const;
  // Returns whether results can be compared for equality, because they are sums of small integers; false with
  // divisions, roots and fractions.
  bool isExact() const;
  // Returns the value of an output at an offset from its pointer, in elements; nothing if the function doesn't write
  // there. `together`: the elements beside it will be asked for, too, and are computed with it, which takes some times
  // as long as it alone.
  std::optional<Value> at(int parameter, std::int64_t offset, bool together = true);
  // Returns by how much a right value of an output may differ from `at` (uncertain.h), of which the function writes the
  // element. `factorDigits`: the digits that products of the program keep of their factors, as
  // device::factorDigitsOf returns them. Takes about 40 times as long as `at`.
  double uncertainty(int parameter, std::int64_t offset, int factorDigits);
  // Returns the expected time to compute one element of an output, together with others.
  double nanoseconds(int parameter) const;

 private:
  struct Impl;
  explicit Reference(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::exec
