// R4, R13: a product on CUDA cores: tiles of blocks, of threads, and of a thread in parts that lie apart.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/ir/packed.h"
#include "core/tune/rules/applications.h"

namespace loom::tune {

namespace {

// Of a cluster. Larger ones leave multiprocessors idle: 30 clusters of 4 have multiprocessors of their own on an H100,
// and 66 of 2 (core/model/active_clusters.h).
constexpr std::int64_t kBlocksOfSum = 2;

// Whether no power-of-two tile worth having divides the extent.
bool wantsPadding(std::int64_t extent, std::int64_t unit) { return extent % unit != 0; }

void decideThreads(SketchDraft& d, const std::string& axis, std::int64_t extent, bool pads) {
  const std::vector<std::int64_t> parts = {1, 2, 4}, threads = {2, 4, 8, 16, 32}, inner = {2, 4};
  std::set<std::int64_t> tiles, keptParts, keptThreads, keptInner;
  for (std::int64_t p : parts) {
    for (std::int64_t t : threads) {
      for (std::int64_t n : inner) {
        if (pads ? extent % (p * t * n) == 0 : extent % (p * t * n) != 0) continue;
        tiles.insert(p * t * n), keptParts.insert(p), keptThreads.insert(t), keptInner.insert(n);
      }
    }
  }
  d.decide(1, axis + ".threads", message("threads of a block along {}", axis),
           {keptThreads.begin(), keptThreads.end()});
  d.decide(1, axis + ".parts", message("parts of a thread along {} that lie apart: virtual threads", axis),
           {keptParts.begin(), keptParts.end()});
  d.decide(2, axis + ".inner", message("neighbours of a thread along {}", axis), {keptInner.begin(), keptInner.end()});
  d.decide(3, axis + ".blocks", message("blocks along {}", axis), tileCounts(extent, tiles));
}

}  // namespace

RuleOutcome beginThreads(const RuleInput& input, const SketchDraft& draft) {
  if (!draft.product) return leaves(message("the block is no sum of products"));
  if (draft.unit) return leaves(message("a matrix instruction was chosen"));
  const Contraction& c = *draft.product;
  if (ir::isPacked(c.a.dtype) || ir::isPacked(c.b.dtype))
    return leaves(
        message("copies of elements that share bytes ({}) are of whole bytes, and those for threads turn them "
                "one by one",
                c.a.dtype.str()));
  if (!c.fillsThreads() && !c.isThin())
    return leaves(message("{} × {} × {} is less than a tile of threads", c.m, c.n, c.k));
  SketchDraft d = draft;
  d.padsRows = wantsPadding(c.m, c.m < 64 ? 8 : 32);
  d.padsColumns = wantsPadding(c.n, c.n < 64 ? 8 : 32);
  d.padsSums = c.takesZeros && wantsPadding(c.k, 8);
  d.tileK = "k.inner";
  d.begin("multi-level tiling", c.name);
  d.line(fmt::format("b = sch.get_block(\"{}\")", c.name));
  if (!c.plain) writeReindexed(d);
  d.end();
  // By slices, by warps and by threads, each a sketch of its own.
  using enum SketchDraft::Cores;
  RuleOutcome outcome{true, message("{} results of {} elements on CUDA cores", c.m * c.n, c.accumulator.str()), {}};
  for (const auto& [cores, name] : {std::pair(Slices, "CUDA cores, k in slices"), std::pair(Warps, "CUDA cores, warps"),
                                    std::pair(Threads, "CUDA cores")}) {
    if (cores == Slices && !c.hasParts) continue;
    SketchDraft branch = d;
    branch.cores = cores;
    branch.sketch.name = name;
    const char* parts =
        cores == Threads ? "{0}.parts*{0}.threads*{0}.inner" : "{0}.warps*{0}.groups*{0}.lanes*{0}.elements";
    branch.tileM = fmt::format(fmt::runtime(parts), "i"), branch.tileN = fmt::format(fmt::runtime(parts), "j");
    if (cores == Slices) branch.tileK = "slices*k.inner";
    const bool inCluster = input.choices.clusterSlices && input.device.capability >= 90 && c.batch.empty() &&
                           c.plain && c.multiplies && !d.padsSums && c.k % kBlocksOfSum == 0;
    if (inCluster && cores != Slices) continue;
    if (inCluster) branch.cluster = kBlocksOfSum, branch.sketch.name += " across a cluster";
    outcome.drafts.push_back(std::move(branch));
  }
  return outcome;
}

RuleOutcome tileForThreads(const RuleInput& input, const SketchDraft& draft) {
  if (draft.unit || draft.tileM.empty()) return leaves(message("a matrix instruction was chosen"));
  if (draft.cores != SketchDraft::Cores::Threads) return leaves(message("warps of lanes share tiles"));
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  decideThreads(d, "i", c.m, d.padsRows);
  decideThreads(d, "j", c.n, d.padsColumns);
  std::set<std::int64_t> steps;
  for (std::int64_t k : stepsAlongK(c, {4, 8, 16, 32}))
    if (d.padsSums ? c.k % k != 0 : c.k % k == 0) steps.insert(k);
  if (steps.empty() || d.valuesOf("i.inner").empty() || d.valuesOf("j.inner").empty()) {
    d = draft;
    d.tileM.clear();
    return {false, message("no tile fits {} × {} × {}", c.m, c.n, c.k), {std::move(d)}};
  }
  d.decide(4, "k.inner", message("steps along k in a tile"), {steps.begin(), steps.end()});
  d.decide(4, "k.outer", message("tiles along k"), tileCounts(c.k, steps));
  constrainAxis(d, "i", "i.blocks", d.tileM, c.m, d.padsRows, 32);
  constrainAxis(d, "j", "j.blocks", d.tileN, c.n, d.padsColumns, 32);
  constrainAxis(d, "k", "k.outer", d.tileK, c.k, d.padsSums, 4);
  d.threads = "i.threads*j.threads";
  d.atMost("threads", message("a block has at most {} threads", input.device.threads), Forbids::Hardware, d.threads,
           input.device.threads);
  d.atMost("a warp", message("a block has at least the {} threads of a warp", 32), Forbids::Tvm, "-" + d.threads, -32);
  d.atMost("virtual threads", message("TVM's verifier allows {} virtual threads", 8), Forbids::Tvm, "i.parts*j.parts",
           8);
  const std::string results = "i.parts*i.inner*j.parts*j.inner";
  d.results = results;
  const std::string further = registersOfFurther(c, results);
  const std::string rows = "i.parts*i.inner", columns = "j.parts*j.inner";
  const std::string registers = results + further + ownOfOperands(c, "", rows, columns) + " + 40";
  d.atMost("registers of a thread",
           message("a thread's results and operands fit {} registers, 40 kept for addresses: an estimate",
                   input.device.registersPerThread),
           Forbids::Hardware, registers, input.device.registersPerThread);
  d.atMost("registers of a block",
           message("registers of all threads are at most {}: an estimate", input.device.registers), Forbids::Hardware,
           fmt::format("{0}*{1}{2} + {0}*40", d.threads, results, ownOfOperands(c, d.threads, rows, columns)) +
               registersOfFurther(c, d.threads + "*" + results),
           input.device.registers);
  limitCode(d);
  d.quantity("own.m", rows), d.quantity("own.n", columns);
  describeTiles(d, d.threads, registers);
  d.begin("virtual threads", c.name);
  d.line(fmt::format("{}i, j, k = sch.get_loops(b)", c.batch.empty() ? "" : "bb, "));
  d.line("i0, iv, i1, i2 = sch.split(i, [None, ?i.parts, ?i.threads, ?i.inner])");
  d.line("j0, jv, j1, j2 = sch.split(j, [None, ?j.parts, ?j.threads, ?j.inner])");
  d.line("k0, k1 = sch.split(k, [None, ?k.inner])");
  d.line("sch.reorder(i0, j0, iv, jv, i1, j1, k0, k1, i2, j2)");
  d.end();
  return appliesWith(std::move(d), message("a thread computes up to {} parts that lie apart", 8));
}

RuleOutcome finishThreads(const RuleInput&, const SketchDraft& draft) {
  if (draft.unit || draft.threads.empty()) return leaves(message("a matrix instruction was chosen"));
  if (draft.cores != SketchDraft::Cores::Threads) return leaves(message("warps of lanes share tiles"));
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  d.begin("add cache stage", c.name);
  d.line("c = sch.cache_write(b, 0, \"local\")");
  d.line("sch.reverse_compute_at(c, w)");
  for (const std::string& block : d.consumers) d.line(fmt::format("sch.reverse_compute_inline({})", block));
  d.line("p, q = sch.get_loops(c)[-2:]");
  d.line("sch.unroll(p)");
  d.line(c.n % 4 == 0 && c.resultAligned % 4 == 0 && d.consumers.empty() ? "sch.vectorize(q)" : "sch.unroll(q)");
  d.end();
  d.begin("multi-scope SPM", c.name);
  for (const OperandTiles& o : operandTilesOf(d)) {
    d.line(fmt::format("{} = sch.cache_read(b, {}, \"local\")", o.inLocal, o.operand.read));
    d.line(fmt::format("sch.compute_at({}, k1)", o.inLocal));
    d.line(fmt::format("sch.unroll(sch.get_loops({})[-1])", o.inLocal));
  }
  // Elements that stay the same along k are read before it.
  for (std::size_t n = 0; n < c.further.size(); ++n) {
    const FurtherOperand& o = c.further[n];
    if (o.ofSums) continue;
    d.line(fmt::format("wf{} = sch.cache_read(b, {}, \"local\")", n, o.read));
    d.line(fmt::format("sch.compute_at(wf{}, w)", n));
    for (int loop = 1; loop <= int(o.ofRows) + int(o.ofColumns); ++loop)
      d.line(fmt::format("sch.unroll(sch.get_loops(wf{})[-{}])", n, loop));
  }
  inlineFurther(d);
  d.end();
  d.begin("decompose init", c.name);
  d.line("z = sch.decompose_reduction(b, k0)");
  d.end();
  d.begin("unroll", c.name);
  for (const char* loop : {"k1", "i2", "j2"}) d.line(fmt::format("sch.unroll({})", loop));
  d.end();
  return appliesWith(std::move(d), message("results and operands of a thread in registers"));
}

}  // namespace loom::tune
