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
    open_.push_back(add(TimelineItem::Kind::Loop));
    timeline.items.back().extent = extent;
    times_ *= double(extent);
    return *this;
  }
  Life& end() {
    TimelineItem& loop = timeline.items[std::size_t(open_.back())];
    loop.end = int(timeline.items.size());
    times_ /= double(loop.extent);
    open_.pop_back();
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
    item.parent = open_.empty() ? -1 : open_.back();
    timeline.items.push_back(item);
    return int(timeline.items.size()) - 1;
  }
  std::vector<int> open_;
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

// A loop that copies begins and ends with as much under way: what is started before it but for the tile that its first
// pass waits for. Behind it, its own copies are done, and what there is no time for there is waited for.
TEST(TimelinePhases, ALoopEndsWithAsMuchUnderWayAsItBeginsWith) {
  Life life;
  life.phase(500, 0, 100).loop(8).phase(200, 0, 200).end().phase(0, 0, 250);
  EXPECT_EQ(shareByPhases(life.timeline, life.lines, true), 200 + 8 * 200 + 300);
  const auto& phases = life.timeline.phases;
  EXPECT_EQ(phases[0].clocks[int(Track::Copy)], 200);
  EXPECT_EQ(phases[0].busiest, Track::Copy);
  EXPECT_EQ(copied(phases[2], true), 300);
  for (const CopyPart& c : phases[2].copies) EXPECT_EQ(c.action, phases[1].copies.front().action) << "the loop's own";
  EXPECT_EQ(phases[2].exposed[int(Track::Copy)], 300);
  EXPECT_EQ(budgetOf(life.timeline, -1).busy[int(Track::Copy)], 500 + 8 * 200);
}

// With a lead of one tile nothing is left that products could cover.
TEST(TimelinePhases, WhatTheFirstPassWaitsForIsDoneBeforeTheLoop) {
  Life life;
  life.phase(200, 0, 0).loop(8).phase(200, 0, 200).end().phase(0, 0, 250);
  EXPECT_EQ(shareByPhases(life.timeline, life.lines, true), 200 + 8 * 200 + 250);
  EXPECT_TRUE(life.timeline.phases[2].copies.empty());
}

// Passes of a loop that starts no copies cover what is started before it, each its part.
TEST(TimelinePhases, CopiesRunOnThroughALoopThatStartsNone) {
  Life life;
  life.loop(4).phase(800, 0, 100).loop(5).phase(0, 0, 100).end().end();
  EXPECT_EQ(shareByPhases(life.timeline, life.lines, true), 4 * 800);
  const auto& phases = life.timeline.phases;
  EXPECT_EQ(phases[0].throughput, 300);
  ASSERT_EQ(phases[1].copies.size(), 1U);
  EXPECT_EQ(phases[1].copies[0].clocks, 100);
  EXPECT_TRUE(phases[1].copies[0].before);
}

// A phase whose copies are done isn't longer for those of others.
TEST(TimelinePhases, OnlyPhasesThatCopiesFillAreLonger) {
  Life life;
  life.phase(100, 0, 1000).phase(900, 0, 0).phase(0, 0, 1);
  EXPECT_NEAR(shareByPhases(life.timeline, life.lines, true), 1000 + 899 + 1, 2);
  EXPECT_EQ(life.timeline.phases[0].throughput, 1000);
  EXPECT_EQ(life.timeline.phases[0].exposed[int(Track::Copy)], 0);
}

TEST(TimelinePhases, ALoopBehindALoopOfCopiesCoversWhatIsLeft) {
  Life life;
  life.phase(400, 0, 0).loop(8).phase(200, 0, 200).end().loop(4).phase(0, 0, 100).end();
  EXPECT_EQ(shareByPhases(life.timeline, life.lines, true), 200 + 8 * 200 + 400);
}

// A phase that waits for copies without being filled by them says so for as long as it waits.
TEST(TimelinePhases, WhatCopiesAddIsTheirs) {
  Life life;
  life.phase(600, 500, 500, 0, true, true).phase(0, 0, 100);
  EXPECT_EQ(shareByPhases(life.timeline, life.lines, true), 500 + 500 + 100);
  EXPECT_EQ(life.timeline.phases[0].exposed[int(Track::Copy)], 500);
  EXPECT_EQ(life.timeline.phases[0].exposed[int(Track::Arithmetic)], 500);
}

// Whatever a life looks like: no clock of a copy is lost, and phases say of all of their clocks what decides them.
TEST(TimelinePhases, NoClockIsLost) {
  unsigned state = 7;
  const auto draw = [&](unsigned below) {
    return state = state * 1664525U + 1013904223U, double((state >> 8) % below);
  };
  for (int n = 0; n < 400; ++n) {
    SCOPED_TRACE(n);
    Life life;
    int open = 0;
    for (int left = 3 + int(draw(6)); left > 0; --left) {
      if (open < 2 && draw(3) == 0) life.loop(2 + int(draw(9))), ++open;
      const double copy = draw(2) * (1 + draw(500));
      life.phase(copy, draw(300), 1 + draw(300), std::min(copy, draw(200)), draw(4) > 0, draw(2) > 0);
      if (open > 0 && draw(3) == 0) life.end(), --open;
    }
    for (; open > 0; --open) life.end();
    shareByPhases(life.timeline, life.lines, true);
    double asked = 0, done = 0;
    for (const TimelineItem& item : life.timeline.items) {
      if (item.kind != TimelineItem::Kind::Action) continue;
      const TimelineItem& phase = life.timeline.items[std::size_t(item.parent)];
      asked += life.timeline.phases[std::size_t(phase.index)].times *
               life.timeline.actions[std::size_t(item.index)].clocks[int(Track::Copy)];
    }
    for (const TimelinePhase& p : life.timeline.phases) {
      done += p.times * p.clocks[int(Track::Copy)];
      EXPECT_NEAR(std::accumulate(p.exposed.begin(), p.exposed.end(), 0.0), p.throughput, 1e-3);
      for (const double clocks : p.clocks) EXPECT_LE(clocks, p.throughput + 1e-3);
    }
    EXPECT_NEAR(done, asked, 1e-3 * std::max(1.0, asked));
  }
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
