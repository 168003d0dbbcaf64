#include "core/lower/versions.h"

#include <algorithm>
#include <numeric>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"

namespace loom::lower {

using namespace device;

std::unordered_map<const ir::BufferNode*, int> countUses(const Stmt& s) {
  std::unordered_map<const ir::BufferNode*, int> uses;
  forEach(s, [&](const Stmt& inner) {
    forEachAccess(inner, [&](const BufferAccess& a) { ++uses[a.buffer.get()]; });
    return true;
  });
  return uses;
}

std::vector<Buffer> ownedBy(const Stmt& s, const Kernel& kernel) {
  auto inside = countUses(s), all = countUses(kernel.body);
  std::vector<Buffer> owned;
  for (const Allocation& a : kernel.allocations) {
    const auto found = inside.find(a.buffer.get());
    if (found != inside.end() && found->second == all[a.buffer.get()]) owned.push_back(a.buffer);
  }
  return owned;
}

std::int64_t elementsEach(const Allocation& allocation) {
  std::int64_t each = allocation.elements;
  for (const std::int64_t count : allocation.versions) each /= std::max<std::int64_t>(count, 1);
  return each;
}

void multiply(Allocation& allocation, std::int64_t count, const Stmt& body) {
  // A multiple of the widest vector is one of all.
  std::int64_t widest = 1;
  forEach(body, [&](const Stmt& inner) {
    forEachAccess(inner, [&](const BufferAccess& a) {
      if (a.buffer == allocation.buffer) widest = std::lcm(widest, std::int64_t(a.lanes));
    });
    return true;
  });
  const std::int64_t each = elementsEach(allocation), padded = (each + widest - 1) / widest * widest;
  if (padded != each) allocation.elements = allocation.elements / each * padded;
  allocation.elements *= count;
  allocation.versions.insert(allocation.versions.begin(), count);
}

namespace {

std::vector<BufferPlace> placesOf(const Stmt& s, const Buffer& buffer, bool written) {
  std::vector<BufferPlace> places;
  forEach(s, [&](const Stmt& inner) {
    for (const MemoryEffect& effect : effectsOf(inner).memory)
      if (effect.place.buffer == buffer && effect.writes() == written) places.push_back(effect.place);
    return true;
  });
  return places;
}

}  // namespace

bool mayMeet(const Stmt& writer, const Stmt& reader, const Allocation& allocation) {
  const auto areApart = [&](const BufferPlace& a, const BufferPlace& b) {
    for (std::size_t v = 0; v < allocation.versions.size(); ++v) {
      const auto* one = ir::asInt(a.at[v]);
      const auto* other = ir::asInt(b.at[v]);
      if (one && other && one->value != other->value) return true;
    }
    return false;
  };
  const auto written = placesOf(writer, allocation.buffer, true), read = placesOf(reader, allocation.buffer, false);
  return std::ranges::any_of(written, [&](const BufferPlace& w) {
    return std::ranges::any_of(read, [&](const BufferPlace& r) { return !areApart(w, r); });
  });
}

namespace {

class Rewrite : public ir::Mutator {
 public:
  Rewrite(const Buffers& buffers, const Expr& version) : buffers_(buffers), version_(version) {}

  BufferPlace place(BufferPlace p) const {
    if (buffers_.count(p.buffer.get())) p.at.insert(p.at.begin(), version_);
    return p;
  }

  Stmt statement(const Stmt& s) {
    Stmt own = mapExpressions(s, [&](const Expr& e) { return rewrite(e); });
    switch (own->kind) {
      case StmtKind::Store: own = edit<StoreNode>(own, [&](StoreNode& n) { n.to = place(n.to); }); break;
      case StmtKind::Operation:
        own = edit<OperationNode>(own, [&](OperationNode& n) {
          for (BufferPlace& p : n.places) p = place(p);
        });
        break;
      case StmtKind::Sync:
        own = edit<SyncNode>(own, [&](SyncNode& n) {
          for (Landed& landed : n.landed)
            if (buffers_.count(landed.buffer.get())) landed.versions.insert(landed.versions.begin(), version_);
        });
        break;
      default: break;
    }
    return mapChildren(own, [&](const Stmt& child) { return statement(child); });
  }

 protected:
  Expr rewriteLoad(const Expr& e) override {
    Expr inner = Mutator::rewriteLoad(e);
    const auto& l = *ir::as<ir::LoadNode>(inner);
    if (!buffers_.count(l.buffer.get())) return inner;
    std::vector<Expr> at = l.indices;
    at.insert(at.begin(), version_);
    return std::make_shared<ir::LoadNode>(l.buffer, std::move(at), l.dtype);
  }

 private:
  const Buffers& buffers_;
  const Expr& version_;
};

}  // namespace

Expr runningNumber(const std::vector<const LoopNode*>& loops, DType type) {
  Expr running;
  for (const LoopNode* l : loops) {
    const Expr var = ir::cast(type, l->var);
    running = running ? running * ir::cast(type, l->extent) + var : var;
  }
  return running;
}

Stmt withVersion(const Stmt& s, const Buffers& buffers, const Expr& version) {
  return buffers.empty() ? s : Rewrite(buffers, version).statement(s);
}

}  // namespace loom::lower
