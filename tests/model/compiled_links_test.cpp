// Traffic of the machine code, link by link, against what the program moves.
#include "core/model/compiled_links.h"

#include <gmock/gmock.h>

#include "core/sass/countable.h"
#include "tests/model/programs.h"

namespace loom::model::compiled_links_test {
namespace {

using testing::ElementsAre;
using testing::Pair;
constexpr double kMi = 1024 * 1024;

class TensorCoreLinks : public testing::Test {
 protected:
  device::Program program = tensorCore();
  codegen::Source source = codegen::generate(program);
  sass::Kernel sass = sass::parse(readText("tests/model/profiled/tc_48.sass")).value().front();
  KernelModel model = modelOf(program.kernels.front(), deviceNamed("h200"), {nullptr, &sass, &source});
  std::vector<CompiledLink> links = compiledLinks(model.accesses, *model.sass, *model.compiled);

  const CompiledLink& link(Place from, Place to, const std::string& buffer) const {
    for (const CompiledLink& l : links)
      if (l.from == from && l.to == to && (l.buffer ? l.buffer->name : "") == buffer) return l;
    ADD_FAILURE() << nameOf(from) << " to " << nameOf(to) << " of " << buffer;
    static const CompiledLink kNone;
    return kNone;
  }
};

// 64 blocks copy 128 × 1024 halves of each operand, sixteen bytes a lane, through registers.
TEST_F(TensorCoreLinks, ACopyPassesRegistersSixteenBytesALane) {
  for (const char* name : {"X", "Y"}) {
    const CompiledLink& in = link(Place::L2, Place::Registers, name);
    EXPECT_EQ(in.bytes, 16 * kMi);
    EXPECT_EQ(in.perBlock, 256 * 1024);
    EXPECT_EQ(in.moved, in.bytes) << "whole sectors";
    EXPECT_THAT(in.widths, ElementsAre(Pair(16, 16 * kMi / 512)));
    const CompiledLink& out = link(Place::Registers, Place::Shared, std::string(name) + "_shared");
    EXPECT_EQ(out.bytes, in.bytes);
    EXPECT_EQ(out.moved, out.bytes) << "no bank conflicts";
  }
}

// Eight ways: a row of eight halves takes a wavefront of 128 bytes of its own.
TEST_F(TensorCoreLinks, ConflictsAreCarriedNotAskedFor) {
  const CompiledLink& x = link(Place::Shared, Place::Registers, "X_shared");
  EXPECT_EQ(x.bytes, 64 * kMi);
  EXPECT_EQ(x.moved, 8 * x.bytes);
  EXPECT_THAT(x.widths, ElementsAre(Pair(16, 64 * kMi / 512)));
}

// m16n8k16 of halves to float32: 512 + 256 bytes of operands and 512 of sums.
TEST_F(TensorCoreLinks, TensorInstructionsTakeTheirOperandsAndSums) {
  const double products = 2.0 * 1024 * 1024 * 1024 / sass::kTensorProduct;
  EXPECT_EQ(link(Place::Registers, Place::TensorCore, "X_shared_wmma.matrix_a").bytes, products * 512);
  EXPECT_EQ(link(Place::Registers, Place::TensorCore, "Y_shared_wmma.matrix_b").bytes, products * 256);
  EXPECT_EQ(link(Place::Registers, Place::TensorCore, "Z_wmma.accumulator").bytes, products * 512);
  EXPECT_EQ(link(Place::TensorCore, Place::Registers, "Z_wmma.accumulator").bytes, products * 512);
}

TEST_F(TensorCoreLinks, TheResultIsStoredOnce) {
  EXPECT_EQ(link(Place::Registers, Place::L2, "Z").bytes, 4 * kMi);
  double all = 0;
  for (const CompiledLink& l : links)
    all += l.from == Place::TensorCore || l.to == Place::TensorCore ? 0 : l.instructions();
  double memory = 0;
  for (const CompiledAccess& m : model.compiled->memory) memory += m.executions;
  EXPECT_DOUBLE_EQ(all, memory) << "each instruction belongs to one link";
}

TEST(TensorBytes, FollowsShapeAndTypes) {
  auto bytes = [](const char* opcode) {
    sass::Instruction i;
    i.opcode = opcode;
    i.pipe = sass::Pipe::Tensor;
    return sass::tensorBytes(i);
  };
  EXPECT_EQ(bytes("HMMA.16816.F32")->a, 512);
  EXPECT_EQ(bytes("HMMA.16816.F16")->sums, 256);
  EXPECT_EQ(bytes("HMMA.1688.F32.TF32")->b, 8 * 8 * 4);
  EXPECT_EQ(bytes("IMMA.16832.S8.S8")->b, 256);
  EXPECT_EQ(bytes("IMMA.16832.S8.S8")->sums, 512);
  EXPECT_EQ(bytes("IMMA.8832.S4.S4")->a, 128);
  EXPECT_EQ(bytes("BMMA.88128.XOR.POPC")->b, 128);
  EXPECT_EQ(bytes("DMMA.884")->a, 32 * 8);
  EXPECT_FALSE(bytes("HMMA.884.F32.F32"));
}

}  // namespace
}  // namespace loom::model::compiled_links_test
