// R2: extents that no tile divides are padded; what pads is inlined into the copies.
#include <fmt/format.h>

#include "core/tune/rules/applications.h"

namespace loom::tune {

RuleOutcome padToTiles(const RuleInput&, const SketchDraft& draft) {
  if (draft.tileM.empty()) return leaves(message("the block has no tiles"));
  const Contraction& c = *draft.product;
  const Message extents = message("{} × {} × {}, a tile's rows, columns and steps divide them", c.m, c.n, c.k);
  if (!draft.padsRows && !draft.padsColumns && !draft.padsSums) return leaves(extents);
  SketchDraft d = draft;
  const std::string m = place(d.tileM), n = place(d.tileN), k = place(d.tileK);
  d.begin("pad", c.name);
  d.line(fmt::format("sch.pad_einsum(b, [{}{}, {}, {}])", c.batch.empty() ? "" : "1, ", d.padsRows ? m : "1",
                     d.padsColumns ? n : "1", d.padsSums ? k : "1"));
  const auto name = [](const std::string& buffer, bool reindexed) {
    return buffer + (reindexed ? "_reindex_pad" : "_pad");
  };
  const auto producer = [&](const char* variable, const ProductOperand& o, bool reindexed,
                            std::vector<std::string>& inlined) {
    d.line(fmt::format("{} = sch.get_block(\"{}\")", variable, name(o.buffer, reindexed)));
    inlined.insert(inlined.begin(), variable);
  };
  if (d.padsRows || d.padsSums) producer("xp", c.a, d.reindexesA, d.inlinedA);
  if (d.padsColumns || d.padsSums) producer("yp", c.b, d.reindexesB, d.inlinedB);
  if (d.padsRows || d.padsColumns) {
    d.line(fmt::format("zp = sch.get_block(\"{}\")", name(c.result, d.reindexesResult)));
    d.consumers.insert(d.consumers.begin(), "zp");
  }
  d.inlinedFurther.resize(c.further.size());
  for (std::size_t n = 0; n < c.further.size(); ++n) {
    const FurtherOperand& o = c.further[n];
    if (!(d.padsRows && o.ofRows) && !(d.padsColumns && o.ofColumns) && !(d.padsSums && o.ofSums)) continue;
    const std::string variable = fmt::format("wp{}", n);
    d.line(fmt::format("{} = sch.get_block(\"{}\")", variable, name(o.buffer, !d.inlinedFurther[n].empty())));
    d.inlinedFurther[n].insert(d.inlinedFurther[n].begin(), variable);
  }
  d.end();
  return appliesWith(std::move(d), message("{} × {} × {} are no multiples of tiles: padded along{}{}{}", c.m, c.n, c.k,
                                           d.padsRows ? " i" : "", d.padsColumns ? " j" : "", d.padsSums ? " k" : ""));
}

}  // namespace loom::tune
