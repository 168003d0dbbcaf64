// Expressions, variables and buffers of a saved graph. Private to the room.
#pragma once
#include <map>
#include <vector>

#include "core/ir/stmt.h"
#include "core/script/saved_graph.h"

namespace loom::script {

// As many nodes may lie within each other: readers go down by recursion, and the stack has an end.
constexpr int kDeepestSaved = 300;

// Each node becomes one object, however many name it: a variable is its node. Throws NotAsSaved for what isn't TIR or
// can't be: operands of two dtypes, missing fields, circles.
class SavedExprs {
 public:
  using Index = SavedGraph::Index;

  explicit SavedExprs(const SavedGraph& graph, ir::IdSource& ids) : graph_(graph), ids_(ids) {}

  ir::Expr expr(Index node);
  // Reads a whole number, such as an extent or the beginning of an index.
  ir::Expr integer(Index node);
  ir::Var var(Index node);
  ir::Buffer buffer(Index node);
  ir::Range range(Index node);
  ir::BufferRegion region(Index node);
  std::vector<ir::Expr> exprs(const std::vector<Index>& nodes);
  ir::Annotations annotations(Index map);

  // Returns how many expressions were read, each as often as it stands in the program, which is what printing costs.
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
  std::map<Index, std::size_t> sizes_;  // expressions in each, shared ones counted again
  std::map<Index, ir::Buffer> buffers_;
  std::size_t below_ = 0;  // of the expression that is being made
  std::size_t printed_ = 0;
  int depth_ = 0;
};

}  // namespace loom::script
