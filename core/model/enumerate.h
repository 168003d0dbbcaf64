// Which values of loop and block variables make a difference to a warp's access pattern, and how often each occurs.
// Adding a multiple of 128 bytes to all lanes' addresses changes neither sectors nor banks; so a term of the index that
// is the same in all lanes and moves in such steps needs no evaluation, and one with a smaller step c repeats with
// period 128 / gcd(c, 128).
#pragma once
#include <functional>
#include <vector>

#include "core/device/lane_values.h"
#include "core/model/access.h"

namespace loom::model {

// coefficient · atom; the constant term has no atom.
struct Term {
  std::int64_t coefficient = 1;
  ir::Expr atom;
};
std::vector<Term> termsOf(const ir::Expr& index);

struct Variable {
  const ir::VarNode* var = nullptr;
  std::int64_t extent = 1;
};

// Loop and block variables around a statement with their extents; those of extent 1 included.
std::vector<Variable> variablesAround(const KernelAccesses& kernel, const std::vector<int>& loops);

class Enumeration {
 public:
  // `index` may be null (only the guards count). `bytes` of an element.
  Enumeration(const KernelAccesses& kernel, const std::vector<int>& loops, const std::vector<Guard>& guards,
              const ir::Expr& index, int bytes, const ir::Expr& leading);

  // Calls `visit(state, active, weight)` for each distinct pattern: a warp with at least one active lane, standing for
  // `weight` warps × iterations. `state` has the values of the variables that matter; others are 0 (which keeps the
  // pattern). Beyond `atMost` patterns: a sample with weights scaled.
  void run(std::int64_t atMost, const std::function<void(const device::WarpState&, std::uint32_t, double)>& visit);
  bool exact() const { return exact_; }
  std::int64_t patterns() const { return patterns_; }
  double total() const { return total_; }  // warps × iterations, guards not asked

 private:
  struct Varied {
    const ir::VarNode* var;
    std::int64_t extent, values;  // values < extent: a period
  };
  const KernelAccesses& kernel_;
  std::vector<Guard> joint_;  // asked for each pattern
  std::vector<Varied> varied_;
  std::vector<const ir::VarNode*> fixed_;
  double repeats_ = 1;  // of each pattern by variables that don't matter, and the share where own guards hold
  double total_ = 1;
  std::int64_t patterns_ = 0;
  bool exact_ = true;
};

}  // namespace loom::model
