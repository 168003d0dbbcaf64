// Rings and copies on their way, over a block's life.
#include "app/panels/playback/view/pipeline.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "app/panels/playback/view/playback.h"
#include "app/session/state_model.h"
#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::playback_pipeline_view_test {
namespace {

using device::MemoryLevel;
using testing::ElementsAre;
using testing::IsEmpty;
using State = SlotSpan::State;

Playback playbackOf(const std::string& function, const std::string& lines,
                    const model::Device& device = model::deviceNamed("h200")) {
  Known known;
  known.device = &device;
  const StateModel m = stateModelOf(document::makeKernel(model::replayed(function, lines).last), known);
  return Playback(std::shared_ptr<const model::Timeline>(m.timeline(), &**m.timeline()), m.accesses());
}

// 64 × 64 × 64, k in 8 steps; A and B come by asynchronous copies.
// Copies of two statements, asynchronous ones or not.
Playback staged(const std::string& stage, const std::string& order, bool async = true,
                const model::Device& device = model::deviceNamed("h200")) {
  const std::string lines =
      tests::scheduleText("staged_copies", {{"STAGE", stage}, {"ORDER", order}, {"ASYNC", "[0]"}});
  return playbackOf(tests::programText("product_of_casts", {{"M", 64}, {"N", 64}, {"K", 64}, {"TYPE", "float32"}}),
                    async ? lines : tests::withoutLine(lines, "software_pipeline_async_stages"), device);
}

void expectWellFormed(const BufferRing& ring, double clocks) {
  std::map<int, std::vector<SlotSpan>> bySlot;
  for (const SlotSpan& s : ring.spans) bySlot[s.slot].push_back(s);
  for (auto& [slot, spans] : bySlot) {
    std::ranges::sort(spans, {}, &SlotSpan::from);
    for (std::size_t i = 0; i < spans.size(); ++i) {
      EXPECT_LT(spans[i].from, spans[i].to);
      EXPECT_LE(spans[i].to, clocks * (1 + 1e-9));
      EXPECT_EQ(spans[i].step % ring.slots, slot) << "slots are used by turns";
      if (i == 0) continue;
      EXPECT_LE(spans[i - 1].to, spans[i].from * (1 + 1e-9) + 1e-6);
      // What is read has been filled.
      if (spans[i].state == State::kRead) {
        EXPECT_EQ(spans[i - 1].step, spans[i].step);
      }
    }
  }
}

TEST(PipelineView, AProgramWhoseIterationsDontOverlapHasNone) {
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  const Playback p = playbackOf(model::readText(path + ".func.py"), model::readText(path + ".sched.py"));
  EXPECT_TRUE(p.pipeline().empty());
}

TEST(PipelineView, SlotsAreFilledReadAndFreedByTurns) {
  const Playback p = staged("[0, 0, 2]", "[0, 1, 2]");
  const PipelineView& v = p.pipeline();
  ASSERT_EQ(v.rings.size(), 1U) << "A and B are used alike";
  const BufferRing& ring = v.rings.front();
  EXPECT_THAT(ring.buffers, ElementsAre("A_shared", "B_shared"));
  EXPECT_EQ(ring.level, MemoryLevel::kShared);
  EXPECT_EQ(ring.slots, 3);
  EXPECT_EQ(ring.loop, "k_0");
  EXPECT_EQ(ring.slotBytes, 2 * 16 * 8 * 4);
  expectWellFormed(ring, p.clocks());
  for (std::int64_t step = 0; step < 8; ++step) {
    const auto is = [&](State state) {
      return [&, state](const SlotSpan& s) { return s.step == step && s.state == state; };
    };
    EXPECT_EQ(std::ranges::count_if(ring.spans, is(State::kInFlight)), 1) << step;
    EXPECT_GE(std::ranges::count_if(ring.spans, is(State::kRead)), 1) << step;
  }
}

TEST(PipelineView, AGroupIsOnItsWayUntilTheWaitForIt) {
  const Playback p = staged("[0, 0, 2]", "[0, 1, 2]");
  const PipelineView& v = p.pipeline();
  ASSERT_EQ(v.groups.size(), 8U);
  const BufferRing& ring = v.rings.front();
  for (const CopyGroup& g : v.groups) {
    EXPECT_THAT(g.buffers, ElementsAre("A_shared", "B_shared"));
    EXPECT_EQ(g.blocks.size(), 2U);
    EXPECT_LT(g.from, g.to);
    const auto flight = std::ranges::find_if(
        ring.spans, [&](const SlotSpan& s) { return s.step == g.step && s.state == State::kInFlight; });
    ASSERT_NE(flight, ring.spans.end());
    EXPECT_NEAR(flight->to, g.to, 1e-6) << "it lands where the wait is passed";
  }
  // A refill before the wait keeps three on their way, one after the reads two.
  EXPECT_EQ(v.lanes, 3);
  EXPECT_EQ(staged("[0, 0, 2]", "[1, 2, 0]").pipeline().lanes, 2);
}

// The copy of a later step is on its way while an earlier one is read: that is what the pipeline is for.
TEST(PipelineView, CopiesGoOnWhileAnotherSlotIsRead) {
  const Playback p = staged("[0, 0, 1]", "[0, 1, 2]");
  const BufferRing& ring = p.pipeline().rings.front();
  EXPECT_EQ(ring.slots, 2);
  const auto at = [&](std::int64_t step, State state) {
    return *std::ranges::find_if(ring.spans, [&](const SlotSpan& s) { return s.step == step && s.state == state; });
  };
  const SlotSpan read = at(3, State::kRead), flight = at(4, State::kInFlight);
  EXPECT_LT(flight.from, read.to);
  EXPECT_GT(flight.to, read.from);
}

TEST(PipelineView, StoresOfThreadsHaveLandedWhenTheyAreDone) {
  const Playback p = staged("[0, 0, 1]", "[0, 1, 2]", false);
  const PipelineView& v = p.pipeline();
  EXPECT_THAT(v.groups, IsEmpty());
  ASSERT_EQ(v.rings.size(), 1U);
  EXPECT_EQ(v.rings.front().slots, 2);
}

// Where L2 limits them, copies that a pass has no time for are drawn at the beginning of the next one: none is cut off,
// nothing runs at the same time on one track, and a slot is filled from where its own copy starts.
TEST(PipelineView, CopiesThatRunOnAreDrawnWhereTheyGoOn) {
  model::Device slow = model::deviceNamed("h200");
  slow.figures[model::Quantity::L2GbPerS].value /= 64;
  bool runsOn = false;
  for (const char* order : {"[0, 1, 2]", "[1, 2, 0]"}) {
    SCOPED_TRACE(order);
    const Playback p = staged("[0, 0, 2]", order, true, slow);
    ASSERT_TRUE(p.timeline().bySecondLevel);
    for (const model::TimelineItem& item : p.timeline().items) {
      if (item.kind != model::TimelineItem::Kind::Phase) continue;
      const int at = int(&item - p.timeline().items.data());
      const model::TimelinePhase& phase = p.timeline().phases[std::size_t(item.index)];
      std::vector<PlaybackBar> bars = p.bars(at);
      std::ranges::sort(bars, {}, &PlaybackBar::from);
      for (int track = 0; track < model::kTracks; ++track) {
        double sum = 0, end = 0;
        for (const PlaybackBar& b : bars) {
          if (int(b.track) != track || b.wait) continue;
          EXPECT_GE(b.from, end - 1e-6);
          end = b.to;
          sum += b.to - b.from;
          runsOn |= b.before;
        }
        EXPECT_NEAR(sum, phase.clocks[std::size_t(track)], 1e-6 * p.clocks());
        EXPECT_LE(end, item.clocks + 1e-6);
      }
    }
    expectWellFormed(p.pipeline().rings.front(), p.clocks());
  }
  EXPECT_TRUE(runsOn);
}

// Fragments that ldmatrix loads a step ahead are a ring in registers, which begins anew with each tile of k.
TEST(PipelineView, FragmentsOfTwoStepsAreARing) {
  const std::string base = "tests/oracle/cases/tensorize/mma_written_m16n8k8_f16f16f32";
  const Playback p = playbackOf(model::readText(base + ".func.py"),
                                model::readText(base + ".sched.py") + tests::scheduleText("mma_fragments_ahead"));
  const auto& rings = p.pipeline().rings;
  const auto ring = std::ranges::find_if(rings, [](const BufferRing& r) { return r.level == MemoryLevel::kRegisters; });
  ASSERT_NE(ring, rings.end());
  EXPECT_EQ(ring->slots, 2);
  EXPECT_GE(std::ranges::count(ring->buffers, "A_frag"), 1);
  expectWellFormed(*ring, p.clocks());
}

}  // namespace
}  // namespace loom::session::playback_pipeline_view_test
