// Where one kernel ends and the next begins.

#include "core/ir/build.h"
#include "core/ir/element_layout.h"
#include "core/ir/visit.h"
#include "core/lower/buffer_uses.h"
#include "core/lower/launch.h"
#include "core/lower/lowering.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

bool bindsThreads(const Stmt& s) {
  bool found = false;
  forEachStmt(s, [&](const Stmt& inner) {
    auto* loop = asFor(inner);
    if (loop && loop->forKind == ForKind::ThreadBinding && !isVirtualThread(loop->thread)) found = true;
    return !found;
  });
  return found;
}

// The data variables of the buffers that are used, among other variables.
std::set<const VarNode*> usedIn(const Stmt& s) {
  class Uses : public BufferUses {
   public:
    std::set<const VarNode*> found;

   protected:
    void use(const VarNode* data) override { found.insert(data); }
  };
  Uses uses;
  uses.visit(s);
  return std::move(uses.found);
}

// Top-level nests: each that binds threads is a kernel; neighbours that bind none share one.
std::vector<Stmt> splitIntoNests(const Stmt& body) {
  std::vector<Stmt> nests;
  std::vector<Stmt> stmts = body->kind == StmtKind::Seq ? asSeq(body)->stmts : std::vector<Stmt>{body};
  bool lastUnbound = false;
  for (const Stmt& s : stmts) {
    bool unbound = !bindsThreads(s);
    if (unbound && lastUnbound) {
      nests.back() = seq({nests.back(), s});
    } else {
      nests.push_back(s);
    }
    lastUnbound = unbound;
  }
  return nests;
}

// Memory that more than one kernel uses must be global.
Result<void> shareBetween(Lowering& l, const std::vector<Stmt>& nests, const std::vector<Buffer>& allocs) {
  for (const Buffer& b : allocs) {
    std::vector<std::size_t> users;
    for (std::size_t i = 0; i < nests.size(); ++i) {
      if (usedIn(nests[i]).contains(b->data.get())) users.push_back(i);
    }
    if (users.size() < 2) continue;
    if (l.use == Lowering::For::Sizes && b->scope != "global") {
      l.ofSeveral.insert(b.get());
      continue;
    }
    if (b->scope != "global") {
      return notAKernel(
          message("{} is {} memory, but one kernel fills it and another reads it: such memory ends "
                  "with its kernel",
                  b->name, b->scope),
          {b->id}, message("sch.compute_at(…) or sch.reverse_compute_at(…) moves the copy into the other's loops"));
    }
    if (hasSymbolicPlaces(*b) && b->strides.empty() && isOver(elementsOf(b->shape), l.symbols)) {
      l.globals.emplace_back(b, flatBuffer(b, elementsOf(b->shape)));
      l.program.host.temporaries.push_back({l.globals.back().second, 0});
      l.ofSeveral.insert(b.get());
      continue;
    }
    const auto layout = elementLayout(*b);
    const std::int64_t elements = layout ? layout->footprint() : 0;
    if (elements <= 0) return notAKernel(message("the shape of {} isn't constant", b->name), {b->id});
    l.globals.emplace_back(b, flatBuffer(b, elements));
    l.program.host.temporaries.push_back({l.globals.back().second, elements});
    l.ofSeveral.insert(b.get());
  }
  return {};
}

}  // namespace

Result<std::vector<Nest>> splitIntoKernels(Lowering& l, const Stmt& whole) {
  const BlockNode& root = *asRealize(whole)->block;
  const std::vector<Stmt> bodies = splitIntoNests(root.body);
  if (auto done = shareBetween(l, bodies, root.allocs); !done) return Failure(done.error());
  std::vector<Nest> nests;
  for (const Stmt& body : bodies) {
    Nest nest{body, {}};
    const auto used = usedIn(body);
    for (const Buffer& b : root.allocs)
      if (!l.ofSeveral.count(b.get()) && used.contains(b->data.get())) nest.allocations.push_back(b);
    nests.push_back(std::move(nest));
  }
  return nests;
}

}  // namespace loom::lower
