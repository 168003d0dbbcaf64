// Where the statements of a program that is being lowered use memory.
#pragma once
#include "core/ir/visit.h"

namespace loom::lower {

// Visits a statement (`visit`) and calls `use` for every load and store of a buffer, for the source of every view
// (match_buffer), and for data variables, by which intrinsics take buffers. Accesses to a view count as uses of the
// view's own data variable. Regions that blocks declare are no uses. For TensorIR after the pass `init`, so that blocks
// have no T.init, which isn't visited, and before the pass `convert`, which makes device statements of it
// (pass_table.h).
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
