// Calls that stand for loops of one lane over elements become these loops.
#include <unordered_map>

#include "core/device/operation.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/launch.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

class ElementCalls : public Mutator {
 public:
  std::optional<Error> error;

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const auto& n = *asFor(s);
    const Expr outer = lane_;
    if (n.forKind == ForKind::ThreadBinding && isThreadIdx(n.thread) && axisOf(n.thread) == 0) lane_ = n.var;
    Stmt inner = Mutator::rewriteFor(s);
    lane_ = outer;
    return inner;
  }
  Block rewriteBlock(const Block& b) override {
    for (const MatchBuffer& m : b->matches) views_[m.buffer->data.get()] = &m;
    const Block outer = block_;
    if (!b->name.empty()) block_ = b;
    Block inner = Mutator::rewriteBlock(b);
    block_ = outer;
    return inner;
  }
  Stmt rewriteEvaluate(const Stmt& s) override {
    const auto* c = asCall(as<EvaluateNode>(s)->value);
    if (!c) return s;
    static const std::map<const BufferNode*, bool> kNone;
    auto view = [this](const Expr& data) -> const MatchBuffer* {
      const auto* v = asVar(data);
      const auto found = v ? views_.find(v) : views_.end();
      return found == views_.end() || found->second->buffer->shape.size() != 2 ? nullptr : found->second;
    };
    auto loops = device::inElements(*c, {view, kNone, lane_});
    if (!loops) return s;
    if (*loops) return **loops;
    if (!error) {
      error = notAKernel(loops->error().message, block_ ? std::vector<Id>{block_->id} : std::vector<Id>{}, {},
                         Forbids::Environment)
                  .value();
    }
    return s;
  }

 private:
  std::unordered_map<const VarNode*, const MatchBuffer*> views_;
  Expr lane_;
  Block block_;
};

}  // namespace

Result<Stmt> elementCalls(const Stmt& s) {
  ElementCalls pass;
  Stmt result = pass.rewrite(s);
  if (pass.error) return Failure(*pass.error);
  return result;
}

}  // namespace loom::lower
