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

// Where every buffer is written by one block, each element at its own iterators, an element is computed from that
// block's definition (initial value, then the update over its whole reduction), and what it reads likewise, remembered.
// Otherwise the whole function is run once, statement by statement, if it is small enough; on threads, where it is a
// kernel that means them (whole_run.h).
class Reference {
 public:
  // Error "NotExecutable": an operation that isn't known, a shape or strides that aren't constant, or a function that
  // can only be run whole and is too large for that.
  static Result<Reference> create(const ir::Function& original, std::uint64_t seed);
  Reference(Reference&&) noexcept;
  Reference& operator=(Reference&&) noexcept;
  ~Reference();

  const ir::Function& function() const;
  // The contents of the parameters that the function reads before it writes them (or never writes), by position.
  const std::map<int, InputValues>& contents() const;
  // What of them is drawn within bounds, and for which no bounds are known.
  const InputRanges& inputs() const;
  // What is wrong with the function itself: regions that its blocks don't keep to; the rest where it was run whole.
  const std::vector<Finding>& findings() const;
  // Whether it was run on threads, and whether it places barriers for them itself: in order it may mean something else.
  bool isThreaded() const;
  bool placesBarriers() const;
  // Positions of the parameters that it writes.
  const std::vector<int>& outputs() const;
  // Sums of small integers: equality is exact. False with divisions, roots, fractions.
  bool isExact() const;
  // What an output's memory holds at an offset from its pointer, in elements; nothing where the function doesn't write.
  std::optional<Value> at(int parameter, std::int64_t offset);
  // How long an element of an output is likely to take, computed with others beside it.
  double nanoseconds(int parameter) const;

 private:
  struct Impl;
  explicit Reference(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::exec
