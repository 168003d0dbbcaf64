// Reads statements and functions from a saved graph, the nodes that TVM writes as JSON. Internal to core/script.
#pragma once
#include <string>

#include "core/script/saved_expr.h"

namespace loom::script {

// Reads statements and functions. Throws NotAsSaved, whose `what` says why, for nodes that aren't TIR or are malformed:
// operands of different dtypes, missing fields, circles, statements nested over 300 deep, and over 100,000 statements
// in all that one object reads.
class SavedStmts {
 public:
  using Index = SavedGraph::Index;

  // `graph` must outlive the reader.
  explicit SavedStmts(const SavedGraph& graph) : graph_(graph), ids_(0), exprs_(graph, ids_) {}

  // Returns the function that a node (a tir.PrimFunc) is, under `name`. The root block is the body, if that is a block
  // without iteration variables; else a new block around the body.
  ir::Function function(Index node, const std::string& name);
  // Returns the annotations that a node, a map, has; none for node 0 (null).
  ir::Annotations annotations(Index map) { return exprs_.annotations(map); }

 private:
  ir::Stmt stmt(Index node);
  ir::Stmt made(Index node, std::string_view type);
  ir::Stmt loop(Index node);
  ir::BlockRealize realize(Index node);
  ir::Block block(Index node);
  ir::IterVar iter(Index node);
  ir::Stmt store(Index node);
  ir::Stmt attribute(Index node);
  ir::Expr condition(Index node, const char* field);
  std::vector<ir::BufferRegion> regions(Index node, const char* field);

  const SavedGraph& graph_;
  ir::IdSource ids_;
  SavedExprs exprs_;
  int depth_ = 0;
  std::size_t statements_ = 0;
};

}  // namespace loom::script
