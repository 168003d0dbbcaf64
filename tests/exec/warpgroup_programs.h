// Products of warpgroups whose factors the copy engine brings, as lowering makes them, and broken ones.
#pragma once
#include <gmock/gmock.h>

#include "core/device/build.h"
#include "core/lower/lower.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec {

struct WarpgroupProduct {
  int m = 128, n = 128, k = 256;
  int groups = 1, columns = 64;  // warpgroups of a block, each with 64 rows; columns of a tile
  bool transposed = false;       // B as [n, k]
  std::string stage = "[0, 0, 2]", order = "[0, 1, 2]";
  int inFlight = 1;
  bool loaders = false;          // warps of their own ask for the copies
  bool copiedByThreads = false;  // A, instead of by the copy engine; then without a pipeline
  // Sums staged through shared memory, `slab` columns at a time in so many slots, lines of 4 * slab bytes, and stored
  // by the copy engine; 0: stored where they are. Then tiles have `tiles` times 64 rows a warpgroup, and so many blocks
  // go through them.
  int slab = 0, slots = 2, tiles = 1, blocks = 1;
  int turns = 1;        // warpgroups that take tiles in turns
  bool padded = false;  // sizes that tiles don't divide
  int early = 0;        // iterations whose copies are asked for before the threads meet
  // Blocks of a cluster along the axes of the grid, each of which copies its share of the tiles that others need, too:
  // along x those of the first factor, along y, which staged sums have none of, those of the second.
  int clusterX = 1, clusterY = 1;

  ir::Function function() const {
    return parse(transposed ? tests::programText("transposed_product", {{"M", m}, {"N", n}, {"K", k}})
                            : matmul(m, n, k, "float16"));
  }
  std::string lines() const {
    std::string text = allLines();
    if (loaders) text += tests::scheduleText("warpgroup_product_of_loaders");
    if (early) text += "sch.annotate(x, \"tileloom.early\", " + std::to_string(early) + ")\n";
    const auto annotate = [&](const char* what, const std::string& value) {
      text += std::string("sch.annotate(") + what + ", " + value + ")\n";
    };
    if (clusterX > 1) {
      annotate("t, \"tileloom.cluster_x\"", std::to_string(clusterX));
      annotate("x, \"tileloom.multicast\"", "\"x\"");
    }
    if (clusterY > 1) {
      annotate("t, \"tileloom.cluster_y\"", std::to_string(clusterY));
      annotate("y, \"tileloom.multicast\"", "\"y\"");
    }
    if (turns > 1) text += "sch.annotate(t, \"tileloom.turns\", " + std::to_string(turns) + ")\n";
    if (!copiedByThreads) return text;
    for (const char* line : {"sch.annotate(x, \"tileloom.copy\"", "sch.annotate(k0, \"software_pipeline_stage\"",
                             "sch.annotate(k0, \"software_pipeline_order\""}) {
      const std::size_t at = text.find(line);
      text.erase(at, text.find('\n', at) + 1 - at);
    }
    return text + tests::scheduleText("warpgroup_product_of_copies");
  }
  std::string allLines() const {
    const std::string tile = "64x" + std::to_string(columns) + "_f32";
    const std::string staged = "wgmma_store_64x" + std::to_string(slab) + "_f32_shared_dyn";
    std::vector<tests::Value> values{
        {"BLOCK", transposed ? "Z" : "C"},
        {"GROUPS", groups},
        {"COLUMNS", columns},
        {"FILL", "wgmma_fill_" + tile},
        {"PRODUCT", "wgmma_m64n" + std::to_string(columns) + "k16_f16f16f32" + (transposed ? "_trans" : "")}};
    const auto with = [&](std::initializer_list<tests::Value> more) { values.insert(values.end(), more); };
    if (padded) {
      with({{"ROWS", 64 * groups},
            {"PADDED", transposed ? "Z_pad" : "C_pad"},
            {"FIRST", transposed ? "X_pad" : "A_pad"},
            {"SECOND", transposed ? "Y_pad" : "B_pad"}});
      return tests::scheduleText("warpgroup_product_padded", values);
    }
    with({{"STAGE", stage}, {"FLIGHT", inFlight}, {"STORE", slab > 0 ? staged : "wgmma_store_" + tile + "_global"}});
    if (slab == 0) {
      with({{"ORDER", order}});
      return tests::scheduleText("warpgroup_product", values);
    }
    with({{"TILES", tiles}, {"BLOCKS", blocks}, {"SLAB", slab}, {"SPAN", slab * 4}, {"SLOTS", slots}});
    return tests::scheduleText("warpgroup_product_staged", values);
  }
  ir::Function scheduledFunction() const {
    return scheduled(transposed ? tests::programText("transposed_product", {{"M", m}, {"N", n}, {"K", k}})
                                : matmul(m, n, k, "float16"),
                     lines());
  }
  device::Program program() const {
    auto lowered = lower::lower(scheduledFunction());
    if (!lowered) throw std::runtime_error(lowered.error().message.english());
    return *lowered;
  }
};

// Nothing is found wrong with what lowering makes of the product, whenever copies land, and its values are right.
inline void expectRight(const WarpgroupProduct& p) {
  const device::Program program = p.program();
  Reference reference = Reference::create(p.function(), 1).value();
  const Execution o = executionOf(program, reference);
  EXPECT_THAT(o.faults, testing::IsEmpty()) << device::print(program);
  EXPECT_EQ(o.wrong, 0) << device::print(program);
}

}  // namespace loom::exec
