// Where the statements of a program, before `convert`, use memory.
#pragma once
#include "core/ir/visit.h"

namespace loom::lower {

// Visits a statement, and calls `use` for every load and store of a buffer, for every view of it (match_buffer), and
// for its data variable, by which intrinsics take it. Regions that blocks declare are no uses.
class BufferUses : public ir::Visitor {
 protected:
  // Is given the data variable of the buffer; also, in vain, every other variable that is used in an expression.
  virtual void use(const ir::VarNode* data) = 0;

  void visitVar(const ir::VarNode& v) override { use(&v); }
  void visitLoad(const ir::LoadNode& n) override {
    use(n.buffer->data.get());
    Visitor::visitLoad(n);
  }
  void visitStore(const ir::StoreNode& n) override {
    use(n.buffer->data.get());
    Visitor::visitStore(n);
  }
  void visitBlock(const ir::BlockNode& n) override {
    for (const ir::MatchBuffer& m : n.matches) use(m.source.buffer->data.get());
    visit(n.body);
  }
};

}  // namespace loom::lower
