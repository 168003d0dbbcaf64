#include "core/ir/loads.h"

#include "core/ir/visit.h"

namespace loom::ir {
namespace {

class Loads : public Visitor {
 public:
  std::vector<const LoadNode*> all;

 protected:
  void visitLoad(const LoadNode& load) override {
    all.push_back(&load);
    Visitor::visitLoad(load);
  }
};

template <class Node>
std::vector<const LoadNode*> found(const Node& node) {
  Loads loads;
  loads.Visitor::visit(node);
  return std::move(loads.all);
}

}  // namespace

std::vector<const LoadNode*> loadsIn(const Expr& e) { return found(e); }
std::vector<const LoadNode*> loadsIn(const Stmt& s) { return found(s); }
bool readsMemory(const Expr& e) { return !loadsIn(e).empty(); }

}  // namespace loom::ir
