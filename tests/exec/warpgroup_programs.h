// Products of warpgroups whose factors the copy engine brings, as lowering makes them, and broken ones.
#pragma once
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

  ir::Function function() const {
    return parse(transposed ? tests::programText("transposed_product", {{"M", m}, {"N", n}, {"K", k}})
                            : matmul(m, n, k, "float16"));
  }
  std::string lines() const {
    const std::string tile = "64x" + std::to_string(columns) + "_f32";
    return tests::scheduleText(
        "warpgroup_product",
        {{"BLOCK", transposed ? "Z" : "C"},
         {"GROUPS", groups},
         {"COLUMNS", columns},
         {"STAGE", stage},
         {"ORDER", order},
         {"FLIGHT", inFlight},
         {"FILL", "wgmma_fill_" + tile},
         {"STORE", "wgmma_store_" + tile + "_global"},
         {"PRODUCT", "wgmma_m64n" + std::to_string(columns) + "k16_f16f16f32" + (transposed ? "_trans" : "")}});
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

}  // namespace loom::exec
