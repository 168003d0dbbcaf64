// Reads expressions, variables and buffers from a saved graph, the nodes that TVM writes as JSON. Internal to
// core/script.
#pragma once
#include <map>
#include <vector>

#include "core/ir/stmt.h"
#include "core/script/saved_graph.h"

namespace loom::script {

// How deeply nodes may be nested. Readers go down by recursion, and a deeper graph, which could overflow the stack, is
// NotAsSaved.
constexpr int kDeepestSaved = 300;

// Reads each node of a graph into one object, however many nodes refer to it, so that a variable stays one variable.
// Functions throw NotAsSaved for nodes that aren't TIR or are malformed: operands of different dtypes, missing fields,
// circles, indices beyond the graph; and once more than kMostPrinted expressions were read (`printed`). The reader
// can't be used after that.
class SavedExprs {
 public:
  using Index = SavedGraph::Index;

  // `graph`, and `ids`, which numbers the buffers, must outlive the reader.
  explicit SavedExprs(const SavedGraph& graph, ir::IdSource& ids) : graph_(graph), ids_(ids) {}

  // Return the expression, variable, buffer, … that a node is. Node 0 (null) is NotAsSaved, but for `annotations`,
  // where it means none.
  ir::Expr expr(Index node);
  // Reads an expression of a scalar integer dtype, such as the extent or the minimum of a range.
  ir::Expr integer(Index node);
  ir::Var var(Index node);
  ir::Buffer buffer(Index node);
  ir::Range range(Index node);
  ir::BufferRegion region(Index node);
  std::vector<ir::Expr> exprs(const std::vector<Index>& nodes);
  ir::Annotations annotations(Index map);

  // Returns how many expressions were read so far, each counted as often as it would be printed.
  std::size_t printed() const { return printed_; }
  static constexpr std::size_t kMostPrinted = 500'000;

 private:
  ir::Expr made(Index node);
  ir::Expr operation(Index node, std::string_view type);
  ir::Expr call(Index node);
  ir::Expr same(Index node, const char* field, ir::DType dtype);
  ir::DType dtype(Index node);
  ir::AnnotationValue annotation(Index node);
  void count(std::size_t expressions);

  const SavedGraph& graph_;
  ir::IdSource& ids_;
  std::map<Index, ir::Expr> exprs_;
  std::map<Index, std::size_t> sizes_;  // by node: how many expressions it has, shared ones counted each time
  std::map<Index, ir::Buffer> buffers_;
  std::size_t below_ = 0;  // how many expressions the one that is being read has so far
  std::size_t printed_ = 0;
  int depth_ = 0;
};

}  // namespace loom::script
