#include <map>
#include <unordered_map>

#include "core/ir/build.h"
#include "core/lower/buffer_uses.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

// A place that can hold allocations: the body of a loop, or a block. Null is the kernel itself.
struct Site {
  const void* node = nullptr;
  const Site* parent = nullptr;
  int depth = 0;
};

const Site* commonAncestor(const Site* a, const Site* b) {
  while (a != b) {
    if (a->depth >= b->depth) {
      a = a->parent;
    } else {
      b = b->parent;
    }
  }
  return a;
}

// The innermost site that encloses every use of each buffer, also by its pointer, which intrinsics take.
class UseSites : public BufferUses {
 public:
  UseSites() { current_ = &root_; }
  const Site* of(const BufferNode* b) const {
    auto found = sites_.find(b->data.get());
    return found == sites_.end() ? nullptr : found->second;
  }
  std::vector<Buffer> allocated;  // in program order

 protected:
  void visitFor(const ForNode& n) override {
    enter(&n, [&] { Visitor::visitFor(n); });
  }
  void visitBlock(const BlockNode& n) override {
    for (const Buffer& b : n.allocs) allocated.push_back(b);
    enter(&n, [&] { BufferUses::visitBlock(n); });
  }
  void use(const VarNode* data) override {
    const Site*& site = sites_[data];
    site = site ? commonAncestor(site, current_) : current_;
  }

 private:
  template <class Body>
  void enter(const void* node, Body body) {
    owned_.push_back(std::make_unique<Site>(Site{node, current_, current_->depth + 1}));
    const Site* outer = current_;
    current_ = owned_.back().get();
    body();
    current_ = outer;
  }
  Site root_;
  const Site* current_;
  std::vector<std::unique_ptr<Site>> owned_;
  std::unordered_map<const VarNode*, const Site*> sites_;  // by data variable; of other variables, unused
};

class Placement : public Mutator {
 public:
  explicit Placement(std::unordered_map<const void*, std::vector<Buffer>> at) : at_(std::move(at)) {}

  Stmt wrap(Stmt body, const void* site) const {
    auto found = at_.find(site);
    if (found == at_.end()) return body;
    BlockNode block;
    block.allocs = found->second;
    block.body = std::move(body);
    return realize({}, boolImm(true), std::make_shared<const BlockNode>(std::move(block)));
  }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const auto& loop = *asFor(s);
    Stmt body = wrap(rewrite(loop.body), &loop);
    return edit(loop, [&](ForNode& n) { n.body = body; });
  }
  Block rewriteBlock(const Block& b) override {
    auto found = at_.find(b.get());
    return edit(*b, [&](BlockNode& n) {
      n.allocs = found == at_.end() ? std::vector<Buffer>{} : found->second;
      n.body = rewrite(n.body);
    });
  }

 private:
  std::unordered_map<const void*, std::vector<Buffer>> at_;
};

}  // namespace

Stmt placeAllocations(const Stmt& s, const std::vector<Buffer>& outer) {
  UseSites uses;
  uses.visit(s);
  std::unordered_map<const void*, std::vector<Buffer>> at;
  auto place = [&](const Buffer& b) {
    if (const Site* site = uses.of(b.get())) at[site->node].push_back(b);
  };
  for (const Buffer& b : outer) place(b);
  for (const Buffer& b : uses.allocated) place(b);
  Placement placement(std::move(at));
  return placement.wrap(placement.rewrite(s), nullptr);
}

}  // namespace loom::lower
