#include "core/lower/proxy_fences.h"

#include <algorithm>
#include <set>

#include "core/device/build.h"
#include "core/device/effects.h"

namespace loom::lower {
namespace {

using namespace device;

class Fencing {
 public:
  explicit Fencing(const Stmt& body) {
    forEach(body, [&](const Stmt& s) {
      if (s->kind != StmtKind::Operation) return true;  // what others do they do themselves
      for (const MemoryEffect& e : effectsOf(s).memory)
        if (isBeside(e.agent) && isShared(e.memory)) async_.insert(e.place.buffer.get());
      return true;
    });
  }

  Stmt walk(const Stmt& s) const {
    if (async_.empty() || !s) return s;
    if (s->kind != StmtKind::Seq) return mapChildren(s, [&](const Stmt& child) { return walk(child); });
    std::vector<Stmt> out;
    bool owes = false;
    for (const Stmt& child : as<SeqNode>(s)->stmts) {
      const Uses uses = usesIn(child);
      // What also lets others go on, or uses the memory itself, fences inside.
      const bool onlyWrites = uses.writes && !uses.other;
      if (owes && !onlyWrites) {
        out.push_back(fence());
        owes = false;
      }
      owes |= onlyWrites;
      out.push_back(onlyWrites ? child : walk(child));
    }
    if (owes) out.push_back(fence());
    return seq(std::move(out));
  }

 private:
  struct Uses {
    bool writes = false;  // threads write such a buffer
    bool other = false;   // something that they must have fenced before
  };
  Uses usesIn(const Stmt& s) const {
    Uses uses;
    forEach(s, [&](const Stmt& inner) {
      const Effects effects = effectsOf(inner);
      for (const MemoryEffect& e : effects.memory) {
        if (!async_.contains(e.place.buffer.get())) continue;
        if (isBeside(e.agent))
          uses.other = true;
        else if (e.writes() && !e.completes)
          uses.writes = true;
      }
      // What lands beside the threads is written when it is waited for.
      const bool own = std::ranges::any_of(effects.awaits, [](Token token) { return rowOf(token).landsAsOwn(); });
      for (const Landed& l : effects.landed) uses.writes |= own && async_.contains(l.buffer.get());
      uses.other |= meetsBlock(effects) || std::ranges::count(effects.signals, Token::Transfers) > 0;
      return true;
    });
    return uses;
  }
  static Stmt fence() { return makeSync(Token::Transfers, SyncDoes::Fence); }

  std::set<const ir::BufferNode*> async_;  // in shared memory
};

}  // namespace

Stmt withProxyFences(const Stmt& body) { return Fencing(body).walk(body); }

}  // namespace loom::lower
