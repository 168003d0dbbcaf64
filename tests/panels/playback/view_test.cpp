#include "app/panels/memory/view/memory.h"
#include "app/panels/playback/view/playback.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "app/panels/playback/view/phase_layout.h"
#include "app/session/state_model.h"
#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::playback_view_test {

using device::MemoryLevel;
namespace {

using model::Track;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;

// The Tensor Core lesson's schedule (128 × 128 tiles, k in 16 steps of 64), padded: 8192 elements of X and Y a step.
const document::KernelText& padded() {
  static const document::KernelText text = [] {
    const std::string path = "tests/oracle/cases/lessons/tensorcore";
    return document::makeKernel(
        model::replayed(model::readText(path + ".func.py"),
                        model::readText(path + ".sched.py") + tests::scheduleText("padded_shared_tiles"))
            .last);
  }();
  return text;
}

Playback playbackOf(const document::KernelText& text) {
  static const model::Device h200 = model::deviceNamed("h200");
  Known known;
  known.device = &h200;
  const StateModel m = stateModelOf(text, known);
  return Playback(std::shared_ptr<const model::Timeline>(m.timeline(), &**m.timeline()), m.accesses());
}

// The middle of the first bar of a block in a pipe, in pass `pass` of the k step.
double middleOf(const Playback& p, const std::string& block, Track track, std::int64_t pass) {
  const auto pieces = p.pieces();
  for (const auto& piece : pieces) {
    const PlaybackWindow w = p.windowAt(piece.from + piece.clocks / double(p.item(piece.item).extent) * 0.5);
    for (const auto& phase : w.phases)
      for (const PlaybackBar& b : p.bars(phase.item))
        if (b.track == track && b.action >= 0 && p.timeline().actions[std::size_t(b.action)].name == block)
          return w.from + double(pass) * w.clocks + phase.from + (b.from + b.to) / 2;
  }
  ADD_FAILURE() << block << " takes no time in " << nameOf(track);
  return 0;
}

// The headline's parts come to its sum, as they are shown.
TEST(Playback, WhatPipesAddComesToTheWholeInWholeClocks) {
  model::Budget b;
  b.clocks = 100.4;
  b.exposed = {33.4, 33.4, 33.4, 0};
  b.waits = {0, 0.2, 0, 0};
  const model::TrackClocks added = addedClocks(b);
  EXPECT_EQ(added[0] + added[1] + added[2] + added[3], 100);
  EXPECT_EQ(added[1], 34) << "lost the most by rounding down";
  EXPECT_EQ(added[3], 0);
  const Playback p = playbackOf(padded());
  const model::Budget step = model::budgetOf(p.timeline(), p.timeline().step);
  double sum = 0;
  for (double clocks : addedClocks(step)) {
    EXPECT_EQ(clocks, std::round(clocks));
    sum += clocks;
  }
  EXPECT_EQ(sum, std::round(step.clocks));
  b.clocks = 1.25;
  b.exposed = {0.61, 0.64, 0, 0};
  b.waits = {};
  EXPECT_NEAR(addedClocks(b)[0] + addedClocks(b)[1], 1.3, 1e-12) << "tenths below ten";
}

std::map<std::string, std::int64_t> standing(const model::TimelinePosition& m) {
  std::map<std::string, std::int64_t> values;
  for (const auto& l : m.loops)
    if (!l.runs) values[l.var->name] = l.value;
  return values;
}

TEST(Playback, PiecesAndBarsFillTheLifeWithoutOverlap) {
  const Playback p = playbackOf(padded());
  double at = 0;
  for (const auto& piece : p.pieces()) {
    EXPECT_NEAR(piece.from, at, 1e-6 * p.clocks());
    at += piece.clocks;
  }
  EXPECT_NEAR(at, p.clocks(), 1e-6 * p.clocks());
  for (int i = 0; i < int(p.timeline().items.size()); ++i) {
    if (p.item(i).kind != model::TimelineItem::Kind::Phase) continue;
    for (int track = 0; track < model::kTracks; ++track) {
      double end = 0;
      std::vector<PlaybackBar> bars;
      for (const PlaybackBar& b : p.bars(i))
        if (int(b.track) == track) bars.push_back(b);
      std::sort(bars.begin(), bars.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
      for (const PlaybackBar& b : bars) {
        EXPECT_GE(b.from, end - 1e-6) << "in one pipe one thing at a time";
        end = b.to;
      }
      EXPECT_LE(end, p.item(i).clocks + 1e-6);
    }
  }
}

TEST(Playback, NothingRunsDuringAWaitAndNothingIsLost) {
  model::Timeline t = playbackOf(padded()).timeline();
  for (int i = 0; i < int(t.items.size()); ++i) {
    if (t.items[std::size_t(i)].kind != model::TimelineItem::Kind::Phase) continue;
    model::TimelinePhase& phase = t.phases[std::size_t(t.items[std::size_t(i)].index)];
    phase.waits = {120, 30, 0, 7};
    const std::vector<PlaybackBar> bars = layOutPhase(t, i);
    model::TrackClocks busy{}, waits{};
    for (const PlaybackBar& b : bars) {
      EXPECT_GE(b.from, -1e-6);
      EXPECT_LE(b.to, phase.length() + 1e-6);
      (b.wait ? waits : busy)[std::size_t(b.track)] += b.to - b.from;
      for (const PlaybackBar& other : bars) {
        if (!b.wait || &b == &other) continue;
        EXPECT_TRUE(other.to <= b.from + 1e-6 || b.to <= other.from + 1e-6) << "track " << int(other.track);
      }
    }
    for (std::size_t track = 0; track < busy.size(); ++track) {
      EXPECT_NEAR(busy[track], phase.clocks[track], 1e-6);
      EXPECT_NEAR(waits[track], phase.waits[track], 1e-6);
    }
  }
}

// A start value's nest and behind it the products', which wait for what they read: in each of sixteen passes, not once.
TEST(Playback, OfNestsBehindEachOtherEachIsLaidOutByItsPasses) {
  const document::KernelText text =
      document::makeKernel(model::replayed(model::readText("tests/oracle/cases/lessons/tensorcore.func.py"),
                                           tests::scheduleText("blockized_tiles"))
                               .last);
  model::Timeline t = playbackOf(text).timeline();
  int waits = 0;
  for (int i = 0; i < int(t.items.size()); ++i) {
    if (t.items[std::size_t(i)].kind != model::TimelineItem::Kind::Phase) continue;
    model::TimelinePhase& phase = t.phases[std::size_t(t.items[std::size_t(i)].index)];
    model::TimelineAction* product = nullptr;
    for (int at = i + 1; at < t.items[std::size_t(i)].end; ++at) {
      const model::TimelineItem& item = t.items[std::size_t(at)];
      if (item.kind != model::TimelineItem::Kind::Action) continue;
      model::TimelineAction& a = t.actions[std::size_t(item.index)];
      if (a.kind == model::TimelineAction::Kind::Multiply) product = &a;
    }
    if (product == nullptr) continue;
    phase.waits = product->waits = {1600, 0, 0, 0};
    double waited = 0;
    const std::vector<PlaybackBar> bars = layOutPhase(t, i);
    for (const PlaybackBar& b : bars) {
      if (!b.wait) continue;
      ++waits;
      waited += b.to - b.from;
      EXPECT_NEAR(b.to - b.from, 100, 1e-6);
      for (const PlaybackBar& other : bars) {
        if (&other == &b) continue;
        EXPECT_TRUE(other.to <= b.from + 1e-6 || b.to <= other.from + 1e-6);
      }
    }
    EXPECT_NEAR(waited, 1600, 1e-6);
  }
  EXPECT_EQ(waits, 16);
}

TEST(Playback, PassesThatComeOftenAreLaidOutOneByOne) {
  // Sixteen products, each of what it has read from shared memory: none is done before its own reads begin.
  const document::KernelText text =
      document::makeKernel(model::replayed(model::readText("tests/oracle/cases/lessons/fp32_v3_shared_memory.func.py"),
                                           model::readText("tests/oracle/cases/lessons/fp32_v3_shared_memory.sched.py"))
                               .last);
  const Playback p = playbackOf(text);
  int passes = 0;
  for (int i = 0; i < int(p.timeline().items.size()); ++i) {
    if (p.item(i).kind != model::TimelineItem::Kind::Phase) continue;
    for (const PlaybackBar& product : p.bars(i)) {
      if (product.track != Track::Arithmetic || product.values.empty()) continue;
      ++passes;
      for (const PlaybackBar& read : p.bars(i)) {
        if (read.track != Track::Shared || read.values.empty()) continue;
        const std::int64_t its = read.values.front().second, mine = product.values.front().second;
        if (its == mine) {
          EXPECT_LE(read.from, product.to);
        } else if (its > mine) {
          EXPECT_GE(read.from, product.to - 1e-6) << "the reads of a pass behind";
        }
      }
    }
  }
  EXPECT_GE(passes, 4);
}

TEST(Playback, TheMomentInACopyKnowsItsStepAndWhatItMoves) {
  const Playback p = playbackOf(padded());
  const model::TimelinePosition m = p.momentAt(7, middleOf(p, "X_shared", Track::Copy, 5));
  EXPECT_EQ(m.node, 7);
  ASSERT_EQ(m.blocks.size(), 1u);
  EXPECT_THAT(standing(m), Contains(std::pair<const std::string, std::int64_t>("k_0_0", 5)));
  ASSERT_FALSE(m.touches.empty());
  EXPECT_EQ(m.touches.front().buffer, "X");
  EXPECT_FALSE(m.touches.front().write);
  EXPECT_TRUE(m.isTouched("X_shared")) << "what it fills lights up with it";
  EXPECT_TRUE(m.isMoved(m.blocks.front(), MemoryLevel::kGlobal, MemoryLevel::kL2));
  EXPECT_TRUE(m.isMoved(m.blocks.front(), MemoryLevel::kL2, MemoryLevel::kShared));
  EXPECT_FALSE(m.isMoved(m.blocks.front(), MemoryLevel::kShared, MemoryLevel::kRegisters));
}

TEST(Playback, FragmentsAreLoadedPassByPassAndMultipliedBehind) {
  const Playback p = playbackOf(padded());
  const double first = middleOf(p, "X_shared_wmma.matrix_a_o", Track::Shared, 3);
  const model::TimelinePosition load = p.momentAt(0, first);
  const auto values = standing(load);
  EXPECT_EQ(values.at("k_0_0"), 3);
  EXPECT_EQ(values.at("k_0_1"), 0) << "the loop around loads and products goes pass by pass";
  EXPECT_TRUE(std::any_of(load.loops.begin(), load.loops.end(), [](const auto& l) { return l.runs; }))
      << "the loops of the load run through";
  EXPECT_EQ(load.touches.front().buffer, "X_shared");
  const double product = middleOf(p, "Z_o", Track::Arithmetic, 3);
  EXPECT_GT(product, first);
}

TEST(Playback, TilesAreThoseOfTheStep) {
  const auto& text = padded();
  const Playback p = playbackOf(text);
  const ThreadBinding binding(std::shared_ptr<const device::Program>(std::shared_ptr<void>(), &*text.program));
  const auto tiles = tilesAt(binding, p.momentAt(0, middleOf(p, "X_shared", Track::Copy, 5)), 0);
  ASSERT_GE(tiles.size(), 2u);
  EXPECT_EQ(tiles[0].buffer, "X");
  EXPECT_EQ(std::tuple(tiles[0].row, tiles[0].rows, tiles[0].column, tiles[0].columns), std::tuple(0, 128, 320, 64));
  EXPECT_EQ(tiles[0].elements, 8192);
  EXPECT_EQ(tiles[1].buffer, "X_shared");
  EXPECT_EQ(std::tuple(tiles[1].row, tiles[1].rows, tiles[1].column, tiles[1].columns), std::tuple(0, 128, 0, 64));
  // Block 9 of 8 × 8: the second row of tiles.
  EXPECT_EQ(tilesAt(binding, p.momentAt(0, middleOf(p, "X_shared", Track::Copy, 5)), 9)[0].row, 128);
}

TEST(Playback, ThreadBindingIsLedToTheStatementAndItsPass) {
  const auto& text = padded();
  const Playback p = playbackOf(text);
  const ThreadBinding binding(std::shared_ptr<const device::Program>(std::shared_ptr<void>(), &*text.program));
  BindingChoice choice;
  choice.block = 12;
  choice.thread = 40;
  const BindingChoice led = binding.ledTo(p.momentAt(0, middleOf(p, "Y_shared", Track::Copy, 11)), choice);
  EXPECT_EQ(led.block, 12);
  EXPECT_EQ(led.thread, 40);
  EXPECT_EQ(binding.accesses().accesses[std::size_t(led.access)].buffer->name, "Y");
  ASSERT_EQ(led.loops.size(), 1u) << "the loop over the tile stays open";
  EXPECT_EQ(led.loops.begin()->second, 11);
}

TEST(Playback, StepsAndBoundariesGoThroughTheWholeLifeAndBack) {
  const Playback p = playbackOf(padded());
  double at = 0;
  int steps = 0, actions = 0;
  for (; at < p.clocks() && steps < 100; ++steps) {
    const double next = p.step(at, true);
    ASSERT_GT(next, at);
    at = next;
  }
  EXPECT_GE(steps, 17);
  EXPECT_LE(steps, 19) << "16 steps, and what is before and after";
  for (; at > 0 && actions < 2000; ++actions) {
    const double before = p.boundary(at, false);
    ASSERT_LT(before, at);
    at = before;
  }
  EXPECT_EQ(at, 0);
  EXPECT_GT(actions, 16 * 4);
  EXPECT_LT(actions, 16 * 30);
}

TEST(Playback, WhatStandsOutsideOfTheLifeIsItsBeginningOrEnd) {
  const Playback p = playbackOf(padded());
  EXPECT_THAT(standing(p.momentAt(0, -5)), Not(Contains(std::pair<const std::string, std::int64_t>("k_0_0", 15))));
  EXPECT_THAT(p.momentAt(0, 1e30).loops, Not(Contains(testing::Field(&model::TimelinePosition::Loop::value, -1))));
}

TEST(StateModel, HasNoLifeOfABlockWhereThereIsNoKernel) {
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  const auto text = document::makeKernel(model::replayed(model::readText(path + ".func.py"), "").last);
  EXPECT_EQ(stateModelOf(text, {}).timeline() == nullptr, memoryOf(stateModelOf(text, {})).kernel == false);
  // Without figures of a device there is a kernel, but no time.
  const auto bare = stateModelOf(padded(), {});
  ASSERT_NE(bare.timeline(), nullptr);
  EXPECT_FALSE(*bare.timeline());
}

}  // namespace
}  // namespace loom::session::playback_view_test
