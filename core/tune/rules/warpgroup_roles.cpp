// R10, R18 for products by warpgroups: a ring of tiles, products on their way, warps that load, and their registers.
#include <fmt/format.h>

#include <algorithm>

#include "core/tune/rules/applications.h"

namespace loom::tune {

namespace {

constexpr std::int64_t kMostStages = 16;
// The barriers of all slots stand before the tiles, which begin where lines swizzled in 128 bytes may.
constexpr std::int64_t kBarrierBytes = 1024;
// Of a warpgroup's sums on their way out: bytes of a column of 64 rows of a slot.
constexpr std::int64_t kSlabBytes = 64 * 4;
// Registers of a thread that multiplies, by the number of warpgroups that multiply; one that loads has what is left,
// 40, 24 and 32: all multiples of 8, together what the threads of a block begin with. One warpgroup and one that loads
// have all that a thread may without.
constexpr std::int64_t kMoved[][2] = {{2, 232}, {2, 240}, {3, 160}};
// Sums of a thread below which all have registers enough.
constexpr std::int64_t kLeastSums = 64;
// Of warpgroups that take turns: with fewer, ptxas takes less at the start and ignores the move (C7508).
constexpr std::int64_t kLeastSumsOfTurns = 112;

std::string sumOfBytes(const SketchDraft& d, const std::string& times) {
  std::string sum;
  for (const std::string& bytes : d.bytesCopied) sum += (sum.empty() ? "" : " + ") + times + bytes;
  return sum;
}

Message ringOfLoaders() { return message("sums lie in the bytes of a ring of tiles that warps of their own load"); }

}  // namespace

RuleOutcome ringOfTiles(const RuleInput& input, const SketchDraft& draft) {
  SketchDraft d = draft;
  const std::int64_t limit = input.device.sharedBytes;
  const std::int64_t most = *std::ranges::max_element(d.valuesOf("k.outer"));
  d.quantity("shared.limit", std::to_string(limit));
  const auto limited = [&](const std::string& bytes) {
    d.atMost("shared memory", message("a block has at most {} bytes of shared memory", limit), Forbids::Hardware, bytes,
             limit);
    d.quantity("shared", bytes);
  };
  // Of a slot warpgroups have 64 rows each, as far apart as their rows of the tile lie, and those that take turns a
  // slot. What lies in the ring's bytes, all columns in one slot, takes none of its own.
  const std::string own = fmt::format(
      " + {0}*slots*slab + {0}*i.warpgroups*i.rows*slots*slab - {0}*i.rows*slots*slab + {1}*turns*slots*slab"
      " - {0}*over*slab - {0}*over*i.warpgroups*i.rows*slab + {0}*over*i.rows*slab",
      kSlabBytes, kSlabBytes / 2);
  if (most < 2) {
    d.quantity("stages", "1");
    limited(sumOfBytes(d, "") + own);
    d.atMost("over", ringOfLoaders(), Forbids::Program, "over", 0);
    return {false, message("one tile along k"), {std::move(d)}};
  }
  std::vector<std::int64_t> stages;
  for (std::int64_t s = 1; s <= std::min(kMostStages, most); ++s) stages.push_back(s);
  d.decide(5, "stages", message("tiles along k that are on their way or used at a time"), stages);
  d.atMost("stages", message("no more stages than tiles along k"), Forbids::Program, "stages - k.outer", 0);
  if (stages.back() >= 3) {
    d.decide(5, "flight", message("groups of products that stay on their way while the next ones begin"), {0, 1});
    d.atMost("flight", message("the slot of products on their way, one to use, and one to fill: three"),
             Forbids::Program, "3*flight - stages", 0);
  }
  limited(fmt::format("{} + {}{}", sumOfBytes(d, "stages*"), kBarrierBytes, own));
  if (d.valuesOf("over").back() > 0)
    d.atMost("shared memory of sums", message("a block has at most {} bytes of shared memory", limit),
             Forbids::Hardware, fmt::format("{}*over*i.warpgroups*i.rows*slab", kSlabBytes), limit - kBarrierBytes);
  d.quantity("stages", "stages");
  d.begin("pipeline", d.product->name);
  d.line("sch.annotate(k0, \"software_pipeline_stage\", [0, 0, ?{stages - 1}])", "stages - 1");
  // What products on their way still read isn't overwritten: copies come after them in a turn.
  const std::string ahead = d.has("flight") ? "(stages - 1) * (1 - flight)" : "stages - 1";
  d.line("sch.annotate(k0, \"software_pipeline_order\", [0, 1, 2])", ahead);
  if (d.has("flight")) d.line("sch.annotate(k0, \"software_pipeline_order\", [1, 2, 0])", "flight");
  d.line("sch.annotate(k0, \"software_pipeline_async_stages\", [0])", "stages - 1");
  d.end();
  return appliesWith(std::move(d), message("up to {} tiles along k, each with a barrier that counts its bytes", most));
}

// Slots of sums in the ring's bytes.
void freeRing(SketchDraft& d) {
  if (d.valuesOf("over").back() == 0) return;
  d.atMost("over", ringOfLoaders(), Forbids::Program, "over - loaders", 0);
  if (d.has("persistent"))
    d.atMost("over one tile", message("the ring's bytes are free once a block's one tile is multiplied"),
             Forbids::Program, "over + persistent", 1);
}

RuleOutcome giveRoles(const RuleInput& input, const SketchDraft& draft) {
  SketchDraft d = draft;
  if (!d.has("stages")) return leaves(message("one tile along k"));
  d.decideWhether(6, "loaders", message("whether warps of their own load"));
  d.atMost("loaders", message("warps that load need a slot to fill while another is used"), Forbids::Program,
           "2*loaders - stages", 0);
  d.decideWhether(6, "early", message("whether the first tiles are asked for before all else of the kernel"));
  freeRing(d);
  d.atMost("early", message("warps that load ask early"), Forbids::Program, "early - loaders", 0);
  d.atMost("early slots", message("only a ring that is filled again is filled early"), Forbids::Program,
           "early + stages - k.outer", 0);
  if (d.has("persistent"))
    d.atMost("early tile", message("only what a block's one tile reads is asked for early"), Forbids::Program,
             "early + persistent", 1);
  if (d.valuesOf("turns").back() > 0) {
    const Message words = message("warpgroups take turns at tiles that others load, in blocks that stay");
    d.atMost("turns of tiles", words, Forbids::Program, "turns - 2*loaders", 0);
    d.atMost("turns of blocks", words, Forbids::Program, d.has("persistent") ? "turns - 2*persistent" : "turns", 0);
  }
  giveClustersRoles(d);
  std::vector<std::vector<std::int64_t>> kept;
  std::vector<std::int64_t> registers{0};
  // Warpgroups of a block that multiply: one of a tile may be two that take turns.
  const auto multiplying = [](std::int64_t groups, std::int64_t turns) { return turns > 0 ? turns : groups; };
  for (const std::int64_t turns : d.valuesOf("turns"))
    for (const std::int64_t groups : d.valuesOf("i.warpgroups")) {
      for (const std::int64_t loaders : {0, 1}) kept.push_back({turns, groups, loaders, 0});
      for (const auto& [of, own] : kMoved) {
        if (of != multiplying(groups, turns)) continue;
        kept.push_back({turns, groups, 1, own});
        registers.push_back(own);
      }
    }
  std::ranges::sort(kept);
  d.decide(6, "registers",
           message("registers of each multiplying thread, taken from loading ones (0: all have the same)"), registers);
  d.table("registers of roles",
          message("registers go from the warps that load to those that multiply in multiples of 8, {} in a block",
                  input.device.registers),
          Forbids::Hardware, {"turns", "i.warpgroups", "loaders", "registers"}, kept);
  // Alike, those that load have as many as the others.
  std::vector<std::vector<std::int64_t>> held;
  for (const std::int64_t turns : d.valuesOf("turns"))
    for (const std::int64_t groups : d.valuesOf("i.warpgroups"))
      for (const std::int64_t rows : d.valuesOf("i.rows"))
        for (const std::int64_t columns : d.valuesOf("j.columns"))
          for (const std::int64_t loaders : {0, 1})
            for (const std::int64_t own : d.valuesOf("registers")) {
              const std::int64_t alike =
                  std::min(input.device.registersPerThread,
                           input.device.registers / (WarpgroupUnit::kThreads * (multiplying(groups, turns) + loaders)));
              // The assembler begins with what all threads have alike, and one product must fit that.
              const bool fits =
                  WarpgroupUnit::registersOf(1, columns) <= alike &&
                  WarpgroupUnit::registersOf(rows, columns) + WarpgroupUnit::kStagingRegisters <= std::max(alike, own);
              if (fits && (own == 0 || rows * columns / 2 >= (turns > 0 ? kLeastSumsOfTurns : kLeastSums)))
                held.push_back({turns, groups, rows, columns, loaders, own});
            }
  d.table("sums beside loaders",
          message("sums of a thread fit the registers that its role has, and move some only where they are many"),
          Forbids::Hardware, {"turns", "i.warpgroups", "i.rows", "j.columns", "loaders", "registers"}, held);
  // All threads of a block begin with as many registers, a multiple of 8.
  const std::string multiply = "(i.warpgroups + turns//2)", all = fmt::format("({} + 1)", multiply);
  const std::string left =
      fmt::format("{0}//{1}//8*8*{1} - {2}*registers", input.device.registers / WarpgroupUnit::kThreads, all, multiply);
  d.quantity("registers.loading", left);
  d.quantity("threads.loading", fmt::format("{}*loaders", WarpgroupUnit::kThreads));
  d.begin("warpgroups", d.product->name);
  d.line("sch.annotate(t, \"tileloom.turns\", ?turns)", "turns");
  if (d.has("flight")) d.line("sch.annotate(t, \"tileloom.in_flight\", ?flight)", "flight");
  for (const char* v : {"xs", "ys"}) d.line(fmt::format("sch.annotate({}, \"tileloom.role\", \"load\")", v), "loaders");
  d.line("sch.annotate(xs, \"tileloom.early\", 1)", "early");
  writeClusters(d);
  for (const char* v : {"xs", "ys"})
    d.line(fmt::format("sch.annotate({}, \"tileloom.registers\", ?{{{}}})", v, left), "registers");
  d.line("sch.annotate(t, \"tileloom.registers\", ?registers)", "registers");
  // Said so, the assembler gives all threads what there is at the start; else it may take fewer and ignore the move.
  d.line("sch.annotate(t, \"tileloom.min_blocks\", 1)", "registers");
  d.end();
  return appliesWith(std::move(d), message("{} registers of a block go to warps that load and to those that multiply",
                                           input.device.registers));
}

}  // namespace loom::tune
