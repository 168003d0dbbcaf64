// Matrix products by warpgroups (wgmma) whose factors the copy engine (TMA) loads: the function, its schedule, the
// lowered program, and its execution on the CPU.
#pragma once
#include <gmock/gmock.h>

#include "core/device/build.h"
#include "core/lower/lower.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec {

// A product C = A · B of float16 factors with float32 sums, and the choices of its schedule.
struct WarpgroupProduct {
  int m = 128, n = 128, k = 256;
  int groups = 1, columns = 64;  // warpgroups of a block; columns of its tile of C, of which each warpgroup has 64 rows
  bool transposed = false;       // whether B is stored as [n, k], else as [k, n]
  // Annotations of the pipelined loop over k: stage, and place in the order, of the copies of A and B and of the
  // product. With a slab, `order` has no effect.
  std::string stage = "[0, 0, 2]", order = "[0, 1, 2]";
  int inFlight = 1;              // groups of wgmma unfinished while the next is started (tileloom.in_flight)
  bool loaders = false;          // whether warps of their own start the copies (tileloom.role "load")
  bool copiedByThreads = false;  // whether threads copy A instead of the copy engine; the loop then has no pipeline
  // If `slab` isn't 0, sums go through shared memory, `slab` columns (4 * slab bytes) at a time in a ring buffer of
  // `slots` slots, and the copy engine stores them; if it is 0, threads store them. Only with a slab, each warpgroup
  // has `tiles` times 64 rows, and the grid has `blocks` blocks, each of which computes several tiles of C in turn.
  int slab = 0, slots = 2, tiles = 1, blocks = 1;
  bool overRing = false;  // only with a slab: its slots lie in the bytes of the ring of factors (tileloom.over_ring)
  int turns = 1;          // number of warpgroups that compute tiles of C in turns (tileloom.turns); 1: none do
  // Whether the sizes are padded to multiples of the tiles. Stages, order, products in flight and all about slabs are
  // then fixed, and the members for them have no effect.
  bool padded = false;
  int early = 0;  // iterations whose copies are started before the barrier at the kernel's start (tileloom.early)
  // Blocks of a cluster along blockIdx.x and .y. Each block copies, by multicast, a share of what all of them need:
  // along x of the tiles of A, along y of those of B. Without a slab only, `clusterY` may be above 1.
  int clusterX = 1, clusterY = 1;

  // Returns the unscheduled function.
  ir::Function function() const {
    return parse(transposed ? tests::programText("transposed_product", {{"M", m}, {"N", n}, {"K", k}})
                            : matmul(m, n, k, "float16"));
  }
  // Returns the step lines of the schedule.
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
    if (overRing) annotate("slab, \"tileloom.over_ring\"", "1");
    if (turns > 1) text += "sch.annotate(t, \"tileloom.turns\", " + std::to_string(turns) + ")\n";
    if (!copiedByThreads) return text;
    for (const char* line : {"sch.annotate(x, \"tileloom.copy\"", "sch.annotate(k0, \"software_pipeline_stage\"",
                             "sch.annotate(k0, \"software_pipeline_order\""}) {
      const std::size_t at = text.find(line);
      text.erase(at, text.find('\n', at) + 1 - at);
    }
    return text + tests::scheduleText("warpgroup_product_of_copies");
  }
  // Returns the step lines that `lines` begins with: without those for loaders, clusters, turns, early copies and
  // copies by threads.
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
  // Returns the function after all steps; a refused step fails the test.
  ir::Function scheduledFunction() const {
    return scheduled(transposed ? tests::programText("transposed_product", {{"M", m}, {"N", n}, {"K", k}})
                                : matmul(m, n, k, "float16"),
                     lines());
  }
  // Returns the lowered program; throws std::runtime_error if lowering refuses it.
  device::Program program() const {
    auto lowered = lower::lower(scheduledFunction());
    if (!lowered) throw std::runtime_error(lowered.error().message.english());
    return *lowered;
  }
};

// Expects that executing the lowered product on the CPU, both with copies that happen when started and with copies that
// happen when awaited, has no fault and gives the values of the unscheduled function.
inline void expectRight(const WarpgroupProduct& p) {
  const device::Program program = p.program();
  Reference reference = Reference::create(p.function(), 1).value();
  const Execution o = executionOf(program, reference);
  EXPECT_THAT(o.faults, testing::IsEmpty()) << device::print(program);
  EXPECT_EQ(o.wrong, 0) << device::print(program);
}

}  // namespace loom::exec
