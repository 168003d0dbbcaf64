// Blocks of the program that ask the copy engine (TMA) for their copy, with the loops and conditions that are theirs
// alone.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device/program.h"

namespace loom::lower {

// A block with the annotation kCopy (copy_engine.h), and the chain of loops and conditions around it.
struct CopyNest {
  const device::BlockNode* block = nullptr;    // never null; the annotated block, which may stand around the loops
  std::vector<const device::LoopNode*> loops;  // from the outermost on
  std::vector<device::Expr> conditions;        // their conjuncts, from the outermost on
  const device::StoreNode* store = nullptr;    // null where the block is no single store
};

// Follows a chain of loops, conditions without `else` and blocks, from `s` inward, to its end. Returns what it found if
// one of the blocks has the annotation kCopy with the value `how`, and nothing otherwise, also for null. The pointers
// of the result are to nodes that `s` shares.
std::optional<CopyNest> copyNest(const device::Stmt& s, std::string_view how);

// Returns when the L2 cache gives up what a block copies, "first" or "last", as its annotation kEvict says; "" for a
// block without it, and nothing where the annotation has another value.
std::optional<std::string> evictionOf(const device::BlockNode& block);

}  // namespace loom::lower
