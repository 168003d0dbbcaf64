// Registers of the bytecode: all that refers to them has the numbers that they get at the end.
#include <gtest/gtest.h>

#include "core/device/cluster_memory.h"
#include "tests/exec/device_programs.h"

namespace loom::exec::registers_test {
namespace {

// Compiles the kernel of a bench with this body.
Result<Code> compiled(Bench bench, dev::Stmt body) {
  bench.kernel().body = std::move(body);
  Writers writers;
  return compile(bench.kernel(), bench.program, writers);
}

// What is read of memory lies in temporaries, which have numbers of their own until all else is known.
TEST(Registers, OfWhatWasReadAreThoseOfTheCode) {
  Bench bench(64, 64, 1, {32, 1, 1});
  ir::Buffer barriers = flat("full", 2, "shared", ir::DType::UInt(64));
  bench.kernel().allocations.push_back({});
  bench.kernel().allocations.back().buffer = barriers;
  bench.kernel().allocations.back().memory = dev::Memory::Shared;
  bench.kernel().allocations.back().elements = 2;
  bench.kernel().mbarriers.push_back({barriers, 2, 1, false});
  const ir::Expr read = ir::cast(ir::DType::Int(32), bench.load(bench.in, bench.thread()));
  auto wait = dev::makeSync(dev::Token::Transfers);
  wait->barrier = 0;
  wait->slot = wait->phase = read;
  auto arrive = dev::makeSync(dev::Token::Transfers, dev::SyncDoes::Arrive);
  arrive->barrier = 0;
  arrive->slot = arrive->target = read;
  const ir::Buffer shared = bench.allocate("tile", dev::Memory::Shared, 64);
  const dev::Stmt moved = store(bench.out, bench.thread(), dev::inBlock(bench.load(shared, bench.thread()), read));
  const auto code = compiled(bench, dev::seq({arrive, wait, moved}));
  ASSERT_TRUE(code) << code.error().message.english();
  ASSERT_EQ(code->syncs.size(), 2U);
  for (const std::uint16_t reg :
       {code->syncs[0].slot, code->syncs[0].target, code->syncs[1].slot, code->syncs[1].phase})
    EXPECT_LT(reg, code->vectors);
  int loads = 0;
  for (const Instruction& i : code->instructions) {
    if (i.op != Op::LoadInBlock) continue;
    ++loads;
    EXPECT_LT(InBlock::of(i).block, code->vectors);
    EXPECT_LT(std::size_t(InBlock::of(i).site), code->sites.size());
  }
  EXPECT_EQ(loads, 1);
}

// Each loop has a register for its variable, of which there are less than 0x7FFF.
TEST(Registers, MoreThanThereAreNumbersForAreRefused) {
  for (const int loops : {100, 33000, 70000}) {
    Bench bench(1, 1, 1, {1, 1, 1});
    const dev::Stmt once = store(bench.out, intImm(0), bench.load(bench.in, intImm(0)));
    std::vector<dev::Stmt> all;
    for (int n = 0; n < loops; ++n) all.push_back(loop(ir::makeVar("i"), 2, once));
    const auto code = compiled(bench, dev::seq(std::move(all)));
    ASSERT_EQ(code.has_value(), loops == 100) << loops;
    if (code) continue;
    EXPECT_EQ(code.error().code, "NotExecutable");
  }
}

}  // namespace
}  // namespace loom::exec::registers_test
