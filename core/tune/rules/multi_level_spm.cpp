// R6, R7, R5: where operands and results stay on their way: shared memory, fragments, accumulators.
#include <fmt/format.h>

#include "core/tune/rules/applications.h"

namespace loom::tune {

namespace {

// The tile of the instruction innermost in a copy of fragments; its outer loop is called VARIABLEt.
void tile(SketchDraft& d, const std::string& variable, const std::string& rows, const std::string& columns) {
  d.line(fmt::format("p, q = sch.get_loops({})[-2:]", variable));
  d.line(fmt::format("p, {}t = sch.split(p, [None, {}])", variable, place(rows)));
  d.line(fmt::format("q, qq = sch.split(q, [None, {}])", place(columns)));
  d.line(fmt::format("sch.reorder(p, q, {}t, qq)", variable));
  d.line("sch.unroll(p)");
  d.line("sch.unroll(q)");
}

}  // namespace

RuleOutcome copyToShared(const RuleInput& input, const SketchDraft& draft) {
  if (draft.threads.empty()) return leaves(message("the block has no tiles"));
  if (!draft.unit && draft.cores != SketchDraft::Cores::Threads) return leaves(message("warps of lanes share tiles"));
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  const std::string scope = d.unit ? d.unit->sharedScope : "shared.dyn";
  const std::string target = d.unit ? "t" : "b";
  d.begin("multi-level SPM", c.name);
  for (const OperandTiles& o : operandTilesOf(d)) {
    d.line(fmt::format("{} = sch.cache_read({}, {}, \"{}\")", o.inShared, target, o.operand.read, scope));
    d.line(fmt::format("sch.compute_at({}, k0)", o.inShared));
    for (const std::string& block : o.inlined) d.line(fmt::format("sch.compute_inline({})", block));
  }
  d.end();
  const std::int64_t limit = scope == "shared" ? input.device.staticSharedBytes : input.device.sharedBytes;
  return appliesWith(std::move(d),
                     message("{} bytes of shared memory a block, tiles of both operands are read by all warps", limit));
}

RuleOutcome copyToFragments(const RuleInput&, const SketchDraft& draft) {
  if (!draft.unit) return leaves(message("no matrix instruction was chosen"));
  const MatrixUnit& u = *draft.unit;
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  d.begin("multi-scope SPM", c.name);
  d.line(fmt::format("xf = sch.cache_read(t, {}, \"{}\")", c.a.read, u.scopeA));
  d.line("sch.compute_at(xf, k1)");
  d.line(fmt::format("yf = sch.cache_read(t, {}, \"{}\")", c.b.read, u.scopeB));
  d.line("sch.compute_at(yf, k1)");
  if (u.inTiles) {
    const std::string l = c.batch.empty() ? "" : "l, ";
    const int across = 128 / c.a.dtype.bits;  // elements of 16 bytes
    for (const char* v : {"xs", "ys"})
      d.line(fmt::format("sch.transform_layout({0}, (\"write\", 0), lambda {1}x, y: ({1}y // {2}, x, y % {2}))", v, l,
                         across));
  }
  const std::string k = std::to_string(u.k);
  const bool byK = c.a.reductionIsLast || u.turnsA;
  tile(d, "xf", byK ? u.m : k, byK ? k : u.m);
  tile(d, "yf", c.b.reductionIsLast ? u.n : k, c.b.reductionIsLast ? k : u.n);
  d.end();
  // One scope for all is what the registers of a warp are called where lanes are known.
  const bool alike = u.scopeA == u.scopeB && u.scopeB == u.scopeC;
  return appliesWith(
      std::move(d), alike
                        ? message("the instruction's operands and sums lie in registers of a warp (scope {})", u.scopeA)
                        : message("the instruction reads {} and {} and adds to {}", u.scopeA, u.scopeB, u.scopeC));
}

RuleOutcome stageResult(const RuleInput&, const SketchDraft& draft) {
  if (!draft.unit) return leaves(message("no matrix instruction was chosen"));
  const MatrixUnit& u = *draft.unit;
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  const bool forced = !d.consumers.empty();
  const bool open = !forced && !u.storeShared.empty();
  d.begin("add cache stage", c.name);
  std::string when;
  if (open) {
    d.decideWhether(6, "epilogue",
                    message("whether C goes through shared memory, from which it is stored in whole rows"));
    when = "epilogue";
  }
  if (forced || open) {
    d.line("e = sch.cache_write(t, 0, \"shared.dyn\")", when);
    d.line("sch.reverse_compute_at(e, g)", when);
    for (const std::string& block : d.consumers) d.line(fmt::format("sch.reverse_compute_inline({})", block), when);
    // Lanes of a warp write to 8 rows at once.
    d.decide(6, "c.pad", message("elements that a row of {} is longer in shared memory", "C"), {0, 8});
    if (open)
      d.atMost("c rows", message("rows of C are padded where they lie in shared memory"), Forbids::Program,
               "c.pad - 8*epilogue", 0);
    d.bytesOfResult =
        fmt::format("{0}*{1}*{2}{3} + {0}*{1}*c.pad", c.accumulator.bytes(), d.tileM, d.tileN, open ? "*epilogue" : "");
  }
  d.line(fmt::format("c = sch.cache_write(t, 0, \"{}\")", u.scopeC));
  d.line("sch.reverse_compute_at(c, w)");
  tile(d, "c", u.m, u.n);
  d.end();
  return appliesWith(
      std::move(d),
      forced ? message("{} blocks take the result on: it goes to them through shared memory", d.consumers.size())
             : message("no other block reads the result"));
}

RuleOutcome decomposeInit(const RuleInput&, const SketchDraft& draft) {
  if (!draft.unit) return leaves(message("no matrix instruction was chosen"));
  SketchDraft d = draft;
  d.begin("decompose init", d.product->name);
  d.line("z = sch.decompose_reduction(t, k0)");
  d.line("zb, = sch.get_child_blocks(z)");
  d.end();
  return appliesWith(std::move(d), message("the sum begins at 0 once, before the loop over k"));
}

}  // namespace loom::tune
