// R4, R15: a product on CUDA cores by warps of lanes: a tile of lanes, each with neighbours of several rows and
// columns, and slices of k that warps of a block sum by themselves.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/tune/rules/applications.h"

namespace loom::tune {

namespace {

bool byLanes(const SketchDraft& d) { return !d.unit && !d.threads.empty() && d.cores != SketchDraft::Cores::Threads; }
bool bySlices(const SketchDraft& d) { return d.cores == SketchDraft::Cores::Slices; }

void decideLanes(SketchDraft& d, const std::string& axis, std::int64_t extent, bool pads, std::int64_t vector) {
  std::set<std::int64_t> tiles, warps, groups, lanes, elements;
  for (std::int64_t w : {1, 2, 4, 8}) {
    for (std::int64_t g : {1, 2, 4}) {
      for (std::int64_t l : {2, 4, 8, 16}) {
        for (std::int64_t e : {vector / 2, vector}) {
          if (e < 2 || (pads ? extent % (w * g * l * e) == 0 : extent % (w * g * l * e) != 0)) continue;
          tiles.insert(w * g * l * e), warps.insert(w), groups.insert(g), lanes.insert(l), elements.insert(e);
        }
      }
    }
  }
  const auto all = [](const std::set<std::int64_t>& values) { return std::vector(values.begin(), values.end()); };
  d.decide(1, axis + ".warps", message("warps of a block along {}", axis), all(warps));
  d.decide(1, axis + ".lanes", message("lanes of a warp along {}", axis), all(lanes));
  d.decide(2, axis + ".groups", message("groups of a lane's neighbours along {}, a warp apart", axis), all(groups));
  d.decide(2, axis + ".elements", message("neighbours of a lane along {}", axis), all(elements));
  d.decide(3, axis + ".blocks", message("blocks along {}", axis), tileCounts(extent, tiles));
}

// What a thread keeps in registers, and what follows from it for blocks.
void constrainRegisters(SketchDraft& d, const DeviceLimits& device) {
  const std::string rows = "i.groups*i.elements", columns = "j.groups*j.elements";
  d.results = fmt::format("{}*{}", rows, columns);
  const auto operands = operandTilesOf(d);
  std::vector<std::string> terms = {d.results};
  for (const OperandTiles& o : operands) terms.push_back(o.ofRows ? rows : columns);
  terms.push_back("40");
  for (const FurtherOperand& o : d.product->further)
    if (o.ofRows && o.ofColumns && !o.ofSums) terms.push_back(d.results), terms.push_back("24");  // and addresses
  if (d.has("ahead"))
    for (const OperandTiles& o : operands) terms.push_back("ahead*" + (o.ofRows ? rows : columns));
  std::string sum, ofBlock;
  for (const std::string& term : terms) {
    sum += (sum.empty() ? "" : " + ") + term;
    ofBlock += fmt::format("{}{}*resident*{}", ofBlock.empty() ? "" : " + ", d.threads, term);
  }
  d.atMost("registers of a thread",
           message("a thread's results and operands fit {} registers, 40 kept for addresses: an estimate",
                   device.registersPerThread),
           Forbids::Hardware, sum, device.registersPerThread);
  d.atMost("registers of a block", message("registers of all threads are at most {}: an estimate", device.registers),
           Forbids::Hardware, ofBlock, device.registers);
  limitCode(d);
  d.quantity("own.m", rows), d.quantity("own.n", columns);
  describeTiles(d, d.threads, sum);
}

}  // namespace

RuleOutcome sumInSlices(const RuleInput&, const SketchDraft& draft) {
  if (draft.unit || draft.tileM.empty()) return leaves(message("a matrix instruction was chosen"));
  const Contraction& c = *draft.product;
  if (!bySlices(draft)) return leaves(message("results: {}, elements of each: {}", c.m * c.n, c.k));
  SketchDraft d = draft;
  std::vector<std::int64_t> slices;
  for (std::int64_t s : {2, 4, 8})
    if (s * d.cluster * 8 <= c.k && (d.padsSums || c.k % (2 * s * d.cluster) == 0)) slices.push_back(s);
  if (slices.empty()) {
    d.tileM.clear();
    return {false, message("results: {}, elements of each: {}", c.m * c.n, c.k), {std::move(d)}};
  }
  d.decide(1, "slices", message("slices of a tile along k, each summed by warps of its own"), slices);
  const bool weighs = std::ranges::any_of(c.further, [](const FurtherOperand& o) { return o.ofSums && !o.isOnSide(); });
  d.quantity("weighted.slices", weighs ? "1" : "0");
  d.tileK = "slices*k.inner";
  d.begin("sum in slices", c.name);
  d.line(fmt::format("{}i, j, k = sch.get_loops(b)", c.batch.empty() ? "" : "bb, "));
  if (d.cluster > 1) {
    d.line(fmt::format("p, k0, s, k1 = sch.split(k, [{}, None, ?slices, ?k.inner])", d.cluster));
    d.line("sch.reorder(p, s, k0, k1)");
    d.line("s = sch.fuse(p, s)");
    d.line("r = sch.rfactor(s, 0)");
    d.line("i, j, s, k0, k1 = sch.get_loops(r)");
    d.line("sch.reorder(s, i, j, k0, k1)");
    d.end();
    return appliesWith(std::move(d), message("results: {}, elements of each: {}", c.m * c.n, c.k));
  }
  d.line("k0, s, k1 = sch.split(k, [None, ?slices, ?k.inner])");
  d.line("r = sch.rfactor(s, 0)");
  d.line(fmt::format("{0}i, j, k0, s, k1 = sch.get_loops(r)", c.batch.empty() ? "" : "bb, "));
  d.line(fmt::format("sch.reorder(s, {}i, j, k0, k1)", c.batch.empty() ? "" : "bb, "));
  d.end();
  return appliesWith(std::move(d), message("results: {}, elements of each: {}", c.m * c.n, c.k));
}

RuleOutcome tileForLanes(const RuleInput& input, const SketchDraft& draft) {
  if (draft.unit || draft.tileM.empty()) return leaves(message("a matrix instruction was chosen"));
  if (draft.cores == SketchDraft::Cores::Threads) return leaves(message("threads share tiles one by one"));
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  const std::int64_t vector = std::min<std::int64_t>(4, 16 / c.accumulator.bytes());
  decideLanes(d, "i", c.m, d.padsRows, vector);
  decideLanes(d, "j", c.n, d.padsColumns, vector);
  std::set<std::int64_t> steps, tiles;
  for (std::int64_t k : stepsAlongK(c, {2, 4, 8, 16})) {
    for (std::int64_t s : bySlices(d) ? d.valuesOf("slices") : std::vector<std::int64_t>{1}) {
      const std::int64_t tile = k * s * d.cluster;  // of all blocks that sum parts of it
      if (d.padsSums ? c.k % tile != 0 : c.k % tile == 0) steps.insert(k), tiles.insert(tile);
    }
  }
  if (steps.empty() || d.valuesOf("i.lanes").empty() || d.valuesOf("j.lanes").empty()) {
    d = draft;
    d.tileM.clear();
    return {false, message("no tile fits {} × {} × {}", c.m, c.n, c.k), {std::move(d)}};
  }
  d.decide(4, "k.inner", message("steps along k in a tile"), {steps.begin(), steps.end()});
  d.decide(4, "k.outer", message("tiles along k"), tileCounts(c.k, tiles));
  d.decide(4, "lanes.beside", message("lanes of a warp that lie side by side along j"), {1, 2, 4, 8});
  if (mayReadAhead(d))
    d.decideWhether(4, "ahead",
                    message("whether the operands of the next step along k are read while this one's multiply"));
  d.decide(7, "resident", message("blocks whose registers a multiprocessor has room for"), {1, 2, 3, 4});
  constrainAxis(d, "i", "i.blocks", d.tileM, c.m, d.padsRows, 32);
  constrainAxis(d, "j", "j.blocks", d.tileN, c.n, d.padsColumns, 32);
  constrainAxis(d, "k", "k.outer", d.cluster > 1 ? fmt::format("{}*{}", d.cluster, d.tileK) : d.tileK, c.k, d.padsSums,
                4);
  d.equal("a warp", message("the lanes of a warp are {}", 32), Forbids::Hardware, "i.lanes*j.lanes", 32);
  d.divides("lanes beside", message("as many lanes lie side by side as divide those along j"), Forbids::Program,
            "lanes.beside", "j.lanes");
  d.warps = bySlices(d) ? "slices*i.warps*j.warps" : "i.warps*j.warps";
  d.threads = "32*" + d.warps;
  d.atMost("threads", message("a block has at most {} threads", input.device.threads), Forbids::Hardware, d.threads,
           input.device.threads);
  constrainRegisters(d, input.device);
  d.begin("multi-level tiling", c.name);
  const std::string l = c.batch.empty() ? "" : "l, ", bb = c.batch.empty() ? "" : "bb, ";
  const auto digits = [](const char* v) {
    const std::string elements = fmt::format("?{{{}.elements}}", v),
                      warp = fmt::format("?{{{0}.lanes*{0}.elements}}", v);
    return fmt::format("{0} // {1}, {0} % {1} // {2}, {0} % {2}", v, warp, elements);
  };
  const std::string rows = digits("i"), columns = digits("j"), tileK = place(d.tileK);
  if (d.cluster > 1) {
    d.line(fmt::format(
        "sch.transform_block_layout(r, lambda s, i, j, k0, k1: (s // ?slices, s % ?slices, {}, {}, k0, k1))", rows,
        columns));
  } else if (bySlices(d)) {
    d.line(fmt::format("sch.transform_block_layout(r, lambda s, {0}i, j, k0, k1: (s, {0}{1}, {2}, k0, k1))", l, rows,
                       columns));
  } else {
    d.line(fmt::format("r = sch.get_block(\"{}\")", c.name));
    d.line(fmt::format("sch.transform_block_layout(r, lambda {0}i, j, k: ({0}{1}, {2}, k // {3}, k % {3}))", l, rows,
                       columns, tileK));
  }
  d.line("c = sch.reindex(r, (\"write\", 0))");
  d.line("sch.set_scope(r, 0, \"local\")");
  const auto hold = [&](const std::string& v, int read) {
    d.line(fmt::format("{} = sch.reindex(r, (\"read\", {}))", v, read));
    d.line(fmt::format("sch.set_scope({}, 0, \"local\")", v));
  };
  for (const OperandTiles& o : operandTilesOf(d)) hold(o.inLocal, o.operand.read);
  for (std::size_t n = 0; n < c.further.size(); ++n)
    if (!c.further[n].ofSums) hold(fmt::format("wf{}", n), c.further[n].read);
  const std::string s = d.cluster > 1 ? "p, s, " : bySlices(d) ? "s, " : "";
  d.line(fmt::format("{}{}i, il, ie, j, jl, je, k0, k1 = sch.get_loops(r)", s, bb));
  d.line("i0, i1, ig = sch.split(i, [None, ?i.warps, ?i.groups])");
  d.line("j0, j1, jg = sch.split(j, [None, ?j.warps, ?j.groups])");
  d.line("jl, jn = sch.split(jl, [None, ?lanes.beside])");
  d.line(fmt::format("sch.reorder({}i0, j0, {}i1, j1, jl, il, jn, k0, k1, ig, ie, jg, je)", bb, s));
  d.line("i2 = sch.fuse(ig, ie)");
  d.line("j2 = sch.fuse(jg, je)");
  d.end();
  return appliesWith(std::move(d), message("a warp computes a tile, a lane neighbours of some rows and columns"));
}

RuleOutcome copyForLanes(const RuleInput& input, const SketchDraft& draft) {
  if (!byLanes(draft)) return leaves(message("threads share tiles one by one"));
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  d.begin("multi-scope SPM", c.name);
  const auto operands = operandTilesOf(d);
  for (const OperandTiles& o : operands)
    d.line(fmt::format("{} = sch.cache_read({}, 0, \"shared.dyn\")", o.inShared, o.inLocal));
  for (const OperandTiles& o : operands) {
    d.line(fmt::format("sch.compute_at({}, k1)", o.inLocal));
    d.line(fmt::format("sch.unroll(sch.get_loops({})[-2])", o.inLocal),
           fmt::format("{}.groups - 1", o.ofRows ? "i" : "j"));
    d.line(fmt::format("sch.vectorize(sch.get_loops({})[-1])", o.inLocal));
  }
  // Elements that stay the same along k are read before it.
  for (std::size_t n = 0; n < c.further.size(); ++n) {
    const FurtherOperand& o = c.further[n];
    if (o.ofSums) continue;
    d.line(fmt::format("sch.compute_at(wf{}, v)", n));
    const auto unroll = [&](int loop, const std::string& when) {
      d.line(fmt::format("sch.unroll(sch.get_loops(wf{})[-{}])", n, loop), when);
    };
    if (o.ofRows && o.ofColumns) {
      unroll(1, ""), unroll(2, "");
      unroll(3, "i.groups*j.groups - 1"), unroll(4, "(i.groups - 1)*(j.groups - 1)");
    } else if (o.ofRows || o.ofColumns) {
      unroll(1, ""), unroll(2, o.ofRows ? "i.groups - 1" : "j.groups - 1");
    }
  }
  d.end();
  d.begin("multi-level SPM", c.name);
  for (const OperandTiles& o : operands) {
    d.line(fmt::format("sch.compute_at({}, k0)", o.inShared));
    for (const std::string& block : o.inlined) d.line(fmt::format("sch.compute_inline({})", block));
  }
  inlineFurther(d);
  d.end();
  return appliesWith(std::move(d),
                     message("{} bytes of shared memory a block, tiles of both operands are read by all warps",
                             input.device.sharedBytes));
}

RuleOutcome finishLanes(const RuleInput&, const SketchDraft& draft) {
  if (!byLanes(draft)) return leaves(message("threads share tiles one by one"));
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  const bool vectors = c.n % 4 == 0 && c.resultAligned % 4 == 0 && d.consumers.empty();
  const auto inlineConsumers = [&] {
    for (const std::string& block : d.consumers) d.line(fmt::format("sch.reverse_compute_inline({})", block));
  };
  d.begin("add cache stage", c.name);
  if (d.cluster > 1) {
    d.line("sch.transform_layout(c, (\"write\", 0), lambda s, i, j: (s // ?slices, s % ?slices, i, j))");
    d.line("sch.set_scope(c, 0, \"shared.cluster\")");
  } else if (bySlices(d)) {
    d.line("sch.set_scope(c, 0, \"shared.dyn\")");
  }
  d.line("sch.reverse_compute_at(c, v)");
  if (!bySlices(d)) inlineConsumers();
  d.line("sch.unroll(sch.get_loops(c)[-2])");
  d.line("sch.unroll(sch.get_loops(c)[-3])", "i.groups*j.groups - 1");
  d.line("sch.unroll(sch.get_loops(c)[-4])", "(i.groups - 1)*(j.groups - 1)");
  d.line(fmt::format("sch.{}(sch.get_loops(c)[-1])", bySlices(d) || vectors ? "vectorize" : "unroll"));
  d.end();
  d.begin("decompose init", c.name);
  d.line("z = sch.decompose_reduction(r, k0)");
  d.line("p, q = sch.get_loops(z)[-2:]");
  d.line("sch.unroll(p)");
  d.line("sch.unroll(q)");
  d.end();
  d.begin("unroll", c.name);
  d.decideWhether(8, "serpentine", message("whether every other row of products goes backwards"));
  for (const char* loop : {"k1", "i2", "j2"}) d.line(fmt::format("sch.unroll({})", loop));
  d.line("sch.annotate(r, \"tileloom.order\", \"serpentine\")", "serpentine");
  d.line("sch.annotate(r, \"tileloom.min_blocks\", ?resident)", "resident - 1");
  d.end();
  if (bySlices(d)) {
    d.bytesOfResult = fmt::format("{}*slices*{}*{}", c.accumulator.bytes(), d.tileM, d.tileN);
    d.atMost("rows of slices", message("a warp sums at least one row of slices at once, of {} columns at most", 128),
             Forbids::Program, d.tileN, 128);
    d.divides("slices divide", message("all threads sum {} neighbours of the slices, with none left over", 4),
              Forbids::Program, fmt::format("{}*{}", 4 * d.cluster, d.threads), d.tileM + "*" + d.tileN);
    d.begin("sum in slices", c.name);
    d.line("sch.reverse_compute_at(b, g)");
    d.line("s, p, q = sch.get_loops(b)[-3:]");
    const bool clustered = d.cluster > 1;
    d.line(fmt::format("{}f0, f1, p = sch.split(p, [{}None, ?{{{}}}, ?{{128 // ({})}}])", clustered ? "bz, " : "",
                       clustered ? fmt::format("{}, ", d.cluster) : "", d.warps, d.tileN));
    d.line("q, f3 = sch.split(q, [None, 4])");
    d.line(fmt::format("sch.reorder({}f0, f1, p, q, s, f3)", clustered ? "bz, " : ""));
    d.line("f2 = sch.fuse(p, q)");
    d.line("cs = sch.cache_write(b, 0, \"local\")");
    if (clustered) d.line("sch.bind(bz, \"blockIdx.z\")");
    d.line("sch.bind(f1, \"threadIdx.y\")");
    d.line("sch.bind(f2, \"threadIdx.x\")");
    d.line("sch.reverse_compute_at(cs, f2)");
    inlineConsumers();
    d.line("sch.unroll(f0)");
    d.line("sch.unroll(s)");
    d.line("sch.vectorize(f3)");
    d.line(fmt::format("sch.{}(sch.get_loops(cs)[-1])", vectors ? "vectorize" : "unroll"));
    d.line("zs = sch.decompose_reduction(b, s)");
    d.line("sch.vectorize(sch.get_loops(zs)[-1])");
    d.end();
  }
  return appliesWith(std::move(d), message("results and operands of a thread in registers"));
}

}  // namespace loom::tune
