// A product of the copy engine and a warpgroup, exported: what its host has to make, and for which architecture it is.
#include <gmock/gmock.h>

#include "core/document/export.h"
#include "tests/document/scheduled.h"

namespace loom::document::copy_engine_export_test {
namespace {

using testing::HasSubstr;

Target warpgroupProduct() {
  auto target = openFunction(
      tests::programText("product_of_casts", {{"M", 512}, {"N", 512}, {"K", 512}, {"TYPE", "float16"}}), "product.py");
  if (!target) throw std::runtime_error(target.error().message.english());
  auto applied =
      target->history.apply(0, tests::scheduleText("warpgroup_products_in_two_stages"), environment(), "steps");
  if (!applied) throw std::runtime_error(applied.error().message.english());
  if (applied->refusal) throw std::runtime_error(applied->refusal->message.english());
  return std::move(*target);
}

TEST(CopyEngineExport, CudaSaysWhichMapsTheHostMakes) {
  const Target target = warpgroupProduct();
  Bench bench{BenchOptions{}};
  const auto files = exportState(target, target.history.current(), "cuda", bench, environment());
  ASSERT_TRUE(files) << files.error().message.english();
  EXPECT_THAT(files->at(""), HasSubstr("(A, B, C, A_map, B_map);"));
  EXPECT_THAT(files->at(""),
              HasSubstr("//   A_map: the CUtensorMap of A, CU_TENSOR_MAP_DATA_TYPE_FLOAT16; the innermost dimension "
                        "first: extents 512, 512, strides 1024 bytes, box 64, 128; CU_TENSOR_MAP_SWIZZLE_128B\n"));
}

TEST(CopyEngineExport, AProjectMakesThem) {
  const Target target = warpgroupProduct();
  Bench bench{BenchOptions{}};
  const auto files = exportState(target, target.history.current(), "project", bench, environment());
  ASSERT_TRUE(files) << files.error().message.english();
  EXPECT_THAT(files->at("main.cu"), HasSubstr("const TensorMap B_map = mapOf(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, B, "));
  EXPECT_THAT(files->at("CMakeLists.txt"), HasSubstr("compute_90a"));
}

TEST(CopyEngineExport, MachineCodeIsRefusedForOtherArchitecturesWithTheReason) {
  const Target target = warpgroupProduct();
  for (const char* other : {"sm_80", "sm_90", "sm_120a"}) {
    BenchOptions options;
    options.architecture = other;
    Bench bench(options);
    for (const char* kind : {"ptx", "sass"}) {
      const auto files = exportState(target, target.history.current(), kind, bench, environment());
      ASSERT_FALSE(files) << kind << " for " << other;
      EXPECT_EQ(files.error().code, "OldArchitecture");
      EXPECT_THAT(files.error().message.english(), testing::AllOf(HasSubstr("wgmma.m64n128k16"), HasSubstr(other)));
    }
  }
}

}  // namespace
}  // namespace loom::document::copy_engine_export_test
