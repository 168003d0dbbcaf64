// What a statement does to memory and to other threads: the one place that knows it. Barriers, guards, virtual threads
// and models ask here what is read, written, signalled and awaited. Only what prints or executes a statement looks at
// its kind, and then at the row of its operation or token.
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "core/device/operation.h"

namespace loom::device {

// A tile in memory: `rows` lines of `columns` elements that lie side by side, `leading` elements from line to line.
struct MemoryTile {
  Operand operand = Operand::Accumulator;
  int rows = 0, columns = 0;
  Expr leading;
  bool alongRows = true;  // the lines are the matrix' rows, not its columns
};

// One access of a statement to memory.
struct MemoryEffect {
  enum class Does : std::uint8_t { Read, Write } does = Does::Read;
  BufferPlace place;  // the first element; of a fragment in registers which fragment
  Memory memory = Memory::Global;
  // Of a buffer of which each block of a cluster has a slice: the number of the block whose memory is meant, before
  // `flatten` as the first index says it, and after it the number in the cluster. Null: the own one, as after `flatten`
  // of what a block does to its own slice.
  Expr inBlock;
  std::optional<MemoryTile> tile;  // none: `place.lanes` elements side by side, also of an operation's span
  int operand = -1;                // of an operation: which of its operands
  Agent agent = Agent::Threads;
  std::optional<Token> completes;  // that tells when it has happened; none: when the next statement begins
  // True for writes whose value doesn't depend on what the buffer held: repeated, they store the same again.
  bool repeatable = false;
  // The access happens only where each condition has the value beside it: branches of if_then_else in the statement.
  std::vector<std::pair<Expr, bool>> conditions;
  bool writes() const { return does == Does::Write; }
};

// Everything that a statement does, which barriers, guards, the executor and the model ask for instead of switching
// over kinds of statements.
struct Effects {
  std::vector<MemoryEffect> memory;  // reads in the order of evaluation, then writes
  Group group = Group::Thread;       // who executes the statement together
  std::vector<Token> signals, awaits;
  std::vector<Token> fences;          // of fences, and of statements that make mbarriers ready
  std::vector<Landed> landed;         // of a wait: what it is for, from now on written by the waiting thread itself
  const OperationRow* row = nullptr;  // of an operation, else null
};

// Returns what the statement does itself, without its children. Works before and after the pass `flatten`.
Effects effectsOf(const Stmt& statement);

// Returns whether no thread of the block goes on from here before all have come: the one question that tells a barrier
// of the block from other waits.
bool meetsBlock(const Effects& effects);
// Returns whether the blocks of the cluster wait for each other, and then see what any of them wrote.
bool meetsCluster(const Effects& effects);

// Returns the definitions that a CUDA text begins with because of the operations and tokens of a statement and all
// inside it, each once, in program order.
std::vector<std::string_view> preamblesOf(const Stmt& statement);

// Buffers by what a statement and all inside it do to them.
struct BufferUses {
  std::vector<const ir::BufferNode*> read, written;  // each once, in program order
};
BufferUses usesOf(const Stmt& statement);

}  // namespace loom::device
