// R4: cuts the loops of a product into a tile a block, tiles of warps, tiles of a matrix instruction; and binds them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/tune/rules/applications.h"
#include "core/tune/rules/wave_fit.h"

namespace loom::tune {

namespace {

constexpr double kMebi = 1 << 20;
constexpr std::int64_t kMostWarps = 8;      // along one axis
constexpr std::int64_t kMostFragments = 8;  // of a warp along one axis
constexpr std::int64_t kMostSteps = 8;      // of a matrix instruction along k in a block's tile

std::vector<std::int64_t> shapesOf(const SketchDraft& d, const std::string& expression) {
  if (d.has(expression)) return d.valuesOf(expression);
  return {std::stoll(expression)};
}

// Decisions for an axis of C.
void decideAxis(SketchDraft& d, const std::string& axis, const std::string& unit, std::int64_t extent, bool pads) {
  const std::string warps = axis + ".warps", fragments = axis + ".frags", blocks = axis + ".blocks";
  std::set<std::int64_t> warpValues, fragmentValues, tiles, counts;
  for (std::int64_t w = 1; w <= kMostWarps; ++w) {
    for (std::int64_t f = 1; f <= kMostFragments; ++f) {
      for (std::int64_t u : shapesOf(d, unit)) {
        const std::int64_t tile = u * w * f;
        if (pads ? extent % tile == 0 : extent % tile != 0) continue;
        warpValues.insert(w), fragmentValues.insert(f), tiles.insert(tile);
      }
    }
  }
  d.decide(1, warps, message("warps of a block along {}", axis), {warpValues.begin(), warpValues.end()});
  d.decide(2, fragments, message("tiles of a warp along {}", axis), {fragmentValues.begin(), fragmentValues.end()});
  d.decide(3, blocks, message("blocks along {}", axis), tileCounts(extent, tiles));
  constrainAxis(d, axis, blocks, fmt::format("{}*{}*{}", unit, warps, fragments), extent, pads, 16);
}

}  // namespace

bool mayReachBeyond(std::int64_t extent, std::int64_t unit) {
  for (std::int64_t w = 1; w <= kMostWarps; ++w) {
    for (std::int64_t f = 1; f <= kMostFragments; ++f) {
      const std::int64_t tile = unit * w * f, all = (extent + tile - 1) / tile * tile;
      if (all > extent && all <= extent + extent / 8) return true;
    }
  }
  return false;
}

bool mayReadAhead(const SketchDraft& d) {
  return *std::ranges::max_element(d.valuesOf("k.outer")) >= 3 && d.valuesOf("k.inner").back() >= 2;
}

void constrainAxis(SketchDraft& d, const std::string& axis, const std::string& blocks, const std::string& tile,
                   std::int64_t extent, bool pads, std::int64_t least) {
  if (!pads) {
    d.equal(axis + " factors", message("the parts of {} multiply to its {} elements", axis, extent), Forbids::Program,
            fmt::format("{}*{}", blocks, tile), extent);
    return;
  }
  d.atMost(axis + " reached", message("tiles along {} reach beyond its {} elements", axis, extent), Forbids::Program,
           fmt::format("-{}*{}", blocks, tile), -(extent + 1));
  d.atMost(axis + " not a tile more", message("no tile along {} lies beyond its {} elements", axis, extent),
           Forbids::Program, fmt::format("{}*{} - {}", blocks, tile, tile), extent - 1);
  const std::int64_t most = std::max(extent + extent / 8, (extent + least - 1) / least * least);
  d.atMost(axis + " padding", message("padding adds at most an eighth to the {} elements along {}", extent, axis),
           Forbids::Tvm, fmt::format("{}*{}", blocks, tile), most);
}

std::vector<std::int64_t> tileCounts(std::int64_t extent, const std::set<std::int64_t>& tiles) {
  std::set<std::int64_t> counts;
  for (std::int64_t tile : tiles) counts.insert((extent + tile - 1) / tile);
  return {counts.begin(), counts.end()};
}

std::vector<std::int64_t> stepsAlongK(const Contraction& product, std::vector<std::int64_t> steps) {
  if (product.takesZeros || product.k % 8 == 0) return steps;
  std::vector<std::int64_t> divisors = divisorsOf(product.k, steps.back());
  if (divisors.size() > 1) divisors.erase(divisors.begin());  // one step at a time is the last resort
  return divisors;
}

void describeTiles(SketchDraft& d, const std::string& threads, const std::string& registers) {
  const Contraction& c = *d.product;
  d.quantity("tile.m", d.tileM), d.quantity("tile.n", d.tileN), d.quantity("tile.k", d.tileK);
  d.quantity("threads", threads), d.quantity("registers", registers);
  if (operandsOn(c, true) > 1) d.quantity("a.operands", std::to_string(operandsOn(c, true)));
  if (operandsOn(c, false) > 1) d.quantity("b.operands", std::to_string(operandsOn(c, false)));
  d.quantity("a.turned", d.product->a.reductionIsLast ? "0" : "1");
  d.quantity("b.turned", d.product->b.reductionIsLast ? "0" : "1");
  // Not as a matrix: where an element lies takes divisions, of its row and of its column.
  const auto scattered = [&](const ProductOperand& o) { return !c.plain && o.pitch == 0 ? "1" : "0"; };
  d.quantity("a.scattered", scattered(c.a)), d.quantity("b.scattered", scattered(c.b));
  d.quantity("blocks", fmt::format("{}*i.blocks*j.blocks", c.b0 * d.cluster));
  if (d.cluster > 1) d.quantity("cluster", std::to_string(d.cluster));
  d.quantity("trips", "k.outer");
  d.quantity("extent.m", std::to_string(c.m)), d.quantity("extent.n", std::to_string(c.n));
  d.quantity("extent.k", std::to_string(c.k)), d.quantity("batch", std::to_string(c.b0));
  d.quantity("unit.k", std::to_string(d.warpgroups ? d.warpgroups->k : d.unit ? d.unit->k : 1));
  d.quantity("element.bits", std::to_string(c.a.dtype.bits));
  d.quantity("result.bytes", std::to_string(c.accumulator.bytes()));
}

RuleOutcome tileForWarps(const RuleInput& input, const SketchDraft& draft) {
  if (!draft.unit) return leaves(message("no matrix instruction was chosen"));
  const MatrixUnit& u = *draft.unit;
  const Contraction& c = *draft.product;
  SketchDraft d = draft;
  decideAxis(d, "i", u.m, c.m, d.padsRows);
  decideAxis(d, "j", u.n, c.n, d.padsColumns);
  std::set<std::int64_t> inner, tiles;
  for (std::int64_t steps = 1; steps <= kMostSteps; ++steps) {
    const std::int64_t tile = u.k * steps;
    if (d.padsSums ? c.k % tile == 0 : c.k % tile != 0) continue;
    inner.insert(steps), tiles.insert(tile);
  }
  if (inner.empty() || d.valuesOf("i.warps").empty() || d.valuesOf("j.warps").empty())
    return leaves(message("no tile fits {} × {} × {}", c.m, c.n, c.k));
  d.decide(4, "k.inner", message("steps of the matrix instruction along k in a tile"), {inner.begin(), inner.end()});
  d.decide(4, "k.outer", message("tiles along k"), tileCounts(c.k, tiles));
  const std::string tileK = fmt::format("{}*k.inner", u.k);
  constrainAxis(d, "k", "k.outer", tileK, c.k, d.padsSums, u.k);
  d.tileM = fmt::format("{}*i.warps*i.frags", u.m);
  d.tileN = fmt::format("{}*j.warps*j.frags", u.n);
  d.tileK = tileK;
  d.warps = "i.warps*j.warps";
  d.atMost("threads", message("a block has at most {} threads", input.device.threads), Forbids::Hardware,
           "32*" + d.warps, input.device.threads);
  // A lane's share of a warp's tile: accumulators, and both operands of one step along k; the rest is estimated.
  const std::int64_t words = c.accumulator.bits == 16 ? 2 : 1;
  const std::string accumulators =
      u.usesWarpLayout ? fmt::format("{}*i.frags*j.frags", 8 / words) : fmt::format("{}*i.frags*j.frags", 8 / words);
  const std::int64_t each = u.usesWarpLayout ? 4 : 8;
  std::string operands = fmt::format("{}*i.frags + {}*j.frags", each, each);
  if (mayReadAhead(d)) {
    d.decideWhether(4, "ahead",
                    message("whether the fragments of the next step along k are read while this one's multiply"));
    operands += fmt::format(" + {0}*ahead*i.frags + {0}*ahead*j.frags", each);
  }
  d.atMost("registers of a thread",
           message("accumulators and operands of a warp fit {} registers a thread, 40 kept for addresses: an estimate",
                   input.device.registersPerThread),
           Forbids::Hardware, fmt::format("{} + {} + 40", accumulators, operands), input.device.registersPerThread);
  const std::string t = "32*" + d.warps;
  std::string ofBlock = fmt::format("{0}*{1} + {0}*{2}*i.frags + {0}*{2}*j.frags + {0}*40", t, accumulators, each);
  if (d.has("ahead")) ofBlock += fmt::format(" + {0}*{1}*ahead*i.frags + {0}*{1}*ahead*j.frags", t, each);
  d.atMost("registers of a block",
           message("registers of all threads are at most {}: an estimate", input.device.registers), Forbids::Hardware,
           ofBlock, input.device.registers);
  d.threads = t;
  d.quantity("own.m", u.m + "*i.frags"), d.quantity("own.n", u.n + "*j.frags");
  describeTiles(d, t, fmt::format("{} + {} + 40", accumulators, operands));
  d.begin("multi-level tiling", c.name);
  d.line("i0, i1, i2 = sch.split(i, [None, ?i.warps, ?i.frags])");
  d.line("j0, j1, j2 = sch.split(j, [None, ?j.warps, ?j.frags])");
  d.line("k0, k1 = sch.split(k, [None, ?k.inner])");
  d.line("sch.reorder(i0, j0, i1, j1, k0, k1, i2, j2)");
  d.end();
  return appliesWith(std::move(d),
                     message("{} × {} results, each summed over {}: both operands are used again", c.m, c.n, c.k));
}

RuleOutcome orderBlocks(const RuleInput& input, const SketchDraft& draft) {
  if (draft.threads.empty()) return leaves(message("the block has no tiles"));
  const Contraction& c = *draft.product;
  const double bytes = double(c.b0) * double(c.k) * double(c.m + c.n) * c.a.dtype.bits / 8;
  // Blocks of warpgroups that stay read neighbouring tiles at a time, which L2 then gives them together: 2048³ in turns
  // takes 26.5 µs with 8 rows of blocks and 28.4 without (H100, measured for this project, CUDA 13.0, 2026-11).
  // Blocks that all run at once do, too: L2 gives neighbours together what they ask for at one time. 1024³ in tiles of
  // 64 × 128 takes 5.14 µs in rows of blocks, and 5.08, 5.03 and 5.11 in groups of 2, 4 and 8 (H200, the same).
  const bool warpgroups = draft.has("i.warpgroups");
  const Message sizes = warpgroups ? message(
                                         "blocks that run at once and lie side by side read the same rows and "
                                         "columns, which L2 then gives them together")
                                   : message("the operands are {:.3g} MiB, half the L2 cache {:.3g} MiB", bytes / kMebi,
                                             double(input.device.l2Bytes) / 2 / kMebi);
  if (!warpgroups && (input.device.l2Bytes <= 0 || bytes <= input.device.l2Bytes / 2)) return leaves(sizes);
  SketchDraft d = draft;
  d.decide(7, "raster", message("rows of blocks that take turns"), {1, 2, 4, 8, 16});
  d.divides("raster", message("blocks along i come in whole groups"), Forbids::Program, "raster", "i.blocks");
  d.begin("raster order", c.name);
  d.line("i0, ir = sch.split(i0, [None, ?raster])", "raster - 1");
  d.line("sch.reorder(i0, j0, ir)", "raster - 1");
  d.end();
  return appliesWith(std::move(d), sizes);
}

RuleOutcome bindTiles(const RuleInput&, const SketchDraft& draft) {
  if (draft.threads.empty()) return leaves(message("the block has no tiles"));
  SketchDraft d = draft;
  const std::string batch = d.product->batch.empty() ? "" : "bb, ";
  d.begin("multi-level tiling", d.product->name);
  if (d.has("raster")) {
    d.line(fmt::format("g = sch.fuse({}i0, j0, ir)", batch), "raster - 1");
    d.line(fmt::format("g = sch.fuse({}i0, j0)", batch), "1//raster");
  } else {
    d.line(fmt::format("g = sch.fuse({}i0, j0)", batch));
  }
  d.line("sch.bind(g, \"blockIdx.x\")");
  if (d.cluster > 1) d.line("sch.bind(p, \"blockIdx.z\")");
  if (!d.unit && d.cores != SketchDraft::Cores::Threads) {
    d.line(d.cores == SketchDraft::Cores::Slices ? "w = sch.fuse(s, i1, j1)" : "w = sch.fuse(i1, j1)");
    d.line("sch.bind(w, \"threadIdx.y\")");
    d.line("v = sch.fuse(jl, il, jn)");
    d.line("sch.bind(v, \"threadIdx.x\")");
  } else {
    if (!d.unit) {
      d.line("v = sch.fuse(iv, jv)");
      d.line("sch.bind(v, \"vthread.x\")");
    }
    d.line("w = sch.fuse(i1, j1)");
    d.line(d.unit ? "sch.bind(w, \"threadIdx.y\")" : "sch.bind(w, \"threadIdx.x\")");
  }
  d.end();
  return appliesWith(std::move(d), message("a block a tile, a warp a part of it"));
}

}  // namespace loom::tune
