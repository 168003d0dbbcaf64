#include <algorithm>
#include <unordered_map>

#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/lower/launch.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

class LocalStages : public Mutator {
 public:
  std::optional<Error> error;

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    around_.push_back(s);
    Stmt inner = Mutator::rewriteFor(s);
    around_.pop_back();
    return inner;
  }
  Stmt rewriteRealize(const Stmt& s) override {
    const auto& n = *asRealize(s);
    if (n.block->annotations.contains(kLocalStage)) return divided(s);
    around_.push_back(s);
    Stmt inner = Mutator::rewriteRealize(s);
    around_.pop_back();
    return inner;
  }
  // The first halves of copies to buffers that the block allocates come before the statement with the second.
  Block rewriteBlock(const Block& b) override {
    std::vector<Stmt> stmts;
    std::vector<Buffer> allocated;
    bool changed = false;
    for (const Stmt& s : b->body && b->body->kind == StmtKind::Seq ? asSeq(b->body)->stmts : std::vector{b->body}) {
      Stmt second = rewrite(s);
      changed |= second != s;
      for (auto at = halves_.begin(); at != halves_.end();) {
        const bool here = std::ranges::find(b->allocs, at->shared) != b->allocs.end();
        if (here) {
          stmts.push_back(at->first);
          allocated.push_back(at->local);
        }
        at = here ? halves_.erase(at) : at + 1;
      }
      if (second) stmts.push_back(std::move(second));
    }
    if (!changed) return b;
    return edit(*b, [&](BlockNode& n) {
      n.body = stmts.size() == 1 ? stmts.front() : seq(std::move(stmts));
      n.allocs.insert(n.allocs.end(), allocated.begin(), allocated.end());
    });
  }

 private:
  // The copy to registers of one that goes on to shared memory.
  struct Half {
    Buffer shared, local;
    Stmt first;
  };

  void refuse(const BlockNode& block, Message why) {
    if (!error) error = notAKernel(std::move(why), {block.id}).value();
  }

  // Loops around the block up to the one that allocates the buffer, outermost first; nothing, and an error, where they
  // can't be gone through twice.
  std::optional<std::vector<const ForNode*>> loopsUpTo(const Buffer& shared, const BlockNode& block,
                                                       const Stmt& realize) {
    std::vector<const ForNode*> loops;
    Stmt inside = realize;
    for (auto at = around_.rbegin(); at != around_.rend(); ++at) {
      if (const auto* r = asRealize(*at)) {
        if (std::ranges::find(r->block->allocs, shared) != r->block->allocs.end()) {
          std::ranges::reverse(loops);
          return loops;
        }
        break;
      }
      const auto* loop = asFor(*at);
      const bool plain = loop->forKind == ForKind::Serial || loop->forKind == ForKind::Vectorized ||
                         (loop->forKind == ForKind::ThreadBinding && isThreadIdx(loop->thread));
      if (!plain || loop->body != inside) {
        refuse(block, plain
                          ? message("\"{}\" divides block {}, but loop {} around it has other statements, too",
                                    kLocalStage, block.name, loop->var->name)
                          : message("\"{}\" divides block {}, but loop {} around it is neither serial, vectorized nor "
                                    "bound to threads",
                                    kLocalStage, block.name, loop->var->name));
        return std::nullopt;
      }
      loops.push_back(loop);
      inside = *at;
    }
    refuse(block, message("\"{}\" divides block {}, but {} isn't allocated in the block around its loops", kLocalStage,
                          block.name, shared->name));
    return std::nullopt;
  }

  Stmt divided(const Stmt& s) {
    const auto& n = *asRealize(s);
    const BlockNode& block = *n.block;
    const auto* copy = block.body->kind == StmtKind::Store ? as<StoreNode>(block.body) : nullptr;
    if (!copy || !copy->buffer->scope.starts_with("shared")) {
      refuse(block, message("\"{}\" divides a copy to shared memory; block {} is none", kLocalStage, block.name));
      return s;
    }
    const auto loops = loopsUpTo(copy->buffer, block, s);
    if (!loops) return s;
    std::vector<Expr> shape, at;
    for (const ForNode* loop : *loops) {
      if (loop->forKind == ForKind::ThreadBinding) continue;  // each thread has registers of its own
      shape.push_back(loop->extent);
      at.push_back(Expr(loop->var) - loop->min);
    }
    if (shape.empty()) {
      shape.push_back(intImm(1));
      at.push_back(intImm(0));
    }
    const Buffer& shared = copy->buffer;
    // No step has made it: an id of none of them.
    const Buffer local =
        makeBuffer(Id{~std::uint32_t{1}, ++made_}, shared->name + "_local", shared->dtype, std::move(shape), "local");

    Block toRegisters = edit(block, [&](BlockNode& b) {
      b.annotations.clear();
      b.writes = {wholeRegion(local)};
      b.body = store(local, copy->value, at);
    });
    Stmt first = edit(n, [&](BlockRealizeNode& r) { r.block = std::move(toRegisters); });
    VarMap own;
    for (auto loop = loops->rbegin(); loop != loops->rend(); ++loop) {
      const Var var = makeVar((*loop)->var->name, (*loop)->var->dtype);
      own[(*loop)->var.get()] = var;
      first = edit(**loop, [&](ForNode& f) {
        f.var = var;
        f.body = std::move(first);
      });
    }
    halves_.push_back({shared, local, substitute(first, own)});
    return edit(n, [&](BlockRealizeNode& r) {
      r.block = edit(block, [&](BlockNode& b) {
        b.reads = {wholeRegion(local)};
        b.body = store(shared, load(local, at), copy->indices);
      });
    });
  }

  std::vector<Stmt> around_;  // loops and blocks, outermost first
  std::vector<Half> halves_;  // not placed yet
  std::uint32_t made_ = 0;
};

}  // namespace

Result<Stmt> localStages(const Stmt& s) {
  LocalStages stages;
  Stmt result = stages.rewrite(s);
  if (stages.error) return Failure(*stages.error);
  return result;
}

}  // namespace loom::lower
