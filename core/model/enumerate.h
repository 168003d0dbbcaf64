// Lists the distinct patterns in which the warps of a kernel access memory in one statement, and how often each occurs,
// so that sectors and bank conflicts are counted once for each pattern instead of once for each warp and iteration.
// Adding a multiple of 128 bytes to all lanes' addresses changes neither sectors nor banks; so a term of the index that
// is the same in all lanes and moves in such steps needs no evaluation, and one with a smaller step c repeats with
// period 128 / gcd(c, 128).
#pragma once
#include <functional>
#include <vector>

#include "core/device/lane_values.h"
#include "core/model/access.h"

namespace loom::model {

// A summand of an index: coefficient · atom. The constant summand has a null atom.
struct Term {
  std::int64_t coefficient = 1;
  ir::Expr atom;
};
// Returns the summands of an index. What is no sum, difference or multiple of a constant is one atom; several terms may
// have equal atoms.
std::vector<Term> termsOf(const ir::Expr& index);

// A variable of the kernel, which takes the values from 0 to `extent` - 1.
struct Variable {
  const ir::VarNode* var = nullptr;  // never null
  std::int64_t extent = 1;
};

// Returns the variables on which a statement can depend beside the thread: the three block indices, and then those of
// the serial loops around it (`loops`: indices into KernelAccesses::loops, outermost first). Extents of 1 are included.
std::vector<Variable> variablesAround(const KernelAccesses& kernel, const std::vector<int>& loops);

// A pattern: a warp with at least one active lane.
struct Pattern {
  std::uint32_t active = 0;  // a bit for each lane
  double weight = 0;         // executions of the statement by a warp of the grid that it stands for
  // Null: the statement has none, or it can't be evaluated. They change with the next pattern.
  const device::LaneValues *index = nullptr, *leading = nullptr;
};

// The patterns of one statement.
class Enumeration {
 public:
  // `loops` and `guards` are those around the statement (model::Access). `index` is the number of the first element
  // that a thread accesses, and null for a statement without addresses, of which only the guards matter. `bytes` is the
  // size of an element. `leading` is the distance of a tile's lines in elements, and null for anything but a tile. The
  // kernel must outlive this.
  Enumeration(const KernelAccesses& kernel, const std::vector<int>& loops, const std::vector<Guard>& guards,
              const ir::Expr& index, int bytes, const ir::Expr& leading);

  // Calls `visit` for each distinct pattern. If there are more than `atMost` patterns, it is called for a random
  // sample, with the weights scaled. To be called once.
  void run(std::int64_t atMost, const std::function<void(const Pattern&)>& visit);
  // During a visit: returns the values of the variables that matter; the others are 0, which doesn't change the
  // pattern. It takes far longer than to look at the pattern.
  device::WarpState state() const;
  // After `run`: returns whether the weights are exact. They are not if patterns were sampled, if a loop has no
  // constant extent, or if a guard could not be evaluated.
  bool exact() const { return exact_; }
  // After `run`: returns the number of patterns that were looked at, those without an active lane included.
  std::int64_t patterns() const { return patterns_; }
  // Returns how many executions by warps of the grid there would be if all guards held.
  double total() const { return total_; }

 private:
  struct Varied {
    const ir::VarNode* var;
    std::int64_t extent, values;  // values < extent: a period
    std::int64_t now = 0;         // in the pattern that is visited
  };
  const KernelAccesses& kernel_;
  ir::Expr index_, leading_;  // null: there is none
  std::vector<Guard> joint_;  // asked for each pattern
  std::vector<Varied> varied_;
  std::vector<const ir::VarNode*> fixed_;
  double repeats_ = 1;  // of each pattern by variables that don't matter, and the share where own guards hold
  double total_ = 1;
  std::int64_t patterns_ = 0;
  int warp_ = 0;  // of the pattern that is visited
  bool exact_ = true;
};

}  // namespace loom::model
