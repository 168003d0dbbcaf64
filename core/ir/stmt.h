// Statements of TensorIR, and functions and modules of them. Immutable and shared, like expressions. Loops and blocks
// have an `id` that stays the same when a schedule primitive replaces their nodes.
#pragma once
#include <map>
#include <optional>
#include <variant>

#include "core/ir/expr.h"

namespace loom::ir {

struct AnnotationValue;
using AnnotationList = std::vector<AnnotationValue>;
using Annotations = std::map<std::string, AnnotationValue>;  // sorted by key, as TVM prints them
// The value of an annotation: an expression, a list, or a dictionary of such values. A string is a StringImm.
struct AnnotationValue {
  std::variant<Expr, AnnotationList, Annotations> value;
  // Whether a number was written with its dtype, `T.float32(0.5)` and not `0.5`; TVM prints it as it was written.
  // Numbers without one have the dtypes int32 and float32, whatever their size.
  bool typed = false;
};

// The integers in [min, min + extent).
struct Range {
  Expr min, extent;
};

// The kinds of statements.
enum class StmtKind : std::uint8_t { For, BlockRealize, Store, Evaluate, IfThenElse, Seq, Let, Attr, While };

// The base of all statements. Nodes are immutable and shared.
struct StmtNode {
  const StmtKind kind;
  StmtNode(const StmtNode&) = default;
  StmtNode& operator=(const StmtNode&) = delete;

 protected:
  explicit StmtNode(StmtKind k) : kind(k) {}
};
using Stmt = std::shared_ptr<const StmtNode>;

// How the iterations of a loop are executed.
enum class ForKind : std::uint8_t { Serial, Parallel, Vectorized, Unrolled, ThreadBinding };

// for var in [min, min + extent): body
struct ForNode : StmtNode {
  Id id;
  Var var;
  Expr min, extent;
  ForKind forKind = ForKind::Serial;
  std::string thread;  // "blockIdx.x", "threadIdx.y", "vthread.x"…; only for ThreadBinding
  Annotations annotations;
  Stmt body;
  ForNode() : StmtNode(StmtKind::For) {}
};
using For = std::shared_ptr<const ForNode>;

// What an iteration variable of a block counts: independent points (Spatial), terms of a reduction (Reduce), or
// anything (Opaque).
enum class IterType : std::uint8_t { Spatial, Reduce, Opaque };

// An iteration variable of a block.
struct IterVar {
  Var var;
  Range domain;
  IterType type = IterType::Spatial;
};

// A box of a buffer's elements.
struct BufferRegion {
  Buffer buffer;
  std::vector<Range> region;  // one range per dimension
};

// A view: `buffer`, with its own shape and with variables as strides and elemOffset, stands for the region `source`.
struct MatchBuffer {
  Buffer buffer;
  BufferRegion source;
};

// The unit of computation that primitives address: what is computed for one point of its iteration variables.
struct BlockNode {
  Id id;
  std::string name;
  std::vector<IterVar> iters;
  std::vector<BufferRegion> reads, writes;  // in terms of the iteration variables
  std::vector<Buffer> allocs;               // the buffers that the block allocates
  std::vector<MatchBuffer> matches;
  Annotations annotations;
  Stmt init;  // executed before the first iteration of a reduction; null if there is none
  Stmt body;
};
using Block = std::shared_ptr<const BlockNode>;

// A block in its place: the values of its iteration variables in terms of the loops around it.
struct BlockRealizeNode : StmtNode {
  std::vector<Expr> values;  // one for each of the block's `iters`
  Expr predicate;            // bool, never null: the block is executed only where it holds (T.where); True without one
  Block block;
  BlockRealizeNode() : StmtNode(StmtKind::BlockRealize) {}
};
using BlockRealize = std::shared_ptr<const BlockRealizeNode>;

// buffer[indices] = value
struct StoreNode : StmtNode {
  Buffer buffer;
  Expr value;
  std::vector<Expr> indices;
  StoreNode() : StmtNode(StmtKind::Store) {}
};

// Evaluates an expression, a call, for its effect.
struct EvaluateNode : StmtNode {
  Expr value;
  EvaluateNode() : StmtNode(StmtKind::Evaluate) {}
};

// if (condition) yes; else no
struct IfThenElseNode : StmtNode {
  Expr condition;
  Stmt yes;
  Stmt no;  // null when there is none
  IfThenElseNode() : StmtNode(StmtKind::IfThenElse) {}
};

// Statements one after the other.
struct SeqNode : StmtNode {
  std::vector<Stmt> stmts;  // at least two, none of them a Seq
  SeqNode() : StmtNode(StmtKind::Seq) {}
};

// `body` with `var` standing for `value`.
struct LetStmtNode : StmtNode {
  Var var;
  Expr value;
  Stmt body;
  LetStmtNode() : StmtNode(StmtKind::Let) {}
};

// T.attr(node, key, value): body
struct AttrNode : StmtNode {
  Expr node;
  std::string key;
  Expr value;
  Stmt body;
  AttrNode() : StmtNode(StmtKind::Attr) {}
};

// while (condition) body
struct WhileNode : StmtNode {
  Expr condition;
  Stmt body;
  WhileNode() : StmtNode(StmtKind::While) {}
};

// A parameter of a function.
struct Parameter {
  Var var;        // handle for buffers, else a scalar
  Buffer buffer;  // null for scalars
};

// A function. Its body is always the BlockRealizeNode of the root block.
struct FunctionNode {
  std::string name;  // its name in the module
  std::vector<Parameter> params;
  Annotations attrs;  // T.func_attr, with the name as "global_symbol" unless the function is private
  BlockRealize body;
};
using Function = std::shared_ptr<const FunctionNode>;

// A module: functions with their attributes.
struct Module {
  std::vector<Function> functions;  // in TVM's printing order
  Annotations attrs;
};

// Returns the statement as its concrete type; its kind must be that type's.
template <class Node>
const Node* as(const Stmt& s) {
  return static_cast<const Node*>(s.get());
}
// Return the statement as its concrete type; null if it is null or of another kind.
inline const ForNode* asFor(const Stmt& s) { return s && s->kind == StmtKind::For ? as<ForNode>(s) : nullptr; }
inline const BlockRealizeNode* asRealize(const Stmt& s) {
  return s && s->kind == StmtKind::BlockRealize ? as<BlockRealizeNode>(s) : nullptr;
}
inline const SeqNode* asSeq(const Stmt& s) { return s && s->kind == StmtKind::Seq ? as<SeqNode>(s) : nullptr; }

// Returns a copy of a node with changes, in which the id of a loop or block stays unless it is changed:
// `auto f = edit(loop, [&](ForNode& n) { n.body = body; });`
template <class Node, class Change>
std::shared_ptr<const Node> edit(const Node& node, Change change) {
  auto copy = std::make_shared<Node>(node);
  change(*copy);
  return copy;
}

}  // namespace loom::ir
