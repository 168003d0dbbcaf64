// A scheduled program as an immutable value, whose copies share their data. Which steps are legal does not follow from
// the program's text alone: each step updates the flags in BlockInfo as TVM does, so two states with the same text may
// allow different steps. Source of the semantics: TVM 0.22, ScheduleState, BlockInfo, BlockScope.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ir/result.h"
#include "core/ir/stmt.h"
#include "core/schedule/tree.h"

namespace loom::schedule {

// A dependency between two blocks of a scope: `dst` depends on `src`. RAW: it reads what `src` wrote; WAW: it writes
// what `src` wrote; WAR: it writes what `src` read; Opaque: unknown.
struct Dependency {
  enum class Kind { RAW, WAW, WAR, Opaque };
  Id src, dst;
  Kind kind = Kind::RAW;
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

// The dependencies between the child blocks of one block. Two accesses are of the same buffer if they name the same
// BufferNode.
struct BlockScope {
  std::vector<Dependency> deps;  // in the order in which TVM finds them
  // For each buffer that is written, in the order of the first writes: the blocks that write it, in program order.
  std::vector<std::pair<const ir::BufferNode*, std::vector<Id>>> bufferWriters;

  // Return the dependencies whose `src`, or whose `dst`, is the block, in the order of `deps`.
  std::vector<Dependency> bySrc(Id block) const;
  std::vector<Dependency> byDst(Id block) const;
  // Returns the child blocks that write the buffer; null if none does.
  const std::vector<Id>* writersOf(const ir::BufferNode* buffer) const;
};

// The flags that TVM keeps for a block, and the dependencies of its child blocks.
struct BlockInfo {
  bool affineBinding = false;  // the iterators' values map the loops around onto compact iterators (IsAffineBinding)
  bool regionCover = false;    // all that the block reads has been written by its producers
  // For the block as a scope: no child block has a WAR or opaque dependency on another, and each that depends on others
  // has `regionCover`.
  bool stagePipeline = false;
  std::shared_ptr<const BlockScope> scope;  // the dependencies of the child blocks; never null
};

struct KnownFlags;  // block_info.h

// A module with the tree of its loops and blocks, and the flags of each block. Analyses and primitives work on this.
struct Program {
  ir::Module module;
  std::shared_ptr<const Tree> positions;
  std::map<Id, BlockInfo> infos;
  // What computeBlockInfo (block_info.h) has found out, for the next time; null: nothing.
  std::shared_ptr<const KnownFlags> known = nullptr;

  const Tree& tree() const { return *positions; }
  const BlockInfo& info(Id block) const;  // the block must exist
};

// A handle to a block.
struct BlockRef {
  Id id;
  // The number of the result in the trace (trace.h) that this handle is; -1 where no trace is kept. It doesn't count in
  // comparisons.
  int result = -1;
  friend bool operator==(const BlockRef& a, const BlockRef& b) { return a.id == b.id; }
};
// A handle to a loop, or one of two markers for places that are no loop, which sample_compute_location returns.
struct LoopRef {
  enum class Marker { None, Inline, Root };  // None: a loop; Inline: inline the block; Root: leave it in place
  Id id;
  Marker marker = Marker::None;
  int result = -1;  // as BlockRef::result
  friend bool operator==(const LoopRef& a, const LoopRef& b) { return a.id == b.id && a.marker == b.marker; }
};
// A handle to an expression, such as a sampled factor.
struct ExprRef {
  // Null: a factor that is inferred (sample_perfect_tile of a loop whose extent is no number). Handles are equal if
  // they share the node.
  ir::Expr value;
  int result = -1;  // as BlockRef::result
  friend bool operator==(const ExprRef& a, const ExprRef& b) { return a.value == b.value; }
};
// What a name in a schedule stands for, and what a primitive returns.
using Handle = std::variant<BlockRef, LoopRef, ExprRef>;
using Handles = std::vector<Handle>;

// How a loop, block or buffer came to be.
struct Origin {
  Id made;                     // the loop, block or buffer
  std::uint32_t step = 0;      // uid of the step that made it
  std::string_view primitive;  // "split"; a string of the instruction table
  std::vector<Id> parents;     // what it was made from: the loop it was split from, the block it is a copy of…
};

struct StateTrail;  // state_trail.h

// A scheduled program at one step: the program, the names of its handles, and the flags that decide which primitives
// are legal. Immutable; primitives make new states. A default-constructed state has no program and may only be assigned
// to.
class State {
 public:
  // Makes the state of an unscheduled program, with its flags computed in full. Every loop and block must have an id
  // of its own (else std::logic_error), and every buffer an id. Error "ValueError" if the module has no function, or if
  // a function has no body or can't be analysed.
  static Result<State> create(ir::Module module);

  const Program& program() const { return *program_; }
  const ir::Module& module() const { return program_->module; }
  const Tree& tree() const { return *program_->positions; }
  const BlockInfo& info(Id block) const { return program_->info(block); }  // the block must exist

  // A name in a schedule, and what it stands for: one handle, or a list of them.
  struct Binding {
    std::string name;
    Handles handles;
    bool isList = false;
  };
  // Returns the latest binding of a name; null if the name was never assigned. The pointer, as that of `origin`, is
  // valid while this state or one made from it exists.
  const Binding* lookup(std::string_view name) const;
  // Returns the state with `names` assigned besides the names that there are; a name that there is gets a new meaning.
  State with(std::vector<Binding> names) const;
  // Returns whether the loop or block of the handle is still there; true for expressions and markers.
  bool isAlive(const Handle& handle) const;

  // Returns the origin of what a step made; null for what the unscheduled program has already.
  const Origin* origin(Id made) const;
  // Returns the index, in Module::functions, of the function that get_block looks in if it is given none: the one that
  // work_on chose, else the only one, else the one named "main"; nothing if there is none such.
  std::optional<int> workingFunction() const { return workingFunction_; }
  // Returns the generator's state from which sampling steps without a decision draw (chance.h): what `seed` set, or
  // that of the seed 1.
  std::int64_t chance() const { return chance_; }
  // Returns the state with `chance` as its generator's state.
  State drawingFrom(std::int64_t chance) const;

 private:
  friend class Draft;

  std::shared_ptr<const Program> program_;
  std::shared_ptr<const StateTrail> trail_;  // names and origins, a link for each step; null before the first
  std::optional<int> workingFunction_;
  std::int64_t chance_ = 1;
};

// The loops and blocks that differ between two states, each list in program order.
struct Changes {
  std::vector<Id> added, removed;
  std::vector<Id> modified;  // loops and blocks whose own line, regions or statements differ, not only what is below
  // Loops and blocks that both states have, but in another program order, as after reorder or compute_at: the fewest
  // that have to move. A change of nesting that keeps the program order doesn't count.
  std::vector<Id> moved;

  // Returns the loops and blocks that are modified or moved, each once.
  std::vector<Id> altered() const;
};
// Returns what differs between two states, such as those before and after a step.
Changes changes(const State& before, const State& after);

}  // namespace loom::schedule
