// R8, R9: how copies are shared among the threads of a block, and how they lie in shared memory.
#include <fmt/format.h>

#include <numeric>
#include <string_view>

#include "core/ir/packed.h"
#include "core/tune/rules/applications.h"

namespace loom::tune {

namespace {

// The operand whose decisions begin with "a" or "b", as sentences name it.
std::string matrixOf(const char* name) { return name == std::string_view("a") ? "A" : "B"; }

std::vector<std::vector<std::int64_t>> oneWhereTurned(const std::vector<std::int64_t>& vectors) {
  std::vector<std::vector<std::int64_t>> rows = {{1, 1}};
  for (std::int64_t v : vectors) rows.push_back({0, v});
  return rows;
}

// On CUDA cores: threads read neighbours along m and n, so that an operand may lie by k first.
RuleOutcome spreadForThreads(const SketchDraft& draft) {
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  d.begin("bank layout", c.name);
  for (const OperandTiles& o : operandTilesOf(d)) {
    const std::int64_t pad = 128 / o.operand.dtype.bits;
    const std::string rows = o.ofRows ? d.tileM : d.tileN;
    const std::string padding = o.name + ".pad", turned = o.name + ".turned";
    const bool always = d.cores != SketchDraft::Cores::Threads;  // lanes read neighbours at once
    if (o.operand.reductionIsLast) {
      if (!always) d.decideWhether(5, turned, message("whether {} lies by k first in shared memory", o.word));
      d.line(fmt::format("sch.transform_layout({}, (\"write\", 0), lambda {}x, y: ({}y, x))", o.inShared,
                         o.ofBatch ? "l, " : "", o.ofBatch ? "l, " : ""),
             always ? "" : turned);
    }
    d.decide(6, padding, message("elements that a row of {} is longer in shared memory", o.word), {0, pad});
    d.line(fmt::format("sch.storage_align({}, 0, -2, {}, {})", o.inShared, 2 * pad, pad), padding);
    const int bytes = o.operand.dtype.bytes();
    d.bytesCopied.push_back(fmt::format("{0}*{1}*{2} + {0}*{1}*{3} + {0}*{2}*{3}", bytes, rows, d.tileK, padding));
  }
  d.end();
  return appliesWith(std::move(d), message("threads of a warp read neighbours of a row, or one element of many"));
}

}  // namespace

std::vector<std::int64_t> copiedAtOnce(const ir::DType& type, std::int64_t aligned) {
  std::vector<std::int64_t> all;
  for (std::int64_t v = ir::perByte(type); v * type.bits <= 128; v *= 2)
    if (aligned % v == 0) all.push_back(v);
  return all;
}

RuleOutcome fetchTogether(const RuleInput&, const SketchDraft& draft) {
  if (draft.threads.empty()) return leaves(message("the block has no tiles"));
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  d.begin("cooperative fetch", c.name);
  const bool lanes = !d.unit && d.cores != SketchDraft::Cores::Threads;
  // Around a copy: blocks, parts of a cluster, virtual threads, threads, tiles along k.
  const std::string loops = d.unit ? "3" : d.cluster > 1 ? "5" : "4";
  // What is turned on its way goes element by element: neighbouring threads take some along k, so that what they read
  // lies together and what they write reaches all banks.
  const auto fetchTurned = [&](const OperandTiles& o, const std::string& rows) {
    const std::string across = o.name + ".across";
    d.decide(5, across, message("elements along k of {} that neighbouring threads copy", o.word),
             stepsAlongK(c, {4, 8, 16, 32}));
    d.divides(o.name + " across", message("threads side by side along k divide the steps of a tile of {}", o.word),
              Forbids::Program, across, d.tileK);
    d.divides(o.name + " copy divides", message("all threads copy a vector each time, with none left over"),
              Forbids::Program, d.threads, fmt::format("{}*{}", across, rows));
    d.line(fmt::format("p, q = sch.get_loops({})[-2:]", o.inShared));
    d.line(fmt::format("p0, p1 = sch.split(p, [None, ?{{{} // {}}}])", d.threads, across));
    d.line(fmt::format("q0, q1 = sch.split(q, [None, ?{}])", across));
    d.line("sch.reorder(q0, p0, p1, q1)");
    d.line("f = sch.fuse(p1, q1)");
    d.line("f1, f2 = sch.split(f, [None, 32])");
    d.line("sch.unroll(q0)");
    d.line("sch.unroll(p0)");
    d.line("sch.bind(f1, \"threadIdx.y\")");
    d.line("sch.bind(f2, \"threadIdx.x\")");
  };
  const auto fetch = [&](const std::string& v, const std::string& name, const std::string& skip,
                         const std::string& rows, const std::string& columns, std::vector<std::int64_t> values,
                         const Message& words, const std::string& when, int bits) {
    const std::string decision = fmt::format("{}.vector", name);
    d.decide(5, decision, words, std::move(values));
    d.divides(fmt::format("{} copy divides", name), message("all threads copy a vector each time, with none left over"),
              Forbids::Program, fmt::format("{}*{}", d.threads, decision), fmt::format("{}*{}", rows, columns));
    d.line(fmt::format("f = sch.fuse(*sch.get_loops({})[{}:])", v, skip), when);
    if (d.unit || lanes) {
      d.line(fmt::format("f0, f1, f2, f3 = sch.split(f, [None, ?{{{}}}, 32, ?{}])", d.warps, decision), when);
      d.line("sch.bind(f1, \"threadIdx.y\")", when);
    } else {
      d.line(fmt::format("f0, f2, f3 = sch.split(f, [None, ?{{{}}}, ?{}])", d.threads, decision), when);
    }
    d.line("sch.bind(f2, \"threadIdx.x\")", when);
    d.line("sch.vectorize(f3)", when);
    // What is less than 4 bytes goes through registers: written out, all loads are on their way before the first store.
    if (d.unit && bits > 0 && bits < 32) d.line("sch.unroll(f0)", fmt::format("{} // {}", 32 / bits - 1, decision));
  };
  const bool scalarA = d.unit && d.unit->turnsA;  // what is turned is no vector in both places
  const auto operands = operandTilesOf(d);
  for (const OperandTiles& o : operands) {
    const std::string rows = o.ofRows ? d.tileM : d.tileN;
    if (lanes && o.operand.reductionIsLast) {
      fetchTurned(o, rows);
      continue;
    }
    const Message words = o.name == "a"   ? message("elements of A that a thread copies at once")
                          : o.name == "b" ? message("elements of B that a thread copies at once")
                                          : message("elements of {} that a thread copies at once", o.word);
    fetch(o.inShared, o.name, loops, rows, d.tileK,
          scalarA && o.name == "a" ? std::vector<std::int64_t>{1} : copiedAtOnce(o.operand.dtype, o.operand.aligned),
          words, "", o.operand.dtype.bits);
  }
  for (const OperandTiles& o : operands) {
    const std::string decision = o.name + ".turned", vector = o.name + ".vector";
    if (d.has(decision))
      d.table(o.name + " turned", message("what is turned on its way is copied element by element"),
              Forbids::Environment, {decision, vector}, oneWhereTurned(d.valuesOf(vector)));
  }
  if (d.unit && !d.bytesOfResult.empty())
    fetch("e", "c", "1", d.tileM, d.tileN, copiedAtOnce(c.accumulator, c.resultAligned),
          message("elements of C that a thread stores at once"), d.has("epilogue") ? "epilogue" : "", 0);
  d.end();
  return appliesWith(std::move(d), message("threads of a block copy together, neighbours by neighbours"));
}

RuleOutcome spreadOverBanks(const RuleInput&, const SketchDraft& draft) {
  if (!draft.unit && !draft.threads.empty()) return spreadForThreads(draft);
  if (!draft.unit) return leaves(message("no matrix instruction was chosen"));
  const MatrixUnit& u = *draft.unit;
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  const std::int64_t bits = c.a.dtype.bits;
  if (u.inTiles) {
    d.bytesCopied = {fmt::format("{}*16*k.inner", d.tileM), fmt::format("{}*16*k.inner", d.tileN)};
    return {false, message("tiles of 16 bytes a row reach all banks as they lie"), {std::move(d)}};
  }
  const std::int64_t pad = 128 / bits;  // 16 bytes
  d.begin("bank layout", c.name);
  const auto layout = [&](const char* v, const char* name, const std::string& rows, const std::string& columns,
                          std::vector<std::string> decisions, std::int64_t unit) {
    const std::string padding = fmt::format("{}.pad", name), swizzle = fmt::format("{}.swizzle", name);
    d.decide(6, padding, message("elements that a row of {} is longer in shared memory", matrixOf(name)), {0, pad});
    d.line(fmt::format("sch.storage_align({}, 0, -2, {}, {})", v, 2 * pad, pad), padding);
    if (u.usesWarpLayout) {
      d.decideWhether(6, swizzle, message("whether pieces of 16 bytes of a row of {} change places", matrixOf(name)));
      d.atMost(fmt::format("{} rows", name), message("rows of {} are padded or swizzled, not both", matrixOf(name)),
               Forbids::Environment, fmt::format("{}*{}", padding, swizzle), 0);
      // A swizzle takes rows of 32, 64 or 128 bytes.
      std::vector<std::vector<std::int64_t>> fits;
      std::vector<std::int64_t> row(decisions.size() + 1);
      const auto fill = [&](auto&& self, std::size_t n, std::int64_t elements) -> void {
        if (n == decisions.size()) {
          const std::int64_t bytes = elements * bits / 8;
          row.back() = 0, fits.push_back(row);
          if (bytes == 32 || bytes == 64 || bytes == 128) row.back() = 1, fits.push_back(row);
          return;
        }
        for (std::int64_t value : d.valuesOf(decisions[n])) row[n] = value, self(self, n + 1, elements * value);
      };
      fill(fill, 0, unit);
      std::vector<std::string> named = decisions;
      named.push_back(swizzle);
      d.table(fmt::format("{} swizzle", name),
              message("a swizzle takes rows of 32, 64 or 128 bytes of {}", matrixOf(name)), Forbids::Environment, named,
              fits);
      d.line(fmt::format("sch.annotate({}, \"tileloom.swizzle\", ?{{{}*{}}})", v, columns, bits / 8), swizzle);
    }
    d.bytesCopied.push_back(fmt::format("{}*{}*{} + {}*{}*{}", bits / 8, rows, columns, bits / 8, rows, padding));
  };
  const bool aByK = c.a.reductionIsLast || u.turnsA;
  layout("xs", "a", aByK ? d.tileM : d.tileK, aByK ? d.tileK : d.tileM,
         aByK ? std::vector<std::string>{"k.inner"} : std::vector<std::string>{"i.warps", "i.frags"}, aByK ? u.k : 16);
  layout("ys", "b", c.b.reductionIsLast ? d.tileN : d.tileK, c.b.reductionIsLast ? d.tileK : d.tileN,
         c.b.reductionIsLast ? std::vector<std::string>{"k.inner"} : std::vector<std::string>{"j.warps", "j.frags"},
         c.b.reductionIsLast ? u.k : 16);
  d.end();
  return appliesWith(std::move(d), message("fragments are read from {} bytes of each of several rows", 16));
}

}  // namespace loom::tune
