#include "core/lower/products.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/lower/launch.h"

namespace loom::lower {
namespace {

using namespace device;

constexpr std::int64_t kMostInFlight = 7;  // PTX ISA, wgmma.wait_group

bool isProduct(const Stmt& s) {
  return s->kind == StmtKind::Operation && as<OperationNode>(s)->row->completes == Token::Products;
}

// Whether the statement does nothing but products.
bool onlyProducts(const Stmt& s) {
  bool any = false, all = true;
  forEach(s, [&](const Stmt& inner) {
    const bool acts = inner->kind == StmtKind::Store || inner->kind == StmtKind::Operation ||
                      inner->kind == StmtKind::Sync || inner->kind == StmtKind::If;
    any |= isProduct(inner);
    all &= !acts || isProduct(inner);
    return all;
  });
  return any && all;
}

Stmt sync(SyncDoes does, int allow = 0) { return makeSync(Token::Products, does, allow); }

class Groups {
 public:
  explicit Groups(const Kernel& kernel) : kernel_(kernel) {}

  // Statements with whole groups in place of their products.
  Stmt walk(const Stmt& s) {
    if (!s || error) return s;
    if (onlyProducts(s)) return group(s);
    if (s->kind != StmtKind::Seq) return mapChildren(s, [&](const Stmt& child) { return walk(child); });
    std::vector<Stmt> out;
    const std::vector<Stmt>& stmts = as<SeqNode>(s)->stmts;
    for (std::size_t from = 0; from < stmts.size();) {
      std::size_t to = from;
      while (to < stmts.size() && onlyProducts(stmts[to])) ++to;
      if (to == from) {
        out.push_back(walk(stmts[from++]));
        continue;
      }
      out.push_back(group(seq({stmts.begin() + std::ptrdiff_t(from), stmts.begin() + std::ptrdiff_t(to)})));
      from = to;
    }
    return seq(std::move(out));
  }
  // Waits before what else uses sums that may be on their way.
  Stmt finish(const Stmt& s) {
    if (!s || pending_.empty()) return s;
    if (s->kind != StmtKind::Seq) return mapChildren(s, [&](const Stmt& child) { return finish(child); });
    std::vector<Stmt> out;
    bool started = false;
    for (const Stmt& child : as<SeqNode>(s)->stmts) {
      const bool products = has(child, isProduct);
      if (child->kind == StmtKind::Sync && as<SyncNode>(child)->token == Token::Products &&
          as<SyncNode>(child)->does == SyncDoes::Wait && as<SyncNode>(child)->allow == 0)
        started = false;
      if (started && !products && usesSums(child)) {
        out.push_back(sync(SyncDoes::Wait));
        started = false;
      }
      started |= products;
      out.push_back(products ? finish(child) : child);
    }
    return seq(std::move(out));
  }
  std::optional<Error> error;
  std::vector<Remark> remarks;

 private:
  static bool has(const Stmt& s, bool (*wanted)(const Stmt&)) {
    bool found = false;
    forEach(s, [&](const Stmt& inner) { return !(found |= wanted(inner)); });
    return found;
  }
  bool usesSums(const Stmt& s) const {
    const BufferUses uses = usesOf(s);
    const auto isPending = [&](const ir::BufferNode* b) { return pending_.contains(b); };
    return std::ranges::any_of(uses.read, isPending) || std::ranges::any_of(uses.written, isPending);
  }
  Stmt group(const Stmt& s) {
    auto allow = inFlight(s);
    if (!allow) {
      error = allow.error();
      return s;
    }
    const int asked = *allow;
    // The next iteration may overwrite what products on their way read, but for other slots of a ring.
    for (const ir::BufferNode* b : usesOf(s).read)
      for (const Allocation& a : kernel_.allocations)
        if (a.buffer.get() == b && isShared(a.memory)) *allow = std::min(*allow, int(versionsOf(a)) - 1);
    if (*allow < asked)
      for (const BlockNode* b : annotatedBlocks(s, kInFlight))
        addRemark(remarks,
                  {message("\"{}\" of block {} asks for {} groups on their way, but what they read has slots for "
                           "{}",
                           kInFlight, b->name, asked, *allow),
                   {b->block}});
    if (*allow > 0)
      for (const ir::BufferNode* b : usesOf(s).written) pending_.insert(b);
    return seq({sync(SyncDoes::Fence), s, sync(SyncDoes::Commit), sync(SyncDoes::Wait, *allow)});
  }
  static std::int64_t versionsOf(const Allocation& a) {
    return std::accumulate(a.versions.begin(), a.versions.end(), std::int64_t{1}, std::multiplies<>());
  }

  const Kernel& kernel_;
  std::set<const ir::BufferNode*> pending_;  // sums of products that may be on their way behind a wait
};

// Whether the loop's variable says which sum of a warpgroup is meant.
bool choosesByRegister(const Stmt& s) {
  const Var& var = as<LoopNode>(s)->var;
  bool found = false;
  forEach(s, [&](const Stmt& inner) {
    if (inner->kind != StmtKind::Operation || as<OperationNode>(inner)->row->group != Group::Warpgroup) return !found;
    const auto& n = *as<OperationNode>(inner);
    const auto chooses = [&](const Expr& e) {
      return ir::usesVar(e, [&](const ir::VarNode* v) { return v == var.get(); });
    };
    for (std::size_t p = 0; p < n.places.size(); ++p) {
      if (memoryOf(n.places[p].buffer->scope) != Memory::Fragment) continue;
      const int first = n.row->operands[p].first;
      found |= chooses(n.places[p].at.back()) || (first >= 0 && chooses(n.values[std::size_t(first)]));
    }
    return !found;
  });
  return found;
}

// Loops that choose sums are unrolled, and those within a group of products.
Stmt unrolled(const Stmt& s, bool inGroup) {
  if (!s) return s;
  const bool loop = s->kind == StmtKind::Loop;
  const bool group = inGroup || (loop && onlyProducts(s));
  const Stmt own = loop && as<LoopNode>(s)->use == LoopUse::Serial && (group || choosesByRegister(s))
                       ? edit<LoopNode>(s, [](LoopNode& n) { n.use = LoopUse::Unrolled; })
                       : s;
  return mapChildren(own, [&](const Stmt& child) { return unrolled(child, group); });
}

}  // namespace

Result<int> inFlight(const Stmt& s) {
  int most = 0;
  for (const BlockNode* b : annotatedBlocks(s, kInFlight)) {
    const auto number = numberOf(b->annotations.at(kInFlight));
    if (!number || *number < 0 || *number > kMostInFlight)
      return notAKernel(message("\"{}\" of block {} is a whole number from 0 to {}: the groups of products that stay "
                                "on their way",
                                kInFlight, b->name, kMostInFlight),
                        {b->block});
    most = std::max(most, int(*number));
  }
  return most;
}

Result<std::vector<Remark>> groupProducts(Kernel& kernel) {
  bool any = false;
  forEach(kernel.body, [&](const Stmt& s) { return !(any |= isProduct(s)); });
  if (!any) return std::vector<Remark>();
  Groups groups(kernel);
  Stmt body = groups.walk(kernel.body);
  if (groups.error) return Failure(*groups.error);
  kernel.body = unrolled(groups.finish(body), false);
  return std::move(groups.remarks);
}

}  // namespace loom::lower
