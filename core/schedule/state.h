// A scheduled program as a value: copies share everything. Legality is not a function of the text alone: the flags
// below are patched step by step as TVM patches them, so two states of one text may allow different steps. Source of
// the semantics: TVM 0.22, ScheduleState, BlockInfo, BlockScope.
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

// A dependency between two blocks of a scope: `dst` depends on `src`.
struct Dependency {
  enum class Kind { RAW, WAW, WAR, Opaque };
  Id src, dst;
  Kind kind = Kind::RAW;
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

// Dependencies between the child blocks of one block, by buffer identity, in TVM's order of discovery. Buffers are
// compared as nodes.
struct BlockScope {
  std::vector<Dependency> deps;  // in the order in which they were found
  std::vector<std::pair<const ir::BufferNode*, std::vector<Id>>> bufferWriters;  // by first write; blocks in order

  std::vector<Dependency> bySrc(Id block) const;
  std::vector<Dependency> byDst(Id block) const;
  // Returns the child blocks that write the buffer; null if none does.
  const std::vector<Id>* writersOf(const ir::BufferNode* buffer) const;
};

// The flags that TVM keeps for a block.
struct BlockInfo {
  bool affineBinding = false;
  bool regionCover = false;
  bool stagePipeline = false;               // of the scope that this block is
  std::shared_ptr<const BlockScope> scope;  // never null; of this block's children
};

// A module with positions and flags: what analyses and primitives look at.
struct Program {
  ir::Module module;
  std::shared_ptr<const Tree> positions;
  std::map<Id, BlockInfo> infos;

  const Tree& tree() const { return *positions; }
  const BlockInfo& info(Id block) const;  // the block must exist
};

// A handle to a block.
struct BlockRef {
  Id id;
  int result = -1;  // which result of the trace gave it, where a trace is kept; two names of one block are equal
  friend bool operator==(const BlockRef& a, const BlockRef& b) { return a.id == b.id; }
};
// A handle to a loop, or one of two markers.
struct LoopRef {
  enum class Marker { None, Inline, Root };  // the two places that are no loop (sample_compute_location's results)
  Id id;
  Marker marker = Marker::None;
  int result = -1;  // as a block's
  friend bool operator==(const LoopRef& a, const LoopRef& b) { return a.id == b.id && a.marker == b.marker; }
};
// A handle to an expression, such as a sampled factor.
struct ExprRef {
  ir::Expr value;   // null: a factor that is inferred (sample_perfect_tile of a loop whose extent is no number)
  int result = -1;  // as a block's
  friend bool operator==(const ExprRef& a, const ExprRef& b) { return a.value == b.value; }
};
using Handle = std::variant<BlockRef, LoopRef, ExprRef>;
using Handles = std::vector<Handle>;

// How a loop, block or buffer came to be.
struct Origin {
  Id made;
  std::uint32_t step = 0;      // uid of the step
  std::string_view primitive;  // "split"; a string of the instruction table
  std::vector<Id> parents;     // what it was made from: the loop it was split from, the block it is a copy of…
};

struct StateTrail;  // state_trail.h

// A scheduled program at one step: the program, the names of its handles, and the flags that decide which primitives
// are legal. Immutable; primitives make new states.
class State {
 public:
  // Makes the state of an unscheduled program, with its flags computed in full. Every loop, block and buffer must have
  // an id. Error "ValueError" if a function's body can't be scheduled.
  static Result<State> create(ir::Module module);

  const Program& program() const { return *program_; }
  const ir::Module& module() const { return program_->module; }
  const Tree& tree() const { return *program_->positions; }
  const BlockInfo& info(Id block) const { return program_->info(block); }

  // What a name of a schedule stands for: one handle, or a list of them. Null if it was never assigned.
  struct Binding {
    std::string name;
    Handles handles;
    bool isList = false;
  };
  const Binding* lookup(std::string_view name) const;
  // Returns the same program with `names` for the handles.
  State with(std::vector<Binding> names) const;
  // Returns whether the loop or block of the handle is still there.
  bool isAlive(const Handle& handle) const;

  // Returns the origin of what a step made; null for what the unscheduled program has already.
  const Origin* origin(Id made) const;
  // Returns the index, in Module::functions, of the function that get_block looks in if it is given none; nothing if
  // that is ambiguous.
  std::optional<int> workingFunction() const { return workingFunction_; }
  // Returns the generator's state from which sampling steps without a decision draw (chance.h): what `seed` set, or
  // that of the seed 1.
  std::int64_t chance() const { return chance_; }
  // Returns the same program, whose sampling steps draw from `chance`.
  State drawingFrom(std::int64_t chance) const;

 private:
  friend class Draft;

  std::shared_ptr<const Program> program_;
  std::shared_ptr<const StateTrail> trail_;  // names and origins, a link for each step; null before the first
  std::optional<int> workingFunction_;
  std::int64_t chance_ = 1;
};

// What a step changed, by id, in program order.
struct Changes {
  std::vector<Id> added, removed;
  std::vector<Id> modified;  // loops and blocks whose own line, regions or statements differ, not only what is below
  std::vector<Id> moved;     // the fewest of those in both that stand elsewhere among them: reorder, compute_at

  // Returns what was there before and differs or stands elsewhere now, each once.
  std::vector<Id> altered() const;
};
Changes changes(const State& before, const State& after);

}  // namespace loom::schedule
