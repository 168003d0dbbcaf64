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
  bool loaders = false;          // warps of their own ask for the copies
  bool copiedByThreads = false;  // A, instead of by the copy engine; then without a pipeline

  ir::Function function() const {
    return parse(transposed ? tests::programText("transposed_product", {{"M", m}, {"N", n}, {"K", k}})
                            : matmul(m, n, k, "float16"));
  }
  std::string lines() const {
    std::string text = allLines();
    if (loaders) text += tests::scheduleText("warpgroup_product_of_loaders");
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
    return tests::scheduleText("warpgroup_product", {{"BLOCK", transposed ? "Z" : "C"},
                                                     {"GROUPS", groups},
                                                     {"COLUMNS", columns},
                                                     {"STAGE", stage},
                                                     {"ORDER", order},
                                                     {"FLIGHT", inFlight},
                                                     {"FILL", "wgmma_fill_" + tile},
                                                     {"STORE", "wgmma_store_" + tile + "_global"},
                                                     {"PRODUCT", "wgmma_m64n" + std::to_string(columns) +
                                                                     "k16_f16f16f32" + (transposed ? "_trans" : "")}});
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
