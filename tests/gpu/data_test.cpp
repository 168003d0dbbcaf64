// What benchmarks fill inputs with: random numbers, and whole ones within bounds where an input indexes.
#include "core/gpu/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/gpu/kept_reference.h"
#include "core/gpu/project.h"
#include "core/gpu/protocol.h"
#include "tests/gpu/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::gpu::data_test {
namespace {

using Values = codegen::GlobalBuffer::Values;

std::vector<double> numbers(const char* dtype, const std::optional<Values>& values, std::int64_t count = 500) {
  const ir::DType type = *ir::DType::parse(dtype);
  const auto data = randomData(type, count, 7, values);
  std::vector<double> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(element(data.data(), i, type));
  return out;
}

TEST(Data, WhatIndexesStaysWithinItsBoundsAndMeetsAllOfThem) {
  for (const char* dtype : {"int8", "uint8", "int32", "int64", "float32", "float16", "float8_e4m3fn"}) {
    const auto drawn = numbers(dtype, Values{3, 9, false});
    EXPECT_EQ(std::set<double>(drawn.begin(), drawn.end()), (std::set<double>{3, 4, 5, 6, 7, 8, 9})) << dtype;
    if (dtype == std::string_view("float8_e4m3fn")) continue;  // of numbers to 100 it has but some
    const auto rows = numbers(dtype, Values{0, 100, true});
    EXPECT_TRUE(std::ranges::is_sorted(rows)) << dtype;
    EXPECT_EQ(rows.front(), 0) << dtype;
    EXPECT_EQ(rows.back(), 100) << dtype;
  }
  EXPECT_EQ(numbers("int32", Values{-4, -4, false}, 3), (std::vector<double>{-4, -4, -4}));
}

TEST(Data, OfBoolsIsBothValuesAndNoOther) {
  const auto drawn = numbers("bool", {});
  EXPECT_EQ(std::set<double>(drawn.begin(), drawn.end()), (std::set<double>{0, 1}));
}

TEST(Data, OfFloatsOfEightBitsIsWithinOneLikeOthers) {
  for (const char* dtype : {"float8_e4m3fn", "float8_e5m2"}) {
    const auto drawn = numbers(dtype, {});
    EXPECT_GT(std::set<double>(drawn.begin(), drawn.end()).size(), 20u) << dtype;
    for (double value : drawn) EXPECT_LE(std::abs(value), 1) << dtype;
  }
}

const std::string kGather = tests::programText("gather_by_threads");

TEST(Data, BoundsTravelToTheWorkerAndBack) {
  Job job;
  job.candidates = {candidate("gather", kGather)};
  job.candidates[0].buffers[1].values = Values{40, 89, true};
  std::string blob;
  const auto json = toJson(job, blob);
  const Job back = jobFromJson(json, blob);
  EXPECT_EQ(back.candidates[0].buffers[1].values, job.candidates[0].buffers[1].values);
  EXPECT_FALSE(back.candidates[0].buffers[0].values);
  auto unknown = json;
  unknown["candidates"][0]["buffers"][0]["dtype"] = "float33x";
  EXPECT_ANY_THROW(jobFromJson(unknown, blob)) << "a type that isn't known is no type";
}

TEST(Data, AProjectDrawsWhatIndexes) {
  auto function = script::parseModule(kGather, "gather").value().functions.front();
  codegen::Source source = codegen::generate(lower::lower(function).value());
  source.buffers[1].values = Values{40, 89, false};
  const std::string main = exportProject(source, std::nullopt, "gather", "").at("main.cu");
  EXPECT_NE(main.find("draw<<<1024, 256, 0, stream>>>(G, 20ll, 2, 40, 89, false);"), std::string::npos) << main;
  EXPECT_NE(main.find("randomize<<<1024, 256, 0, stream>>>(X, "), std::string::npos);
  source.buffers[1].values.reset();
  EXPECT_EQ(exportProject(source, std::nullopt, "gather", "").at("main.cu").find("draw"), std::string::npos)
      << "only where it is needed";
}

// A product of int8 matrices into int8 keeps the lowest bits of each sum: that is right, and its neighbour isn't.
TEST(Compare, SumsThatTheTypeDoesNotHoldAreWhatIsLeftOfThem) {
  using ir::DType;
  EXPECT_EQ(held(300, DType::Int(8)), 44);
  EXPECT_EQ(held(-129, DType::Int(8)), 127);
  EXPECT_EQ(held(-1, DType::UInt(8)), 255);
  EXPECT_EQ(held(3e9, DType::Int(32)), 3e9 - 4294967296.0);
  EXPECT_EQ(held(300.5, DType::Float(32)), 300.5);
  auto in = [](std::int64_t i) { return i; };
  EXPECT_EQ(compare({44}, DType::Int(8), {300}, {300}, in).worst, 0);
  const Accuracy wrong = compare({45}, DType::Int(8), {300}, {300}, in);
  EXPECT_GT(wrong.worst, 0);
  EXPECT_EQ(wrong.expected, 44);
}

// Large buffers are filled and compared in parts, on several cores.
TEST(Data, ElementsDependOnTheirPlaceAloneHoweverManyThereAre) {
  for (const char* name : {"float16", "bfloat16", "float8_e4m3fn", "float32", "int8"}) {
    const ir::DType dtype = *ir::DType::parse(name);
    const std::int64_t count = 300001, few = 1000;
    const auto all = randomData(dtype, count, 3), first = randomData(dtype, few, 3);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), all.begin())) << name;
    const std::vector<double> values = elements(all, dtype);
    ASSERT_EQ(std::int64_t(values.size()), count);
    for (std::int64_t i : {std::int64_t{0}, std::int64_t{65535}, std::int64_t{65536}, count - 1})
      EXPECT_EQ(values[std::size_t(i)], element(all.data(), i, dtype)) << name << " " << i;
  }
}

TEST(Compare, TheFirstOfTheWorstIsFoundInWhateverPartItLies) {
  const std::int64_t count = 300001;
  const std::vector<double> right(std::size_t(count), 5), size(std::size_t(count), 10);
  const auto in = [](std::int64_t i) { return i; };
  std::vector<unsigned char> result(std::size_t(count), 5);
  EXPECT_EQ(compare(result, ir::DType::Int(8), right, size, in).worst, 0);
  EXPECT_EQ(compare(result, ir::DType::Int(8), right, size, in).where, 0);
  result[70000] = 6;
  for (const std::size_t worst : {std::size_t{140000}, std::size_t{280000}}) result[worst] = 8;
  const Accuracy found = compare(result, ir::DType::Int(8), right, size, in);
  EXPECT_EQ(found.where, 140000);
  EXPECT_DOUBLE_EQ(found.worst, 0.3);
  EXPECT_EQ(found.got, 8);
  EXPECT_EQ(compare({}, ir::DType::Int(8), {}, {}, in).where, -1);
}

// A worker keeps inputs and expected results for the next state of the same function, and for no other.
TEST(KeptReference, IsOfOneFunctionWhateverItsSchedule) {
  const auto jobOf = [](std::int64_t n, const char* dtype, std::uint64_t seed, const char* kernel) {
    Job job;
    Candidate c;
    codegen::GlobalBuffer& in = c.buffers.emplace_back();
    in.name = "A", in.dtype = *ir::DType::parse(dtype), in.shape = {n}, in.read = true;
    codegen::GlobalBuffer& between = c.buffers.emplace_back();
    between.name = "T", between.dtype = ir::DType::Float(32), between.shape = {n}, between.temporary = true;
    c.cubin = {kernel, kernel + 4};
    job.candidates = {c};
    job.method.seed = seed;
    return job;
  };
  const std::string key = referenceKey(jobOf(64, "float16", 1, "abcd"));
  EXPECT_EQ(referenceKey(jobOf(64, "float16", 1, "efgh")), key);
  EXPECT_NE(referenceKey(jobOf(65, "float16", 1, "abcd")), key);
  EXPECT_NE(referenceKey(jobOf(64, "bfloat16", 1, "abcd")), key);
  EXPECT_NE(referenceKey(jobOf(64, "float16", 2, "abcd")), key);
  Job withReference = jobOf(64, "float16", 1, "abcd");
  withReference.reference = withReference.candidates.front();
  const std::string one = referenceKey(withReference);
  EXPECT_NE(one, key);
  withReference.reference->cubin.back() = 'x';
  EXPECT_NE(referenceKey(withReference), one);
}

}  // namespace
}  // namespace loom::gpu::data_test
