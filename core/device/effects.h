// What a statement of a device program does to memory and to other threads: what it reads, writes, signals and waits
// for. The passes that place barriers and guards and interleave virtual threads, and the models, take it from here, so
// that none of them knows an operation by its name. A token is a kind of event by which threads are synchronized
// (token.h); the pass `flatten` replaces the indices of each access by one offset.
#pragma once
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/device/operation.h"

namespace loom::device {

// A tile of a matrix in memory or in registers: `rows` lines of `columns` elements each. The elements of a line lie
// side by side, and the starts of successive lines are `leading` elements apart.
struct MemoryTile {
  Operand operand = Operand::Accumulator;  // which matrix of the product the tile is of
  int rows = 0, columns = 0;
  Expr leading;           // elements; null for a tile in registers
  bool alongRows = true;  // whether the lines are rows of the matrix; if not, they are its columns
};

// One access of a statement to memory.
struct MemoryEffect {
  enum class Does : std::uint8_t { Read, Write } does = Does::Read;
  BufferPlace place;  // the first element that is accessed; in a buffer of fragments, which fragment
  Memory memory = Memory::Global;
  // For a buffer of which each block of a cluster has a slice in its shared memory: the block whose slice is accessed.
  // Before the pass `flatten` this is the buffer's first index, after it the block's number in the cluster. Null: the
  // executing block's own slice.
  Expr inBlock;
  std::optional<MemoryTile> tile;  // the tile that is accessed; nothing: `place.lanes` elements side by side
  int operand = -1;                // the index of the operation's operand; -1 for other statements
  Agent agent = Agent::Threads;    // who performs the access
  std::optional<Token> completes;  // completed once the access has happened; nothing: it has when the statement ends
  // True for writes whose value doesn't depend on what the buffer held: when repeated, they store the same value again.
  bool repeatable = false;
  // The access happens only where each condition has the truth value beside it: those of if_then_else in the statement,
  // and OperationRow::readsIf.
  std::vector<std::pair<Expr, bool>> conditions;
  bool writes() const { return does == Does::Write; }
};

// Everything that a statement does.
struct Effects {
  std::vector<MemoryEffect> memory;    // reads in the order of evaluation, then writes
  Group group = Group::Thread;         // the threads that execute the statement together
  std::vector<Token> signals, awaits;  // the events that the statement signals, and that it waits for
  std::vector<Token> fences;           // of a statement that neither signals nor waits, as a fence: its event
  // After a wait: the buffers that were written asynchronously. From then on they count as written by the waiting
  // thread itself.
  std::vector<Landed> landed;
  const OperationRow* row = nullptr;  // the row of an operation; null for other statements
};

// Returns what the statement does itself, without its children. Works before and after the pass `flatten`.
Effects effectsOf(const Stmt& statement);

// One access of a statement to memory, as far as most passes ask.
struct BufferAccess {
  const Buffer& buffer;
  int lanes = 1;  // elements side by side
  bool writes = false;
  bool inBlock = false;  // whether MemoryEffect::inBlock is set
};
// Calls `f` for each of `effectsOf(statement).memory`, in the same order and in a quarter of the time. The access is
// valid until `f` returns.
void forEachAccess(const Stmt& statement, const std::function<void(const BufferAccess&)>& f);

// Returns whether a statement with these effects is a barrier of the block: no thread goes on before all threads of the
// block have come, and then it sees what they wrote.
bool meetsBlock(const Effects& effects);
// Returns whether at a statement with these effects the blocks of the cluster wait for each other, and then see what
// any of them wrote.
bool meetsCluster(const Effects& effects);

// Returns the definitions of CUDA device functions that the texts of a statement, and of all statements within it, use:
// those of their operations, tokens and loads from other blocks of a cluster, each once, in program order.
std::vector<std::string_view> preamblesOf(const Stmt& statement);

// The buffers that a statement, and all statements within it, read and write.
struct BufferUses {
  std::vector<const ir::BufferNode*> read, written;  // each once, in program order
};
// Returns the buffers that the statement and all statements within it use.
BufferUses usesOf(const Stmt& statement);

}  // namespace loom::device
