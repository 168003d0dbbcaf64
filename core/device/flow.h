// The order of a device program's statements, and a forward data-flow analysis over them. A pass uses it to know, at
// each statement, what may have happened before, on any of the paths that lead there: which accesses are pending, or
// which events are signalled and not yet awaited.
#pragma once
#include <vector>

#include "core/device/effects.h"

namespace loom::device {

// Appends to `all` the statements that `s` executes one after the other: itself if it is no sequence, and else those of
// the sequence; blocks of the program count as what is in them. Does nothing if `s` is null.
inline void collectInOrder(const Stmt& s, std::vector<Stmt>& all) {
  if (!s) return;
  if (s->kind == StmtKind::Block) return collectInOrder(as<BlockNode>(s)->body, all);
  if (s->kind != StmtKind::Seq) return all.push_back(s);
  for (const Stmt& child : as<SeqNode>(s)->stmts) collectInOrder(child, all);
}

// Calls at(statement, state) for `s` and every statement within it, in the order of execution, sequences, blocks, loops
// and conditions before what is in them; `at` may change the state, which is then passed on and left in `state` at the
// end. Where the two branches of an If meet, state.merge(other) combines their states and must keep what either of them
// says. The body of a loop is visited a second time with the state that one iteration leaves to the next, unless the
// extent is 1 or the state didn't change; the state of the last visit goes on. So `at` is called for these statements
// twice, in nested loops up to 2^depth times, and must allow for that. A loop is taken to run at least once. A State
// can be copied and compared with ==. Does nothing if `s` is null.
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
