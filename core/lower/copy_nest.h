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

// Returns the error "NotAKernel" that refuses a block's copy for a reason; `remedy` may be empty.
Error refusalOf(const CopyNest& nest, Message why, Message remedy = {});

// Returns why the copy engine can't do what a block asks for, whatever memories it copies between: its annotation
// kEvict has another value, or it is no single store. Nothing: there is no such reason.
std::optional<Error> refusalOfCopy(const CopyNest& nest);

// Returns why the copy engine can't store to global memory what the block copies: the shared memory that `load`, the
// value of the nest's store, reads is another block's of the cluster, or the kernel accesses what is stored elsewhere,
// too, or stores it again in each iteration of a loop (used_elsewhere.h). Nothing: there is no such reason.
std::optional<Error> refusalOfStore(const device::Kernel& kernel, const CopyNest& nest, const ir::LoadNode& load);

}  // namespace loom::lower
