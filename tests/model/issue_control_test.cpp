// What instructions' control bits are read to say, held to what code must do to be right: a result of unknown latency
// has a barrier, who reads it waits for that; one of fixed latency is there when its reader issues.
#include "core/sass/control.h"

#include <gmock/gmock.h>

#include "core/sass/barriers.h"
#include "core/sass/flow.h"
#include "core/sass/loop.h"
#include "core/sass/registers.h"
#include "tests/model/programs.h"

namespace loom::model::issue_control_test {
namespace {

constexpr std::array kKernels = {"tensor_core_sm_90a.sass", "tensor_core_sm_120.sass", "wmma_sm_75.sass",
                                 "epilogue_sm_80.sass", "softmax_sm_90a.sass"};

sass::Kernel encoded(const std::string& file) {
  return sass::parse(readText("tests/model/encoded/" + file)).value().front();
}

bool meet(const std::vector<int>& a, const std::vector<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int r) { return r < 255 && std::find(b.begin(), b.end(), r) != b.end(); });
}

// How a result is read on the straight path behind it.
struct Reading {
  std::string what;
  bool barrier = false, waited = false;
  int clocks = 0;
};

std::vector<Reading> readingsOf(const sass::Kernel& k) {
  std::vector<Reading> all;
  const auto flow = sass::successorsOf(k).value();
  const auto& code = k.instructions;
  std::vector<sass::RegisterUse> use;
  for (const sass::Instruction& i : code) use.push_back(sass::registersOf(i));
  for (std::size_t n = 0; n < code.size(); ++n) {
    const sass::IssueControl& c = *code[n].control;
    if (code[n].predicated) continue;
    Reading r{code[n].opcode + " " + code[n].operands, c.writeBarrier >= 0};
    unsigned waited = 0;
    for (std::size_t m = n; flow[m].next >= 0 && flow[m].target < 0 && flow[m].calls < 0 && !flow[m].returns;) {
      r.clocks += std::max(1, code[m].control->stall);
      m = std::size_t(flow[m].next);
      waited |= code[m].control->waits;
      if (meet(use[n].writes, use[m].reads)) {
        r.waited = r.barrier && (waited >> c.writeBarrier & 1) != 0;
        r.what += " → " + code[m].opcode + " " + code[m].operands;
        all.push_back(r);
        break;
      }
      if (meet(use[n].writes, use[m].writes)) break;
    }
  }
  return all;
}

TEST(IssueControl, FieldsStandWhereThePapersSay) {
  // S2R R4: 7 clocks, barrier 0 when written.
  sass::IssueControl c = sass::issueControlOf(0x000e2e0000002500);
  EXPECT_EQ(c.stall, 7);
  EXPECT_FALSE(c.yield);
  EXPECT_EQ(c.writeBarrier, 0);
  EXPECT_EQ(c.readBarrier, -1);
  EXPECT_EQ(c.waits, 0);
  EXPECT_EQ(sass::notationOf(c), "--:-:0:-:07");
  c = sass::issueControlOf(0x041fe400000006ff);  // SHF R3, R4.reuse: waits for barrier 0
  EXPECT_EQ(c.stall, 2);
  EXPECT_EQ(c.waits, 1);
  EXPECT_EQ(c.reuse, 1);
  EXPECT_EQ(sass::notationOf(c), "01:-:-:-:02");
}

TEST(IssueControl, ReuseIsWhatTheDisassemblerPrints) {
  int printed = 0;
  for (const char* file : kKernels) {
    for (const sass::Instruction& i : encoded(file).instructions) {
      const bool says = i.operands.find(".reuse") != std::string::npos;
      EXPECT_EQ(i.control->reuse != 0, says) << file << " " << i.opcode << " " << i.operands;
      printed += says;
    }
  }
  EXPECT_GT(printed, 100);
}

TEST(IssueControl, WhoReadsAResultOfUnknownLatencyWaitsForItsBarrier) {
  int readings = 0;
  for (const char* file : kKernels) {
    for (const Reading& r : readingsOf(encoded(file))) {
      if (!r.barrier) continue;
      EXPECT_TRUE(r.waited) << file << ": " << r.what;
      ++readings;
    }
  }
  EXPECT_GT(readings, 100);
}

TEST(IssueControl, ResultsOfFixedLatencyAreThereWhenTheirReaderIssues) {
  int all = 0, early = 0;
  for (const char* file : kKernels) {
    for (const Reading& r : readingsOf(encoded(file))) {
      if (r.barrier) continue;
      ++all;
      early += r.clocks < 4;  // what a reader takes late may come later
      EXPECT_GE(r.clocks, 2) << file << ": " << r.what;
    }
  }
  EXPECT_GT(all, 400);
  EXPECT_LE(early, all / 50);
}

TEST(IssueControl, LoadsSetABarrierOrComeInOrderBeforeOneThatDoes) {
  for (const char* file : kKernels) {
    const sass::Kernel k = encoded(file);
    for (std::size_t n = 0; n < k.instructions.size(); ++n) {
      const sass::Instruction& i = k.instructions[n];
      EXPECT_TRUE(i.pipe != sass::Pipe::GlobalLoad || i.control->writeBarrier >= 0) << file << " " << i.operands;
      if (i.pipe != sass::Pipe::SharedLoad && i.pipe != sass::Pipe::LdMatrix) continue;
      std::size_t m = n;
      while (m < k.instructions.size() && k.instructions[m].control->writeBarrier < 0) ++m;
      EXPECT_LT(m, k.instructions.size()) << file << " " << i.operands;
    }
  }
}

TEST(Barriers, WhatIsWaitedForWasSetOnTheWayThere) {
  int waits = 0, unset = 0;
  for (const char* file : kKernels) {
    const sass::Kernel k = encoded(file);
    const auto states = sass::barrierStates(k);
    ASSERT_TRUE(states) << states.error().message.english();
    for (std::size_t n = 0; n < k.instructions.size(); ++n) {
      for (int b = 0; b < sass::kScoreboards; ++b) {
        if ((k.instructions[n].control->waits >> b & 1) == 0) continue;
        ++waits;
        unset += ((*states)[n].pending >> b & 1) == 0;
      }
      const bool meets = ((*states)[n].pending & k.instructions[n].control->waits) != 0;
      EXPECT_EQ(!(*states)[n].waitsFor.empty(), meets) << file << " " << n;
    }
  }
  EXPECT_GT(waits, 200);
  EXPECT_LE(unset, waits / 50) << "compilers wait once too often at times";
}

TEST(Barriers, WithoutEncodingsOrOfAnUnknownArchitectureTheyAreRefused) {
  const std::string code = ".text.k:\n/*0000*/ EXIT ;\n/* 0x000fea0003800000 */\n";
  for (const std::string& text : {".text.k:\n/*0000*/ EXIT ;\n" + std::string(), code, ".target sm_61\n" + code}) {
    const sass::Kernel k = sass::parse(text).value().front();
    EXPECT_FALSE(k.instructions.front().control);
    EXPECT_EQ(sass::barrierStates(k).error().code, "NoControl");
  }
  EXPECT_TRUE(sass::parse(".target sm_90a\n" + code).value().front().instructions.front().control);
}

TEST(LoopIteration, ItsLinesSumToIt) {
  const sass::Kernel k = encoded("tensor_core_sm_90a.sass");
  ASSERT_FALSE(k.loops.empty());
  const sass::LoopIteration trip = sass::loopIteration(k, int(k.loops.size()) - 1);
  ASSERT_TRUE(trip.clocks);
  int instructions = 0, clocks = 0, waits = 0;
  for (const sass::LoopShare& s : trip.lines) {
    instructions += s.instructions;
    clocks += s.clocks;
    waits += s.waits;
  }
  EXPECT_EQ(instructions, trip.instructions);
  EXPECT_EQ(clocks, *trip.clocks);
  EXPECT_EQ(waits, trip.waits);
  EXPECT_GE(*trip.clocks, trip.instructions);
}

TEST(LoopIteration, WithoutEncodingsItsClocksAreUnknown) {
  const sass::Kernel k = sass::parse(readText("tests/model/profiled/tc_48.sass")).value().front();
  const sass::LoopIteration trip = sass::loopIteration(k, 0);
  EXPECT_GT(trip.instructions, 0);
  EXPECT_FALSE(trip.clocks);
}

}  // namespace
}  // namespace loom::model::issue_control_test
