// R3: finds the matrix instruction that multiplies as a block does, and puts it in place.
#include <fmt/format.h>

#include <algorithm>

#include "core/device/precision.h"
#include "core/ir/packed.h"
#include "core/tune/rules/applications.h"
#include "core/tune/tensorize/tensor_tile.h"

namespace loom::tune {

namespace {

struct ElementNames {
  const char* wmma;
  const char* mma;  // "" where wmma alone is known here
};

std::optional<ElementNames> elementNames(ir::DType type) {
  using ir::DType;
  if (type == DType::Float(16)) return ElementNames{"f16", "f16"};
  if (type == DType::BFloat(16)) return ElementNames{"bf16", "bf16"};
  if (type == DType::Float(32)) return ElementNames{"f32", "f32"};
  if (type == DType::Int(8)) return ElementNames{"s8", "i8"};
  if (type == DType::UInt(8)) return ElementNames{"u8", "u8"};
  if (type == DType::Int(4)) return ElementNames{"s4", ""};
  if (type == DType::UInt(4)) return ElementNames{"u4", ""};
  if (type == DType::UInt(1)) return ElementNames{"b1", ""};
  if (type == DType::Int(32)) return ElementNames{"s32", "i32"};
  return std::nullopt;
}

// Factors of float32, which are multiplied as tf32.
constexpr ir::DType kAsTf32 = ir::DType::Float(32);

constexpr int kMmaSince = 80;  // compute capability, times ten, of the oldest device that has mma.sync with ldmatrix

constexpr std::int64_t kShapes[][2] = {{16, 16}, {32, 8}, {8, 32}, {8, 8}};

class Units {
 public:
  Units(const RuleInput& input, const Contraction& product, bool staged)
      : input_(input),
        p_(product),
        staged_(staged),
        in_(*elementNames(p_.a.dtype)),
        out_(*elementNames(p_.accumulator)) {
    if (p_.a.dtype == kAsTf32) in_.wmma = "tf32";
  }

  // mma.sync, where all that it takes is there.
  std::optional<MatrixUnit> mma() const {
    if (input_.device.capability < kMmaSince || p_.a.dtype.bits > 16 || *in_.mma == 0) return std::nullopt;
    MatrixUnit u;
    u.usesWarpLayout = true;
    u.m = u.n = "16";
    u.k = p_.a.dtype.bits == 8 ? 32 : 16;
    u.scopeA = u.scopeB = u.scopeC = "warp";
    const char* transA = p_.a.reductionIsLast ? "" : "_trans";
    const char* transB = p_.b.reductionIsLast ? "_trans" : "";
    for (const char* scope : {"shared.dyn", "shared"}) {
      const char* dyn = std::string_view(scope) == "shared" ? "" : "_dyn";
      u.sharedScope = scope;
      u.loadA = fmt::format("mma_ldmatrix_{}_a{}{}", in_.mma, transA, dyn);
      u.loadB = fmt::format("mma_ldmatrix_{}_b{}{}", in_.mma, transB, dyn);
      if (there({u.loadA, u.loadB})) break;
    }
    u.fill = fmt::format("mma_fill_16x16_{}", out_.mma);
    u.multiply = fmt::format("mma_{0}{0}{1}{2}{3}{4}", in_.mma, out_.mma, p_.a.reductionIsLast ? "" : "_trans_a",
                             p_.b.reductionIsLast ? "_trans_b" : "", p_.order());
    u.storeGlobal = fmt::format("mma_store_16x16_{}_global_", out_.mma);
    u.storeShared = fmt::format("mma_store_16x16_{}_shared_dyn_", out_.mma);
    if (!there({u.storeShared})) u.storeShared = fmt::format("mma_store_16x16_{}_shared_dyn_simple_", out_.mma);
    if (!there({u.storeShared})) u.storeShared.clear();
    if (staged_ && u.storeShared.empty()) return std::nullopt;
    if (!there({u.loadA, u.loadB, u.fill, u.multiply, u.storeGlobal})) return std::nullopt;
    return u;
  }

  // wmma, in all shapes for which all that it takes is there; these are added to the draft as decisions.
  std::optional<MatrixUnit> wmma(SketchDraft& draft) const {
    const auto since = wmmaSince(p_.a.dtype);
    if (!since || input_.device.capability < *since) return std::nullopt;
    std::vector<std::vector<std::int64_t>> shapes;
    for (const auto& [m, n] : kShapes) {
      if (!draft.padsRows && p_.m % m != 0) continue;
      if (!draft.padsColumns && p_.n % n != 0) continue;
      // A tile begins at a multiple of 32 bytes of its rows; with elements of 8 bits, rows are kept 16 elements long.
      if (!p_.b.reductionIsLast && (p_.b.dtype.bits > 8 ? n * p_.b.dtype.bytes() % 32 != 0 : n != 16)) continue;
      if (n * p_.accumulator.bytes() % 32 != 0) continue;
      const MatrixUnit u = wmmaOf(std::to_string(m), std::to_string(n));
      if (there({u.loadA, u.loadB, u.fill, u.multiply, u.storeGlobal, u.storeShared})) shapes.push_back({m, n});
    }
    if (shapes.empty()) return std::nullopt;
    if (shapes.size() == 1) return wmmaOf(std::to_string(shapes[0][0]), std::to_string(shapes[0][1]));
    std::vector<std::int64_t> rows, columns;
    for (const auto& shape : shapes) rows.push_back(shape[0]), columns.push_back(shape[1]);
    draft.decide(0, "shape.m", message("rows of the matrix instruction"), rows);
    draft.decide(0, "shape.n", message("columns of the matrix instruction"), columns);
    draft.table("tensor shape", message("the matrix instruction has these shapes alone"), Forbids::Hardware,
                {"shape.m", "shape.n"}, shapes);
    return wmmaOf("?{shape.m}", "?{shape.n}");
  }

 private:
  MatrixUnit wmmaOf(const std::string& m, const std::string& n) const {
    MatrixUnit u;
    const auto bare = [](const std::string& open) {
      return open.starts_with("?") ? open.substr(2, open.size() - 3) : open;
    };
    u.m = bare(m), u.n = bare(n);
    if (p_.a.dtype == kAsTf32) u.k = 8;
    if (ir::isPacked(p_.a.dtype)) u.k = 128 / p_.a.dtype.bits;
    const std::string shape = fmt::format("{}x{}x{}", m, n, u.k);
    u.scopeA = "wmma.matrix_a", u.scopeB = "wmma.matrix_b", u.scopeC = "wmma.accumulator";
    u.sharedScope = "shared.dyn";
    u.turnsA = !p_.a.reductionIsLast;
    u.inTiles = p_.a.dtype.bits <= 8;
    u.loadA = fmt::format("wmma_load_{}_{}_a_shared_dyn", shape, in_.wmma);
    u.loadB = fmt::format("wmma_load_{}_{}_b{}_shared_dyn", shape, in_.wmma, p_.b.reductionIsLast ? "_trans" : "");
    u.fill = fmt::format("wmma_fill_{}_{}", shape, out_.wmma);
    u.multiply = fmt::format("wmma_sync_{0}_{1}{1}{2}{3}{4}", shape, in_.wmma, out_.wmma,
                             p_.b.reductionIsLast ? "_trans" : "", p_.order());
    u.storeGlobal = fmt::format("wmma_store_{}_{}_global", shape, out_.wmma);
    u.storeShared = fmt::format("wmma_store_{}_{}_shared_dyn", shape, out_.wmma);
    return u;
  }

  bool there(const std::vector<std::string>& names) const {
    return std::ranges::all_of(names, [&](const std::string& n) { return input_.intrinsics.find(n) != nullptr; });
  }

  const RuleInput& input_;
  const Contraction& p_;
  bool staged_;  // whether C must go through shared memory
  ElementNames in_, out_;
};

// "((n * 28 + h) * 28 + w)": the iterators as one, the last one fastest; "0" for none.
std::string fusedText(const Contraction& c, const std::vector<int>& iterators) {
  std::string text;
  for (int n : iterators) {
    const std::string name = fmt::format("v{}", n);
    text = text.empty() ? name : fmt::format("({} * {} + {})", text, c.extents[std::size_t(n)], name);
  }
  return text.empty() ? "0" : text;
}

std::string lambdaOver(const std::vector<int>& iterators, const std::vector<std::string>& results) {
  std::vector<int> sorted = iterators;
  std::ranges::sort(sorted);
  std::string names, body;
  for (int n : sorted) names += (names.empty() ? "v" : ", v") + std::to_string(n);
  for (const std::string& r : results) body += (body.empty() ? "" : ", ") + r;
  return fmt::format("lambda {}: ({}{})", names, body, results.size() == 1 ? "," : "");
}

std::vector<int> together(std::initializer_list<const std::vector<int>*> parts) {
  std::vector<int> all;
  for (const auto* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}

// The same where operands lack iterators of a kind: the block has one of each kind first, and each operand is then
// copied by those of them that it depends on.
void writeFused(SketchDraft& draft) {
  const Contraction& c = *draft.product;
  std::vector<std::string> kinds;
  for (const auto* kind : {&c.batch, &c.rows, &c.columns, &c.sums})
    if (!kind->empty()) kinds.push_back(fusedText(c, *kind));
  draft.line(fmt::format("sch.transform_block_layout(b, {})",
                         lambdaOver(together({&c.batch, &c.rows, &c.columns, &c.sums}), kinds)));
  const auto copy = [&](const std::string& variable, const ProductOperand& o, bool turns, bool ofBatch) {
    draft.line(fmt::format("{} = sch.reindex(b, (\"read\", {}))", variable, o.read));
    if (turns)
      draft.line(fmt::format("sch.transform_layout({}, (\"write\", 0), lambda {}x, y: ({}y, x))", variable,
                             ofBatch ? "l, " : "", ofBatch ? "l, " : ""));
  };
  const bool batch = !c.batch.empty();
  copy("xr", c.a, !c.a.reductionIsLast && !(draft.unit && draft.unit->turnsA), batch);
  copy("yr", c.b, !c.b.reductionIsLast, batch);
  draft.inlinedFurther.resize(c.further.size());
  for (std::size_t n = 0; n < c.further.size(); ++n) {
    const FurtherOperand& o = c.further[n];
    if (!o.ofBatch && !o.ofRows && !o.ofColumns && !o.ofSums) continue;  // one element for all results
    draft.inlinedFurther[n].push_back(fmt::format("wr{}", n));
    copy(draft.inlinedFurther[n].back(), o, o.isOnSide() && !o.reductionIsLast, o.ofBatch);
  }
  draft.line("zr = sch.reindex(b, (\"write\", 0))");
}

void reindexOperands(SketchDraft& draft) {
  const Contraction& c = *draft.product;
  const auto results = [&](const std::vector<int>& first, const std::vector<int>& second, bool lacksBatch = false) {
    std::vector<std::string> all;
    if (!c.batch.empty() && !lacksBatch) all.push_back(fusedText(c, c.batch));
    all.push_back(fusedText(c, first));
    all.push_back(fusedText(c, second));
    return all;
  };
  const auto operand = [&](const ProductOperand& o, const std::vector<int>& outer) {
    const auto isLeft = [&](int n) { return std::ranges::find(o.left, n) != o.left.end(); };
    std::vector<int> all = together({&outer, &c.sums}), own = outer, sums = c.sums;
    if (!o.lacksBatch) all.insert(all.end(), c.batch.begin(), c.batch.end());
    for (std::vector<int>* some : {&all, &own, &sums}) std::erase_if(*some, isLeft);
    const bool byK = o.reductionIsLast || (&o == &c.a && draft.unit && draft.unit->turnsA);
    return lambdaOver(all, byK ? results(own, sums, o.lacksBatch) : results(sums, own, o.lacksBatch));
  };
  draft.line(fmt::format("xr = sch.reindex(b, (\"read\", {}))", c.a.read));
  draft.line(fmt::format("yr = sch.reindex(b, (\"read\", {}))", c.b.read));
  draft.line("zr = sch.reindex(b, (\"write\", 0))");
  draft.line(fmt::format("sch.transform_layout(xr, (\"write\", 0), {})", operand(c.a, c.rows)));
  draft.line(fmt::format("sch.transform_layout(yr, (\"write\", 0), {})", operand(c.b, c.columns)));
  draft.line(fmt::format("sch.transform_layout(b, (\"write\", 0), {})",
                         lambdaOver(together({&c.batch, &c.rows, &c.columns}), results(c.rows, c.columns))));
  std::vector<std::string> all = results(c.rows, c.columns);
  all.push_back(fusedText(c, c.sums));
  draft.line(fmt::format("sch.transform_block_layout(b, {})",
                         lambdaOver(together({&c.batch, &c.rows, &c.columns, &c.sums}), all)));
}

}  // namespace

void writeReindexed(SketchDraft& draft) {
  draft.product->uneven ? writeFused(draft) : reindexOperands(draft);
  draft.inlinedA.insert(draft.inlinedA.begin(), "xr"), draft.inlinedB.insert(draft.inlinedB.begin(), "yr");
  draft.reindexesA = draft.reindexesB = draft.reindexesResult = true;
  draft.consumers.insert(draft.consumers.begin(), "zr");
}

RuleOutcome matchTensorUnit(const RuleInput& input, const SketchDraft& draft) {
  if (!draft.product) return leaves(message("the block is no sum of products"));
  if (!input.onlyCudaCores.empty()) return leaves(input.onlyCudaCores);
  const Contraction& c = *draft.product;
  if (!c.multiplies) return leaves(c.whyNoProduct());
  const Message types =
      message("{} · {} into {}, {}", c.a.dtype.str(), c.b.dtype.str(), c.accumulator.str(), input.device.architecture);
  if (c.a.dtype != c.b.dtype || !elementNames(c.a.dtype) || !elementNames(c.accumulator) ||
      (c.a.dtype.bits > 16 && c.a.dtype != kAsTf32))
    return leaves(message("no matrix instruction multiplies {}", types));
  if (c.a.dtype == kAsTf32 && !input.choices.tf32)
    return leaves(
        message("matrix instructions multiply {} as tf32 alone, which keeps {} of its {} digits: that is the "
                "user's choice",
                c.a.dtype.str(), device::kTf32Digits, device::kFloat32Digits));
  if (ir::isPacked(c.a.dtype) && (!c.plain || !c.a.reductionIsLast || !c.b.reductionIsLast ||
                                  c.k % (128 / c.a.dtype.bits) != 0 || c.m % 8 != 0 || c.n % 8 != 0))
    return leaves(
        message("matrix instructions take elements of {} by rows of A and columns of B, {} along k at a time "
                "and 8 along m and n, and copies move whole bytes: nothing is turned, reindexed or padded",
                c.a.dtype.str(), 128 / c.a.dtype.bits));
  if (c.m < 8 || c.n < 8 || c.k < 8)
    return leaves(message("{} × {} × {} is less than a tile of a matrix instruction", c.m, c.n, c.k));
  SketchDraft base = draft;
  const bool whole = ir::isPacked(c.a.dtype);
  // Few tiles divide an extent that 64 doesn't, and others go as well, if any reaches a little beyond: 96 has none.
  const auto pads = [&](std::int64_t extent) {
    return extent % 16 != 0 || (!input.exactTiles && extent > 64 && extent % 64 != 0 && mayReachBeyond(extent, 16));
  };
  base.padsRows = !whole && pads(c.m);
  base.padsColumns = !whole && pads(c.n);
  // Two steps of an instruction don't divide 80 elements either, but 96 are too many.
  const bool fitsSums = c.k % 16 == 0 && c.a.dtype.bits != 8;
  const bool padsFittingSums = !input.exactTiles && c.k > 64 && mayReachBeyond(c.k, 32);
  base.padsSums = !whole && c.k % 32 != 0 && (!fitsSums || padsFittingSums);
  const bool staged = !c.plain || !draft.consumers.empty() || base.padsRows || base.padsColumns;
  const Units units(input, c, staged);
  std::vector<SketchDraft> drafts;
  const auto take = [&](SketchDraft with, const MatrixUnit& unit, const char* name) {
    with.unit = unit;
    with.tileM = fmt::format("{}*i.warps*i.frags", unit.m);
    with.tileN = fmt::format("{}*j.warps*j.frags", unit.n);
    with.tileK = fmt::format("{}*k.inner", unit.k);
    with.sketch.name = name;
    drafts.push_back(std::move(with));
  };
  if (const auto unit = units.mma()) take(base, *unit, "mma.sync");
  SketchDraft other = base;
  if (const auto unit = units.wmma(other)) take(other, *unit, "wmma");
  if (drafts.empty()) return leaves(message("no matrix instruction that is known multiplies {}", types));
  for (SketchDraft& d : drafts) {
    d.begin("tensorize", c.name);
    d.line(fmt::format("b = sch.get_block(\"{}\")", c.name));
    if (!c.plain) {
      writeReindexed(d);
    } else if (d.unit->turnsA) {  // a copy by the block's iterators, rows first
      d.line(fmt::format("xr = sch.reindex(b, (\"read\", {}))", c.a.read));
      d.inlinedA.insert(d.inlinedA.begin(), "xr");
      d.reindexesA = true;
    }
    d.end();
  }
  const Message by = drafts.size() == 2 ? message("mma.sync and wmma") : verbatim(drafts[0].sketch.name);
  return {true, message("{}, by {}", types, by), std::move(drafts)};
}

RuleOutcome tileForTensorUnit(const RuleInput&, const SketchDraft& draft) {
  if (!draft.unit) return leaves(message("no matrix instruction was chosen"));
  const MatrixUnit& u = *draft.unit;
  SketchDraft d = draft;
  d.begin("tensorize", d.product->name);
  d.line(fmt::format("{}i, j, k = sch.get_loops(b)", d.product->batch.empty() ? "" : "bb, "));
  d.line(fmt::format("i, ii = sch.split(i, [None, {}])", place(u.m)));
  d.line(fmt::format("j, jj = sch.split(j, [None, {}])", place(u.n)));
  d.line(fmt::format("k, kk = sch.split(k, [None, {}])", u.k));
  d.line("sch.reorder(i, j, k, ii, jj, kk)");
  d.line("t = sch.blockize(ii)");
  d.end();
  // Open rows and columns are those of several instructions.
  const int rows = decisionNamed(d.sketch.space, "shape.m"), columns = decisionNamed(d.sketch.space, "shape.n");
  if (rows < 0 || columns < 0) return appliesWith(std::move(d), message("tiles of {} × {} × {}", u.m, u.n, u.k));
  const auto choices = [&](int decision) {
    return fmt::format("{}", fmt::join(d.sketch.space.decisions[std::size_t(decision)].values, ", "));
  };
  Message open = message("tiles with {} rows, {} columns and {} elements along k: which is open to the search",
                         choices(rows), choices(columns), u.k);
  return appliesWith(std::move(d), std::move(open));
}

RuleOutcome placeIntrinsics(const RuleInput&, const SketchDraft& draft) {
  if (!draft.unit) return leaves(message("no matrix instruction was chosen"));
  const MatrixUnit& u = *draft.unit;
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  d.begin("tensorize", c.name);
  if (u.usesWarpLayout) {
    // Which lane holds which element of a tile, in TVM's words for ldmatrix and mma.sync.
    const char* kHalves =
        "lambda i, j: (i // 16, j // 16, i % 8 * 4 + j % 8 // 2, j % 16 // 8 * 4 + i % 16 // 8 * 2 + j % 2)";
    const char* kBytes =
        "lambda i, j: (i // 16, j // 32, i % 8 * 4 + j % 16 // 4, j % 32 // 16 * 8 + i % 16 // 8 * 4 + j % 4)";
    const char* kTurned =
        "lambda i, j: (i // 32, j // 16, j % 8 * 4 + i % 16 // 4, j % 16 // 8 * 8 + i % 32 // 16 * 4 + i % 4)";
    const bool bytes = c.a.dtype.bits == 8;
    const auto layout = [&](std::string map) {
      if (!c.batch.empty()) {  // the batch's dimension stands first and stays
        map.replace(map.find("lambda i"), 8, "lambda l, i");
        map.insert(map.find('(') + 1, "l, ");
      }
      return map;
    };
    d.line(fmt::format("sch.transform_layout(xf, (\"write\", 0), {})", layout(bytes ? kBytes : kHalves)));
    d.line(fmt::format("sch.transform_layout(yf, (\"write\", 0), {})", layout(!bytes                ? kHalves
                                                                              : c.b.reductionIsLast ? kBytes
                                                                                                    : kTurned)));
    d.line(fmt::format("sch.transform_layout(c, (\"read\", 0), {})", layout(kHalves)));
  }
  d.line(fmt::format("sch.tensorize(sch.get_loops(zb)[-2], \"{}\")", u.fill));
  d.line(fmt::format("sch.tensorize(xft, \"{}\")", u.loadA));
  d.line(fmt::format("sch.tensorize(yft, \"{}\")", u.loadB));
  d.line(fmt::format("sch.tensorize(sch.get_loops(b)[-3], \"{}\")", u.multiply));
  const bool forced = !d.consumers.empty();
  const std::string when = d.has("epilogue") ? "epilogue" : "";
  if (!forced) d.line(fmt::format("sch.tensorize(ct, \"{}\")", u.storeGlobal), when.empty() ? "" : "1 - epilogue");
  if (forced || !when.empty()) {
    d.line("cb = sch.blockize(ct)", when);
    d.line("sch.storage_align(cb, 0, -2, 16, ?c.pad)", "c.pad");
    d.line(fmt::format("sch.tensorize(cb, \"{}\")", u.storeShared), when);
  }
  d.end();
  return appliesWith(std::move(d), message("fill, two loads, product and store become instructions of a warp"));
}

}  // namespace loom::tune
