// What the driver is told of a matrix that the copy engine reads, and how it gets to the worker.
#include "core/gpu/tensor_map.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/gpu/protocol.h"

namespace loom::gpu::tensor_map_test {
namespace {

using ir::DType;
using testing::ElementsAre;
using testing::HasSubstr;

codegen::TensorMapArgument someMap() { return {"X_map", 0, {512, 256}, {256, 1}, {128, 64}, 128}; }
codegen::GlobalBuffer someBuffer(DType dtype = DType::Float(16)) {
  codegen::GlobalBuffer b;
  b.name = "X";
  b.dtype = dtype;
  b.shape = {512, 256};
  return b;
}

TEST(TensorMap, IsToldInnermostDimensionFirstWithStridesInBytes) {
  const auto call = tensorMapCall(someMap(), someBuffer());
  ASSERT_TRUE(call) << call.error().message.english();
  EXPECT_THAT(call->extents, ElementsAre(256, 512));
  EXPECT_THAT(call->strides, ElementsAre(512));
  EXPECT_THAT(call->box, ElementsAre(64, 128));
  EXPECT_THAT(call->steps, ElementsAre(1, 1));
  EXPECT_EQ(call->element.name, "CU_TENSOR_MAP_DATA_TYPE_FLOAT16");
  EXPECT_EQ(call->element.value, 6);
  EXPECT_EQ(call->swizzle.name, "CU_TENSOR_MAP_SWIZZLE_128B");
  EXPECT_EQ(call->swizzle.value, 3);
  EXPECT_EQ(call->start, 0);
}

TEST(TensorMap, BeginsWhereTheMatrixDoes) {
  auto buffer = someBuffer();
  buffer.start = 24;
  EXPECT_EQ(tensorMapCall(someMap(), buffer)->start, 48);
}

TEST(TensorMap, OfThreeDimensionsHasTwoStrides) {
  const codegen::TensorMapArgument map{"X_map", 0, {4, 512, 256}, {131072, 256, 1}, {1, 128, 32}, 64};
  const auto call = tensorMapCall(map, someBuffer());
  ASSERT_TRUE(call) << call.error().message.english();
  EXPECT_THAT(call->extents, ElementsAre(256, 512, 4));
  EXPECT_THAT(call->strides, ElementsAre(512, 262144));
}

TEST(TensorMap, TakesElementsOfAllSizes) {
  const std::pair<const char*, int> types[] = {{"float16", 6},       {"bfloat16", 9},    {"float32", 7},
                                               {"float8_e4m3fn", 0}, {"float8_e5m2", 0}, {"int8", 0},
                                               {"uint8", 0},         {"int32", 3}};
  for (const auto& [name, value] : types) {
    const DType dtype = *DType::parse(name);
    auto map = someMap();
    map.box[1] = 128 / dtype.bytes();
    const auto call = tensorMapCall(map, someBuffer(dtype));
    ASSERT_TRUE(call) << name << call.error().message.english();
    EXPECT_EQ(call->element.value, value) << name;
    EXPECT_THAT(call->strides, ElementsAre(256 * dtype.bytes())) << name;
  }
}

// Each rule that the driver would answer with CUDA_ERROR_INVALID_VALUE alone.
TEST(TensorMap, IsRefusedWithTheRuleThatItBreaks) {
  using Change = std::function<void(codegen::TensorMapArgument&, codegen::GlobalBuffer&)>;
  const std::pair<Change, const char*> broken[] = {
      {[](auto& m, auto&) { m.box[0] = 257; }, "boxes of 257 elements"},
      {[](auto& m, auto&) { m.box[1] = 0; }, "boxes of 0 elements"},
      {[](auto& m, auto&) { m.box[1] = 128; }, "256 bytes long; with a swizzle of 128"},
      {[](auto& m, auto&) { m.box[1] = 12; }, "24 bytes long; the copy engine takes multiples of 16"},
      {[](auto& m, auto&) { m.extents[0] = 0; }, "an extent of 0"},
      {[](auto& m, auto&) { m.extents[1] = (std::int64_t(1) << 32) + 1; }, "an extent of 4294967297"},
      {[](auto& m, auto&) { m.strides[0] = 257; }, "a stride of 257 elements of 2 bytes"},
      {[](auto& m, auto&) { m.strides[1] = 2; }, "elements 2 apart"},
      {[](auto& m, auto&) { m.swizzle = 16; }, "a swizzle of 16 bytes"},
      {[](auto& m, auto&) { m.strides.clear(); }, "2 extents, 0 strides"},
      {[](auto& m, auto&) { m.extents = m.strides = m.box = {}; }, "0 extents"},
      {[](auto&, auto& b) { b.start = 4; }, "begins 8 bytes behind"},
      {[](auto&, auto& b) { b.dtype = DType::Int(4); }, "elements of int4"},
  };
  for (const auto& [change, why] : broken) {
    auto map = someMap();
    auto buffer = someBuffer();
    change(map, buffer);
    const auto call = tensorMapCall(map, buffer);
    ASSERT_FALSE(call) << why;
    EXPECT_EQ(call.error().code, "LaunchError");
    EXPECT_THAT(call.error().message.english(), testing::AllOf(HasSubstr("X_map"), HasSubstr(why)));
    codegen::Source source;
    source.buffers = {buffer};
    source.launches.emplace_back().maps = {map};
    EXPECT_FALSE(checkTensorMaps(source)) << why;
  }
}

Job jobWithMaps() {
  Job job;
  Candidate& c = job.candidates.emplace_back();
  c.buffers = {someBuffer(), someBuffer()};
  auto& launch = c.launches.emplace_back();
  launch.name = "main_kernel";
  launch.maps = {someMap(), someMap()};
  launch.maps[1].buffer = 1;
  launch.maps[1].swizzle = 0;
  return job;
}

TEST(TensorMap, TravelsToTheWorker) {
  const Job job = jobWithMaps();
  std::string blob;
  const auto text = toJson(job, blob);
  const Job read = jobFromJson(nlohmann::json::parse(text.dump()), blob);
  EXPECT_EQ(read.candidates.at(0).launches.at(0).maps, job.candidates[0].launches[0].maps);
}

TEST(TensorMap, OfNoBufferIsNoMessage) {
  std::string blob;
  for (const int buffer : {-1, 2}) {
    Job job = jobWithMaps();
    job.candidates[0].launches[0].maps[1].buffer = buffer;
    const auto text = toJson(job, blob);
    EXPECT_THROW(jobFromJson(text, blob), nlohmann::json::exception) << buffer;
  }
}

}  // namespace
}  // namespace loom::gpu::tensor_map_test
