// Small constructors of device statements, shared by the passes over the device program.
#pragma once
#include "core/device/program.h"
#include "core/ir/node_memory.h"

namespace loom::device {

// Returns the statements as one sequence, without null statements and with nested sequences flattened: the statement
// itself if only one is left, null if none is.
Stmt seq(std::vector<Stmt> stmts);
// Returns a new statement that does `does` (wait, commit, …) on a token, which is a kind of event by which threads are
// synchronized (token.h). `allow` is SyncNode::allow; the other members have their default values.
std::shared_ptr<SyncNode> makeSync(Token token, SyncDoes does = SyncDoes::Wait, int allow = 0);
// Return a new barrier: of the block, of the cluster without an exchange of data (Token::ClusterBarrier), of the
// cluster with one (Token::ClusterExchange), and of the warp.
Stmt barrier();
Stmt clusterBarrier();
Stmt clusterExchange();
Stmt warpBarrier();

// Returns a copy of a statement, which must be a `Node`, after change(copy), which may assign its members. The original
// stays as it is: statements are shared.
template <class Node, class Change>
Stmt edit(const Stmt& s, Change change) {
  auto copy = ir::newNode<Node>(*as<Node>(s));
  change(*copy);
  return copy;
}

// Returns the text with `valueOf(name)` in place of each `{name}`.
std::string withNames(std::string_view text, const std::function<std::string(std::string_view)>& valueOf);

// Functions that give the name of a kernel's buffer, and the text of an expression, in a text of the kernel.
struct SyncNames {
  std::function<std::string(const Buffer&)> buffer;
  std::function<std::string(const Expr&)> value;
};
// Returns the text of a statement on a token, without what ends the line: in CUDA, or else as printed device programs
// have it. `kernel` is the statement's own. Returns "" if the token has no such statement.
std::string textOf(const SyncNode& n, bool cuda, const Kernel& kernel, const SyncNames& names);

// Returns `s` with each direct child statement replaced by f(child), or without it if that is null. Returns `s` itself
// if nothing changed, and null if no child is left.
Stmt mapChildren(const Stmt& s, const std::function<Stmt(const Stmt&)>& f);
// Returns the place with each of its indices replaced by f(index).
BufferPlace mapPlace(const BufferPlace& place, const std::function<Expr(const Expr&)>& f);
// Returns `s` with each expression that it evaluates itself, an extent, a condition, an index of an access or a value,
// replaced by f(expression). Its children stay.
Stmt mapExpressions(const Stmt& s, const std::function<Expr(const Expr&)>& f);
// Returns `s` with `StmtNode::number` set in it and in all statements within it but sequences: counted up from `next`
// in the order of the text, a statement before what is in it. `next` becomes the number after the last. A statement
// that stands in two places becomes two statements.
Stmt numbered(const Stmt& s, int& next);
// Returns a copy of `s` in which every statement is a new node, so that a table keyed by nodes tells the copy's
// statements from those of `s`.
Stmt copyOf(const Stmt& s);
// Returns `s` with `value` in place of `var` in all expressions of `s` and of the statements within it.
Stmt substitute(const Stmt& s, const Var& var, const Expr& value);

}  // namespace loom::device
