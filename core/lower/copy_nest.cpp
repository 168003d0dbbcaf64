#include "core/lower/copy_nest.h"

#include <algorithm>
#include <iterator>

#include "core/lower/annotations.h"
#include "core/lower/cluster_slices.h"
#include "core/lower/common_conditions.h"
#include "core/lower/copy_engine.h"
#include "core/lower/launch.h"
#include "core/lower/used_elsewhere.h"

namespace loom::lower {
namespace {

using namespace device;

bool asksFor(const BlockNode& b, std::string_view how) {
  const auto found = b.annotations.find(kCopy);
  return found != b.annotations.end() && textOf(found->second) == how;
}

}  // namespace

std::optional<CopyNest> copyNest(const Stmt& s, std::string_view how) {
  CopyNest nest;
  Stmt at = s;
  while (at) {
    switch (at->kind) {
      case StmtKind::Loop:
        nest.loops.push_back(as<LoopNode>(at));
        at = as<LoopNode>(at)->body;
        continue;
      case StmtKind::If: {
        const auto& n = *as<IfNode>(at);
        if (n.no) return std::nullopt;
        std::ranges::copy(conjuncts(n.condition), std::back_inserter(nest.conditions));
        at = n.yes;
        continue;
      }
      case StmtKind::Block:
        if (asksFor(*as<BlockNode>(at), how)) nest.block = as<BlockNode>(at);
        at = as<BlockNode>(at)->body;
        continue;
      case StmtKind::Store: nest.store = as<StoreNode>(at); break;
      default: break;
    }
    break;
  }
  return nest.block ? std::optional(std::move(nest)) : std::nullopt;
}

std::optional<std::string> evictionOf(const BlockNode& block) {
  const auto found = block.annotations.find(kEvict);
  if (found == block.annotations.end()) return "";
  const std::string when = textOf(found->second).value_or("");
  return when == "first" || when == "last" ? std::optional(when) : std::nullopt;
}

Error refusalOf(const CopyNest& nest, Message why, Message remedy) {
  std::vector<Id> subjects{nest.block->block};
  if (nest.store) subjects.push_back(nest.store->to.buffer->id);
  return notAKernel(std::move(why), std::move(subjects), std::move(remedy), Forbids::Hardware).value();
}

std::optional<Error> refusalOfCopy(const CopyNest& nest) {
  const std::string& name = nest.block->name;
  if (!evictionOf(*nest.block))
    return refusalOf(
        nest, message("\"{}\" of block {} is \"first\" or \"last\": when the L2 cache gives up what is copied", kEvict,
                      name));
  if (!nest.store) return refusalOf(nest, message("block {} isn't one copy, which is what the copy engine does", name));
  return std::nullopt;
}

std::optional<Error> refusalOfStore(const Kernel& kernel, const CopyNest& nest, const ir::LoadNode& load) {
  const std::string &name = nest.block->name, &target = nest.store->to.buffer->name;
  if (!isOwnMemory(kernel, load))
    return refusalOf(nest,
                     message("block {} stores what lies in {} of another block of the cluster, which the copy engine "
                             "doesn't reach",
                             name, load.buffer->name),
                     message("without \"{}\" of block {}", kCopy, name));
  if (isUsedElsewhere(kernel, *nest.store))
    return refusalOf(
        nest,
        message("the copy engine stores {} for block {}, and the same kernel also uses it elsewhere, where "
                "nothing waits until it has been written",
                target, name),
        message("without \"{}\" of block {}, or with what uses {} in the next kernel", kCopy, name, target));
  if (const LoopNode* loop = loopThatStoresAgain(kernel, *nest.store, load.buffer))
    return refusalOf(nest,
                     message("the copy engine stores {} for block {} in each iteration of loop {}, and nothing waits "
                             "until the one before has been written",
                             target, name, loop->var->name),
                     message("without \"{}\" of block {}, or with the block behind the loop", kCopy, name));
  return std::nullopt;
}

}  // namespace loom::lower
