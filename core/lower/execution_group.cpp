#include "core/lower/execution_group.h"

#include "core/intrin/execution.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

const ForNode* loopOverLanes(const Stmt& nest) {
  const ForNode* found = nullptr;
  forEachStmt(nest, [&](const Stmt& s) {
    auto* loop = asFor(s);
    if (!found && loop && loop->forKind == ForKind::ThreadBinding && isThreadIdx(loop->thread) &&
        axisOf(loop->thread) == 0) {
      found = loop;
    }
    return !found;
  });
  return found;
}

class GroupSearch : public Visitor {
 public:
  GroupSearch(const Launch& launch, const ForNode* lanes) : launch_(launch), lanes_(lanes) {}
  std::optional<Error> found;

 protected:
  void visitFor(const ForNode& n) override {
    bool spreads = n.forKind == ForKind::ThreadBinding && isThreadIdx(n.thread) && !isConst(n.extent, 1);
    const ForNode *outerX = overLanes_, *outerInside = insideBlock_;
    if (spreads && axisOf(n.thread) == 0) overLanes_ = &n;
    if (spreads) insideBlock_ = &n;
    visit(n.body);
    overLanes_ = outerX;
    insideBlock_ = outerInside;
  }
  void visitBlock(const BlockNode& n) override {
    const BlockNode* outer = block_;
    const ForNode *outerInside = insideBlock_, *outerAround = aroundBlock_;
    if (!n.name.empty()) {
      block_ = &n;
      insideBlock_ = nullptr;
      aroundBlock_ = overLanes_;
    }
    visit(n.body);
    block_ = outer;
    insideBlock_ = outerInside;
    aroundBlock_ = outerAround;
  }
  void visitEvaluate(const EvaluateNode& n) override {
    auto* c = asCall(n.value);
    if (found || !c || !intrin::groupOf(c->op)) return;
    const Message name = block_ && block_->name != "root" ? message("block {}", block_->name) : verbatim("T." + c->op);
    std::vector<Id> subjects;
    if (block_) subjects.push_back(block_->id);
    auto refuse = [&](Message message, const ForNode* loop, Message remedy) {
      if (loop) subjects.push_back(loop->id);
      found = notAKernel(std::move(message), subjects, std::move(remedy), Forbids::Hardware).value();
    };
    const auto group = *intrin::groupOf(c->op);
    if (group == intrin::ExecutionGroup::Warpgroup) return ofWarpgroup(name, refuse);
    if (group != intrin::ExecutionGroup::Warp) {
      return refuse(
          message("{} is an operation of a {}, which kernels here don't have yet", name, intrin::nameOf(group)),
          nullptr, {});
    }
    // PTX's own calls are given each lane's operands, in a loop of the block over its 32 lanes.
    const bool byLanes = insideBlock_ && overLanes_ == insideBlock_ && c->op.starts_with("ptx_") &&
                         isConst(insideBlock_->extent, kWarpLanes);
    if (const ForNode* over = byLanes ? aroundBlock_ : overLanes_) {
      const std::string& loop = over->var->name;
      return refuse(message("{} is an operation of a whole warp, but stands under loop {}, which is bound to "
                            "threadIdx.x, so that each lane would repeat it",
                            name, loop),
                    over,
                    message("sch.bind({}, \"threadIdx.y\") instead: lanes lie along threadIdx.x, warps along the "
                            "other axes",
                            loop));
    }
    if (insideBlock_ && !byLanes && block_ && block_->name != "root") {
      return refuse(message("{} is executed by one warp as a whole, but its own loop {} is bound to {}", name,
                            insideBlock_->var->name, insideBlock_->thread),
                    insideBlock_, message("bind a loop outside the block instead"));
    }
    if (lanes_ && launch_.extent(0) % kWarpLanes != 0) {
      const std::string& loop = lanes_->var->name;
      return refuse(
          message("{} is an operation of a whole warp, {} lanes along threadIdx.x, but loop {} binds {} there", name,
                  kWarpLanes, loop, launch_.extent(0)),
          lanes_, message("sch.split({}, factors=[None, {}]) before binding the inner part", loop, kWarpLanes));
    }
  }

 private:
  // A warpgroup's threads are those along threadIdx.x, further ones lie along the other axes.
  template <class Refuse>
  void ofWarpgroup(const Message& name, const Refuse& refuse) {
    if (const ForNode* over = overLanes_)
      return refuse(message("{} is an operation of a whole warpgroup, but stands under loop {}, which is bound to "
                            "threadIdx.x, so that each thread would repeat it",
                            name, over->var->name),
                    over,
                    message("sch.bind({}, \"threadIdx.y\") instead: a warpgroup's threads lie along threadIdx.x, "
                            "warpgroups along the other axes",
                            over->var->name));
    if (lanes_ && launch_.extent(0) != kWarpgroupThreads)
      return refuse(
          message("{} is an operation of a whole warpgroup, {} threads along threadIdx.x, but loop {} binds {} "
                  "there",
                  name, kWarpgroupThreads, lanes_->var->name, launch_.extent(0)),
          lanes_,
          message("sch.split({}, factors=[None, {}]) before binding the inner part", lanes_->var->name,
                  kWarpgroupThreads));
  }

  const Launch& launch_;
  const ForNode* lanes_;
  const ForNode* overLanes_ = nullptr;    // innermost around, bound to threadIdx.x
  const ForNode* insideBlock_ = nullptr;  // between the innermost block and here, bound to a thread axis
  const ForNode* aroundBlock_ = nullptr;  // innermost bound to threadIdx.x, outside of the innermost block
  const BlockNode* block_ = nullptr;
};

}  // namespace

Result<void> checkExecutionGroups(const Stmt& nest, const Launch& launch) {
  GroupSearch search(launch, loopOverLanes(nest));
  search.visit(nest);
  if (search.found) return Failure(*search.found);
  return {};
}

}  // namespace loom::lower
