// Lists the distinct patterns in which the warps of a kernel access memory in one statement, and how often each occurs,
// so that sectors and bank conflicts are counted once for each pattern instead of once for each warp and iteration.
// Adding a multiple of 128 bytes to all lanes' addresses changes neither sectors nor banks; so a term of the index that
// is the same in all lanes and moves in such steps needs no evaluation, and one with a smaller step c repeats with
// period 128 / gcd(c, 128).
#pragma once
#include <functional>
#include <vector>

#include "core/device/lane_program.h"
#include "core/device/lane_values.h"
#include "core/model/access.h"

namespace loom::model {

// A summand of an index: coefficient · atom, where the atom is an expression that isn't split further. The constant
// summand has a null atom.
struct Term {
  std::int64_t coefficient = 1;
  ir::Expr atom;
};
// Returns the summands of an index. An expression that is no sum, difference or constant multiple is one atom. Several
// terms may have equal atoms.
std::vector<Term> termsOf(const ir::Expr& index);

// A variable of the kernel, which takes the values from 0 to `extent` - 1.
struct Variable {
  const ir::VarNode* var = nullptr;  // never null
  std::int64_t extent = 1;
};

// Returns the variables on which a statement can depend besides threadIdx: blockIdx along x, y and z, and then the
// variables of the serial loops around the statement (`loops`: indices into KernelAccesses::loops, outermost first).
// Variables with extent 1 are included.
std::vector<Variable> variablesAround(const KernelAccesses& kernel, const std::vector<int>& loops);

// The values of an index in the lanes of a warp.
struct LaneIndex {
  const device::LaneValues* lanes = nullptr;  // null: there is none, or it can't be evaluated
  std::int64_t offset = 0;                    // what is added in each lane
  // Equal numbers, other than -1, of two patterns of an enumeration: `lanes` has the same values.
  int kind = -1;

  std::int64_t operator[](int lane) const { return (*lanes)[lane] + offset; }
};

// A pattern: one execution of the statement by a warp with at least one active lane, which stands for all executions
// with the same effect on sectors and banks.
struct Pattern {
  std::uint32_t active = 0;  // bit l: lane l is active
  double weight = 0;         // number of executions by warps of the grid that the pattern stands for
  // The values of `index` and `leading` (see the constructor of Enumeration) in each lane; of `leading` null if the
  // statement has no such expression or it can't be evaluated. They are valid until the next pattern is visited.
  LaneIndex index;
  const device::LaneValues* leading = nullptr;
};

// The patterns of one statement.
class Enumeration {
 public:
  // `loops` (indices into KernelAccesses::loops, outermost first) and `guards` are those around the statement. `index`
  // is the offset, in elements, of the first element that a thread accesses; null for a statement without addresses, of
  // which only the guards matter. `bytes` is the size of an element. `leading` is the distance between the rows (or
  // columns) of a tile in elements; null if the statement accesses no tile. `kernel` must outlive this object.
  Enumeration(const KernelAccesses& kernel, const std::vector<int>& loops, const std::vector<Guard>& guards,
              const ir::Expr& index, int bytes, const ir::Expr& leading);

  // Calls `visit` for each distinct pattern; if there are more than `atMost`, for a random sample of them, the same one
  // each time, with scaled weights, which has at least one pattern of each warp of a block. If the guards of a warp
  // hold either in the same lanes or in none, and their variables have few values, the weights of the sample add up to
  // the exact number of executions, so that statements under the same guards agree. A pattern without an active lane
  // isn't visited. May be called once only.
  void run(std::int64_t atMost, const std::function<void(const Pattern&)>& visit);
  // Returns the variables' values in the pattern that is being visited; variables that don't change the pattern are 0.
  // May be called during a visit only, and takes far longer than reading the Pattern.
  device::WarpState state() const;
  // After `run`: returns whether the weights are exact. They are not if patterns or the values of a guard's variables
  // were sampled, if a loop has no constant extent, or if a guard could not be evaluated and was taken to hold.
  bool exact() const { return exact_; }
  // After `run`: returns the number of patterns that were evaluated, including those without an active lane.
  std::int64_t patterns() const { return patterns_; }
  // Returns how many executions by warps of the grid there would be if all guards held; known before `run`.
  double total() const { return total_; }

 private:
  struct Varied {
    const ir::VarNode* var;
    std::int64_t extent, values;  // values < extent: a period
    std::size_t number = 0;       // of all variables around the statement
    bool isOfGuards = false;      // whether `joint_` asks for it
    std::int64_t now = 0;         // in the pattern that is visited
    double weight = 0;            // how many values `now` stands for
  };
  // What evaluates the guards and the index, with the values of the variables that are the same in all lanes.
  struct Evaluation;
  void set(Varied& varied, std::int64_t value, Evaluation& evaluation);
  // Sets the variables to the next values of the sample.
  void draw(std::uint64_t& random, Evaluation& evaluation);
  // By which the weights of a warp's sample are multiplied: how often the guards hold, over how often they do in the
  // next `rounds` values of the sample. 1 if that isn't known, or would take more than `atMost` evaluations. Changes
  // the variables' values.
  double scaleOf(Evaluation& evaluation, std::uint32_t threads, std::uint64_t random, std::int64_t rounds,
                 std::int64_t atMost);

  const KernelAccesses& kernel_;
  ir::Expr index_, leading_;      // null: there is none
  std::vector<Guard> joint_;      // asked for each pattern
  std::vector<Variable> around_;  // as `variablesAround`
  std::vector<Varied> varied_;
  std::vector<const ir::VarNode*> fixed_;  // variables with one value, 0
  double repeats_ = 1;  // of each pattern by variables that don't matter, and the share where own guards hold
  double total_ = 1;
  std::int64_t patterns_ = 0;
  int warp_ = 0;  // of the pattern that is visited
  bool exact_ = true;
};

}  // namespace loom::model
