// The program while one primitive rewrites it. A primitive first checks, then replaces loops and blocks of the draft.
// If the primitive is refused, the draft is dropped and the state that it was made from stays as it was.
#pragma once
#include "core/schedule/environment.h"
#include "core/schedule/state.h"

namespace loom::schedule {

// What a sampling step decided: the numbers that it drew at random, or those of its argument `decision`.
struct Decision {
  std::vector<std::int64_t> numbers;
  bool isList = false;  // several factors; else one number
};

// A program that one primitive is rewriting. It starts as a copy of a state and becomes the next state.
class Draft {
 public:
  // `step` is the uid of the step: ids made here are {step, 1}, {step, 2}, … `base` and `environment` must outlive the
  // draft. `primitive` is the primitive's name and must outlive all states made.
  Draft(const State& base, std::uint32_t step, std::string_view primitive, const Environment& environment);
  // Makes a draft for a step that has already made ids, and continues with `ids`.
  Draft(const State& base, std::uint32_t step, ir::IdSource ids, std::string_view primitive,
        const Environment& environment);

  // The state that the draft was made from, and the draft's own program. What `tree` and `info` return is valid until
  // the draft changes; `info` is for blocks of the draft only.
  const State& base() const { return base_; }
  const Program& program() const { return program_; }
  const ir::Module& module() const { return program_.module; }
  const Tree& tree() const { return *program_.positions; }
  const BlockInfo& info(Id block) const { return program_.info(block); }
  const Environment& environment() const { return environment_; }

  Id newId() { return ids_.next(); }
  ir::IdSource& ids() { return ids_; }

  // Replaces a loop or block (TVM's ScheduleState::Replace). The loop or block `target` (a block with its realize),
  // which must be in the draft, becomes `replacement`, a For or BlockRealize; else std::logic_error is thrown.
  // Ancestors are copied. Identity is by id: a loop or block of the replacement that carries the id of an old one is
  // that one (TVM's loop reuse by variable and block_sref_reuse), and such a block keeps its flags. Those of a block
  // with a new id are false. The flags are affineBinding (the iterators' values are an affine map of the loops around),
  // regionCover (its producers have written all that it reads) and stagePipeline (the blocks in it have no WAR or
  // opaque dependencies, and each that depends on others has regionCover). The scopes (dependencies) of blocks that are
  // no longer the same node are found anew. Handles (LoopRef, BlockRef) to loops and blocks that are gone become
  // invalid.
  void replace(Id target, const ir::Stmt& replacement);
  // Replaces a block, which must be in the draft, and keeps its binding values and its predicate: the new block has as
  // many iterators.
  void replace(Id target, const ir::Block& replacement);

  // Computes flags and dependencies of the block and of every block below it in full (TVM's
  // UpdateScopeBlockInfo(realize of the block)). The affineBinding of a block below is judged by the loops between it
  // and the next block around it. Nothing outside of `block` is looked at: as in TVM, its own regionCover becomes true,
  // and its own affineBinding is true only if it has no iterators, whatever loops are around it.
  void refreshScope(Id block);
  // Computes the same for the blocks below the block, while the block keeps its own flags and the dependencies of its
  // children (TVM's UpdateScopeBlockInfo(body of the block)). As in TVM, its children's regionCover becomes true, and
  // the affineBinding of a child with no loop between it and the block is true only if the child has no iterators.
  void refreshInside(Id block);

  void setAffineBinding(Id block, bool value) { edit(block).affineBinding = value; }
  void setRegionCover(Id block, bool value) { edit(block).regionCover = value; }
  void setStagePipeline(Id block, bool value) { edit(block).stagePipeline = value; }
  // Sets affineBinding to what the block's current realize and loops give (TVM's recurring
  // `IsAffineBinding(realize, LoopDomainOfSRefTreePath(parent))`).
  void recomputeAffineBinding(Id block);

  // Records that the new loop, block or buffer `made` was made from `parents` (Origin).
  void origin(Id made, std::vector<Id> parents);

  // Selects the function that get_block looks in by default.
  void workOn(int function) { workingFunction_ = function; }
  // Replaces parameters, attributes or buffers of a function, given by its index in the module. Throws std::logic_error
  // if its body changes.
  void replaceFunction(int index, ir::Function function);

  // Sets the state of the random generator (State::chance) from which the steps after this one draw.
  void setChance(std::int64_t chance) { chance_ = chance; }
  // Records what this step decided, if it is a sampling step.
  void decide(Decision decision) { decision_ = std::move(decision); }
  const std::optional<Decision>& decision() const { return decision_; }  // nothing if nothing was recorded

  // Returns the next state, which has the draft's program and the names of the base state and `names`, which replace
  // equal ones of the base.
  State finish(std::vector<State::Binding> names = {}) &&;

 private:
  BlockInfo& edit(Id block);

  const State& base_;
  Program program_;
  ir::IdSource ids_;
  std::uint32_t step_;
  std::string_view primitive_;
  const Environment& environment_;
  std::vector<Origin> origins_;
  std::optional<int> workingFunction_;
  std::int64_t chance_;
  std::optional<Decision> decision_;
  bool changed_ = false;
};

}  // namespace loom::schedule
