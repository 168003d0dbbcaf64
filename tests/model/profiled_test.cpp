// What ncu counted on an H200, kernel by kernel, against the model of the very machine code that it profiled.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/model/sass_run.h"
#include "tests/model/programs.h"

namespace loom::model {
namespace {

struct Totals {
  double globalLoadRequests = 0, globalLoadSectors = 0, globalStoreRequests = 0, globalStoreSectors = 0;
  double loadWavefronts = 0, loadConflicts = 0, storeWavefronts = 0, storeConflicts = 0, instructions = 0;
};

Totals totalsOf(const SassKernel& sass, const SassRun& run) {
  Totals t;
  for (std::size_t i = 0; i < run.instructions.size(); ++i) {
    const InstructionRun& r = run.instructions[i];
    t.instructions += r.executions;
    switch (sass.instructions[i].pipe) {
      case Pipe::GlobalLoad:
        t.globalLoadRequests += r.requests;
        t.globalLoadSectors += r.sectors;
        break;
      case Pipe::GlobalStore:
        t.globalStoreRequests += r.requests;
        t.globalStoreSectors += r.sectors;
        break;
      case Pipe::SharedLoad:
      case Pipe::LdMatrix:
        t.loadWavefronts += r.wavefronts;
        t.loadConflicts += r.conflicts;
        break;
      case Pipe::SharedStore:
        t.storeWavefronts += r.wavefronts;
        t.storeConflicts += r.conflicts;
        break;
      default: break;
    }
  }
  return t;
}

const nlohmann::json& profiled() {
  static const auto all = nlohmann::json::parse(readText("tests/model/profiled/profiled.json"));
  return all;
}

class Profiled : public testing::TestWithParam<int> {
 protected:
  const nlohmann::json& state = profiled()["states"][std::size_t(GetParam())];
  double ncu(const std::string& counter) const { return state["counters"][counter]; }
};

TEST_P(Profiled, CountersAreThoseOfTheMachineCode) {
  auto sass = parseSass(readText("tests/model/profiled/" + state["name"].get<std::string>() + ".sass"));
  ASSERT_TRUE(sass) << sass.error().message;
  device::Kernel kernel;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    kernel.grid[axis] = state["grid"][axis];
    kernel.block[axis] = state["block"][axis];
  }
  kernel.params.resize(3);
  auto run = runSass(sass->front(), kernel, {1e7, 1e5});
  ASSERT_TRUE(run) << run.error().message;
  Totals t = totalsOf(sass->front(), *run);
  auto equal = [&](const char* counter, double ours) {
    // 1e-4 is for warps of which a sample was run.
    EXPECT_NEAR(ours, ncu(counter), 1e-4 * ncu(counter)) << state["name"] << " " << counter;
  };
  equal("smsp__inst_executed.sum", t.instructions);
  equal("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", t.globalLoadRequests);
  equal("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", t.globalLoadSectors);
  equal("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", t.globalStoreRequests);
  equal("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", t.globalStoreSectors);
  // ncu's wavefronts and conflicts also hold turns lost to others (data that comes back from global memory, other
  // warps), a little each time: up to 1.5 % of load wavefronts, up to 18 % of stores where a block stores at once all
  // that it loaded. What is lost appears in both counters alike. So there is a least, and it is ours.
  auto least = [&](const char* counter, double ours, double slack) {
    EXPECT_LE(ours, ncu(counter) * 1.0001) << state["name"] << " " << counter;
    EXPECT_GE(ours + slack, ncu(counter)) << state["name"] << " " << counter;
  };
  double loads = ncu("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
  double stores = ncu("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
  least("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", t.loadWavefronts, 0.015 * loads);
  least("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", t.loadConflicts, 0.015 * loads);
  least("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", t.storeWavefronts, 0.18 * stores);
  least("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", t.storeConflicts, 0.18 * stores);
}

TEST_P(Profiled, OccupancyIsNcus) {
  Resources wants;
  wants.threads = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) wants.threads *= int(state["block"][axis]);
  wants.registers = int(ncu("launch__registers_per_thread"));
  wants.shared = state["shared_bytes"];
  auto o = occupancy(deviceNamed("h200"), wants);
  ASSERT_TRUE(o) << o.error().message;
  EXPECT_NEAR(100.0 * o->fraction(), ncu("sm__maximum_warps_per_active_cycle_pct"), 0.01) << state["name"];
  EXPECT_EQ(o->byThreads, ncu("launch__occupancy_limit_warps")) << state["name"];
  EXPECT_EQ(o->byBlocks, ncu("launch__occupancy_limit_blocks")) << state["name"];
  EXPECT_EQ(o->byRegisters, ncu("launch__occupancy_limit_registers")) << state["name"];
  // ncu's limit is that of the carve-out that the driver chose, ours of the largest.
  EXPECT_GE(o->byShared, ncu("launch__occupancy_limit_shared_mem")) << state["name"];
}

INSTANTIATE_TEST_SUITE_P(OnH200, Profiled, testing::Range(0, int(profiled()["states"].size())), [](const auto& info) {
  return profiled()["states"][std::size_t(info.param)]["name"].template get<std::string>();
});

}  // namespace
}  // namespace loom::model
