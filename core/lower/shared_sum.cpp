#include <algorithm>

#include "core/ir/build.h"
#include "core/lower/cross_thread.h"
#include "core/lower/execution_group.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

Expr number(std::int64_t n) { return intImm(n); }

class Making {
 public:
  Making(const schedule::Reduction& reduction, const std::vector<Buffer>& own, const SharingThreads& threads,
         const std::function<Id()>& newId)
      : reduction_(reduction), own_(own), threads_(threads), newId_(newId) {}

  SharedSum byShuffles(bool everywhere) {
    const bool oneWarp = threads_.count <= kWarpLanes;
    const std::int64_t warps = (threads_.count + kWarpLanes - 1) / kWarpLanes;
    const bool whole = threads_.count % kWarpLanes == 0;
    halves(oneWarp ? threads_.count : kWarpLanes, threads_.index,
           oneWarp || whole ? std::min(threads_.count, kWarpLanes) : threads_.count);
    if (!oneWarp) {
      const Expr lane = floormod(threads_.index, number(kWarpLanes));
      const Expr first = threads_.group * warps;
      throughStaging(lane, first + floordiv(threads_.index, number(kWarpLanes)), first + lane, warps);
      halves(warps, lane, kWarpLanes);  // lanes without a warp hold what changes nothing
    }
    if (everywhere) {
      const std::int64_t of = oneWarp ? threads_.count : warps;
      const std::int64_t width = oneWarp && kWarpLanes % of == 0 ? of : kWarpLanes;
      for (const Buffer& b : own_) add(store(b, shuffle("tvm_warp_shuffle", b, 0, width), {number(0)}));
    }
    for (const Buffer& b : own_) out_.results.push_back(load(b, {number(0)}));
    return finish();
  }

  // A tree: the second half of the threads' values is added to the first, until one is left.
  SharedSum inSharedMemory() {
    const Expr first = threads_.group * threads_.count, at = first + threads_.index;
    std::vector<Buffer> all;
    for (const Buffer& b : own_) {
      all.push_back(scratch("shared", b, threads_.groups * threads_.count, "shared"));
      add(store(all.back(), load(b, {number(0)}), {at}));
    }
    auto take = [&](std::int64_t half, std::int64_t below) {
      const Expr other = at + half;
      add(ifThen(lt(threads_.index, number(below)),
                 combined(all, at, [&](std::size_t i) { return load(all[i], {other}); })));
    };
    std::int64_t half = 1;
    while (half * 2 < threads_.count) half *= 2;
    take(half, threads_.count - half);
    while (half > 1) {
      half /= 2;
      take(half, half);
    }
    for (const Buffer& b : all) out_.results.push_back(load(b, {first}));
    return finish();
  }

 private:
  void add(Stmt s) { statements_.push_back(std::move(s)); }
  SharedSum finish() {
    out_.statements = seq(std::move(statements_));
    return std::move(out_);
  }

  Buffer scratch(const char* what, const Buffer& of, std::int64_t elements, const std::string& scope) {
    const std::size_t prefix = std::string_view("in_thread_").size();
    Buffer b =
        makeBuffer(newId_(), std::string(what) + "_" + of->name.substr(prefix), of->dtype, {number(elements)}, scope);
    out_.buffers.push_back(b);
    return b;
  }

  // What the reduction makes of the buffers at an index and of other values. All are computed before the first of
  // several is stored.
  template <class Other>
  Stmt combined(const std::vector<Buffer>& buffers, const Expr& at, Other other) {
    std::vector<Expr> held, others;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      held.push_back(load(buffers[i], {at}));
      others.push_back(other(i));
    }
    const std::vector<Expr> values = reduction_.reducer.combine(held, others);
    std::vector<Stmt> stores;
    if (buffers.size() == 1) return store(buffers[0], values[0], {at});
    if (next_.empty())
      for (const Buffer& b : own_) next_.push_back(scratch("next", b, 1, "local"));
    for (std::size_t i = 0; i < buffers.size(); ++i) stores.push_back(store(next_[i], values[i], {number(0)}));
    for (std::size_t i = 0; i < buffers.size(); ++i)
      stores.push_back(store(buffers[i], load(next_[i], {number(0)}), {at}));
    return seq(std::move(stores));
  }

  static Expr shuffle(const char* op, const Buffer& b, std::int64_t by, std::int64_t width) {
    return call(b->dtype, op,
                {call(DType::UInt(32), "tvm_warp_activemask", {}), load(b, {number(0)}), number(by), number(width),
                 number(kWarpLanes)});
  }

  // Each lane adds what the lane `offset` further on holds, for offsets down to 1: lane 0 of each `count` lanes gets
  // their sum. `index` counts the threads, of which there are `limit`.
  void halves(std::int64_t count, const Expr& index, std::int64_t limit) {
    std::int64_t offset = 1;
    while (offset * 2 < count) offset *= 2;
    for (; offset > 0 && count > 1; offset /= 2) {
      if (shuffled_.empty())
        for (const Buffer& b : own_) shuffled_.push_back(scratch("shuffled", b, 1, "local"));
      for (std::size_t i = 0; i < own_.size(); ++i)
        add(store(shuffled_[i], shuffle("tvm_warp_shuffle_down", own_[i], offset, kWarpLanes), {number(0)}));
      Stmt sum = combined(own_, number(0), [&](std::size_t i) { return load(shuffled_[i], {number(0)}); });
      // What no thread holds isn't added.
      const bool beyond = limit > kWarpLanes || (limit < kWarpLanes && offset * 2 > limit);
      add(beyond ? ifThen(lt(index + offset, number(limit)), std::move(sum)) : std::move(sum));
    }
  }

  // The first lane of each warp writes its sum down, and each warp takes all of them.
  void throughStaging(const Expr& lane, const Expr& ofWarp, const Expr& ofLane, std::int64_t warps) {
    std::vector<Buffer> staging;
    std::vector<Stmt> down;
    for (const Buffer& b : own_) {
      staging.push_back(scratch("staging", b, warps * threads_.groups, "shared"));
      down.push_back(store(staging.back(), load(b, {number(0)}), {ofWarp}));
    }
    add(ifThen(eq(lane, number(0)), seq(std::move(down))));
    for (std::size_t i = 0; i < own_.size(); ++i) {
      Expr taken = load(staging[i], {ofLane});
      if (warps < kWarpLanes) taken = ifThenElse(lt(lane, number(warps)), taken, reduction_.reducer.identity[i]);
      add(store(own_[i], std::move(taken), {number(0)}));
    }
  }

  const schedule::Reduction& reduction_;
  const std::vector<Buffer>& own_;
  const SharingThreads& threads_;
  const std::function<Id()>& newId_;
  std::vector<Stmt> statements_;
  std::vector<Buffer> shuffled_, next_;
  SharedSum out_;
};

}  // namespace

bool SharingThreads::byShuffles() const {
  return sideBySide && (kWarpLanes % count == 0 || count % kWarpLanes == 0 || others == 1);
}

SharingThreads sharingThreads(const Launch& launch, const std::vector<const ForNode*>& loops,
                              const std::function<bool(const ForNode*)>& reduced) {
  SharingThreads threads;
  threads.index = threads.group = number(0);
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t extent = launch.extent(axis);
    if (extent == 1) continue;
    const ForNode* loop = nullptr;
    for (const ForNode* l : loops)
      if (axisOf(l->thread) == axis) loop = l;
    const bool shares = loop && reduced(loop);
    if (shares && threads.others > 1) threads.sideBySide = false;
    if (!shares) threads.others *= extent;
    if (!loop) continue;
    Expr& n = shares ? threads.index : threads.group;
    std::int64_t& total = shares ? threads.count : threads.groups;
    n = n + cast(DType::Int(32), loop->var) * total;
    total *= extent;
  }
  return threads;
}

SharedSum sharedSum(const schedule::Reduction& reduction, const std::vector<Buffer>& own, const SharingThreads& threads,
                    bool everywhere, const std::function<Id()>& newId) {
  Making making(reduction, own, threads, newId);
  return threads.byShuffles() ? making.byShuffles(everywhere) : making.inSharedMemory();
}

}  // namespace loom::lower
