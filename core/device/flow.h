// What has happened on the way to a statement, along every path that leads there: accesses that are pending, tokens
// that are signalled and not awaited yet.
#pragma once
#include "core/device/effects.h"

namespace loom::device {

// Calls at(statement, state) for s and every statement inside, in the order of execution. The state is what `at` made
// of it on the way there. Where two paths meet it is `state.merge(other)`, which must keep what either says. A loop's
// body is walked again with what an iteration leaves to the next; a loop is taken to run at least once, as barriers are
// placed. State: copied and compared with ==.
template <class State, class At>
void flow(const Stmt& s, State& state, const At& at) {
  if (!s) return;
  at(s, state);
  switch (s->kind) {
    case StmtKind::Seq:
      for (const Stmt& child : as<SeqNode>(s)->stmts) flow(child, state, at);
      return;
    case StmtKind::Block: return flow(as<BlockNode>(s)->body, state, at);
    case StmtKind::If: {
      State other = state;
      flow(as<IfNode>(s)->yes, state, at);
      flow(as<IfNode>(s)->no, other, at);
      state.merge(other);
      return;
    }
    case StmtKind::Loop: {
      const State before = state;
      flow(as<LoopNode>(s)->body, state, at);
      const bool again = !ir::isConst(as<LoopNode>(s)->extent, 1) && !(state == before);
      if (again) flow(as<LoopNode>(s)->body, state, at);
      return;
    }
    case StmtKind::Store:
    case StmtKind::Operation:
    case StmtKind::Sync: return;
  }
}

}  // namespace loom::device
