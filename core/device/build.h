// Small constructors of device statements, shared by the passes over the device program.
#pragma once
#include "core/device/program.h"

namespace loom::device {

// Null statements are dropped, nested sequences flattened; null when nothing is left.
Stmt seq(std::vector<Stmt> stmts);
// What a statement does about a token; the rest of it is as a new SyncNode has it.
std::shared_ptr<SyncNode> makeSync(Token token, SyncDoes does = SyncDoes::Wait, int allow = 0);
Stmt barrier();
Stmt clusterBarrier();
Stmt clusterExchange();
Stmt warpBarrier();

template <class Node, class Change>
Stmt edit(const Stmt& s, Change change) {
  auto copy = std::make_shared<Node>(*as<Node>(s));
  change(*copy);
  return copy;
}

// The text with what valueOf(name) returns in place of each {name}.
std::string withNames(std::string_view text, const std::function<std::string(std::string_view)>& valueOf);

// How a text calls a kernel's buffers, and its expressions.
struct SyncNames {
  std::function<std::string(const Buffer&)> buffer;
  std::function<std::string(const Expr&)> value;
};
// The statement in CUDA, or as printed programs have it.
std::string textOf(const SyncNode& n, bool cuda, const Kernel& kernel, const SyncNames& names);

// s with each direct child statement replaced by f(child); s itself when nothing changed, null when nothing is left.
Stmt mapChildren(const Stmt& s, const std::function<Stmt(const Stmt&)>& f);
// The place with each of its indices replaced by f(index).
BufferPlace mapPlace(const BufferPlace& place, const std::function<Expr(const Expr&)>& f);
// s with each expression it evaluates itself replaced by f(expression); children stay.
Stmt mapExpressions(const Stmt& s, const std::function<Expr(const Expr&)>& f);
// s with `StmtNode::number` set: counted up from `next`, which becomes the number after the last. A statement that
// stands in two places becomes two.
Stmt numbered(const Stmt& s, int& next);
// The same statements in nodes of their own: what is said of a statement by its node is then said of one place alone.
Stmt copyOf(const Stmt& s);
// Variables replaced everywhere in s.
Stmt substitute(const Stmt& s, const Var& var, const Expr& value);

}  // namespace loom::device
