#include "core/lower/copy_nest.h"

#include <algorithm>
#include <iterator>

#include "core/lower/annotations.h"
#include "core/lower/common_conditions.h"
#include "core/lower/copy_engine.h"

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

}  // namespace loom::lower
