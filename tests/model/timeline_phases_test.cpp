#include "core/model/timeline_phases.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/model/lesson_lines.h"
#include "tests/model/programs.h"

namespace loom::model::timeline_phases_test {
namespace {

using Kind = TimelineAction::Kind;

// A life by hand: "[" and "]" around a loop's pass, phases between them.
class Life {
 public:
  Life& loop(std::int64_t extent) {
    open_ = add(TimelineItem::Kind::Loop);
    timeline.items.back().extent = extent;
    times_ = double(extent);
    return *this;
  }
  Life& end() {
    timeline.items[std::size_t(open_)].end = int(timeline.items.size());
    open_ = -1;
    times_ = 1;
    return *this;
  }
  // Clocks of the phase's copy, of shared memory and of products, and of the memory instructions of the copy.
  Life& phase(double copy, double shared, double products, double ofLines = 0, bool asynchronous = true,
              bool last = false) {
    const int at = add(TimelineItem::Kind::Phase);
    timeline.items.back().index = int(timeline.phases.size());
    timeline.phases.emplace_back();
    timeline.phases.back().times = times_;
    const auto act = [&](Kind kind, Track track, double clocks) {
      TimelineItem item;
      item.kind = TimelineItem::Kind::Action;
      item.parent = at;
      item.index = int(timeline.actions.size());
      timeline.items.push_back(item);
      timeline.items.back().end = int(timeline.items.size());
      TimelineAction a;
      a.kind = kind;
      a.asynchronous = kind == Kind::Copy && asynchronous;
      a.clocks[std::size_t(track)] = clocks;
      timeline.actions.push_back(a);
      lines.push_back(kind == Kind::Copy ? ofLines : 0);
    };
    if (copy > 0 && !last) act(Kind::Copy, Track::Copy, copy);
    act(Kind::Load, Track::Shared, shared);
    act(Kind::Multiply, Track::Arithmetic, products);
    if (copy > 0 && last) act(Kind::Copy, Track::Copy, copy);
    timeline.items[std::size_t(at)].end = int(timeline.items.size());
    return *this;
  }
  Timeline timeline;
  std::vector<double> lines;

 private:
  int add(TimelineItem::Kind kind) {
    TimelineItem item;
    item.kind = kind;
    item.parent = open_;
    timeline.items.push_back(item);
    return int(timeline.items.size()) - 1;
  }
  int open_ = -1;
  double times_ = 1;
};

double copied(const TimelinePhase& p, bool before) {
  double sum = 0;
  for (const CopyPart& c : p.copies) sum += c.before == before ? c.clocks : 0;
  return sum;
}

// Copies that take longer than their phase come in again at the beginning of the pass.
TEST(TimelinePhases, WhatAPassLeavesIsDoneInTheNextOne) {
  Life life;
  life.loop(16).phase(0, 100, 300).phase(400, 200, 250).end();
  EXPECT_EQ(shareByPhases(life.timeline, life.lines, true), 16 * 550);
  const TimelinePhase &products = life.timeline.phases[0], &copies = life.timeline.phases[1];
  EXPECT_EQ(products.throughput, 300);
  EXPECT_EQ(copies.throughput, 250);
  EXPECT_EQ(copied(products, true), 150) << "of the pass before";
  EXPECT_EQ(copied(products, false), 0);
  EXPECT_EQ(copied(copies, false), 250);
  EXPECT_EQ(products.clocks[int(Track::Copy)] + copies.clocks[int(Track::Copy)], 400);
  EXPECT_EQ(products.busiest, Track::Arithmetic);
  EXPECT_EQ(copies.busiest, Track::Arithmetic) << "a pass of products, though its copies fill a phase";
}

// Of copies that take longer than all else a pass is as long as they, and they decide it.
TEST(TimelinePhases, APassIsNoShorterThanItsCopies) {
  Life life;
  life.loop(16).phase(0, 100, 300).phase(700, 200, 250).end();
  EXPECT_EQ(shareByPhases(life.timeline, life.lines, true), 16 * 700);
  Budget step = budgetOf(life.timeline, 0);
  EXPECT_EQ(step.busy[int(Track::Copy)], 700);
  EXPECT_EQ(step.busy[int(Track::Shared)], 300);
  EXPECT_EQ(step.busy[int(Track::Arithmetic)], 550);
  EXPECT_EQ(step.exposed[int(Track::Copy)], 700);
  EXPECT_EQ(step.exposed[int(Track::Arithmetic)], 0);
  EXPECT_EQ(step.uncovered, 150) << "what products don't cover of them";
  EXPECT_EQ(copied(life.timeline.phases[0], true), 300);
}

// More slots let copies run on across several phases, in the order in which they were started.
TEST(TimelinePhases, CopiesQueueInTheOrderOfTheirStart) {
  Life life;
  life.loop(4).phase(150, 0, 100).phase(150, 0, 100).phase(0, 0, 100).phase(0, 0, 100).end();
  shareByPhases(life.timeline, life.lines, true);
  const auto& phases = life.timeline.phases;
  ASSERT_EQ(phases[1].copies.size(), 2U);
  EXPECT_TRUE(phases[1].copies[0].before);
  EXPECT_EQ(phases[1].copies[0].clocks, 50);
  EXPECT_EQ(phases[1].copies[1].clocks, 50);
  EXPECT_EQ(copied(phases[2], true), 100);
  EXPECT_TRUE(phases[3].copies.empty());
  EXPECT_TRUE(phases[0].copies.size() == 1 && !phases[0].copies[0].before) << "nothing is left for the next pass";
}

// Behind the loads of its phase a copy is started late, and ends in the next pass.
TEST(TimelinePhases, CopiesStartBehindTheLoadsBeforeThem) {
  Life life;
  life.loop(16).phase(700, 200, 250, 0, true, true).end();
  EXPECT_EQ(shareByPhases(life.timeline, life.lines, true), 16 * 700);
  const std::vector<CopyPart>& copies = life.timeline.phases[0].copies;
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_TRUE(copies[0].before);
  EXPECT_EQ(copies[0].clocks, 200);
  EXPECT_EQ(copies[1].from, 200);
  EXPECT_EQ(copies[1].clocks, 500);
}

// What is started before a loop goes on behind it, once the loop's copies have let it; the block waits for the rest.
TEST(TimelinePhases, CopiesBeforeALoopRunOnBehindIt) {
  Life life;
  life.phase(500, 0, 100).loop(8).phase(200, 0, 200).end().phase(0, 0, 250);
  EXPECT_EQ(shareByPhases(life.timeline, life.lines, true), 250 + 8 * 200 + 250);
  EXPECT_EQ(life.timeline.phases[0].clocks[int(Track::Copy)], 250);
  EXPECT_EQ(life.timeline.phases[0].busiest, Track::Copy);
  EXPECT_EQ(copied(life.timeline.phases[2], true), 250);
  EXPECT_EQ(budgetOf(life.timeline, -1).busy[int(Track::Copy)], 500 + 8 * 200);
}

// Copies that end where they are made stay in their phase; so do all where memory instructions limit them.
TEST(TimelinePhases, OtherCopiesEndInTheirPhase) {
  Life threads;
  threads.loop(16).phase(0, 100, 300).phase(400, 200, 250, 250, false).end();
  EXPECT_EQ(shareByPhases(threads.timeline, threads.lines, true), 16 * (300 + 450)) << "250 + 200 take turns";
  EXPECT_EQ(threads.timeline.phases[1].exposed[int(Track::Copy)], 250);
  EXPECT_EQ(threads.timeline.phases[1].exposed[int(Track::Shared)], 200);
  EXPECT_TRUE(threads.timeline.phases[1].copies.empty());
  Life turns;
  turns.loop(16).phase(0, 100, 300).phase(400, 200, 250).end();
  EXPECT_EQ(shareByPhases(turns.timeline, turns.lines, false), 16 * (300 + 600));
  EXPECT_EQ(turns.timeline.phases[1].clocks[int(Track::Copy)], 400);
}

// A ring's pass has time for what its pipes do in it: no pipe works faster than it can.
TEST(TimelinePhases, OfARingNoPipeIsBusyForLessThanItsWorkTakes) {
  for (const char* chapter : {"slots", "ahead", "constants"}) {
    SCOPED_TRACE(chapter);
    const device::Program program =
        lowered(readText("assets/lessons/pipelines/function.py"), linesTo("pipelines", chapter));
    const KernelModel m = modelOf(program.kernels.front(), deviceNamed("h200"));
    ASSERT_TRUE(m.timeline);
    const Timeline& t = *m.timeline;
    EXPECT_TRUE(t.bySecondLevel);
    EXPECT_GE(t.stretch, 1);
    const Budget life = budgetOf(t, -1);
    for (const auto& [pipe, track] : {std::pair{"l2", Track::Copy}, {"tensor", Track::Arithmetic}}) {
      const auto counted = std::ranges::find(m.estimate->pipes, std::string(pipe), &PipeClocks::pipe);
      ASSERT_NE(counted, m.estimate->pipes.end());
      EXPECT_GE(life.busy[std::size_t(track)] * t.rounds, counted->clocks * (1 - 1e-6)) << pipe;
    }
    const auto sum = [](const TrackClocks& c) { return std::accumulate(c.begin(), c.end(), 0.0); };
    EXPECT_NEAR(sum(life.exposed) + sum(life.waits), life.clocks, 1e-6 * life.clocks);
    const Budget step = budgetOf(t, t.step);
    for (const double busy : step.busy) EXPECT_LE(busy, step.clocks * (1 + 1e-9));
  }
}

}  // namespace
}  // namespace loom::model::timeline_phases_test
