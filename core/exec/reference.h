// The expected results of an unscheduled function: the value of any element of its outputs, computed without lowering
// it.
#pragma once
#include <map>
#include <memory>
#include <optional>

#include "core/exec/findings.h"
#include "core/exec/inputs.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::exec {

// The expected results of an unscheduled function. If every buffer is written by one block, and each element for one
// combination of values of that block's spatial iterators, a single element can be computed from the block's definition
// (initial value, then the update over its whole reduction); the elements that it reads are computed in the same way
// and remembered, so that `at` and `uncertainty` must not be called by two threads at a time. Otherwise the whole
// function is run once (whole_run.h), if it is small enough.
class Reference {
 public:
  // Makes the reference of a function, whose handle it keeps, with random inputs by `seed`. Error "NotExecutable" if an
  // operation isn't known, if a shape or strides aren't constant, or if the function can only be run whole and is too
  // large for that.
  static Result<Reference> create(const ir::Function& original, std::uint64_t seed);
  Reference(Reference&&) noexcept;
  Reference& operator=(Reference&&) noexcept;
  ~Reference();

  // Returns the unscheduled function.
  const ir::Function& function() const;
  // Returns the inputs: the contents, by position, of the parameters that the function doesn't write, and of those that
  // it reads first and writes later.
  const std::map<int, InputValues>& contents() const;
  // Returns which inputs are filled from ranges so that indices, divisors and shifts are valid, and for which inputs no
  // such range is known.
  const InputRanges& inputs() const;
  // Returns what is wrong with the function itself: accesses outside of declared regions, and if it was run whole also
  // other findings. `create` has found all of them; they don't change later.
  const std::vector<Finding>& findings() const;
  // Returns whether the function was run whole, and as threads, because its meaning depends on them
  // (runs_as_threads.h).
  bool isThreaded() const;
  // Returns whether the function was run whole and places barriers itself.
  bool placesBarriers() const;
  // Returns the positions of the parameters that the function writes.
  const std::vector<int>& outputs() const;
  // Returns whether results can be compared for equality, because they are sums of small integers; false with
  // divisions, roots and fractions.
  bool isExact() const;
  // Returns the value of a parameter in `outputs` (Value::f for floats, Value::i for other dtypes) at an offset from
  // its pointer, in elements, which must lie within its memory; nothing if the function doesn't write there.
  // `together`: the caller will need the neighbouring elements, too; up to 128 are computed at the same time and
  // remembered, which takes several times as long as the one element alone. They lie along the last dimension, or along
  // a longer one if the last has fewer than 128 elements.
  std::optional<Value> at(int parameter, std::int64_t offset, bool together = true);
  // Returns whether the function itself determines an element of an output. It doesn't if the element's value, or
  // whether it is written at all, follows from a read of what the function has never written; what `at` returns then
  // has no meaning. May be called before `at`; always true if the function wasn't run whole. `offset` must lie within
  // the output's memory.
  bool isKnown(int parameter, std::int64_t offset) const;
  // Returns by how much, as an absolute difference, a right value of an output's element may differ from the value that
  // `at` returns (uncertain.h). The function must write the element. `factorDigits` is what device::factorDigitsOf
  // returns for the scheduled program: 0 if its products keep all digits of their factors; otherwise they keep the 10
  // binary digits of tf32. Integers give 0. If the function was run whole, this is an estimate from the largest element
  // of the output; else it takes about 40 times as long as `at`.
  double uncertainty(int parameter, std::int64_t offset, int factorDigits);
  // Returns a guess of the CPU time in ns that `at` with `together` takes for one element of an output, as a mean over
  // the elements that are computed at the same time.
  double nanoseconds(int parameter) const;

 private:
  struct Impl;
  explicit Reference(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::exec
